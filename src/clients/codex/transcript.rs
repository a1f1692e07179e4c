//! Rollouts of Codex: one file for each thread.
//!
//! An agent's rollout may begin with a copy of its parent's records. Its own records begin at
//! `subagent_history_start_ordinal`.

use std::time::Duration;

use crate::clients::codex::FACTS;
use crate::clients::failure::end_by_request;
use crate::clients::run::{
    AGENT_TYPE, CWD, CallKind, CallPlace, End, JsonNode, LastRecord, MODEL, Outcome, OwnUse,
    PARENT, RunReader, Runs, SESSION, Tokens, VERSION, leading, revision, test_summary, time_of,
};

/// How many bytes of an output are searched for its exit code.
const HEAD: usize = 256;
/// What comes before an exit code. Versions of Codex write it differently.
const EXIT_MARKS: [&str; 2] = ["exited with code ", "Exit code: "];

/// What the tool for patches says when it has changed the files.
const PATCHED: &str = "Success. Updated the following files:";

/// What ends the error of a response that reached the limit of output. Its text, if it is recorded, comes before.
const OUTPUT_LIMIT: &str = "Incomplete response returned, reason: max_output_tokens";

#[derive(Debug, Default)]
pub(crate) struct Codex {
    runs: Runs,
    /// The ordinal of the thread's first own record.
    first: Option<i64>,
    /// The path that names the agent, by which others send it messages.
    path: Option<String>,
    cwd: Option<String>,
}

impl RunReader for Codex {
    fn runs(&mut self) -> &mut Runs {
        &mut self.runs
    }

    fn record(&mut self, record: &JsonNode, line: u64) {
        let Some(payload) = record.object("payload") else {
            return;
        };
        let kind = record.word("type");
        let is_session = kind == "session_meta";
        if is_session && !self.runs.has_own() {
            self.session(payload);
        }
        let ordinals = self.first.zip(record.number("ordinal"));
        if ordinals.is_some_and(|(first, ordinal)| ordinal < first) && !is_session {
            return;
        }
        let run = self.runs.own();
        let time = time_of(record.word("timestamp"));
        self.runs.draft(run).record(time);
        match kind {
            "turn_context" => {
                self.runs.set(run, MODEL, payload.get("model"));
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
        let run = self.runs.own();
        self.first = payload.number("subagent_history_start_ordinal");
        if let Some(id) = payload.get("id") {
            self.runs.name_agent(run, id);
        }
        let members = [(SESSION, "session_id"), (CWD, "cwd"), (VERSION, "cli_version")];
        self.runs.set_all(run, payload, &members);
        let draft = self.runs.draft(run);
        draft.run.was_told_more = self.first.is_some();
        draft.run.base_revision = revision(payload.at("git").word("commit_hash"));
        let subagent = payload.at("source").at("subagent");
        let Some(spawn) = subagent.object("thread_spawn") else {
            draft.run.depth = subagent.is_nothing().then_some(0);
            // `"review"`, `{"other": "guardian"}`: no agent called it.
            draft.run.own_use = match subagent.text() {
                _ if subagent.is_nothing() => None,
                Some("compact") => Some(OwnUse::Compaction),
                _ => Some(OwnUse::Other),
            };
            return;
        };
        draft.run.depth = spawn.count("depth");
        let members = [(PARENT, "parent_thread_id"), (AGENT_TYPE, "agent_role")];
        self.runs.set_all(run, spawn, &members);
        let path = spawn.get("agent_path");
        self.path = path.and_then(|path| self.runs.store(path));
    }

    fn response(&mut self, run: usize, payload: &JsonNode, line: u64) {
        let text = payload.at("content").joined_text();
        match (payload.word("type"), payload.word("role")) {
            ("message", "assistant") if !text.trim().is_empty() => self.runs.text(run, &text),
            ("message", "user") if text.starts_with("<hook_prompt") => self.runs.ask_again(run),
            ("agent_message", _) => self.agent_message(run, payload, &text),
            ("function_call_output" | "custom_tool_call_output", _) => self.output(payload),
            (kind, _) if kind.ends_with("_call") => self.on_tool_use(run, payload, line),
            _ => {}
        }
    }

    /// Reads a message from another agent, such as its task, which may be encrypted.
    fn agent_message(&mut self, run: usize, payload: &JsonNode, text: &str) {
        let is_task = payload.get("recipient") == self.path.as_deref() && self.path.is_some();
        let task = text.split_once("Payload:\n").map_or("", |(_, task)| task);
        if is_task && !task.trim().is_empty() {
            return self.runs.task(run, task);
        }
        self.runs.message(run);
        let draft = self.runs.draft(run);
        if is_task {
            draft.has_start = true;
            draft.run.resumed |= draft.has_answered;
        }
    }

    fn event(&mut self, run: usize, payload: &JsonNode, line: u64) {
        match payload.word("type") {
            "user_message" => self.on_user(run, payload.word("message")),
            "task_started" => self.runs.message(run),
            "task_complete" => self.complete(run, payload),
            "turn_aborted" => self.runs.end(run, End::Interrupted),
            "error" => {
                let error = payload.word("message");
                let has_text = self.runs.draft(run).run.final_message.is_some();
                let is_cut = error.ends_with(OUTPUT_LIMIT) && has_text;
                let end = is_cut.then_some(End::OutputLimit);
                self.runs.end(run, end.unwrap_or_else(|| end_by_request(error)));
            }
            "token_count" => self.tokens(run, payload.at("info")),
            "item_completed" => self.item(run, payload.at("item"), line),
            _ => {}
        }
    }

    fn on_user(&mut self, run: usize, text: &str) {
        if !text.starts_with("<environment_context>") {
            self.runs.task(run, text);
        }
    }

    fn complete(&mut self, run: usize, payload: &JsonNode) {
        // Failed turns have this event, too, without a message.
        let end = self.runs.draft(run).run.end;
        if end.is_error() || end == End::OutputLimit {
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

    fn tokens(&mut self, run: usize, info: &JsonNode) {
        let Some(usage) = info.object("total_token_usage") else {
            return;
        };
        let context = info.at("last_token_usage").count("total_tokens");
        self.runs.draft(run).run.details.context_tokens = context;
        let tokens = Tokens {
            output: usage.sum(["output_tokens"]),
            ..usage.tokens(["input_tokens", "cached_input_tokens", "total_tokens"])
        };
        self.runs.usage(run, "", tokens);
    }
}

// The calls of the model, and the client's reports of their results.
impl Codex {
    fn on_tool_use(&mut self, run: usize, payload: &JsonNode, line: u64) {
        // The other kinds of calls run on the server, and have no name and no output of their own.
        let kind = payload.word("type");
        let is_of_server = !matches!(kind, "function_call" | "custom_tool_call");
        let name = payload.get("name");
        let name = name.unwrap_or(kind.trim_end_matches("_call"));
        let arguments = payload.get("arguments").and_then(JsonNode::whole);
        let arguments = arguments.unwrap_or_default();
        let kind = FACTS.kind_of(name);
        let patch = payload.get("input").or(arguments.get("input"));
        let id = payload.get("call_id").unwrap_or(payload.word("id"));
        let place = (self.cwd.as_deref(), line);
        let call = FACTS.call((kind, name), &arguments, patch, place);
        let Some(place) = self.runs.call(run, id, call) else {
            return;
        };
        if is_of_server {
            self.runs.result_at(place, Outcome::Unknown);
        }
        if name == "spawn_agent" {
            let (message, role) = (arguments.get("message"), arguments.get("agent_type"));
            self.runs.start(run, id, message, role);
        }
    }

    fn name_called(&mut self, place: CallPlace, child: usize, agent: &str) {
        if !agent.is_empty() {
            self.runs.name_called(place, child, agent);
        }
    }

    fn output(&mut self, payload: &JsonNode) {
        let id = payload.word("call_id");
        let Some(place) = self.runs.call_place(id) else {
            return;
        };
        let output = payload.at("output");
        let text = output.text().unwrap_or_default();
        let head = &text[..text.floor_char_boundary(HEAD)];
        let call = self.runs.call_at(place);
        call.exit_code = call.exit_code.or_else(|| {
            let codes = EXIT_MARKS.iter().filter_map(|mark| head.split_once(mark));
            codes.map(|(_, code)| leading(code)).next().flatten()
        });
        let is_command = call.kind == CallKind::Command;
        call.background |=
            is_command && call.exit_code.is_none() && head.contains("running with session ID");
        let outcome =
            match (call.outcome, call.exit_code) {
                (Outcome::Unknown, Some(0)) => Outcome::Succeeded,
                (Outcome::Unknown, Some(_)) => Outcome::Failed,
                (Outcome::Unknown, None) if head.contains("rejected by user") => Outcome::Rejected,
                (Outcome::Unknown, None) if call.kind == CallKind::Write => {
                    if head.contains(PATCHED) { Outcome::Succeeded } else { Outcome::Unknown }
                }
                (known, _) => known,
            };
        test_summary::note(call, output);
        let may_start = call.kind == CallKind::Delegate;
        self.runs.result_at(place, outcome);
        if may_start
            && let Some(child) = self.runs.started_by(id)
            && let Some(output) = JsonNode::whole(text)
        {
            self.name_called(place, child, output.word("agent_id"));
        }
    }

    /// Reads what the client says of a message, a command or a patch.
    fn item(&mut self, run: usize, item: &JsonNode, line: u64) {
        let id = item.word("id");
        match item.word("type") {
            "UserMessage" => self.on_user(run, &item.at("content").joined_text()),
            "HookPrompt" => self.runs.message(run),
            kind @ ("CommandExecution" | "FileChange") => {
                // Some tools run several of them in one call: these have no call of their own.
                if self.runs.call_place(id).is_none() {
                    let name = match kind {
                        "CommandExecution" => "exec_command",
                        _ => "apply_patch",
                    };
                    let place = (self.cwd.as_deref(), line);
                    let call = FACTS.call((FACTS.kind_of(name), name), item, None, place);
                    if let Some(place) = self.runs.call(run, id, call) {
                        self.runs.result_at(place, Outcome::Unknown);
                    }
                }
                if let Some(place) = self.runs.call_place(id) {
                    self.report(place, item);
                    test_summary::note(self.runs.call_at(place), item.at("aggregated_output"));
                }
            }
            "SubAgentActivity" => {
                let child = self.runs.started_by(id);
                if let Some((child, place)) = child.zip(self.runs.call_place(id)) {
                    self.name_called(place, child, item.word("agent_thread_id"));
                }
            }
            _ => {}
        }
    }

    fn report(&mut self, place: CallPlace, item: &JsonNode) {
        let changes = item.at("changes").members();
        // For a new file, the record has the content instead.
        let is_idle = |change: &JsonNode| {
            change.get("unified_diff") == Some("") && change.get("move_path").is_none()
        };
        let written = changes.iter().filter(|(_, change)| !is_idle(change));
        let paths: Vec<&str> = written.map(|(path, _)| &**path).collect();
        if !paths.is_empty() {
            self.runs.report_paths(place, &paths);
        }
        let call = self.runs.call_at(place);
        call.is_rewrite |= paths.is_empty() && !changes.is_empty();
        call.exit_code = item.number("exit_code").or(call.exit_code);
        call.outcome = match (item.word("status"), call.exit_code) {
            ("declined" | "rejected", _) => Outcome::Rejected,
            ("failed", _) => Outcome::Failed,
            (_, Some(0)) | ("completed", None) => Outcome::Succeeded,
            (_, Some(_)) => Outcome::Failed,
            _ => call.outcome,
        };
    }
}
