//! One run as a record for other programs.

use std::collections::BTreeMap;
use std::time::SystemTime;

use serde::Serialize;

use crate::audit::groups::project;
use crate::audit::report::written;
use crate::audit::{AuditedRun, ClaimCount, RunOutcome, VERSION};
use crate::clients::Client;
use crate::clients::run::{ClientStatus, Tokens};

/// One run as a record for other programs: facts, and no text unless it is asked for. What is not recorded
/// is null. Names and ids are as recorded: not safe to print.
#[derive(Debug, Clone, Serialize)]
pub struct RunRecord<'r> {
    version: u64,
    client: Client,
    client_version: Option<&'r str>,
    session: Option<&'r str>,
    agent_id: Option<&'r str>,
    call_id: Option<&'r str>,
    parent: Option<&'r str>,
    agent: Option<&'r str>,
    model: Option<&'r str>,
    project: Option<String>,
    called: Option<String>,
    started: Option<String>,
    ended: Option<String>,
    milliseconds: Option<u128>,
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
    files_written: usize,
    files_outside: u64,
    profile: Option<&'r str>,
    valid: Option<bool>,
    failed: &'r [&'static str],
    claims: Option<&'r BTreeMap<&'static str, ClaimCount>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'r str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    return_begins: Option<&'r str>,
}

impl AuditedRun {
    /// The run as a record.
    #[must_use]
    pub fn record(&self) -> RunRecord<'_> {
        let check = self.check.as_deref();
        let time = |time: Option<SystemTime>| time.and_then(written);
        let shown = self.shown.as_deref();
        let used = self.tokens != Tokens::default();
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
            milliseconds: self.took().map(|took| took.as_millis()),
            outcome: self.outcome,
            client_status: self.status,
            recorded: self.is_recorded,
            calls: self.calls,
            counted_calls: self.reported_calls,
            asked_again: self.asked_again,
            prompt_characters: self.prompt_characters,
            return_characters: self.returned.map(|it| it.characters),
            tokens: used.then_some(self.tokens.total),
            context_tokens: self.context_tokens,
            files_written: self.written.len(),
            files_outside: self.written_outside,
            profile: check.map(|it| &*it.profile),
            valid: check.map(|it| it.is_valid),
            failed: check.map_or(&[], |it| &it.failed),
            claims: check.map(|it| &it.claims),
            description: shown.map(|it| &*it[0]),
            return_begins: shown.map(|it| &*it[1]),
        }
    }
}
