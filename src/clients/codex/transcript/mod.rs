//! Rollouts of Codex: one file for each thread.
//!
//! An agent's rollout may begin with a copy of its parent's records. Its own records begin at
//! `subagent_history_start_ordinal`.

mod calls;

use std::time::Duration;

use crate::clients::failure::end_by_request;
use crate::clients::run::{End, JsonNode, LastRecord, Reader, Runs, Tokens, revision, time_of};

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

    fn record(&mut self, record: &JsonNode, line: u64) {
        let Some(payload) = record.object("payload") else {
            return self.runs.note_unknown_record();
        };
        let kind = record.word("type");
        if kind == "session_meta" && self.run.is_none() {
            self.session(payload);
        }
        if let (Some(first), Some(ordinal)) = (self.first, record.number("ordinal"))
            && ordinal < first
            && kind != "session_meta"
        {
            return;
        }
        let run = *self.run.get_or_insert_with(|| self.runs.add());
        let draft = self.runs.draft(run);
        draft.has_records = true;
        draft.at(time_of(record.word("timestamp")));
        match kind {
            "turn_context" => {
                self.runs
                    .set(run, |it| &mut it.details.model, payload.get("model"));
                if let Some(cwd) = payload.get("cwd").filter(|cwd| cwd.len() <= 4096) {
                    self.cwd = Some(cwd.to_owned());
                }
            }
            "response_item" => self.response(run, payload, line),
            "event_msg" => self.event(run, payload, line),
            _ => {}
        }
    }
}

impl Codex {
    fn session(&mut self, payload: &JsonNode) {
        let run = self.runs.add();
        self.run = Some(run);
        self.first = payload.number("subagent_history_start_ordinal");
        if let Some(id) = payload.get("id") {
            self.runs.name_agent(run, id);
        }
        let subagent = payload.at("source").object("subagent");
        let spawn = subagent.and_then(|subagent| subagent.object("thread_spawn"));
        let details = |name| payload.get(name);
        self.runs
            .set(run, |it| &mut it.session, details("session_id"));
        self.runs.set(run, |it| &mut it.details.cwd, details("cwd"));
        let version = details("cli_version");
        self.runs
            .set(run, |it| &mut it.details.client_version, version);
        if let Some(spawn) = spawn {
            let parent = spawn.get("parent_thread_id");
            self.runs.set(run, |it| &mut it.parent, parent);
            let role = spawn.get("agent_role");
            self.runs.set(run, |it| &mut it.agent_type, role);
            let path = spawn.get("agent_path");
            self.path = path.and_then(|path| self.runs.store(path));
        }
        let draft = self.runs.draft(run);
        draft.run.base_revision = revision(payload.at("git").word("commit_hash"));
        draft.run.depth = match subagent {
            None => Some(0),
            Some(_) => spawn.and_then(|spawn| spawn.count("depth")),
        };
    }

    /// Reads an item that was sent to the model, or came from it.
    fn response(&mut self, run: usize, payload: &JsonNode, line: u64) {
        match payload.word("type") {
            "message" => match payload.word("role") {
                "assistant" => {
                    let text = payload.at("content").joined_text();
                    if !text.trim().is_empty() {
                        self.runs.text(run, &text);
                    }
                }
                "user"
                    if payload
                        .at("content")
                        .joined_text()
                        .starts_with("<hook_prompt") =>
                {
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
    fn agent_message(&mut self, run: usize, payload: &JsonNode) {
        let text = payload.at("content").joined_text();
        let is_task = payload.get("recipient") == self.path.as_deref() && self.path.is_some();
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

    fn event(&mut self, run: usize, payload: &JsonNode, line: u64) {
        match payload.word("type") {
            "user_message" => self.on_user(run, payload.word("message")),
            "task_started" => self.runs.message(run),
            "task_complete" => self.complete(run, payload),
            "turn_aborted" => self.runs.end(run, End::Interrupted),
            "error" => self.runs.end(run, end_by_request(payload.word("message"))),
            "token_count" => self.tokens(run, payload.at("info")),
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

    fn complete(&mut self, run: usize, payload: &JsonNode) {
        // Failed turns have this event, too, without a message.
        if self.runs.draft(run).run.end.is_error() {
            return;
        }
        match payload.get("last_agent_message") {
            Some(text) if !text.trim().is_empty() => self.runs.text(run, text),
            _ => self.runs.no_text(run),
        }
        let draft = self.runs.draft(run);
        draft.last = LastRecord::End;
        // A thread has several turns.
        let turn = payload.count("duration_ms").map(Duration::from_millis);
        let before = draft.run.details.duration.unwrap_or_default();
        draft.run.details.duration = turn.map(|turn| before + turn);
    }

    /// Sets the tokens of the whole thread up to this record.
    fn tokens(&mut self, run: usize, info: &JsonNode) {
        let Some(usage) = info.object("total_token_usage") else {
            return;
        };
        let context = info.at("last_token_usage").count("total_tokens");
        self.runs.draft(run).run.details.context_tokens = context;
        let cache = usage.sum(["cached_input_tokens"]);
        let tokens = Tokens {
            input: usage.sum(["input_tokens"]).saturating_sub(cache),
            output: usage.sum(["output_tokens"]),
            cache,
            total: usage.sum(["total_tokens"]),
        };
        self.runs.usage(run, "", tokens);
    }
}
