//! Why a claim has its value.

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
        in_work_tree: bool,
        after: Option<Duration>,
    },
    /// A shell command wrote it, by what.
    WroteByCommand {
        call: CallName,
        by: &'static str,
        in_work_tree: bool,
    },
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
    /// No call wrote it; the tools that were used, and whether they wrote other files.
    Unwritten { tools: String, wrote_others: bool },
    /// Every call that was to write it failed; the last of them.
    Failed(CallName),
    /// Every call that was to write it failed or changed nothing; the last of them changed nothing.
    Idle(CallName),
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
    /// The task names other sessions, so many of them.
    OtherInPrompt { count: usize },
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
    NoAgent,
    AgentOfClient,
    OnlyAgentsOfClient,
    SeveralAgents,
    OtherMessage,
    Partial(Gap),
    Command(CallName),
    Tool(CallName),
    Delegate(CallName),
    NoResult(CallName),
    SameName(CallName),
    Rewrote(CallName),
    Removed(CallName),
    OtherName,
    OtherWorkTree,
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
    PartOfWord,
    ExpectedElsewhere,
    Resumed,
    OnRequest {
        agent: String,
        call: CallName,
    },
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
    /// Whether the agent wrote the file in another working tree, so that the one in the project may be
    /// as it was.
    pub(super) fn is_of_work_tree(&self) -> bool {
        matches!(
            self,
            Self::Wrote {
                in_work_tree: true,
                ..
            } | Self::WroteByCommand {
                in_work_tree: true,
                ..
            }
        )
    }

    /// The call that the reason is about.
    pub(super) fn call(&self) -> Option<&CallName> {
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
            | Self::Doubt(
                Doubt::Command(call)
                | Doubt::Tool(call)
                | Doubt::Delegate(call)
                | Doubt::NoResult(call)
                | Doubt::SameName(call)
                | Doubt::Rewrote(call)
                | Doubt::Removed(call)
                | Doubt::MaskedTests { call, .. }
                | Doubt::OpenTests(call)
                | Doubt::MaybeTests(call)
                | Doubt::ChangedCode(call)
                | Doubt::AnotherWrote { call, .. }
                | Doubt::OnRequest { call, .. },
            ) => Some(call),
            _ => None,
        }
    }
}
