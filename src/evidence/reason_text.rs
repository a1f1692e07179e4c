//! Parts of the texts of reasons.

use std::fmt::{self, Display, Formatter};
use std::time::Duration;

use crate::clients::run::{End, Gap};

/// Displays which tools the agent used, if any.
pub(super) struct Used<'t>(pub(super) &'t str);

impl Display for Used<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            "" => out.write_str("made no tool call"),
            tools => write!(out, "used only {tools}"),
        }
    }
}

/// Whether the tools wrote other files.
pub(super) fn others(wrote_others: bool) -> &'static str {
    if wrote_others {
        ", and wrote only other files"
    } else {
        ""
    }
}

pub(super) fn of_other(is_own: bool) -> &'static str {
    if is_own {
        ""
    } else {
        " of an agent that it called"
    }
}

pub(super) fn place(in_work_tree: bool) -> &'static str {
    if in_work_tree {
        " in another working tree"
    } else {
        ""
    }
}

pub(super) fn since(start: Option<Duration>) -> String {
    start.map_or(String::new(), |after| {
        format!(", {} after the start", span(after))
    })
}

pub(super) fn other_ids(count: usize) -> String {
    match count {
        1 => "another session id stands".to_owned(),
        count => format!("{count} other session ids stand"),
    }
}

pub(super) struct Lack(pub(super) Gap);

impl Display for Lack {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            Gap::NoStart => out.write_str("its beginning is missing"),
            Gap::NoEnd => out.write_str("its end is missing"),
            Gap::Elsewhere => out.write_str("the calls of the agent are in another file"),
            Gap::Unreadable { line } => write!(out, "line {line} cannot be read"),
            Gap::LongLine { line } => write!(out, "line {line} is too long"),
            Gap::OtherClient { line } => write!(out, "line {line} is of another client"),
            Gap::HalfLine => out.write_str("its last line is not finished"),
            Gap::TooMuch => out.write_str("it is too large to be kept"),
            Gap::SameId => out.write_str("two of its calls have one id"),
            Gap::Count { found, reported } => {
                write!(out, "it has {found} of {reported} calls")
            }
        }
    }
}

/// How an agent ended that has no answer.
pub(crate) fn error(end: End) -> &'static str {
    match end {
        End::ApiError => "a request to the model failed",
        End::Limit => "a limit was reached",
        End::Interrupted => "it was interrupted",
        End::NotStarted => "it was never started",
        End::Failed | End::Answered | End::Unknown => "the client reports a failure",
    }
}

/// A time span in the largest unit of which it has at least two.
pub(super) fn span(time: Duration) -> String {
    const UNITS: [(u64, &str); 3] = [(24 * 60 * 60, "days"), (60 * 60, "hours"), (60, "minutes")];
    const YEAR: u64 = 365 * 24 * 60 * 60;
    let seconds = time.as_secs();
    if seconds > YEAR {
        return "more than a year".to_owned();
    }
    let unit = UNITS.iter().find(|(size, _)| seconds >= 2 * size);
    match unit {
        Some((size, name)) => format!("{} {name}", seconds / size),
        None => format!("{seconds} s"),
    }
}
