//! The facts of one run: what an audit keeps of it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

use crate::audit::RunOutcome;
use crate::audit::schema::described;
use crate::clients::Client;
use crate::clients::run::{Call, CallKind, ClientStatus, Outcome, Run, Tokens, hash};
use crate::root::collapsed;

/// The facts of one run. No text of a prompt, a return or a command is among them: texts are counted, and
/// compared by hashes. Paths are compared and looked at, never shown.
#[derive(Debug, Clone)]
pub(crate) struct AuditedRun {
    /// The client.
    pub client: Client,
    /// The client's id of the agent.
    pub agent_id: Option<Box<str>>,
    /// The caller's tool call.
    pub call_id: Option<Box<str>>,
    /// The type of the agent.
    pub agent: Option<Arc<str>>,
    /// The model of its first answer.
    pub model: Option<Arc<str>>,
    /// The version of the client.
    pub client_version: Option<Arc<str>>,
    /// The client's session.
    pub session: Option<Arc<str>>,
    /// The folder of the session.
    pub folder: Option<Arc<str>>,
    /// The id of the agent that called this one. None for one that the main agent called.
    pub parent: Option<Arc<str>>,
    /// When it was called.
    pub called: Option<SystemTime>,
    /// The time of its first record.
    pub started: Option<SystemTime>,
    /// The time of its last record.
    pub ended: Option<SystemTime>,
    /// How long it took, as the client measured it.
    pub duration: Option<Duration>,
    /// What came back.
    pub outcome: RunOutcome,
    /// How the client says that it ended.
    pub status: Option<ClientStatus>,
    /// Whether there are records of the agent itself.
    pub is_recorded: bool,
    /// Its tool calls in these records.
    pub calls: u64,
    /// Its tool calls as the client counted them.
    pub reported_calls: Option<u64>,
    /// Whether it used only tools that cannot write, and its record is complete.
    pub only_read: bool,
    /// How often a hook asked it again.
    pub asked_again: u64,
    /// The hash of its prompt.
    pub(super) prompt: Option<u64>,
    /// The length of its prompt, in characters.
    pub prompt_characters: Option<u64>,
    /// Its return.
    pub returned: Option<ReturnSize>,
    /// The tokens of its messages.
    pub tokens: Tokens,
    /// The tokens in its context at the end, as the client counted them.
    pub context_tokens: Option<u64>,
    /// The paths that its file tools wrote, without `.` and `..`.
    pub(super) written: Box<[Box<str>]>,
    /// How many of these are outside the folder of the session.
    pub written_outside: u64,
    /// How its return was checked. None if no profile covers the agent, or there is no return.
    pub check: Option<Box<CheckedReturn>>,
    /// What the caller calls the task, and how the return begins. None unless texts are asked for.
    pub shown: Option<Box<[String; 2]>>,
}

/// The size of a return, and what tells equal ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ReturnSize {
    /// The length in characters.
    pub characters: u64,
    /// A hash of the text.
    pub(super) hash: u64,
}

/// How a return was checked.
#[derive(Debug, Clone)]
pub(crate) struct CheckedReturn {
    /// The profile.
    pub profile: Arc<str>,
    /// Whether no finding fails it.
    pub is_valid: bool,
    /// The rules that fail it.
    pub failed: Vec<&'static str>,
    /// Its typed claims, by the rule that a false one breaks.
    pub claims: BTreeMap<&'static str, ClaimCount>,
}

described! {
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
    /// What the record shows of claims.
    pub struct ClaimCount {
        /// Shown to be true.
        pub shown: u64,
        /// Shown to be false, by a complete record.
        pub contradicted: u64,
        /// The record does not tell.
        pub unknown: u64,
    }
}

impl ClaimCount {
    /// Adds other claims.
    pub(crate) fn add(&mut self, other: Self) {
        self.shown += other.shown;
        self.contradicted += other.contradicted;
        self.unknown += other.unknown;
    }
}

impl AuditedRun {
    /// The facts of a run that another agent called. None for the main agent of a session.
    pub(crate) fn of(client: Client, run: &Run) -> Option<Self> {
        if run.depth == Some(0) {
            return None;
        }
        let shared = |text: &Option<String>| text.as_deref().map(Arc::from);
        let details = &run.details;
        let folder = details.cwd.as_deref();
        let written = written_paths(run);
        let outside = written.iter().filter(|path| is_outside(path, folder));
        Some(Self {
            client,
            agent_id: run.agent_id.as_deref().map(Box::from),
            call_id: run.tool_call_id.as_deref().map(Box::from),
            agent: shared(&run.agent_type),
            model: shared(&details.model),
            client_version: shared(&details.client_version),
            session: shared(&run.session),
            folder: shared(&details.cwd),
            parent: shared(&run.parent),
            called: details.called,
            started: run.started,
            ended: run.ended,
            duration: details.duration,
            outcome: RunOutcome::of(run),
            status: details.status,
            is_recorded: run.is_recorded,
            calls: run.calls.len() as u64,
            reported_calls: run.reported_calls,
            only_read: run.is_complete() && run.is_recorded && run.calls.iter().all(cannot_write),
            asked_again: run.times_asked_again,
            prompt: run.prompt.as_deref().map(|text| hash(text.trim())),
            prompt_characters: run.prompt.as_deref().map(characters),
            returned: run.final_message.as_deref().map(|text| ReturnSize {
                characters: characters(text),
                hash: hash(text.trim()),
            }),
            tokens: run.tokens,
            context_tokens: details.context_tokens,
            written_outside: outside.count() as u64,
            written: written
                .iter()
                .map(|path| path.to_string_lossy().into())
                .collect(),
            check: None,
            shown: None,
        })
    }

    /// When the run began: by its own record, else by the call.
    pub(crate) fn began(&self) -> Option<SystemTime> {
        self.started.or(self.called)
    }

    /// How long it took: as the client measured it, else from its first to its last record.
    pub(crate) fn took(&self) -> Option<Duration> {
        let recorded = || self.ended?.duration_since(self.started?).ok();
        self.duration.or_else(recorded)
    }

    /// Whether the caller can use what came back: a return, and one that its profile accepts.
    pub(crate) fn is_usable(&self) -> bool {
        let is_valid = self.check.as_ref().is_none_or(|check| check.is_valid);
        self.outcome == RunOutcome::Returned && is_valid
    }
}

fn characters(text: &str) -> u64 {
    text.chars().count() as u64
}

fn cannot_write(call: &Call) -> bool {
    matches!(call.kind, CallKind::ReadOnly | CallKind::Answer)
}

/// The files that calls of file tools wrote, each once.
fn written_paths(run: &Run) -> Vec<PathBuf> {
    let calls = run.calls.iter();
    let calls = calls.filter(|it| it.kind == CallKind::Write && it.outcome == Outcome::Succeeded);
    let folder = run.details.cwd.as_deref();
    let paths = calls.flat_map(|call| {
        let folder = call.cwd.as_deref().or(folder).unwrap_or_default();
        call.paths.iter().map(move |path| plain(folder, path))
    });
    let mut paths: Vec<_> = paths.collect();
    paths.sort_unstable();
    paths.dedup();
    paths
}

/// A path without `.` and `..`, by its text alone.
fn plain(folder: &str, path: &str) -> PathBuf {
    let path = collapsed(&Path::new(folder).join(path));
    path.strip_prefix(".").map(Path::to_owned).unwrap_or(path)
}

/// Whether a file is outside the folder of its session. False if the folder is not known.
fn is_outside(path: &Path, folder: Option<&str>) -> bool {
    folder.is_some_and(|folder| path.is_absolute() && !path.starts_with(folder))
}
