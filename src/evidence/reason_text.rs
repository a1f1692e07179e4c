//! The text of reasons: one phrase each, without any content of the transcript.

use std::fmt::{self, Display, Formatter};
use std::time::Duration;

use crate::clients::run::{End, Gap};
use crate::evidence::reason::{Doubt, EvidenceReason};
use crate::evidence::start::StartSource;

/// Displays a reason for the agent whose work it is about, in the second person.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ReasonForAgent<'r>(&'r EvidenceReason);

impl EvidenceReason {
    /// The reason in the second person, for the agent itself.
    pub(crate) fn to_agent(&self) -> ReasonForAgent<'_> {
        ReasonForAgent(self)
    }
}

impl Display for ReasonForAgent<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        use EvidenceReason as Reason;
        match self.0 {
            Reason::NoCommand { tools } if tools.is_empty() => {
                out.write_str("no command of yours ran tests; you made no tool call")
            }
            Reason::NoCommand { tools } => {
                write!(out, "no command of yours ran tests; you used only {tools}")
            }
            Reason::Unwritten { tools, .. } if tools.is_empty() => {
                out.write_str("no call of yours wrote it; you made no tool call")
            }
            Reason::Unwritten {
                tools,
                wrote_others,
            } => {
                write!(out, "no call of yours wrote it; you used only {tools}")?;
                others(*wrote_others, out)
            }
            Reason::Failed(call) => write!(
                out,
                "every call of yours that was to write it failed, the last one {call}"
            ),
            Reason::Idle(call) => {
                write!(out, "no call of yours changed it; {call} changed nothing")
            }
            Reason::WroteAnother { agent, call } => {
                write!(out, "{call} of {agent} wrote it, and none of yours")
            }
            Reason::ChangedBefore(before, StartSource::Hook | StartSource::Transcript) => {
                write!(out, "last changed {} before you started", span(*before))
            }
            Reason::NoCall => out.write_str("the record of your run has no tool call"),
            Reason::OtherInPrompt { count: 1 } => {
                out.write_str("another session id stands in your task")
            }
            Reason::OtherInPrompt { count } => {
                write!(out, "{count} other session ids stand in your task")
            }
            Reason::Doubt(Doubt::Delegate(call)) => {
                write!(out, "an agent that you called may have written it, {call}")
            }
            Reason::Doubt(Doubt::AnotherWrote { agent, call }) => {
                write!(
                    out,
                    "{call} of {agent} wrote it, and you may have written it, too"
                )
            }
            Reason::Doubt(Doubt::OnRequest { agent, call }) => {
                write!(out, "{call} of {agent} wrote it, maybe on your request")
            }
            reason => reason.fmt(out),
        }
    }
}

/// Adds whether the tools wrote other files.
fn others(wrote_others: bool, out: &mut Formatter<'_>) -> fmt::Result {
    out.write_str(if wrote_others {
        ", and wrote only other files"
    } else {
        ""
    })
}

impl Display for EvidenceReason {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Wrote {
                call,
                is_own,
                in_work_tree,
                after,
            } => {
                write!(out, "{call}")?;
                if !is_own {
                    out.write_str(" of an agent that it called")?;
                }
                out.write_str(" wrote it")?;
                if *in_work_tree {
                    out.write_str(" in another working tree")?;
                }
                match after {
                    Some(after) => write!(out, ", {} after the start", span(*after)),
                    None => Ok(()),
                }
            }
            Self::WroteByCommand {
                call,
                by,
                in_work_tree,
            } => {
                let place = if *in_work_tree {
                    " in another working tree"
                } else {
                    ""
                };
                write!(out, "{by} in a shell command wrote it{place}, {call}")
            }
            Self::ChangedFromBase => {
                out.write_str("changed since the start, and it differs from the base commit")
            }
            #[cfg(feature = "git")]
            Self::Unchanged => out.write_str("no commit since then has changed it"),
            #[cfg(feature = "git")]
            Self::Differs => out.write_str("it differs from the base commit"),
            #[cfg(feature = "git")]
            Self::Committed => out.write_str("a commit since the base has changed it"),
            Self::Tested { runner, call } => write!(out, "{runner} passed, {call}"),
            Self::TestsFailed { runner, call } => {
                write!(out, "{runner} failed the last time that it ran, {call}")
            }
            Self::NoCommand { tools } if tools.is_empty() => {
                out.write_str("no command ran tests; the agent made no tool call")
            }
            Self::NoCommand { tools } => {
                write!(out, "no command ran tests; the agent used only {tools}")
            }
            Self::ChangedAfterTests { change, tests } => {
                write!(
                    out,
                    "{change} changed code after {tests} ran the last tests"
                )
            }
            Self::Unwritten { tools, .. } if tools.is_empty() => {
                out.write_str("no call wrote it; the agent made no tool call")
            }
            Self::Unwritten {
                tools,
                wrote_others,
            } => {
                write!(out, "no call wrote it; the agent used only {tools}")?;
                others(*wrote_others, out)
            }
            Self::Failed(call) => {
                write!(
                    out,
                    "every call that was to write it failed, the last one {call}"
                )
            }
            Self::Idle(call) => write!(out, "no call changed it; {call} changed nothing"),
            Self::WroteAnother { agent, call } => write!(out, "{call} of {agent} wrote it"),
            Self::ChangedBefore(before, source) => {
                write!(out, "last changed {} before {source}", span(*before))
            }
            Self::ChangedBy(call) => write!(out, "changed since the start, and {call} wrote it"),
            Self::NoCall => {
                out.write_str("the record of the agent is complete and has no tool call")
            }
            Self::InPrompt => out.write_str("it stands in the task of the agent"),
            Self::OfClient => out.write_str("it is the client's own id of the session"),
            Self::OtherInPrompt { count: 1 } => {
                out.write_str("another session id stands in its task")
            }
            Self::OtherInPrompt { count } => {
                write!(out, "{count} other session ids stand in its task")
            }
            Self::Answered => out.write_str("the agent ended with an answer"),
            Self::Ended(end) => out.write_str(error(*end)),
            Self::Doubt(doubt) => doubt.fmt(out),
        }
    }
}

impl Display for Doubt {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let text = match self {
            Self::Partial(gap) => return write!(out, "the record is not complete: {}", Lack(*gap)),
            Self::Command(call) => {
                return write!(out, "a shell command may have written it, {call}");
            }
            Self::Tool(call) => return write!(out, "{call} may have written it"),
            Self::Delegate(call) => {
                return write!(out, "an agent that it called may have written it, {call}");
            }
            Self::NoResult(call) => {
                return write!(out, "the transcript does not tell how {call} ended");
            }
            Self::SameName(call) => {
                return write!(out, "{call} wrote a file of the same name in another place");
            }
            Self::Rewrote(call) => return write!(out, "{call} wrote it as it was before"),
            Self::Removed(call) => {
                return write!(
                    out,
                    "a shell command may have undone, moved or removed it after it was written, {call}"
                );
            }
            Self::AnotherWrote { agent, call } => {
                return write!(
                    out,
                    "{call} of {agent} wrote it, and this agent may have written it, too"
                );
            }
            Self::OnRequest { agent, call } => {
                return write!(
                    out,
                    "{call} of {agent} wrote it, maybe on request: the agent was resumed"
                );
            }
            #[cfg(feature = "git")]
            Self::Repository(gap) => return gap.fmt(out),
            Self::MaskedTests { call, why } => {
                return write!(out, "the status of {call} says nothing of the tests: {why}");
            }
            Self::OpenTests(call) => {
                return write!(
                    out,
                    "the record does not tell how the tests of {call} ended"
                );
            }
            Self::MaybeTests(call) => return write!(out, "{call} may have run tests"),
            Self::ChangedCode(call) => {
                return write!(out, "{call} may have changed code after the last tests");
            }
            #[cfg(feature = "git")]
            Self::Untracked => "it is not tracked, so that it may have been there before",
            #[cfg(feature = "git")]
            Self::UnreadFile => "the file cannot be read",
            Self::NoTests => "no known test runner ran",
            Self::NoTranscript => "no transcript was given",
            Self::Unread => "the transcript could not be read",
            Self::NoSuchAgent => "the transcript has no agent with this id",
            Self::NoAgent => "the transcript has no agent",
            Self::AgentOfClient => {
                "the client started this agent for itself, to warm up or to compact"
            }
            Self::OnlyAgentsOfClient => {
                "the client started every agent in the transcript for itself, to warm up or to compact"
            }
            Self::SeveralAgents => "the transcript has several agents; --agent-id says which one",
            Self::OtherMessage => {
                "the last message of the agent is not this return; --agent-id says that it is its run"
            }
            Self::OtherName => {
                "the file has several names, and the agent wrote files outside of the root"
            }
            Self::OtherWorkTree => "the agent wrote it in another working tree",
            Self::TooManyPaths => "the agent wrote too many files to compare",
            Self::NoStart => "it is not known when the agent started",
            Self::NoTime => "the times of the file are not known",
            Self::NoChangeTime => "this system does not keep when a file was changed",
            Self::OnlyChangeTime => {
                "the content is older than the start, and only its place or rights are newer"
            }
            Self::ChangedByWhom => "it was changed since the start, but nothing shows by whom",
            Self::NoSessionInPrompt => "no session id stands in the task of the agent",
            Self::PartOfWord => "the id is a part of another word in the task of the agent",
            Self::NotGiven => "the session ids in the task may be examples, or of another session",
            Self::ExpectedElsewhere => {
                "other session ids stand in the task, but the caller expects this one"
            }
            Self::Resumed => "the agent was given more than one task",
        };
        out.write_str(text)
    }
}

/// Displays what a record lacks.
struct Lack(Gap);

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

/// The text for a run that ended without an answer.
fn error(end: End) -> &'static str {
    match end {
        End::ApiError => "a request to the model failed",
        End::Limit => "a limit was reached",
        End::Interrupted => "it was interrupted",
        End::NotStarted => "it was never started",
        End::Failed | End::Answered | End::Unknown => "the client reports a failure",
    }
}

/// A time span in the largest unit of which it has at least two.
fn span(time: Duration) -> String {
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
