//! What a transcript tells of one agent's run, the same for every client.

use std::sync::Arc;
use std::time::SystemTime;

/// One agent's run, as its transcript records it.
///
/// All text is untrusted: it was written by a model, or by programs that the model ran.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Run {
    /// The session that the client recorded.
    pub session: Option<String>,
    /// The client's id of this agent. The main agent of Claude Code and Copilot CLI has none.
    pub agent_id: Option<String>,
    /// The type or role that the agent was called with.
    pub agent_type: Option<String>,
    /// Whether the client ships this type of agent, if it says so.
    pub is_builtin: Option<bool>,
    /// The id of the agent that called this one. None if the main agent did and has no id.
    pub parent: Option<String>,
    /// 0 for the main agent, 1 for an agent that it called, and so on.
    pub depth: Option<u64>,
    /// The caller's tool call that started this agent.
    pub tool_call_id: Option<String>,
    /// The task that the agent was given first.
    pub prompt: Option<String>,
    /// Its tool calls, in the order of the transcript.
    pub calls: Vec<Call>,
    /// The last text of its last turn. None if that turn has no text.
    pub final_message: Option<String>,
    /// How the run ended.
    pub end: End,
    /// Whether the agent was given another message after it had answered.
    pub resumed: bool,
    /// How often a hook did not let it end, since it was last given a task.
    pub times_sent_back: u64,
    /// Time of the first record.
    pub started: Option<SystemTime>,
    /// Time of the last record.
    pub ended: Option<SystemTime>,
    /// Tokens used, each message counted once.
    pub tokens: Tokens,
    /// Tool calls by the client's own count.
    pub reported_calls: Option<u64>,
    /// Whether every call is in the record.
    pub completeness: Completeness,
    /// The commit that was checked out when the session began, if the client records it.
    pub base_revision: Option<String>,
}

impl Run {
    /// Whether the record has every call.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.completeness == Completeness::Complete
    }
}

/// One tool call.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Call {
    /// The tool's name, as the client has it.
    pub name: Arc<str>,
    /// What a tool of that name can do.
    pub kind: CallKind,
    /// Files that a file tool was told to write, as the call or its result names them.
    pub paths: Vec<String>,
    /// The shell command, unless it is too long to keep.
    pub command: Option<String>,
    /// Whether the command was started in the background, so that its end is not in the result.
    pub background: bool,
    /// The agent that this call started.
    pub agent_id: Option<String>,
    /// The working directory of the call, as far as `shell` says that it is.
    pub cwd: Option<Arc<str>>,
    /// What earlier commands of the run have to do with the working directory.
    pub shell: CallShell,
    /// How the call ended.
    pub outcome: Outcome,
    /// What it changed, if it is a call of a file tool that succeeded.
    pub effect: WriteEffect,
    /// The exit status of a command, if the client records it.
    pub exit_code: Option<i64>,
    /// When the call was made.
    pub time: Option<SystemTime>,
    /// Line of the transcript on which the record with the call begins, from 1.
    pub line: u64,
}

/// What a tool can do to files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CallKind {
    /// Reads, searches or plans, and writes no file of a project.
    ReadOnly,
    /// Writes the files that it names.
    Write,
    /// Runs a shell command.
    Command,
    /// Starts another agent, or gives it a message.
    Delegate,
    /// Hands in the agent's answer.
    Answer,
    /// A tool of which nothing is known: it may write.
    Other,
}

/// How a call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Outcome {
    /// The client reports success.
    Succeeded,
    /// The client reports an error.
    Failed,
    /// The call was not allowed, so that nothing happened.
    Rejected,
    /// There is no result, or the result does not tell.
    #[default]
    Unknown,
}

/// Whether a call works in the directory that the record has, or where an earlier command went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum CallShell {
    /// The record has the directory of this very call.
    #[default]
    Own,
    /// The directory is that of the session. The client may keep a shell, with what earlier commands
    /// did to it.
    Shared,
    /// The directory is where the last command went with the same number: they run in one shell. The
    /// first of them begins in the directory of the session.
    Kept(u64),
}

/// What a call of a file tool changed, as far as its own record tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[non_exhaustive]
pub enum WriteEffect {
    /// The record does not say that nothing was changed.
    #[default]
    Change,
    /// The file was written as it was.
    Rewrite,
    /// There was nothing to do: a text was replaced by itself, or a patch has no change.
    Nothing,
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum End {
    /// With an answer.
    Answered,
    /// A request to the model failed.
    ApiError,
    /// A limit of use or of turns was reached.
    Limit,
    /// The run was interrupted.
    Interrupted,
    /// The agent was never started.
    NotStarted,
    /// The client reports another failure.
    Failed,
    /// The transcript does not tell.
    #[default]
    Unknown,
}

impl End {
    /// Whether the client ended the run with an error in place of an answer.
    #[must_use]
    pub const fn is_error(self) -> bool {
        !matches!(self, Self::Answered | Self::Unknown)
    }
}

/// Tokens of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Tokens {
    /// Tokens of requests, without those of the cache.
    pub input: u64,
    /// Tokens of answers.
    pub output: u64,
    /// Tokens that were read from a cache or written to it.
    pub cache: u64,
    /// All of them. The client's own count, if it does not record those of each message.
    pub total: u64,
}

/// Whether a record has every call of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Completeness {
    /// The calls equal the client's own count, or the agent's end is in the record.
    Complete,
    /// Calls may be missing.
    Partial(Gap),
}

impl Default for Completeness {
    fn default() -> Self {
        Self::Partial(Gap::NoEnd)
    }
}

/// Why calls of a run may be missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Gap {
    /// The record begins after the agent's start.
    NoStart,
    /// The agent's end is not in the record.
    NoEnd,
    /// The agent's records are in a transcript of their own.
    Elsewhere,
    /// A line could not be read.
    Unreadable {
        /// Line of the transcript, from 1.
        line: u64,
    },
    /// A line is longer than [`LINE_AT_MOST`](crate::transcript::LINE_AT_MOST).
    LongLine {
        /// Line of the transcript, from 1.
        line: u64,
    },
    /// A line has a record that another client writes: whose transcript it is, is not certain.
    OtherClient {
        /// Line of the transcript, from 1.
        line: u64,
    },
    /// The last line is not finished: the file may still grow.
    HalfLine,
    /// There is more than is kept of one transcript.
    TooMuch,
    /// Two calls have one id, so that results cannot be told apart.
    SameId,
    /// The client counted another number of calls.
    Count {
        /// Calls in the record.
        found: u64,
        /// Calls that the client counted.
        reported: u64,
    },
}
