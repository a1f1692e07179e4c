//! The facts of one run: what an audit keeps of it.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::SystemTime;

use serde::Serialize;

use crate::audit::RunOutcome;
use crate::clients::Client;
use crate::clients::run::{Run, RunDetails, Tokens, hash};
use crate::evidence::{Receipt, RunEnd, TestReceipt};
use crate::report::{Members, members};

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
    /// The client's session.
    pub(crate) session: Option<String>,
    /// The id of the agent that called this one. None for one that the main agent called.
    pub(super) parent: Option<String>,
    /// The time of its first record.
    pub(super) started: Option<SystemTime>,
    /// The time of its last record.
    pub(super) ended: Option<SystemTime>,
    /// What else the client records about it, without the description. The folder is compared, never shown.
    pub(crate) details: RunDetails,
    /// What came back.
    pub(crate) outcome: RunOutcome,
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
    pub(super) figures: RunFigures,
    /// How its return was checked. None if no profile covers the agent, or there is no return.
    pub(crate) check: Option<Box<CheckedReturn>>,
}

/// The figures of its receipt, without the names of files. Small, because a history may have very many runs.
#[derive(Debug, Clone)]
pub(super) struct RunFigures {
    ended: Option<RunEnd>,
    /// Files that it wrote and read, commands and commits.
    counts: [Option<u32>; 4],
    tests: Option<Box<TestReceipt>>,
}

impl RunFigures {
    fn of(run: &Run) -> Self {
        let receipt = Receipt::of(run);
        let written = receipt.are_all_known.then_some(receipt.written.len());
        let counts = [written, receipt.read, receipt.commands, receipt.commits];
        let counts = counts.map(|count| count.map(|it| u32::try_from(it).unwrap_or(u32::MAX)));
        Self {
            ended: receipt.ended,
            counts,
            tests: receipt.tests.map(Box::new),
        }
    }

    fn record(&self) -> Members {
        let [written, read, commands, commits] = self.counts;
        members! {
            "ended": self.ended,
            "files_written": written,
            "files_read": read,
            "commands": commands,
            "commits": commits,
            "tests": self.tests,
        }
    }
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
        Some(Self {
            client,
            agent_id: run.agent_id.clone(),
            call_id: run.tool_call_id.clone(),
            agent: run.agent_type.clone(),
            session: run.session.clone(),
            parent: run.parent.clone(),
            started: run.started,
            ended: run.ended,
            details: RunDetails {
                description: None,
                ..run.details.clone()
            },
            outcome: RunOutcome::of(run),
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
            figures: RunFigures::of(run),
            check: None,
        })
    }

    /// When the run began: by its own record, else by the call.
    pub(crate) fn began(&self) -> Option<SystemTime> {
        self.started.or(self.details.called)
    }

    /// How many milliseconds it took: as the client measured it, else from its first to its last record.
    pub(super) fn milliseconds(&self) -> Option<u64> {
        let recorded = || self.ended?.duration_since(self.started?).ok();
        let took = self.details.duration.or_else(recorded)?;
        u64::try_from(took.as_millis()).ok()
    }

    /// The tokens of its messages, if they are recorded.
    pub(super) fn used(&self) -> Option<u64> {
        (self.tokens != Tokens::default()).then_some(self.tokens.total)
    }

    /// The run as a line of `--format jsonl`; the manual says what the members are. What is not recorded is null.
    /// Names and ids are as recorded: not safe to print.
    pub(crate) fn record(&self) -> Members {
        let (details, check) = (&self.details, self.check.as_deref());
        let time = |time: Option<SystemTime>| time.and_then(written);
        members! {
            "version": VERSION,
            "client": self.client,
            "client_version": details.client_version,
            "session": self.session,
            "agent_id": self.agent_id,
            "call_id": self.call_id,
            "parent": self.parent,
            "agent": self.agent,
            "model": details.model,
            "project": details.cwd.as_deref().map(project),
            "called": time(details.called),
            "started": time(self.started),
            "ended": time(self.ended),
            "milliseconds": self.milliseconds(),
            "outcome": self.outcome,
            "client_status": details.status,
            "recorded": self.is_recorded,
            "calls": self.calls,
            "counted_calls": self.reported_calls,
            "asked_again": self.asked_again,
            "prompt_characters": self.prompt_characters,
            "return_characters": self.returned.map(|it| it.characters),
            "tokens": self.used(),
            "context_tokens": details.context_tokens,
            "receipt": self.figures.record(),
            "profile": check.map(|it| &*it.profile),
            "valid": check.map(|it| it.is_valid),
            "failed": check.map_or(&[][..], |it| &it.failed),
            "claims": check.map(|it| &it.claims),
        }
    }
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
fn project(folder: &str) -> &str {
    let mut parts = folder.rsplit(['/', '\\']);
    parts.find(|part| !part.is_empty()).unwrap_or(folder)
}
