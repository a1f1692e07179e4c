//! Rollouts of Codex: one file for each thread.
//!
//! An agent's rollout may begin with a copy of its parent's records. Its own records begin at
//! `subagent_history_start_ordinal`.

use std::borrow::Cow;
use std::time::Duration;

use crate::clients::codex::FACTS;
use crate::clients::failure::end_by_request;
use crate::clients::run::{
    AGENT_TYPE, CWD, Call, CallKind, CallShell, End, EnteredCall, JsonNode, LastRecord, MODEL,
    NewCall, Outcome, PARENT, Reader, Runs, SESSION, Tokens, VERSION, WriteEffect, effect_of_patch,
    joined, paths_of_patch, revision, test_summary, time_of,
};

/// How many bytes of an output are searched for its exit code.
const HEAD: usize = 256;
/// The kind of a call of a shell that has no name.
const LOCAL_SHELL: &str = "local_shell_call";
/// The most arguments of a command that are read.
const WORDS_AT_MOST: usize = 256;

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
        let run = self.runs.add();
        self.run = Some(run);
        self.first = payload.number("subagent_history_start_ordinal");
        if let Some(id) = payload.get("id") {
            self.runs.name_agent(run, id);
        }
        let subagent = payload.at("source").object("subagent");
        let spawn = subagent.and_then(|subagent| subagent.object("thread_spawn"));
        let details = |name| payload.get(name);
        self.runs.set(run, SESSION, details("session_id"));
        self.runs.set(run, CWD, details("cwd"));
        self.runs.set(run, VERSION, details("cli_version"));
        if let Some(spawn) = spawn {
            self.runs.set(run, PARENT, spawn.get("parent_thread_id"));
            self.runs.set(run, AGENT_TYPE, spawn.get("agent_role"));
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

// The calls of the model, and the client's reports of their results.
impl Codex {
    fn on_tool_use(&mut self, run: usize, payload: &JsonNode, line: u64) {
        // The other kinds of calls run on the server, and have no name and no output of their own.
        let kind = payload.word("type");
        let is_of_server = !matches!(kind, "function_call" | "custom_tool_call" | LOCAL_SHELL);
        let name = match payload.get("name") {
            Some(name) if kind != LOCAL_SHELL => name,
            _ => kind.trim_end_matches("_call"),
        };
        let arguments = payload.get("arguments").and_then(JsonNode::whole);
        let arguments = arguments.unwrap_or_default();
        let command = arguments.get("cmd").map(Cow::Borrowed);
        let command = command.or_else(|| command_of(arguments.at("command")));
        let command = command.or_else(|| command_of(payload.at("action").at("command")));
        let kind = FACTS.kind_of(name);
        let written = payload.get("input").or(arguments.get("input"));
        let written = written.unwrap_or_default();
        let cwd = joined(self.cwd.as_deref(), arguments.get("workdir"));
        let paths = match kind {
            CallKind::Write => paths_of_patch(written),
            _ => Vec::new(),
        };
        let call = NewCall {
            id: payload.get("call_id").unwrap_or(payload.word("id")),
            name,
            kind,
            paths: &paths,
            effect: match kind {
                CallKind::Write => effect_of_patch(written),
                _ => WriteEffect::Change,
            },
            command: command.as_deref().filter(|_| kind == CallKind::Command),
            background: false,
            cwd: cwd.as_deref(),
            shell: CallShell::Own,
            line,
        };
        let EnteredCall { is_new, place } = self.runs.call(run, &call);
        if let Some(place) = place.filter(|_| is_new && is_of_server) {
            self.runs.result_at(place, Outcome::Unknown);
        }
        if is_new && name == "spawn_agent" {
            self.runs.start(
                run,
                call.id,
                arguments.get("message"),
                arguments.get("agent_type"),
            );
        }
    }

    fn output(&mut self, payload: &JsonNode) {
        let id = payload.word("call_id");
        let Some(place) = self.runs.call_place(id) else {
            return;
        };
        let output = payload.at("output");
        let text = output.text().unwrap_or_default();
        // Some versions write an object, with what the client says beside what the command printed.
        let json = text
            .starts_with('{')
            .then(|| JsonNode::whole(text).unwrap_or_default());
        let call = self.runs.call_at(place);
        let exit_code = call.exit_code.or_else(|| match &json {
            Some(json) => json.at("metadata").number("exit_code"),
            None => exit_code(text),
        });
        call.exit_code = exit_code;
        let is_running = call.kind == CallKind::Command
            && exit_code.is_none()
            && head(text).contains("running with session ID");
        call.background |= is_running;
        let outcome = match (call.outcome, exit_code) {
            (Outcome::Unknown, Some(0)) => Outcome::Succeeded,
            (Outcome::Unknown, Some(_)) => Outcome::Failed,
            (Outcome::Unknown, None) if head(text).contains("rejected by user") => {
                Outcome::Rejected
            }
            (Outcome::Unknown, None) if call.kind == CallKind::Write => Outcome::Unknown,
            (known, _) => known,
        };
        let may_start = call.kind == CallKind::Delegate;
        summarize(call, json.as_ref().map_or(output, |json| json.at("output")));
        self.runs.result_at(place, outcome);
        let child = may_start.then(|| self.runs.started_by(id)).flatten();
        if let Some(child) = child {
            let json = json.unwrap_or_default();
            self.name(child, id, json.word("agent_id"));
        }
    }

    /// Reads the client's report of a command or a patch.
    fn ended(&mut self, payload: &JsonNode) {
        let status = match payload.flag("success") {
            Some(true) => "completed",
            Some(false) => "failed",
            None => "",
        };
        let id = payload.word("call_id");
        self.report(id, status, payload);
    }

    fn item(&mut self, run: usize, payload: &JsonNode, line: u64) {
        let item = payload.at("item");
        let id = item.word("id");
        match item.word("type") {
            "UserMessage" => self.on_user(run, &item.at("content").joined_text()),
            "HookPrompt" => self.runs.message(run),
            "CommandExecution" | "FileChange" => {
                if self.runs.call_place(id).is_none() {
                    self.unannounced(run, item, line);
                }
                self.report(id, item.word("status"), item);
                if let Some(place) = self.runs.call_place(id) {
                    summarize(self.runs.call_at(place), item.at("aggregated_output"));
                }
            }
            "SubAgentActivity" => {
                if let Some(child) = self.runs.started_by(id) {
                    self.name(child, id, item.word("agent_thread_id"));
                }
            }
            _ => {}
        }
    }

    /// Adds a command or a patch that has no call of its own: some tools run several of them in one
    /// call.
    fn unannounced(&mut self, run: usize, item: &JsonNode, line: u64) {
        let is_command = item.word("type") == "CommandExecution";
        let command = command_of(item.at("command")).filter(|_| is_command);
        let name = if is_command {
            "exec_command"
        } else {
            "apply_patch"
        };
        let call = NewCall {
            id: item.word("id"),
            name,
            kind: FACTS.kind_of(name),
            paths: &[],
            effect: WriteEffect::Change,
            command: command.as_deref(),
            background: false,
            cwd: self.cwd.as_deref(),
            shell: CallShell::Own,
            line,
        };
        if let Some(place) = self.runs.call(run, &call).place {
            self.runs.result_at(place, Outcome::Unknown);
        }
    }

    fn report(&mut self, id: &str, status: &str, report: &JsonNode) {
        let Some(place) = self.runs.call_place(id) else {
            return;
        };
        let (mut paths, mut is_idle) = (Vec::new(), false);
        for (path, change) in report.at("changes").members() {
            // For a new file, the record has the content instead.
            if change.get("unified_diff") == Some("") && change.get("move_path").is_none() {
                is_idle = true;
            } else {
                self.runs.add_path(&mut paths, path);
            }
        }
        is_idle &= paths.is_empty();
        if !paths.is_empty() && !self.runs.report_paths(place, paths) {
            return;
        }
        let call = self.runs.call_at(place);
        if is_idle {
            call.effect = WriteEffect::Nothing;
        }
        call.exit_code = report.number("exit_code").or(call.exit_code);
        call.outcome = match (status, call.exit_code) {
            ("declined" | "rejected", _) => Outcome::Rejected,
            ("failed", _) => Outcome::Failed,
            (_, Some(0)) | ("completed", None) => Outcome::Succeeded,
            (_, Some(_)) => Outcome::Failed,
            _ => call.outcome,
        };
    }

    fn name(&mut self, child: usize, call: &str, agent: &str) {
        match self.runs.call_place(call) {
            _ if agent.is_empty() => {}
            Some(place) => self.runs.name_called(place, child, agent),
            None => self.runs.name_agent(child, agent),
        }
    }
}

/// Notes what a test runner says in an output. Of two copies, one may be cut.
fn summarize(call: &mut Call, output: &JsonNode) {
    let summary = test_summary::of_command(call.kind, output);
    call.test_summary = call.test_summary.max(summary);
}

/// The command line of a command that is a string or a list of arguments.
fn command_of<'r>(command: &'r JsonNode) -> Option<Cow<'r, str>> {
    if let Some(text) = command.text() {
        return Some(Cow::Borrowed(text));
    }
    let words = command.list().iter();
    let words: Vec<&str> = words.map(|it| it.text().unwrap_or_default()).collect();
    match words.as_slice() {
        [] => None,
        [program, "-c" | "-lc", script] if is_shell(program) => Some(Cow::Borrowed(script)),
        words => (words.len() <= WORDS_AT_MOST).then(|| Cow::Owned(as_typed(words))),
    }
}

fn is_shell(program: &str) -> bool {
    let name = program.rsplit('/').next().unwrap_or_default();
    ["sh", "bash", "zsh", "dash", "ksh"].contains(&name)
}

/// The words as a command line, quoted where needed. A list of words does not go through a shell, so a
/// `>` in a word is not a redirection.
fn as_typed(words: &[&str]) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-./,:+@%".contains(&byte);
    let typed = words.iter().map(|word| {
        if !word.is_empty() && word.bytes().all(is_plain) {
            Cow::Borrowed(*word)
        } else {
            Cow::Owned(format!("'{}'", word.replace('\'', r"'\''")))
        }
    });
    typed.collect::<Vec<_>>().join(" ")
}

/// The exit code at the beginning of an output. Versions of Codex write it differently.
fn exit_code(text: &str) -> Option<i64> {
    let head = head(text);
    let marks = ["exited with code ", "Exit code: "];
    let code = marks.iter().find_map(|mark| {
        let at = memchr::memmem::find(head.as_bytes(), mark.as_bytes())?;
        head.get(at + mark.len()..)
    })?;
    let end = code
        .bytes()
        .position(|byte| !byte.is_ascii_digit() && byte != b'-');
    code[..end.unwrap_or(code.len())].parse().ok()
}

fn head(text: &str) -> &str {
    &text[..text.floor_char_boundary(HEAD)]
}
