//! Reads tool calls of Codex: the call of the model, and the client's report of its result.

use std::borrow::Cow;

use super::Codex;
use crate::clients::codex::FACTS;
use crate::clients::run::{
    Call, CallKind, CallShell, EnteredCall, JsonNode, NewCall, Outcome, WriteEffect,
    effect_of_patch, joined, paths_of_patch, test_summary,
};

/// How many bytes of an output are searched for its exit code.
const HEAD: usize = 256;
/// The kind of a call of a shell that has no name.
const LOCAL_SHELL: &str = "local_shell_call";
/// The most arguments of a command that are read.
const WORDS_AT_MOST: usize = 256;

impl Codex {
    pub(super) fn on_tool_use(&mut self, run: usize, payload: &JsonNode, line: u64) {
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

    pub(super) fn output(&mut self, payload: &JsonNode) {
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
    pub(super) fn ended(&mut self, payload: &JsonNode) {
        let status = match payload.flag("success") {
            Some(true) => "completed",
            Some(false) => "failed",
            None => "",
        };
        let id = payload.word("call_id");
        self.report(id, status, payload);
    }

    pub(super) fn item(&mut self, run: usize, payload: &JsonNode, line: u64) {
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
