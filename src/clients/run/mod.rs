//! The data of one agent's run, in the same form for every client.

mod draft;
mod json;
mod runs;
pub(super) mod test_summary;

use std::hash::{DefaultHasher, Hasher as _};
use std::str::FromStr;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use jiff::Timestamp;

use crate::text::names;

pub(super) use draft::LastRecord;
pub(super) use json::{JsonNode, each, text_of_json};
pub(crate) use runs::PATHS_OF_CALL_AT_MOST;
pub(super) use runs::{
    AGENT_TYPE, CWD, CallPlace, MODEL, PARENT, RunMember, Runs, SESSION, VERSION,
};

/// Reads the transcripts of one client, record after record.
pub(crate) trait RunReader {
    fn runs(&mut self) -> &mut Runs;

    /// Reads what a document has beside its messages.
    fn head(&mut self, _head: &JsonNode) {}

    /// Reads a record or a message, which begins on that line.
    fn record(&mut self, record: &JsonNode, line: u64);

    /// Completes the runs after the last record.
    fn finish(&mut self) {}
}

/// Fills those of these members that are None.
macro_rules! fill {
    ($own:expr, $other:ident: $($member:ident),+) => {
        $(if $own.$member.is_none() {
            $own.$member.clone_from(&$other.$member);
        })+
    };
}
pub(crate) use fill;

/// One agent's run, as its transcript records it.
///
/// All text is untrusted: it was written by a model, or by programs that the model ran.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(crate) struct Run {
    pub session: Option<String>,
    /// The main agent of Claude Code and Copilot CLI has none.
    pub agent_id: Option<String>,
    pub agent_type: Option<String>,
    /// Whether this type of agent is built into the client, if the client records it.
    pub is_builtin: Option<bool>,
    /// The id of the agent that called this one.
    pub parent: Option<String>,
    /// 0 for the main agent, 1 for an agent that it called, and so on.
    pub depth: Option<u64>,
    /// What the client started the agent for. None if another agent called it.
    pub own_use: Option<OwnUse>,
    /// The caller's tool call that started this agent.
    pub tool_call_id: Option<String>,
    pub prompt: Option<String>,
    /// Its tool calls, in the order of the transcript.
    pub calls: Vec<Call>,
    /// The last text of its last turn. None if that turn has no text.
    pub final_message: Option<String>,
    pub end: End,
    /// Whether the agent was given another message after it had answered.
    pub resumed: bool,
    /// Whether it was given more to read than its prompt: another message, the history of its caller, a file.
    pub was_told_more: bool,
    /// How often a hook did not let the agent stop since its last task.
    pub times_asked_again: u64,
    pub started: Option<SystemTime>,
    pub ended: Option<SystemTime>,
    /// Time of the last message to the agent: a task, or what a hook sent it back with.
    pub asked: Option<SystemTime>,
    /// The tokens used, as far as they are recorded. Each message is counted once.
    pub tokens: Tokens,
    /// The number of tool calls, as the client counted them.
    pub reported_calls: Option<u64>,
    pub completeness: Completeness,
    /// The commit that was checked out when the session began, if the client records it.
    pub base_revision: Option<String>,
    /// Whether every call has a result, and the record ends with reasoning alone, or with a text in a version of
    /// the client that never marks the end of a message. Another call may have followed, but none is recorded.
    pub(crate) ends_in_message: bool,
    /// Whether there are records of the agent itself, and not only the caller's records about it.
    pub is_recorded: bool,
    pub details: RunDetails,
}

impl Run {
    pub(crate) fn is_complete(&self) -> bool {
        self.completeness == Completeness::Complete
    }

    /// How long it took: as the client measured it, else from its first to its last record.
    pub(crate) fn took(&self) -> Option<Duration> {
        let recorded = || self.ended?.duration_since(self.started?).ok();
        self.details.duration.or_else(recorded)
    }
}

/// What a client starts an agent for that no other agent called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OwnUse {
    /// To fill its cache.
    Prewarming,
    /// To summarise a conversation that has grown too long.
    Compaction,
    /// To review, to judge a command, to sort its memory.
    Other,
}

/// What a client records about a run beside its messages and calls, as far as this version does.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct RunDetails {
    /// The model of the first answer.
    pub model: Option<String>,
    pub client_version: Option<String>,
    /// The folder of the session, or that of its caller.
    pub cwd: Option<String>,
    pub called: Option<SystemTime>,
    /// How long the run took, as the client measured it.
    pub duration: Option<Duration>,
    /// The tokens in the context at the end of the run. Those that it used are a multiple of this.
    pub context_tokens: Option<u64>,
    /// The working tree that the client made for the agent alone.
    pub work_tree: Option<String>,
    /// How the client says that the agent's task ended.
    pub status: Option<ClientStatus>,
}

names! {
    /// What a client told the caller about an agent's task.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub(crate) enum ClientStatus: "client status" {
        /// It runs in the background. Nothing later is recorded.
        Launched = "launched",
        Completed = "completed",
        /// It failed, or its call did.
        Failed = "failed",
        Stopped = "stopped",
        /// The agent became a member of a team, which answers by messages and not by a return.
        Teammate = "teammate",
    }
}

impl RunDetails {
    /// Fills empty fields from another record of the same run.
    pub(crate) fn fill(&mut self, other: &Self) {
        fill!(self, other: model, client_version, cwd, called, duration, context_tokens, work_tree);
        if matches!(self.status, None | Some(ClientStatus::Launched)) {
            self.status = other.status.or(self.status);
        }
    }
}

/// One tool call.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(crate) struct Call {
    pub name: Arc<str>,
    pub kind: CallKind,
    /// The paths that a file tool was asked to write, as the call or its result has them.
    pub paths: Vec<String>,
    pub has_reported_paths: bool,
    /// What a tool that only reads was asked to show.
    pub reads: ReadFiles,
    /// The shell command, unless it is too long to keep.
    pub command: Option<String>,
    /// Whether the command runs in the background, so that the result does not say how it ended.
    pub background: bool,
    /// The id that the client has given to the command then.
    pub task_id: Option<String>,
    pub agent_id: Option<String>,
    /// A working directory, of the call or of the session.
    pub cwd: Option<Arc<str>>,
    pub shell: CallShell,
    pub outcome: Outcome,
    /// Whether the file that it wrote had the same content before, as the record says.
    pub is_rewrite: bool,
    pub exit_code: Option<i64>,
    /// Whether a command certainly wrote nothing to standard error.
    pub is_silent: bool,
    /// What a test runner says at the end of the output of a command.
    pub test_summary: Option<TestSummary>,
    pub test_count: Option<TestCount>,
    pub time: Option<SystemTime>,
    /// The line of the transcript on which the record with the call begins, from 1.
    pub line: u64,
}

impl Call {
    /// Whether the record may be another one of a known call, not a different call with the same id.
    fn repeats(&self, known: &Self) -> bool {
        let commands = self.command.as_ref().zip(known.command.as_ref());
        let has_same_paths = known.has_reported_paths
            || known.paths.is_empty()
            || self.paths.is_empty()
            || known.paths == self.paths;
        known.name == self.name
            && commands.is_none_or(|(own, other)| own == other)
            && has_same_paths
    }
}

/// What a tool can do to files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) enum CallKind {
    /// Reads, searches or plans, and does not write files of a project.
    ReadOnly,
    /// Writes the files in its arguments.
    Write,
    Command,
    /// Starts another agent, or gives it a message.
    Delegate,
    Answer,
    /// An unknown tool. It may write files.
    #[default]
    Other,
}

/// The files that a call of a tool that only reads may show.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) enum ReadFiles {
    /// None of a project.
    #[default]
    None,
    File(Arc<str>),
    /// A file, or files below a folder: the working directory if it is empty.
    Below(Arc<str>),
    /// It does not say which.
    Any,
}

/// How a call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) enum Outcome {
    Succeeded,
    Failed,
    /// The call was not allowed, so that nothing happened.
    Rejected,
    /// There is no result, or it does not say how the call ended.
    #[default]
    Unknown,
}

/// What a test runner says of the tests that it ran.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum TestSummary {
    /// It ran none, or skipped all of them.
    NoTests,
    /// At least one ran, and none failed.
    Passed,
    Failed,
}

/// How many tests ran, as a test runner counts them in one line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TestCount {
    pub failed: u64,
    pub ran: u64,
}

/// Whose the working directory in the record of a call is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) enum CallShell {
    /// That of this call.
    #[default]
    Own,
    /// That of the session. Earlier commands may have changed it, if the client runs them in one shell.
    Shared,
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) enum End {
    Answered,
    /// The last message reached the limit of output, and is cut there.
    OutputLimit,
    /// A request to the model failed.
    ApiError,
    /// A limit of usage or of turns was reached.
    Limit,
    Interrupted,
    NotStarted,
    /// The client reports a failure of another kind.
    Failed,
    /// The transcript does not say how.
    #[default]
    Unknown,
}

impl End {
    /// Whether the run ended in any other way than with an answer, be it a cut one. False if it is not known.
    pub(crate) const fn is_error(self) -> bool {
        !matches!(self, Self::Answered | Self::OutputLimit | Self::Unknown)
    }
}

/// Tokens of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Tokens {
    /// Tokens of requests, without cached tokens.
    pub input: u64,
    pub output: u64,
    /// Tokens that were read from a cache or written to it.
    pub cache: u64,
    /// The sum, or the client's own if it has more than the messages.
    pub total: u64,
}

impl Tokens {
    pub(crate) fn add(&mut self, more: Self) {
        self.input = self.input.saturating_add(more.input);
        self.output = self.output.saturating_add(more.output);
        self.cache = self.cache.saturating_add(more.cache);
        self.total = self.total.saturating_add(more.total);
    }
}

/// Whether a transcript has every call of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Completeness {
    /// It has all calls that the client counted, or no gap from start to end, or the agent was never started.
    Complete,
    Partial(Gap),
}

impl Default for Completeness {
    fn default() -> Self {
        Self::Partial(Gap::NoEnd)
    }
}

/// Why calls of a run may be missing. Lines are those of the transcript, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Gap {
    NoStart,
    NoEnd,
    /// The agent's records are in another transcript.
    Elsewhere,
    /// A line is no JSON, not finished, too long, or of another client.
    Unreadable {
        line: u64,
    },
    /// The transcript has more than is read or kept of one.
    TooMuch,
    /// Two calls have the same id, so that their results cannot be assigned.
    SameId,
    /// The client counted another number of calls.
    Count {
        found: u64,
        reported: u64,
    },
}

/// The working directory of a call. `own` may be relative to the session's.
pub(crate) fn joined(session: Option<&str>, own: Option<&str>) -> Option<Arc<str>> {
    match (session, own) {
        (Some(session), Some(own)) if !own.starts_with('/') => {
            Some(format!("{}/{own}", session.trim_end_matches('/')).into())
        }
        (session, own) => own.or(session).map(Into::into),
    }
}

/// Whether a redaction tool replaced a part of the text.
pub(crate) fn is_redacted(text: &str) -> bool {
    text.contains("REDACTED")
}

/// The text, if it is the hash of a commit or an abbreviation of one.
pub(crate) fn revision(text: &str) -> Option<String> {
    let is_hash = text.bytes().all(|byte| byte.is_ascii_hexdigit());
    (is_hash && (7..=64).contains(&text.len())).then(|| text.to_owned())
}

/// The hash of a text. Equal texts always have the same hash.
pub(crate) fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(text.as_bytes());
    hasher.finish()
}

/// The time of a record. None if it is not a timestamp with an offset (RFC 3339).
pub(crate) fn time_of(timestamp: &str) -> Option<SystemTime> {
    let time: Timestamp = timestamp.trim_end().parse().ok()?;
    Some(time.into())
}

/// The integer at the beginning of a text.
pub(crate) fn leading<N: FromStr>(text: &str) -> Option<N> {
    let is_part = |(at, byte): (usize, u8)| byte.is_ascii_digit() || at == 0 && byte == b'-';
    let end = text.bytes().enumerate().take_while(|it| is_part(*it));
    text[..end.count()].parse().ok()
}

/// File extensions of code.
const CODE: &[&str] = &[
    "c", "cc", "clj", "cpp", "cs", "cxx", "dart", "erl", "ex", "exs", "go", "h", "hpp", "hs",
    "java", "js", "jsx", "kt", "lua", "ml", "mjs", "php", "py", "rb", "rs", "scala", "sh", "sql",
    "svelte", "swift", "ts", "tsx", "vue", "zig",
];

pub(crate) fn is_code(path: &str) -> bool {
    let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
    CODE.contains(&ending)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_read_whatever_the_form_of_its_offset() {
        let time = SystemTime::UNIX_EPOCH + Duration::from_millis(1_795_342_393_618);
        for (text, expected) in [
            ("2026-11-22T10:13:13.618Z", Some(time)),
            ("2026-11-22T11:13:13.618+01:00", Some(time)),
            ("2026-11-22T24:00:00.000Z", None),
            ("2026-11-22T10:13:13.618Z x", None),
            ("2026-11-22T10:13:13.618", None),
        ] {
            assert_eq!(time_of(text), expected, "{text}");
        }
    }
}
