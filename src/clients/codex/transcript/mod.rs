//! Rollouts of Codex: one file for each thread.
//!
//! An agent's rollout may begin with a copy of its parent's records. Its own records begin at
//! `subagent_history_start_ordinal`.

mod calls;
mod record;

use std::time::Duration;

use crate::clients::run::{
    Content, End, LastRecord, LenientText, Reader, Runs, Tokens, each, end_by_request, revision,
    texts,
};
use record::{CodexPart, RolloutPayload, RolloutRecord, Subagent, TokenInfo};

#[derive(Debug, Default)]
pub(in crate::clients) struct Codex {
    runs: Runs,
    run: Option<usize>,
    /// The ordinal of the thread's first own record.
    first: Option<i64>,
    /// The path that names the agent, by which others send it messages.
    path: Option<String>,
    cwd: Option<String>,
}

impl Reader for Codex {
    fn runs(&mut self) -> &mut Runs {
        &mut self.runs
    }

    fn read(&mut self, text: &str, line: u64) -> bool {
        each(text, |record: &RolloutRecord| self.record(record, line))
    }
}

impl Codex {
    fn record(&mut self, record: &RolloutRecord, line: u64) {
        let Some(payload) = record.payload.as_deref() else {
            return self.runs.note_unknown_record();
        };
        let kind = record.kind.as_str();
        if kind == "session_meta" && self.run.is_none() {
            self.session(payload);
        }
        if let (Some(first), Some(ordinal)) = (self.first, record.ordinal.0)
            && ordinal < first
            && kind != "session_meta"
        {
            return;
        }
        let run = *self.run.get_or_insert_with(|| self.runs.add());
        let draft = self.runs.draft(run);
        draft.has_records = true;
        draft.at(record.timestamp.as_str());
        match kind {
            "turn_context" => {
                self.runs
                    .set(run, |it| &mut it.details.model, payload.model.get());
                if let Some(cwd) = payload.cwd.get().filter(|cwd| cwd.len() <= 4096) {
                    self.cwd = Some(cwd.to_owned());
                }
            }
            "response_item" => self.response(run, payload, line),
            "event_msg" => self.event(run, payload, line),
            _ => {}
        }
    }

    fn session(&mut self, payload: &RolloutPayload) {
        let run = self.runs.add();
        self.run = Some(run);
        self.first = payload.subagent_history_start_ordinal.0;
        if let Some(id) = payload.id.get() {
            self.runs.name_agent(run, id);
        }
        let session = payload.session_id.get();
        self.runs.set(run, |it| &mut it.session, session);
        let commit: LenientText = payload.git.member("commit_hash");
        let subagent: Option<Subagent> = payload.source.member("subagent");
        let subagent = subagent.as_ref();
        let spawn = subagent.and_then(|subagent| subagent.thread_spawn.as_ref());
        if let Some(spawn) = spawn {
            let parent = spawn.parent_thread_id.get();
            self.runs.set(run, |it| &mut it.parent, parent);
            let role = spawn.agent_role.get();
            self.runs.set(run, |it| &mut it.agent_type, role);
            let path = spawn.agent_path.get();
            self.path = path.and_then(|path| self.runs.store(path));
        }
        self.runs
            .set(run, |it| &mut it.details.cwd, payload.cwd.get());
        let version = payload.cli_version.get();
        self.runs
            .set(run, |it| &mut it.details.client_version, version);
        let draft = self.runs.draft(run);
        draft.run.base_revision = revision(commit.as_str());
        draft.run.depth = match (subagent, spawn) {
            (None, _) => Some(0),
            (Some(_), spawn) => spawn.and_then(|spawn| spawn.depth.count()),
        };
    }

    /// Reads an item that was sent to the model, or came from it.
    fn response(&mut self, run: usize, payload: &RolloutPayload, line: u64) {
        match payload.kind.as_str() {
            "message" => match payload.role.as_str() {
                "assistant" => {
                    let text = text_of(&payload.content);
                    if !text.trim().is_empty() {
                        self.runs.text(run, &text);
                    }
                }
                "user" if text_of(&payload.content).starts_with("<hook_prompt") => {
                    self.runs.ask_again(run);
                }
                _ => {}
            },
            "agent_message" => self.agent_message(run, payload),
            "function_call_output" | "custom_tool_call_output" => self.output(payload),
            kind if kind.ends_with("_call") => self.on_tool_use(run, payload, line),
            _ => {}
        }
    }

    /// Reads a message from another agent. The task of an agent is such a message, too, but may be
    /// encrypted.
    fn agent_message(&mut self, run: usize, payload: &RolloutPayload) {
        let text = text_of(&payload.content);
        let is_task = payload.recipient.get() == self.path.as_deref() && self.path.is_some();
        let task = text.split_once("Payload:\n").map_or("", |(_, task)| task);
        if is_task && !task.trim().is_empty() {
            self.runs.task(run, task);
        } else {
            self.runs.message(run);
            let draft = self.runs.draft(run);
            if is_task {
                draft.start();
            }
            draft.run.resumed |= is_task && draft.has_answered;
        }
    }

    fn event(&mut self, run: usize, payload: &RolloutPayload, line: u64) {
        match payload.kind.as_str() {
            "user_message" => {
                let text: LenientText = payload.message.parse();
                self.on_user(run, text.as_str());
            }
            "task_started" => self.runs.message(run),
            "task_complete" => self.complete(run, payload),
            "turn_aborted" => self.runs.end(run, End::Interrupted),
            "error" => {
                let text: LenientText = payload.message.parse();
                self.runs.end(run, end_by_request(text.as_str()));
            }
            "token_count" => {
                self.tokens(run, payload.info.as_deref());
            }
            "patch_apply_end" | "exec_command_end" => self.ended(payload),
            "item_completed" => self.item(run, payload, line),
            _ => {}
        }
    }

    fn on_user(&mut self, run: usize, text: &str) {
        if !text.starts_with("<environment_context>") && !text.starts_with("<user_instructions>") {
            self.runs.task(run, text);
        }
    }

    fn complete(&mut self, run: usize, payload: &RolloutPayload) {
        // Failed turns have this event, too, without a message.
        if self.runs.draft(run).run.end.is_error() {
            return;
        }
        match payload.last_agent_message.get() {
            Some(text) if !text.trim().is_empty() => self.runs.text(run, text),
            _ => self.runs.no_text(run),
        }
        let draft = self.runs.draft(run);
        draft.last = LastRecord::End;
        // A thread has several turns.
        let turn = payload.duration_ms.count().map(Duration::from_millis);
        let before = draft.run.details.duration.unwrap_or_default();
        draft.run.details.duration = turn.map(|turn| before + turn);
    }

    /// Sets the tokens of the whole thread up to this record.
    fn tokens(&mut self, run: usize, info: Option<&TokenInfo>) {
        let Some(usage) = info.and_then(|info| info.total_token_usage.as_ref()) else {
            return;
        };
        let last = info.and_then(|info| info.last_token_usage.as_ref());
        let context = last.and_then(|usage| usage.total.count());
        self.runs.draft(run).run.details.context_tokens = context;
        let input = usage.input.count().unwrap_or_default();
        let cache = usage.cached.count().unwrap_or_default();
        let tokens = Tokens {
            input: input.saturating_sub(cache),
            output: usage.output.count().unwrap_or_default(),
            cache,
            total: usage.total.count().unwrap_or_default(),
        };
        self.runs.usage(run, "", tokens);
    }
}

fn text_of(content: &Content<CodexPart>) -> String {
    if let Content::Text(text) = content {
        return text.clone().into_owned();
    }
    texts(content.list().iter().map(|part| part.text))
}
