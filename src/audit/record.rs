//! One run as a record for other programs.

use std::collections::BTreeMap;
use std::time::SystemTime;

use serde::Serialize;

use crate::audit::groups::project;
use crate::audit::report::written;
use crate::audit::schema::described;
use crate::audit::{AuditedRun, ClaimCount, RunOutcome, VERSION};
use crate::clients::Client;
use crate::clients::run::{ClientStatus, Tokens};

described! {
    #[derive(Debug, Clone, Serialize)]
    /// One run as a record for other programs: facts, and no text unless it is asked for. What is not recorded
    /// is null. Names and ids are as recorded: not safe to print.
    pub struct RunRecord<'r> {
        /// The version of this format: 1.
        version: u64,
        /// The client.
        client: Client,
        /// Its version.
        client_version: Option<&'r str>,
        /// The client's id of the session.
        session: Option<&'r str>,
        /// The client's id of the agent.
        agent_id: Option<&'r str>,
        /// The id of the caller's tool call.
        call_id: Option<&'r str>,
        /// The id of the agent that called this one. Null for the main agent.
        parent: Option<&'r str>,
        /// The type of the agent.
        agent: Option<&'r str>,
        /// The model of its first answer.
        model: Option<&'r str>,
        /// The last part of the folder of the session.
        project: Option<String>,
        /// When it was called, in RFC 3339.
        called: Option<String>,
        /// The time of its first record.
        started: Option<String>,
        /// The time of its last record.
        ended: Option<String>,
        /// How long it took: as the client measured it, else from its first to its last record.
        milliseconds: Option<u64>,
        /// What came back.
        outcome: RunOutcome,
        /// How the client says that it ended.
        client_status: Option<ClientStatus>,
        /// Whether there are records of the agent itself.
        recorded: bool,
        /// Its tool calls in these records.
        calls: u64,
        /// Its tool calls as the client counted them.
        counted_calls: Option<u64>,
        /// How often a hook asked it again.
        asked_again: u64,
        /// The length of its prompt, in characters.
        prompt_characters: Option<u64>,
        /// The length of its return, in characters.
        return_characters: Option<u64>,
        /// The tokens of its messages, each message once.
        tokens: Option<u64>,
        /// The tokens in its context at the end, as the client counted them.
        context_tokens: Option<u64>,
        /// Files that its file tools wrote.
        files_written: u64,
        /// How many of these are outside the folder of the session.
        files_outside: u64,
        /// The profile that its return was checked with. Null if no profile covers the agent, or if there is no return.
        profile: Option<&'r str>,
        /// Whether the return is valid.
        valid: Option<bool>,
        /// The rules that refuse it.
        failed: &'r [&'static str],
        /// Its typed claims, by the rule that a false one breaks.
        claims: Option<&'r BTreeMap<&'static str, ClaimCount>>,
        /// What the caller calls the task. Only with --show-text.
        #[serde(skip_serializing_if = "Option::is_none")]
        description: Option<&'r str>,
        /// How the return begins. Only with --show-text.
        #[serde(skip_serializing_if = "Option::is_none")]
        return_begins: Option<&'r str>,
    }
}

impl AuditedRun {
    /// The run as a record.
    pub(crate) fn record(&self) -> RunRecord<'_> {
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
            milliseconds: self
                .took()
                .and_then(|took| u64::try_from(took.as_millis()).ok()),
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
            files_written: self.written.len() as u64,
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
