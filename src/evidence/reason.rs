//! Why a claim has its value.

use std::time::Duration;

use crate::clients::run::{End, Gap};
use crate::evidence::call_name::CallName;
#[cfg(feature = "git")]
use crate::evidence::repository::RepositoryGap;
use crate::evidence::start::StartSource;

/// The reason for the value of a claim. Its text is safe to print: it has no prompt, command, output or
/// path of a transcript.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum EvidenceReason {
    /// A call of a file tool wrote it, `after` this much time since the start.
    Wrote {
        call: CallName,
        is_own: bool,
        in_work_tree: bool,
        after: Option<Duration>,
    },
    /// A shell command wrote it. `by` is the program or the redirection that did.
    WroteByCommand {
        call: CallName,
        by: &'static str,
        in_work_tree: bool,
    },
    /// It was changed since the start, and differs from the base commit.
    ChangedFromBase,
    /// It is the same as in the base commit.
    #[cfg(feature = "git")]
    Unchanged,
    /// It differs from the base commit.
    #[cfg(feature = "git")]
    Differs,
    /// A commit since the base commit changed it.
    #[cfg(feature = "git")]
    Committed,
    /// Tests passed.
    Tested { runner: String, call: CallName },
    /// Tests failed the last time that they ran.
    TestsFailed { runner: String, call: CallName },
    /// No command ran tests.
    NoCommand { tools: String },
    /// Code was changed after the last tests.
    ChangedAfterTests { change: CallName, tests: CallName },
    /// No call wrote it. `tools` are the tools that were used; `wrote_others`: they wrote other files.
    Unwritten { tools: String, wrote_others: bool },
    /// Every call that tried to write it failed. The call is the last of them.
    Failed(CallName),
    /// Every call that tried to write it failed or changed nothing. The call is the last of them, and
    /// changed nothing.
    Idle(CallName),
    /// Another agent of the session wrote it.
    WroteAnother { agent: String, call: CallName },
    /// It was last changed this long before the start.
    ChangedBefore(Duration, StartSource),
    /// It was changed since the start, and a call wrote it.
    ChangedBy(CallName),
    /// The agent made no call.
    NoCall,
    /// The task names the session.
    InPrompt,
    /// The claimed session id is the client's own id of the session.
    OfClient,
    /// The task names this many other sessions.
    OtherInPrompt { count: usize },
    /// The run ended with an answer.
    Answered,
    /// The run ended with an error.
    Ended(End),
    /// The sources do not show whether the claim is true.
    Doubt(Doubt),
}

/// Why the sources do not show whether a claim is true.
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
    NotGiven,
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
    /// Whether the agent wrote the file in another working tree. If so, the file in the project may be
    /// unchanged.
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
