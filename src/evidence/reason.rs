//! Why a claim has its value, in one phrase that says nothing of what a transcript contains.

use std::fmt::{self, Display, Formatter};
use std::time::Duration;

use crate::evidence::call_name::CallName;
use crate::evidence::start::StartSource;
#[cfg(feature = "git")]
use crate::repository::RepositoryGap;
use crate::transcript::{End, Gap};

/// Why a claim has its value. Displays safe to print: no prompt, command, output or path of a
/// transcript.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum EvidenceReason {
    /// A call wrote it, this long after the start.
    Wrote {
        call: CallName,
        is_own: bool,
        after: Option<Duration>,
    },
    /// A shell command wrote it, by what.
    WroteByCommand { call: CallName, by: &'static str },
    /// It was changed since the start and differs from the base.
    ChangedFromBase,
    /// It is as in the base.
    #[cfg(feature = "git")]
    Unchanged,
    /// It differs from the base.
    #[cfg(feature = "git")]
    Differs,
    /// A commit since the base has changed it.
    #[cfg(feature = "git")]
    Committed,
    /// Tests passed.
    Tested { runner: String, call: CallName },
    /// The last tests failed.
    TestsFailed { runner: String, call: CallName },
    /// No command ran.
    NoCommand { tools: String },
    /// Code was changed after the last tests.
    ChangedAfterTests { change: CallName, tests: CallName },
    /// No call wrote it; the tools that were used.
    Unwritten { tools: String },
    /// Every call that was to write it failed; the last of them.
    Failed(CallName),
    /// Another agent of the session wrote it.
    WroteAnother { agent: String, call: CallName },
    /// It was last changed so long before the start.
    ChangedBefore(Duration, StartSource),
    /// It was changed since the start, and a call wrote it.
    ChangedBy(CallName),
    /// The agent made no call.
    NoCall,
    /// The task names the session.
    InPrompt,
    /// It is the client's own id of the session.
    OfClient,
    /// The task names another session.
    OtherInPrompt,
    /// The run ended with an answer.
    Answered,
    /// The run ended with an error.
    Ended(End),
    /// The sources cannot tell.
    Doubt(Doubt),
}

/// Why the sources cannot tell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Doubt {
    NoTranscript,
    Unread,
    NoSuchAgent,
    SeveralAgents,
    OtherMessage,
    Partial(Gap),
    Command(CallName),
    Tool(CallName),
    Delegate(CallName),
    NoResult(CallName),
    SameName(CallName),
    TooManyPaths,
    AnotherWrote {
        agent: String,
        call: CallName,
    },
    NoStart,
    NoTime,
    NoChangeTime,
    OnlyChangeTime,
    ChangedByWhom,
    NoSessionInPrompt,
    SeveralInPrompt,
    Resumed,
    #[cfg(feature = "git")]
    Untracked,
    #[cfg(feature = "git")]
    Repository(RepositoryGap),
    #[cfg(feature = "git")]
    UnreadFile,
    NoTests,
    MaskedTests {
        call: CallName,
        why: &'static str,
    },
    OpenTests(CallName),
    MaybeTests(CallName),
    ChangedCode(CallName),
}

impl From<Doubt> for EvidenceReason {
    fn from(doubt: Doubt) -> Self {
        Self::Doubt(doubt)
    }
}

impl EvidenceReason {
    /// The call that the reason is about.
    pub(super) fn call(&self) -> Option<&CallName> {
        match self {
            Self::Wrote { call, .. }
            | Self::WroteAnother { call, .. }
            | Self::Failed(call)
            | Self::ChangedBy(call)
            | Self::WroteByCommand { call, .. }
            | Self::Tested { call, .. }
            | Self::TestsFailed { call, .. }
            | Self::ChangedAfterTests { change: call, .. }
            | Self::Doubt(
                Doubt::Command(call)
                | Doubt::Tool(call)
                | Doubt::Delegate(call)
                | Doubt::NoResult(call)
                | Doubt::SameName(call)
                | Doubt::MaskedTests { call, .. }
                | Doubt::OpenTests(call)
                | Doubt::MaybeTests(call)
                | Doubt::ChangedCode(call)
                | Doubt::AnotherWrote { call, .. },
            ) => Some(call),
            _ => None,
        }
    }
}

impl Display for EvidenceReason {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Wrote {
                call,
                is_own,
                after,
            } => {
                write!(out, "{call}")?;
                if !is_own {
                    out.write_str(" of an agent that it called")?;
                }
                out.write_str(" wrote it")?;
                match after {
                    Some(after) => write!(out, ", {} after the start", span(*after)),
                    None => Ok(()),
                }
            }
            Self::WroteByCommand { call, by } => {
                write!(out, "{by} in a shell command wrote it, {call}")
            }
            Self::ChangedFromBase => {
                out.write_str("changed since the start, and it differs from the base commit")
            }
            #[cfg(feature = "git")]
            Self::Unchanged => out.write_str("no commit since the base has changed it, either"),
            #[cfg(feature = "git")]
            Self::Differs => out.write_str("it differs from the base commit"),
            #[cfg(feature = "git")]
            Self::Committed => out.write_str("a commit since the base has changed it"),
            Self::Tested { runner, call } => write!(out, "{runner} passed, {call}"),
            Self::TestsFailed { runner, call } => {
                write!(out, "{runner} failed the last time that it ran, {call}")
            }
            Self::NoCommand { tools } if tools.is_empty() => {
                out.write_str("no command ran; the agent made no tool call")
            }
            Self::NoCommand { tools } => {
                write!(out, "no command ran; the agent used only {tools}")
            }
            Self::ChangedAfterTests { change, tests } => {
                write!(
                    out,
                    "{change} changed code after {tests} ran the last tests"
                )
            }
            Self::Unwritten { tools } if tools.is_empty() => {
                out.write_str("no call wrote it; the agent made no tool call")
            }
            Self::Unwritten { tools } => {
                write!(out, "no call wrote it; the agent used only {tools}")
            }
            Self::Failed(call) => {
                write!(
                    out,
                    "every call that was to write it failed, the last one {call}"
                )
            }
            Self::WroteAnother { agent, call } => write!(out, "{call} of {agent} wrote it"),
            Self::ChangedBefore(before, source) => {
                write!(out, "last changed {} before {source}", span(*before))
            }
            Self::ChangedBy(call) => write!(out, "changed since the start, and {call} wrote it"),
            Self::NoCall => out.write_str("the transcript is complete and has no tool call"),
            Self::InPrompt => out.write_str("it stands in the task of the agent"),
            Self::OfClient => out.write_str("it is the client's own id of the session"),
            Self::OtherInPrompt => out.write_str("another session id stands in its task"),
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
            Self::NoResult(call) => return write!(out, "{call} has no result in the transcript"),
            Self::SameName(call) => {
                return write!(out, "{call} wrote a file of the same name in another place");
            }
            Self::AnotherWrote { agent, call } => {
                return write!(
                    out,
                    "{call} of {agent} wrote it, and this agent may have written it, too"
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
                return write!(out, "{call} changed code after the last tests");
            }
            #[cfg(feature = "git")]
            Self::Untracked => "it is not tracked, so that it may have been there before",
            #[cfg(feature = "git")]
            Self::UnreadFile => "the file cannot be read",
            Self::NoTests => "no known test runner ran",
            Self::NoTranscript => "no transcript was given",
            Self::Unread => "the transcript could not be read",
            Self::NoSuchAgent => "the transcript has no agent with this id",
            Self::SeveralAgents => "the transcript has several agents; --agent-id says which one",
            Self::OtherMessage => {
                "the last message of the agent is not this return; --agent-id says that it is its run"
            }
            Self::TooManyPaths => "the agent wrote too many files to compare",
            Self::NoStart => "it is not known when the agent started",
            Self::NoTime => "the times of the file are not known",
            Self::NoChangeTime => "this system does not keep when a file was changed",
            Self::OnlyChangeTime => {
                "the content is older than the start, and only its place or rights are newer"
            }
            Self::ChangedByWhom => "it was changed since the start, but nothing shows by whom",
            Self::NoSessionInPrompt => "no session id stands in the task of the agent",
            Self::SeveralInPrompt => "several session ids stand in the task of the agent",
            Self::Resumed => "the agent was given more than one task",
        };
        out.write_str(text)
    }
}

/// What a record lacks.
struct Lack(Gap);

impl Display for Lack {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            Gap::NoStart => out.write_str("its beginning is missing"),
            Gap::NoEnd => out.write_str("its end is missing"),
            Gap::Elsewhere => out.write_str("the calls of the agent are in another file"),
            Gap::Unreadable { line } => write!(out, "line {line} cannot be read"),
            Gap::LongLine { line } => write!(out, "line {line} is too long"),
            Gap::HalfLine => out.write_str("its last line is not finished"),
            Gap::TooMuch => out.write_str("it is too large to be kept"),
            Gap::Count { found, reported } => {
                write!(out, "it has {found} of {reported} calls")
            }
        }
    }
}

/// What stands in place of an answer.
fn error(end: End) -> &'static str {
    match end {
        End::ApiError => "a request to the model failed",
        End::Limit => "a limit was reached",
        End::Interrupted => "it was interrupted",
        End::NotStarted => "it was never started",
        End::Failed | End::Answered | End::Unknown => "the client reports a failure",
    }
}

/// A time span in the largest unit of which there are at least two.
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
