//! Why a claim has its value.

use std::borrow::Cow;
use std::fmt::{self, Display, Formatter};
use std::time::Duration;

use crate::clients::run::{End, Gap};
use crate::evidence::call_label::CallLabel;
use crate::evidence::claim_reason::{CommandGap, RecordedCommand, TallyCheck};
use crate::evidence::reason_text::{
    Lack, Used, error, of_other, other_ids, others, place, since, span,
};
#[cfg(feature = "git")]
use crate::evidence::repository::RepositoryGap;
use crate::evidence::start::StartSource;

/// The reason for the value of a claim. Its text is safe to print: it has no prompt, command, output or
/// path of a transcript.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum EvidenceReason {
    /// A call of a file tool did, `after` this much time since the start.
    #[error("{call}{} wrote it{}{}", of_other(*is_own), place(*in_work_tree), since(*after))]
    Wrote {
        call: CallLabel,
        is_own: bool,
        in_work_tree: bool,
        after: Option<Duration>,
    },
    /// `by` is the program or the redirection that did.
    #[error("{by} in a shell command wrote it{}, {call}", place(*in_work_tree))]
    WroteByCommand {
        call: CallLabel,
        by: &'static str,
        in_work_tree: bool,
    },
    #[error("changed since the start, and it differs from the base commit")]
    ChangedFromBase,
    #[cfg(feature = "git")]
    #[error("no commit since then has changed it")]
    Unchanged,
    #[cfg(feature = "git")]
    #[error("it differs from the base commit")]
    Differs,
    #[cfg(feature = "git")]
    #[error("a commit since the base has changed it")]
    Committed,
    #[error("{runner} passed, {call}")]
    Tested { runner: String, call: CallLabel },
    #[error("{runner} failed the last time that it ran, {call}")]
    TestsFailed { runner: String, call: CallLabel },
    #[error("no command ran tests; the agent {}", Used(tools))]
    NoCommand { tools: String },
    #[error("{change} changed code after {tests} ran the last tests")]
    ChangedAfterTests { change: CallLabel, tests: CallLabel },
    /// `tools` are the tools that were used; `wrote_others`: they wrote other files.
    #[error("no call wrote it; the agent {}{}", Used(tools), others(*wrote_others))]
    Unwritten { tools: String, wrote_others: bool },
    #[error("every call that was to write it failed, the last one {0}")]
    Failed(CallLabel),
    /// Every call that tried to write it failed or changed nothing. The call is the last of them, and
    /// changed nothing.
    #[error("no call changed it; {0} changed nothing")]
    Idle(CallLabel),
    /// Another agent of the session did.
    #[error("{call} of {agent} wrote it")]
    WroteAnother { agent: String, call: CallLabel },
    #[error("last changed {} before {start}", span(*before))]
    ChangedBefore {
        before: Duration,
        start: StartSource,
    },
    #[error("changed since the start, and {0} wrote it")]
    ChangedBy(CallLabel),
    #[error("the record of the agent is complete and has no tool call")]
    NoCall,
    #[error("it stands in the task of the agent")]
    InPrompt,
    #[error("it is the client's own id of the session")]
    OfClient,
    #[error("{} in its task", other_ids(*count))]
    OtherInPrompt { count: usize },
    #[error("the agent ended with an answer")]
    Answered,
    #[error("{}", error(*.0))]
    Ended(End),
    #[error(transparent)]
    Command(#[from] RecordedCommand),
    #[error(transparent)]
    Tally(TallyCheck),
    /// What nothing but its text tells apart.
    #[error("{0}")]
    Said(Cow<'static, str>),
    #[error(transparent)]
    Uncertainty(#[from] Uncertainty),
}

/// Why the sources do not show whether a claim is true.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Uncertainty {
    #[error("no transcript was given")]
    NoTranscript,
    #[error("the transcript could not be read")]
    Unread,
    #[error("the transcript has no agent with this id")]
    NoSuchAgent,
    #[error("the transcript has no agent")]
    NoAgent,
    #[error("the client started this agent for itself, to warm up or to compact")]
    AgentOfClient,
    #[error(
        "the client started every agent in the transcript for itself, to warm up or to compact"
    )]
    OnlyAgentsOfClient,
    #[error("the transcript has several agents; --agent-id says which one")]
    SeveralAgents,
    #[error("the last message of the agent is not this return; --agent-id says that it is its run")]
    OtherMessage,
    #[error("the record is not complete: {}", Lack(*.0))]
    Partial(Gap),
    #[error("a shell command may have written it, {0}")]
    Command(CallLabel),
    #[error("{0} may have written it")]
    Tool(CallLabel),
    #[error("an agent that it called may have written it, {0}")]
    Delegate(CallLabel),
    #[error("the transcript does not tell how {0} ended")]
    NoResult(CallLabel),
    #[error("{0} wrote a file of the same name in another place")]
    SameName(CallLabel),
    #[error("{0} wrote it as it was before")]
    Rewrote(CallLabel),
    #[error("a shell command may have undone, moved or removed it after it was written, {0}")]
    Removed(CallLabel),
    #[error("the file has several names, and the agent wrote files outside of the root")]
    OtherName,
    #[error("the agent wrote it in another working tree")]
    OtherWorkTree,
    #[error("the agent wrote too many files to compare")]
    TooManyPaths,
    #[error("{call} of {agent} wrote it, and this agent may have written it, too")]
    AnotherWrote { agent: String, call: CallLabel },
    #[error("it is not known when the agent started")]
    NoStart,
    #[error("the times of the file are not known")]
    NoTime,
    #[error("this system does not keep when a file was changed")]
    NoChangeTime,
    #[error("the content is older than the start, and only its place or rights are newer")]
    OnlyChangeTime,
    #[error("it was changed since the start, but nothing shows by whom")]
    ChangedByWhom,
    #[error("no session id stands in the task of the agent")]
    NoSessionInPrompt,
    #[error("the id is a part of another word in the task of the agent")]
    PartOfWord,
    #[error("the session ids in the task may be examples, or of another session")]
    NotGiven,
    #[error("other session ids stand in the task, but the caller expects this one")]
    ExpectedElsewhere,
    #[error("the agent was given more than one task")]
    Resumed,
    #[error("{call} of {agent} wrote it, maybe on request: the agent was resumed")]
    OnRequest { agent: String, call: CallLabel },
    #[cfg(feature = "git")]
    #[error("it is not tracked, so that it may have been there before")]
    Untracked,
    #[cfg(feature = "git")]
    #[error(transparent)]
    Repository(RepositoryGap),
    #[cfg(feature = "git")]
    #[error("the file cannot be read")]
    UnreadFile,
    #[error(transparent)]
    CommandOf(CommandGap),
    /// What nothing but its text tells apart.
    #[error("{0}")]
    Said(&'static str),
    #[error("no repository was looked at")]
    NoRepository,
    #[error("no known test runner ran")]
    NoTests,
    #[error("the status of {call} says nothing of the tests: {why}")]
    MaskedTests { call: CallLabel, why: &'static str },
    #[error("the record does not tell how the tests of {0} ended")]
    OpenTests(CallLabel),
    #[error("{0} may have run tests")]
    MaybeTests(CallLabel),
    #[error("{0} may have changed code after the last tests")]
    ChangedCode(CallLabel),
}

impl From<&'static str> for EvidenceReason {
    fn from(said: &'static str) -> Self {
        Self::Said(said.into())
    }
}

impl From<String> for EvidenceReason {
    fn from(said: String) -> Self {
        Self::Said(said.into())
    }
}

impl EvidenceReason {
    /// Whether the agent wrote the file in another working tree. If so, the file in the project may be
    /// unchanged.
    pub(super) fn is_of_work_tree(&self) -> bool {
        match self {
            Self::Wrote { in_work_tree, .. } | Self::WroteByCommand { in_work_tree, .. } => {
                *in_work_tree
            }
            _ => false,
        }
    }

    pub(super) fn call(&self) -> Option<&CallLabel> {
        match self {
            Self::Wrote { call, .. }
            | Self::WroteAnother { call, .. }
            | Self::Failed(call)
            | Self::Idle(call)
            | Self::ChangedBy(call)
            | Self::WroteByCommand { call, .. }
            | Self::Tested { call, .. }
            | Self::TestsFailed { call, .. }
            | Self::ChangedAfterTests { change: call, .. }
            | Self::Uncertainty(
                Uncertainty::Command(call)
                | Uncertainty::Tool(call)
                | Uncertainty::Delegate(call)
                | Uncertainty::NoResult(call)
                | Uncertainty::SameName(call)
                | Uncertainty::Rewrote(call)
                | Uncertainty::Removed(call)
                | Uncertainty::MaskedTests { call, .. }
                | Uncertainty::OpenTests(call)
                | Uncertainty::MaybeTests(call)
                | Uncertainty::ChangedCode(call)
                | Uncertainty::AnotherWrote { call, .. }
                | Uncertainty::OnRequest { call, .. },
            ) => Some(call),
            Self::Command(recorded) => recorded.call(),
            Self::Uncertainty(Uncertainty::CommandOf(gap)) => gap.call(),
            _ => None,
        }
    }
}

/// Displays a reason for the agent whose work it is about, in the second person.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ReasonForAgent<'r>(&'r EvidenceReason);

impl EvidenceReason {
    pub(crate) fn to_agent(&self) -> ReasonForAgent<'_> {
        ReasonForAgent(self)
    }
}

impl Display for ReasonForAgent<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        use EvidenceReason as Reason;
        match self.0 {
            Reason::NoCommand { tools } => {
                write!(out, "no command of yours ran tests; you {}", Used(tools))
            }
            Reason::Command(RecordedCommand::NotRun { tools }) => {
                write!(out, "no call of yours ran it; you {}", Used(tools))
            }
            Reason::Unwritten {
                tools,
                wrote_others,
            } => {
                let others = others(*wrote_others);
                write!(
                    out,
                    "no call of yours wrote it; you {}{others}",
                    Used(tools)
                )
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
            Reason::ChangedBefore {
                before,
                start: StartSource::Hook | StartSource::Transcript,
            } => {
                write!(out, "last changed {} before you started", span(*before))
            }
            Reason::NoCall => out.write_str("the record of your run has no tool call"),
            Reason::OtherInPrompt { count } => write!(out, "{} in your task", other_ids(*count)),
            Reason::Uncertainty(Uncertainty::Delegate(call)) => {
                write!(out, "an agent that you called may have written it, {call}")
            }
            Reason::Uncertainty(Uncertainty::AnotherWrote { agent, call }) => {
                write!(
                    out,
                    "{call} of {agent} wrote it, and you may have written it, too"
                )
            }
            Reason::Uncertainty(Uncertainty::OnRequest { agent, call }) => {
                write!(out, "{call} of {agent} wrote it, maybe on your request")
            }
            reason => reason.fmt(out),
        }
    }
}
