//! What the evidence says about a claim: its value, and the reason in words that are safe to print.

use std::borrow::Cow;
use std::fmt::{self, Display, Formatter};
use std::time::Duration;

use crate::clients::run::{CallKind, End, Gap, Run};
use crate::text::{escape, names};

names! {
    /// What the evidence says about a claim.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) enum EvidenceValue: "evidence value" {
        /// A source shows that the claim is true.
        Shown = "shown",
        /// A complete source shows that the claim is false.
        Contradicted = "contradicted",
        /// The sources do not show whether the claim is true.
        Unknown = "unknown",
    }
}

names! {
    /// How much evidence counts.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
    pub(crate) enum EvidenceMode: "evidence mode" {
        /// No evidence is looked at.
        Off = "off",
        /// A contradicted claim is a warning.
        Warn = "warn",
        /// A contradicted claim has the level of its rule.
        #[default]
        Fail = "fail",
        /// Like `Fail`. In addition, it is an error if nothing shows that the agent wrote an artifact.
        Require = "require",
    }
}

/// The value of one claim, and the reason for it.
#[derive(Debug, Clone)]
pub(crate) struct Assessment {
    pub(crate) value: EvidenceValue,
    pub(crate) reason: EvidenceReason,
    /// The line of the transcript with the call that the reason is about, from 1.
    pub(crate) line: Option<u64>,
}

impl Assessment {
    pub(super) fn shown(reason: impl Into<EvidenceReason>) -> Self {
        Self::of(EvidenceValue::Shown, reason.into())
    }

    pub(super) fn contradicted(reason: impl Into<EvidenceReason>) -> Self {
        Self::of(EvidenceValue::Contradicted, reason.into())
    }

    pub(crate) fn unknown(reason: impl Into<EvidenceReason>) -> Self {
        Self::of(EvidenceValue::Unknown, reason.into())
    }

    fn of(value: EvidenceValue, reason: EvidenceReason) -> Self {
        let line = reason.call.as_ref().map(|call| call.line);
        Self {
            value,
            reason,
            line,
        }
    }
}

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

/// The most characters of a tool's name that are shown.
const NAME_SHOWN: usize = 48;

/// The name of a call, such as `Write call 4 of 7`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CallLabel {
    tool: String,
    pub(super) number: usize,
    count: usize,
    /// Line of the transcript, from 1.
    line: u64,
}

impl CallLabel {
    pub(super) fn new(run: &Run, index: usize) -> Self {
        let call = run.calls.get(index);
        Self {
            tool: tool_name(call.map_or("", |call| &call.name)),
            number: index + 1,
            count: run.calls.len(),
            line: call.map_or(1, |call| call.line),
        }
    }
}

impl Display for CallLabel {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        write!(out, "{} call {} of {}", self.tool, self.number, self.count)
    }
}

/// The name of a tool, escaped and shortened. Tools of MCP servers may have any name.
fn tool_name(name: &str) -> String {
    let end = name.char_indices().nth(NAME_SHOWN);
    let shown = end.map_or(name, |(end, _)| &name[..end]);
    let dots = if shown.len() < name.len() { "…" } else { "" };
    if shown.trim().is_empty() {
        return "unnamed".to_owned();
    }
    format!("{}{dots}", escape::full(shown))
}

/// What a run did: `used only Read, Grep and Write`. Each tool is named once, without the one that submits
/// the answer.
pub(super) fn used(run: &Run) -> String {
    const LISTED: usize = 4;
    let mut names: Vec<&str> = Vec::new();
    let calls = run.calls.iter();
    for call in calls.filter(|call| call.kind != CallKind::Answer) {
        if !names.contains(&&*call.name) {
            names.push(&call.name);
        }
    }
    let more = names.len().saturating_sub(LISTED);
    names.truncate(LISTED);
    let mut names: Vec<_> = names.into_iter().map(tool_name).collect();
    if more > 0 {
        names.push(format!("{more} more"));
    }
    match names.split_last() {
        Some((last, [])) => format!("used only {last}"),
        Some((last, rest)) => format!("used only {} and {last}", rest.join(", ")),
        None => "made no tool call".to_owned(),
    }
}
