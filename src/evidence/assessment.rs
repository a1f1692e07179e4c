//! What the evidence says about a claim: its value, and the reason in words that are safe to print.

use std::borrow::Cow;
use std::fmt::{self, Display, Formatter};

use crate::clients::run::{CallKind, End, Gap, Run};
use crate::text::{count, escape, names};

names! {
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

#[derive(Debug, Clone)]
pub(crate) struct Assessment {
    pub(crate) value: EvidenceValue,
    pub(crate) reason: EvidenceReason,
}

impl Assessment {
    fn of(value: EvidenceValue, reason: impl Into<EvidenceReason>) -> Self {
        let reason = reason.into();
        Self { value, reason }
    }

    pub(crate) fn shown(reason: impl Into<EvidenceReason>) -> Self {
        Self::of(EvidenceValue::Shown, reason)
    }

    pub(crate) fn contradicted(reason: impl Into<EvidenceReason>) -> Self {
        Self::of(EvidenceValue::Contradicted, reason)
    }

    pub(crate) fn unknown(reason: impl Into<EvidenceReason>) -> Self {
        Self::of(EvidenceValue::Unknown, reason)
    }

    pub(crate) fn is_shown(&self) -> bool {
        self.value == EvidenceValue::Shown
    }

    pub(crate) fn is_contradicted(&self) -> bool {
        self.value == EvidenceValue::Contradicted
    }
}

pub(crate) const NO_REPOSITORY: &str = "no repository was looked at";

/// The reason for the value of a claim. Safe to print: it has no prompt, command, output or path of a transcript.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct EvidenceReason {
    pub(super) text: Cow<'static, str>,
    pub(super) call: Option<CallLabel>,
}

impl<T: Into<Cow<'static, str>>> From<T> for EvidenceReason {
    fn from(text: T) -> Self {
        Self { text: text.into(), ..Self::default() }
    }
}

impl EvidenceReason {
    /// That no call did something, be it one of a kind, and what the agent used instead.
    pub(super) fn no_call(run: &Run, kind: &str, did: &str, more: &str) -> Self {
        Self::from(format!("no {kind} {did}; the agent {}{more}", used(run)))
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }
}

pub(super) fn lack(gap: Gap) -> String {
    let what = match gap {
        Gap::NoStart => "its beginning is missing",
        Gap::NoEnd => "its end is missing",
        Gap::Elsewhere => "the calls of the agent are in another file",
        Gap::TooMuch => "it is too large to be kept",
        Gap::SameId => "two of its calls have one id",
        Gap::Unreadable { line } => &format!("line {line} cannot be read"),
        Gap::Count { found, reported } => &format!("it has {found} of {reported} calls"),
    };
    format!("the record is not complete: {what}")
}

pub(super) fn error(end: End) -> &'static str {
    match end {
        End::ApiError => "a request to the model failed",
        End::Limit => "a limit was reached",
        End::Interrupted => "it was interrupted",
        End::NotStarted => "it was never started",
        End::OutputLimit => "the limit of output was reached",
        End::Failed | End::Answered | End::Unknown => "the client reports a failure",
    }
}

/// A time span in the largest unit of which it has at least two.
pub(crate) fn span(seconds: u64) -> String {
    const UNITS: [(u64, &str); 3] = [(24 * 60 * 60, "day"), (60 * 60, "hour"), (60, "minute")];
    let unit = UNITS.iter().find(|(size, _)| seconds >= 2 * size);
    let (size, name) = unit.copied().unwrap_or((1, "second"));
    count(usize::try_from(seconds / size).unwrap_or(usize::MAX), name)
}

/// The name of a call, such as `Write call 4 of 7`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CallLabel {
    tool: String,
    pub(super) number: usize,
    count: usize,
}

impl CallLabel {
    pub(super) fn new(run: &Run, index: usize) -> Self {
        let call = run.calls.get(index);
        Self {
            tool: call.map_or_else(String::new, |call| tool_name(&call.name)),
            number: index + 1,
            count: run.calls.len(),
        }
    }

    /// A reason that is about the call, and names it.
    pub(super) fn reason(self, text: impl FnOnce(&Self) -> String) -> EvidenceReason {
        let text = text(&self).into();
        EvidenceReason { text, call: Some(self) }
    }
}

impl Display for CallLabel {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        write!(out, "{} call {} of {}", self.tool, self.number, self.count)
    }
}

/// The name of a tool, escaped and shortened. Tools of MCP servers may have any name.
fn tool_name(name: &str) -> String {
    const SHOWN: usize = 48;
    let end = name.char_indices().nth(SHOWN);
    let (shown, dots) = end.map_or((name, ""), |(end, _)| (&name[..end], "…"));
    match shown.trim() {
        "" => "unnamed".to_owned(),
        _ => format!("{}{dots}", escape::full(shown)),
    }
}

/// What a run did: `used only Read, Grep and Write`. Each tool is named once, and the one that answers not at all.
fn used(run: &Run) -> String {
    const LISTED: usize = 4;
    let mut names: Vec<&str> = Vec::new();
    let calls = run.calls.iter();
    for call in calls.filter(|call| call.kind != CallKind::Answer) {
        if !names.contains(&&*call.name) {
            names.push(&call.name);
        }
    }
    let shown = names.iter().take(LISTED).map(|name| tool_name(name));
    let mut shown: Vec<_> = shown.collect();
    if names.len() > LISTED {
        shown.push(format!("{} more", names.len() - LISTED));
    }
    match shown.split_last() {
        Some((last, [])) => format!("used only {last}"),
        Some((last, rest)) => format!("used only {} and {last}", rest.join(", ")),
        None => "made no tool call".to_owned(),
    }
}
