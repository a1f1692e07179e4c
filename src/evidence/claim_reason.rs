//! What a record shows about a command, and what numbers of tests say of each other.

use crate::evidence::call_label::CallLabel;
use crate::evidence::reason_text::Used;

/// What a record shows about a command.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum RecordedCommand {
    #[error("it ran, {0}")]
    Ran(CallLabel),
    #[error("it ended so, {0}")]
    EndedSo(CallLabel),
    #[error("it failed the last time that it ran, {0}")]
    Failed(CallLabel),
    #[error("it ended with status {status} the last time that it ran, {call}")]
    Status { status: i64, call: CallLabel },
    #[error("it succeeded the last time that it ran, {0}")]
    Succeeded(CallLabel),
    #[error("no call ran it; the agent {}", Used(.tools))]
    NotRun { tools: String },
}

/// Why a record does not show whether a command ran, or how it ended.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum CommandGap {
    #[error("it may be a part of what {0} ran")]
    MaybeRan(CallLabel),
    #[error("{0} may have run it again")]
    MaybeAgain(CallLabel),
    #[error("the record does not tell how {0} ended")]
    Open(CallLabel),
    #[error("the status of {0} is that of several commands")]
    Masked(CallLabel),
    #[error("the status of such a program is an answer, {0}")]
    Answer(CallLabel),
    #[error("{0} ended with status 0, and may have failed all the same")]
    Lenient(CallLabel),
    #[error("the record may lack the call")]
    Incomplete,
}

impl RecordedCommand {
    pub(super) fn call(&self) -> Option<&CallLabel> {
        match self {
            Self::Ran(call)
            | Self::EndedSo(call)
            | Self::Failed(call)
            | Self::Status { call, .. }
            | Self::Succeeded(call) => Some(call),
            Self::NotRun { .. } => None,
        }
    }
}

impl CommandGap {
    pub(super) fn call(&self) -> Option<&CallLabel> {
        match self {
            Self::MaybeRan(call)
            | Self::MaybeAgain(call)
            | Self::Open(call)
            | Self::Masked(call)
            | Self::Answer(call)
            | Self::Lenient(call) => Some(call),
            Self::Incomplete => None,
        }
    }
}

/// What numbers of tests say of each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum TallyCheck {
    #[error("its numbers agree")]
    Agrees,
    #[error("{part} of {total}")]
    PartAboveTotal { part: u64, total: u64 },
    #[error("the parts add up to {sum}, the total is {total}")]
    Sum { sum: u64, total: u64 },
    #[error("{passed} of {total} are another percentage")]
    Percent { passed: u64, total: u64 },
}
