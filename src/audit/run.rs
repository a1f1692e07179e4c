//! The facts of one run: what an audit keeps of it.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::SystemTime;

use serde::Serialize;

use crate::audit::RunOutcome;
use crate::clients::Client;
use crate::clients::run::{Run, Tokens, hash};
use crate::evidence::{Receipt, RunEnd, TestReceipt};
use crate::report::{Members, members};

/// The version of the report and of a record.
pub(super) const VERSION: u64 = 1;

/// The facts of one run. No text of a prompt, a return or a command is among them: texts are counted, and
/// compared by hashes.
#[derive(Debug, Clone)]
pub(crate) struct AuditedRun {
    pub(crate) client: Client,
    /// What is recorded of it, without its texts and its calls. The folder is compared, never shown.
    pub(crate) recorded: Run,
    /// What came back.
    pub(crate) outcome: RunOutcome,
    /// Its tool calls in records of its own.
    pub(super) calls: u64,
    /// The hash of its prompt.
    pub(super) prompt: Option<u64>,
    pub(super) prompt_characters: Option<u64>,
    pub(super) returned: Option<ReturnSize>,
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
        Self { ended: receipt.ended, counts, tests: receipt.tests.map(Box::new) }
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
    pub(crate) fn of(client: Client, mut run: Run) -> Option<Self> {
        if run.depth == Some(0) {
            return None;
        }
        let (outcome, figures) = (RunOutcome::of(&run), RunFigures::of(&run));
        let calls = std::mem::take(&mut run.calls).len() as u64;
        let (prompt, returned) = (run.prompt.take(), run.final_message.take());
        Some(Self {
            client,
            recorded: run,
            outcome,
            calls,
            prompt: prompt.as_deref().map(|text| hash(text.trim())),
            prompt_characters: prompt.as_deref().map(characters),
            returned: returned
                .as_deref()
                .map(|text| ReturnSize { characters: characters(text), hash: hash(text.trim()) }),
            figures,
            check: None,
        })
    }

    /// When the run began: by its own record, else by the call.
    pub(crate) fn began(&self) -> Option<SystemTime> {
        self.recorded.started.or(self.recorded.details.called)
    }

    pub(super) fn milliseconds(&self) -> Option<u64> {
        u64::try_from(self.recorded.took()?.as_millis()).ok()
    }

    /// The tokens of its messages, if they are recorded.
    pub(super) fn used(&self) -> Option<u64> {
        let tokens = self.recorded.tokens;
        (tokens != Tokens::default()).then_some(tokens.total)
    }

    /// The run as a line of `--format jsonl`; the manual says what the members are. What is not recorded is null.
    /// Names and ids are as recorded: not safe to print.
    pub(crate) fn record(&self) -> Members {
        let (run, check) = (&self.recorded, self.check.as_deref());
        let details = &run.details;
        let time = |time: Option<SystemTime>| time.and_then(written);
        members! {
            "version": VERSION,
            "client": self.client,
            "client_version": details.client_version,
            "session": run.session,
            "agent_id": run.agent_id,
            "call_id": run.tool_call_id,
            "parent": run.parent,
            "agent": run.agent_type,
            "model": details.model,
            "project": details.cwd.as_deref().map(project),
            "called": time(details.called),
            "started": time(run.started),
            "ended": time(run.ended),
            "milliseconds": self.milliseconds(),
            "outcome": self.outcome,
            "client_status": details.status,
            "recorded": run.is_recorded,
            "calls": self.calls,
            "counted_calls": run.reported_calls,
            "asked_again": run.times_asked_again,
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
