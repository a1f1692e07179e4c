//! The facts of one run: what an audit keeps of it.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use serde::Serialize;

use crate::audit::RunOutcome;
use crate::clients::Client;
use crate::clients::run::{ClientStatus, Run, Tokens, hash};

/// The version of the report and of a record.
pub(super) const VERSION: u64 = 1;

/// The facts of one run. No text of a prompt, a return or a command is among them: texts are counted, and
/// compared by hashes.
#[derive(Debug, Clone)]
pub(crate) struct AuditedRun {
    pub(crate) client: Client,
    /// The client's id of the agent.
    pub(crate) agent_id: Option<String>,
    /// The caller's tool call.
    pub(crate) call_id: Option<String>,
    /// The type of the agent.
    pub(crate) agent: Option<String>,
    /// The model of its first answer.
    pub(crate) model: Option<String>,
    pub(super) client_version: Option<String>,
    /// The client's session.
    pub(crate) session: Option<String>,
    /// The folder of the session: compared, never shown.
    pub(crate) folder: Option<String>,
    /// The id of the agent that called this one. None for one that the main agent called.
    pub(super) parent: Option<String>,
    pub(super) called: Option<SystemTime>,
    /// The time of its first record.
    pub(super) started: Option<SystemTime>,
    /// The time of its last record.
    pub(super) ended: Option<SystemTime>,
    /// How long it took, as the client measured it.
    pub(super) duration: Option<Duration>,
    /// What came back.
    pub(crate) outcome: RunOutcome,
    /// How the client says that it ended.
    pub(super) status: Option<ClientStatus>,
    /// Whether there are records of the agent itself.
    pub(super) is_recorded: bool,
    /// Its tool calls in these records.
    pub(super) calls: u64,
    /// Its tool calls as the client counted them.
    pub(super) reported_calls: Option<u64>,
    /// How often a hook asked it again.
    pub(super) asked_again: u64,
    /// The hash of its prompt.
    pub(super) prompt: Option<u64>,
    pub(super) prompt_characters: Option<u64>,
    pub(super) returned: Option<ReturnSize>,
    /// The tokens of its messages.
    pub(super) tokens: Tokens,
    /// The tokens in its context at the end, as the client counted them.
    pub(super) context_tokens: Option<u64>,
    /// How its return was checked. None if no profile covers the agent, or there is no return.
    pub(crate) check: Option<Box<CheckedReturn>>,
    /// What the caller calls the task, and how the return begins. None unless texts are asked for.
    pub(crate) shown: Option<Box<[String; 2]>>,
}

/// The size of a return, and what tells equal ones.
#[derive(Debug, Clone, Copy)]
pub(super) struct ReturnSize {
    pub(super) characters: u64,
    /// A hash of the text.
    pub(super) hash: u64,
}

/// How a return was checked.
#[derive(Debug, Clone)]
pub(crate) struct CheckedReturn {
    pub(crate) profile: Arc<str>,
    /// Whether no finding fails it.
    pub(crate) is_valid: bool,
    /// The rules that fail it.
    pub(crate) failed: Vec<&'static str>,
    /// Its typed claims, by the rule that a false one breaks.
    pub(crate) claims: BTreeMap<&'static str, ClaimCount>,
}

/// What the record shows of claims.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub(crate) struct ClaimCount {
    pub(crate) shown: u64,
    /// Shown to be false, by a complete record.
    pub(crate) contradicted: u64,
    pub(crate) unknown: u64,
}

impl ClaimCount {
    pub(super) fn add(&mut self, other: Self) {
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
        let details = &run.details;
        Some(Self {
            client,
            agent_id: run.agent_id.clone(),
            call_id: run.tool_call_id.clone(),
            agent: run.agent_type.clone(),
            model: details.model.clone(),
            client_version: details.client_version.clone(),
            session: run.session.clone(),
            folder: details.cwd.clone(),
            parent: run.parent.clone(),
            called: details.called,
            started: run.started,
            ended: run.ended,
            duration: details.duration,
            outcome: RunOutcome::of(run),
            status: details.status,
            is_recorded: run.is_recorded,
            calls: run.calls.len() as u64,
            reported_calls: run.reported_calls,
            asked_again: run.times_asked_again,
            prompt: run.prompt.as_deref().map(|text| hash(text.trim())),
            prompt_characters: run.prompt.as_deref().map(characters),
            returned: run.final_message.as_deref().map(|text| ReturnSize {
                characters: characters(text),
                hash: hash(text.trim()),
            }),
            tokens: run.tokens,
            context_tokens: details.context_tokens,
            check: None,
            shown: None,
        })
    }

    /// When the run began: by its own record, else by the call.
    pub(crate) fn began(&self) -> Option<SystemTime> {
        self.started.or(self.called)
    }

    /// How many milliseconds it took: as the client measured it, else from its first to its last record.
    pub(super) fn milliseconds(&self) -> Option<u64> {
        let recorded = || self.ended?.duration_since(self.started?).ok();
        let took = self.duration.or_else(recorded)?;
        u64::try_from(took.as_millis()).ok()
    }

    /// The tokens of its messages, if they are recorded.
    pub(super) fn used(&self) -> Option<u64> {
        (self.tokens != Tokens::default()).then_some(self.tokens.total)
    }

    /// The run as a line of JSON. What is not recorded is null. Names and ids are as recorded: not safe to
    /// print.
    pub(crate) fn record(&self) -> RunRecord<'_> {
        let check = self.check.as_deref();
        let time = |time: Option<SystemTime>| time.and_then(written);
        let shown = self.shown.as_deref();
        RunRecord {
            version: VERSION,
            client: self.client,
            client_version: self.client_version.as_deref(),
            session: self.session.as_deref(),
            agent_id: self.agent_id.as_deref(),
            call_id: self.call_id.as_deref(),
            parent: self.parent.as_deref(),
            agent: self.agent.as_deref(),
            model: self.model.as_deref(),
            project: self.folder.as_deref().map(project),
            called: time(self.called),
            started: time(self.started),
            ended: time(self.ended),
            milliseconds: self.milliseconds(),
            outcome: self.outcome,
            client_status: self.status,
            recorded: self.is_recorded,
            calls: self.calls,
            counted_calls: self.reported_calls,
            asked_again: self.asked_again,
            prompt_characters: self.prompt_characters,
            return_characters: self.returned.map(|it| it.characters),
            tokens: self.used(),
            context_tokens: self.context_tokens,
            profile: check.map(|it| &*it.profile),
            valid: check.map(|it| it.is_valid),
            failed: check.map_or(&[], |it| &it.failed),
            claims: check.map(|it| &it.claims),
            description: shown.map(|it| &*it[0]),
            return_begins: shown.map(|it| &*it[1]),
        }
    }
}

/// A line of `--format jsonl`. The manual says what the members are.
#[derive(Serialize)]
pub(crate) struct RunRecord<'r> {
    version: u64,
    client: Client,
    client_version: Option<&'r str>,
    session: Option<&'r str>,
    agent_id: Option<&'r str>,
    call_id: Option<&'r str>,
    parent: Option<&'r str>,
    agent: Option<&'r str>,
    model: Option<&'r str>,
    project: Option<&'r str>,
    called: Option<String>,
    started: Option<String>,
    ended: Option<String>,
    milliseconds: Option<u64>,
    outcome: RunOutcome,
    client_status: Option<ClientStatus>,
    recorded: bool,
    calls: u64,
    counted_calls: Option<u64>,
    asked_again: u64,
    prompt_characters: Option<u64>,
    return_characters: Option<u64>,
    tokens: Option<u64>,
    context_tokens: Option<u64>,
    profile: Option<&'r str>,
    valid: Option<bool>,
    failed: &'r [&'static str],
    claims: Option<&'r BTreeMap<&'static str, ClaimCount>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'r str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    return_begins: Option<&'r str>,
}

fn characters(text: &str) -> u64 {
    text.chars().count() as u64
}

/// A time in RFC 3339, to the second.
pub(super) fn written(time: SystemTime) -> Option<String> {
    let time = jiff::Timestamp::try_from(time).ok()?;
    Some(time.round(jiff::Unit::Second).ok()?.to_string())
}

/// The last part of a folder, also of one on Windows that is read elsewhere. The path around it is not the
/// project's.
pub(super) fn project(folder: &str) -> &str {
    let mut parts = folder.rsplit(['/', '\\']);
    parts.find(|part| !part.is_empty()).unwrap_or(folder)
}
