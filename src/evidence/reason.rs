//! Why a claim has its value.

use std::borrow::Cow;
use std::time::Duration;

use crate::clients::run::{End, Gap};
use crate::evidence::call_label::CallLabel;

pub(crate) const NO_REPOSITORY: &str = "no repository was looked at";

/// The reason for the value of a claim. Its text is safe to print: it has no prompt, command, output or
/// path of a transcript.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct EvidenceReason {
    pub(super) text: Cow<'static, str>,
    /// The text for the agent whose work it is about, in the second person. None if it is the same.
    pub(super) to_agent: Option<String>,
    /// The call that it is about.
    pub(super) call: Option<CallLabel>,
    /// Whether the agent wrote the file in another working tree. If so, the file in the project may be
    /// unchanged.
    pub(super) is_of_work_tree: bool,
}

impl<T: Into<Cow<'static, str>>> From<T> for EvidenceReason {
    fn from(text: T) -> Self {
        Self {
            text: text.into(),
            to_agent: None,
            call: None,
            is_of_work_tree: false,
        }
    }
}

impl EvidenceReason {
    /// A reason that names a call.
    pub(super) fn of(text: String, call: CallLabel) -> Self {
        let call = Some(call);
        Self {
            call,
            ..Self::from(text)
        }
    }

    /// Sets the text for the agent whose work it is about.
    pub(super) fn or_to_agent(self, text: impl Into<String>) -> Self {
        let to_agent = Some(text.into());
        Self { to_agent, ..self }
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn to_agent(&self) -> &str {
        self.to_agent.as_deref().unwrap_or(&self.text)
    }
}

/// Why a record is not complete.
pub(super) fn lack(gap: Gap) -> String {
    let what = match gap {
        Gap::NoStart => "its beginning is missing",
        Gap::NoEnd => "its end is missing",
        Gap::Elsewhere => "the calls of the agent are in another file",
        Gap::HalfLine => "its last line is not finished",
        Gap::TooMuch => "it is too large to be kept",
        Gap::SameId => "two of its calls have one id",
        Gap::Unreadable { line } => &format!("line {line} cannot be read"),
        Gap::LongLine { line } => &format!("line {line} is too long"),
        Gap::OtherClient { line } => &format!("line {line} is of another client"),
        Gap::Count { found, reported } => &format!("it has {found} of {reported} calls"),
    };
    format!("the record is not complete: {what}")
}

/// How an agent ended that has no answer.
pub(super) fn error(end: End) -> &'static str {
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
