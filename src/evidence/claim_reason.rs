//! Why a claim that a standard of one's own declares has its value.

use crate::evidence::call_label::CallLabel;
use crate::evidence::reason_text::Used;
use crate::text::count;

/// What a file shows about a cite.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum CitedFile {
    #[error("the file is there")]
    Exists,
    #[error("the file has the line")]
    HasLine,
    #[error("the quote is there")]
    HasQuote,
    /// The quote begins in this line, not in the one that is cited.
    #[error("the quote is in line {0}")]
    HasQuoteAt(u64),
    #[error("the file has {}", count(usize::try_from(*.lines).unwrap_or(usize::MAX), "line"))]
    IsShorter { lines: u64 },
    #[error("the file does not contain the quote")]
    LacksQuote,
}

/// Why a file does not show whether a cite is right.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum CiteGap {
    #[error("there is no such file here")]
    NoFile,
    #[error("the path leads out of the root")]
    Outside,
    #[error("it is not clear which file is meant")]
    Unclear,
    #[error("it is not a text")]
    Binary,
    #[error("the file is larger than 16 MiB")]
    TooLarge,
    #[error("the return cites too much to look at all of it")]
    TooMuch,
    #[error("the file was changed since the agent started")]
    Changed,
    #[error("the agent worked in another working tree")]
    OtherTree,
    #[error("programs number the lines of such files differently")]
    OwnLines,
    #[error("lines count from 1")]
    LineZero,
    #[error("only the empty line after the last one has this number")]
    AfterLast,
    #[error("the quote has too little text to look for")]
    ShortQuote,
    #[error("the letters of the quote can be written in several ways")]
    OtherLetters,
}

/// What a repository shows about a commit.
#[cfg(feature = "git")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum FoundCommit {
    #[error("the repository has the commit")]
    Exists,
    #[error("the repository has no such commit")]
    Missing,
    #[error("it is not in the history before the agent started")]
    New,
    #[error("it was there when the agent started")]
    Old,
    #[error("the commit has the file")]
    HasFile,
    #[error("neither the commit nor the one before it has the file")]
    LacksFile,
}

/// Why a commit that is missing may be elsewhere.
#[cfg(feature = "git")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum CommitGap {
    #[error("it is not known whether this is the clone that the agent worked in")]
    OtherClone,
    #[error("the agent may have committed in another repository")]
    Elsewhere,
    #[error("the agent was resumed")]
    Resumed,
    #[error("it is not named as a commit of the agent alone")]
    InOtherWords,
    #[error("only its name is given, without a folder")]
    BareName,
}

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

/// What values of a return say of each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ValueCheck {
    #[error("the values are the same")]
    Same,
    #[error("the values differ")]
    Different,
    #[error("the parts add up to it")]
    Sum,
    #[error("the parts add up to another number")]
    OtherSum,
    #[error("there are as many")]
    Count,
    #[error("there are {0}")]
    OtherCount(usize),
}

/// Why values of a return cannot be compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ValueGap {
    #[error("the value is there only once")]
    OnlyOne,
    #[error("it is no number")]
    NoNumber,
    #[error("a part is missing or no number")]
    NoPart,
    #[error("what it counts is not there")]
    NothingToCount,
}
