//! The facts of one run: what an audit keeps of it.

use std::collections::BTreeMap;
use std::time::SystemTime;

use serde::{Serialize, Serializer};

use crate::audit::RunOutcome;
use crate::clients::Client;
use crate::clients::run::{ClientStatus, Run, Tokens, hash};
use crate::evidence::{Receipt, RunEnd, TestReceipt};

/// The version of the report and of a record.
pub(super) const VERSION: u64 = 1;

/// The facts of one run, as `--format jsonl` has them; the manual says what the members are. No text of a prompt, a
/// return or a command is among them: they are compared by hashes. Names and ids are as recorded: not safe to
/// print. Small, because a history may have very many runs.
#[derive(Debug, Serialize)]
pub(crate) struct AuditedRun {
    version: u64,
    pub(crate) client: Client,
    pub(crate) session: Option<Box<str>>,
    pub(super) agent_id: Option<Box<str>>,
    pub(super) call_id: Option<Box<str>>,
    pub(crate) agent: Option<Box<str>>,
    pub(super) model: Option<Box<str>>,
    /// Its last part is shown.
    #[serde(rename = "project", serialize_with = "project")]
    pub(crate) folder: Option<Box<str>>,
    #[serde(serialize_with = "time")]
    pub(super) called: Option<SystemTime>,
    #[serde(serialize_with = "time")]
    pub(super) started: Option<SystemTime>,
    #[serde(serialize_with = "time")]
    pub(super) ended: Option<SystemTime>,
    /// As the client measured them. From the first to the last record, once all is known.
    pub(super) milliseconds: Option<u64>,
    /// What came back.
    pub(crate) outcome: RunOutcome,
    pub(super) client_status: Option<ClientStatus>,
    /// Whether there are records of its own.
    pub(super) recorded: bool,
    /// Its tool calls in them.
    pub(super) calls: usize,
    pub(super) counted_calls: Option<u64>,
    pub(super) asked_again: u64,
    pub(super) tokens: Option<u64>,
    pub(super) context_tokens: Option<u64>,
    receipt: RunFigures,
    /// How its return was checked. None if no profile covers the agent, or there is no return.
    #[serde(flatten)]
    pub(crate) check: Option<Box<CheckedReturn>>,
    /// The hash of its prompt.
    #[serde(skip)]
    pub(super) prompt: Option<u64>,
    /// The hash of its return.
    #[serde(skip)]
    pub(super) returned: Option<u64>,
}

/// The figures of its receipt, without the names of files.
#[derive(Debug, Serialize)]
struct RunFigures {
    ended: Option<RunEnd>,
    files_written: Option<u32>,
    files_read: Option<u32>,
    commands: Option<u32>,
    commits: Option<u32>,
    tests: Option<Box<TestReceipt>>,
}

/// How a return was checked.
#[derive(Debug, Serialize)]
pub(crate) struct CheckedReturn {
    pub(crate) profile: String,
    /// Whether no finding fails it.
    #[serde(rename = "valid")]
    pub(crate) is_valid: bool,
    /// The rules that fail it.
    pub(crate) failed: Vec<&'static str>,
    /// Its typed claims, by the rule that a false one breaks.
    pub(crate) claims: BTreeMap<&'static str, ClaimCount>,
}

/// What the record shows of claims.
#[derive(Debug, Default, Serialize)]
pub(crate) struct ClaimCount {
    pub(crate) shown: u64,
    /// Shown to be false, by a complete record.
    pub(crate) contradicted: u64,
    pub(crate) unknown: u64,
}

impl AuditedRun {
    /// The facts of a run that another agent called. None for the main agent of a session.
    pub(crate) fn of(client: Client, run: Run) -> Option<Self> {
        if run.depth == Some(0) {
            return None;
        }
        let (outcome, receipt, details) = (RunOutcome::of(&run), Receipt::of(&run), run.details);
        let hashed = |text: Option<String>| text.map(|text| hash(text.trim()));
        let count = |count: Option<usize>| count.map(|it| u32::try_from(it).unwrap_or(u32::MAX));
        let milliseconds = details.duration.map(|it| u64::try_from(it.as_millis()));
        Some(Self {
            version: VERSION,
            client,
            session: run.session.map(Box::from),
            agent_id: run.agent_id.map(Box::from),
            call_id: run.tool_call_id.map(Box::from),
            agent: run.agent_type.map(Box::from),
            model: details.model.map(Box::from),
            folder: details.cwd.map(Box::from),
            called: details.called,
            started: run.started,
            ended: run.ended,
            milliseconds: milliseconds.and_then(Result::ok),
            outcome,
            client_status: details.status,
            recorded: run.is_recorded,
            calls: run.calls.len(),
            counted_calls: run.reported_calls,
            asked_again: run.times_asked_again,
            tokens: (run.tokens != Tokens::default()).then_some(run.tokens.total),
            context_tokens: details.context_tokens,
            receipt: RunFigures {
                ended: receipt.ended,
                files_written: count(receipt.are_all_known.then_some(receipt.written.len())),
                files_read: count(receipt.read),
                commands: count(receipt.commands),
                commits: count(receipt.commits),
                tests: receipt.tests.map(Box::new),
            },
            check: None,
            prompt: hashed(run.prompt),
            returned: hashed(run.final_message),
        })
    }

    /// When the run began: by its own record, else by the call.
    pub(crate) fn began(&self) -> Option<SystemTime> {
        self.started.or(self.called)
    }

    /// Fills in how long it took from its first to its last record, if the client has not measured it.
    pub(super) fn complete(&mut self) {
        let span = || self.ended?.duration_since(self.started?).ok();
        let span = || u64::try_from(span()?.as_millis()).ok();
        self.milliseconds = self.milliseconds.or_else(span);
    }
}

/// A time in RFC 3339, to the second.
pub(super) fn written(time: SystemTime) -> Option<String> {
    let time = jiff::Timestamp::try_from(time).ok()?;
    Some(time.round(jiff::Unit::Second).ok()?.to_string())
}

#[allow(clippy::ref_option, reason = "serde calls it so")]
fn time<S: Serializer>(time: &Option<SystemTime>, out: S) -> Result<S::Ok, S::Error> {
    time.and_then(written).serialize(out)
}

/// Writes the last part of a folder, also of one on Windows that is read elsewhere. The path around it is not the
/// project's.
#[allow(clippy::ref_option, reason = "serde calls it so")]
fn project<S: Serializer>(folder: &Option<Box<str>>, out: S) -> Result<S::Ok, S::Error> {
    let last = |folder: &str| {
        let mut parts = folder.rsplit(['/', '\\']);
        parts.find(|part| !part.is_empty()).unwrap_or(folder).to_owned()
    };
    folder.as_deref().map(last).serialize(out)
}
