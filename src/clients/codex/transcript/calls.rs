//! Reads tool calls of Codex: the call of the model, and the client's report of its result.

use std::borrow::Cow;

use super::record::{CodexArguments, CodexItem, CodexOutput, FileUpdate, RolloutPayload};
use super::{Codex, text_of};
use crate::clients::codex::FACTS;
use crate::clients::run::{
    Call, CallKind, CallShell, EnteredCall, LenientNumber, LenientText, NewCall, Outcome, RawText,
    WriteEffect, effect, elements, entries, joined, patch, test_summary, whole,
};

/// How many bytes of an output are searched for its exit code.
const HEAD: usize = 256;
/// The kind of a call of a shell that has no name.
const LOCAL_SHELL: &str = "local_shell_call";
/// The most arguments of a command that are read.
const WORDS_AT_MOST: usize = 256;

impl Codex {
    pub(super) fn on_tool_use(&mut self, run: usize, payload: &RolloutPayload, line: u64) {
        // The other kinds of calls run on the server, and have no name and no output of their own.
        let kind = payload.kind.as_str();
        let is_of_server = !matches!(kind, "function_call" | "custom_tool_call" | LOCAL_SHELL);
        let name = match payload.name.get() {
            Some(name) if kind != LOCAL_SHELL => name,
            _ => kind.trim_end_matches("_call"),
        };
        let arguments: Option<Option<CodexArguments>> = payload.arguments.get().and_then(whole);
        let arguments = arguments.flatten().unwrap_or_default();
        let CodexArguments {
            cmd,
            command,
            workdir,
            input,
            message,
            agent_type,
        } = &arguments;
        let command = cmd
            .get()
            .map(Cow::Borrowed)
            .or_else(|| command_of(*command));
        let action: Option<CodexArguments> = payload.action.parse();
        let command = command.or_else(|| command_of(action.as_ref()?.command));
        let kind = FACTS.kind_of(name);
        let written = payload.input.get().or(input.get()).unwrap_or_default();
        let cwd = joined(self.cwd.as_deref(), workdir.get());
        let paths = match kind {
            CallKind::Write => patch::paths(written),
            _ => Vec::new(),
        };
        let call = NewCall {
            id: payload.call_id.get().unwrap_or(payload.id.as_str()),
            name,
            kind,
            paths: &paths,
            effect: match kind {
                CallKind::Write => effect::of_patch(written),
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
            self.runs
                .start(run, call.id, message.get(), agent_type.get());
        }
    }

    pub(super) fn output(&mut self, payload: &RolloutPayload) {
        let id = payload.call_id.as_str();
        let Some(place) = self.runs.call_place(id) else {
            return;
        };
        let text = output_text(payload.output);
        let text = text.as_ref();
        // Some versions write an object, with what the client says beside what the command printed.
        let json = text
            .starts_with('{')
            .then(|| whole(text).unwrap_or_default());
        let json = json.map(|json: Option<CodexOutput>| json.unwrap_or_default());
        let call = self.runs.call_at(place);
        let exit_code = call.exit_code.or_else(|| match &json {
            Some(json) => json.metadata.member::<LenientNumber>("exit_code").0,
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
        summarize(
            call,
            json.as_ref().map_or(payload.output, |json| json.output),
        );
        self.runs.result_at(place, outcome);
        let child = may_start.then(|| self.runs.started_by(id)).flatten();
        if let Some(child) = child {
            let json = json.unwrap_or_default();
            self.name(child, id, json.agent_id.as_str());
        }
    }

    /// Reads the client's report of a command or a patch.
    pub(super) fn ended(&mut self, payload: &RolloutPayload) {
        let status = match payload.success.0 {
            Some(true) => "completed",
            Some(false) => "failed",
            None => "",
        };
        let id = payload.call_id.as_str();
        self.report(id, status, payload.exit_code.0, payload.changes);
    }

    pub(super) fn item(&mut self, run: usize, payload: &RolloutPayload, line: u64) {
        let Some(item) = &payload.item else {
            return;
        };
        let id = item.id.as_str();
        match item.kind.as_str() {
            "UserMessage" => self.on_user(run, &text_of(&item.content)),
            "HookPrompt" => self.runs.message(run),
            "CommandExecution" | "FileChange" => {
                if self.runs.call_place(id).is_none() {
                    self.unannounced(run, item, line);
                }
                self.report(id, item.status.as_str(), item.exit_code.0, item.changes);
                if let Some(place) = self.runs.call_place(id) {
                    summarize(self.runs.call_at(place), item.aggregated_output);
                }
            }
            "SubAgentActivity" => {
                if let Some(child) = self.runs.started_by(id) {
                    self.name(child, id, item.agent_thread_id.as_str());
                }
            }
            _ => {}
        }
    }

    /// Adds a command or a patch that has no call of its own: some tools run several of them in one
    /// call.
    fn unannounced(&mut self, run: usize, item: &CodexItem, line: u64) {
        let is_command = item.kind.as_str() == "CommandExecution";
        let command = command_of(item.command).filter(|_| is_command);
        let name = if is_command {
            "exec_command"
        } else {
            "apply_patch"
        };
        let call = NewCall {
            id: item.id.as_str(),
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

    fn report(&mut self, id: &str, status: &str, exit: Option<i64>, changes: RawText) {
        let Some(place) = self.runs.call_place(id) else {
            return;
        };
        let (mut paths, mut is_idle) = (Vec::new(), false);
        entries(changes, |path, change| {
            if is_without_change(change) {
                is_idle = true;
            } else {
                self.runs.add_path(&mut paths, path);
            }
        });
        is_idle &= paths.is_empty();
        if !paths.is_empty() && !self.runs.report_paths(place, paths) {
            return;
        }
        let call = self.runs.call_at(place);
        if is_idle {
            call.effect = WriteEffect::Nothing;
        }
        call.exit_code = exit.or(call.exit_code);
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

fn is_without_change(change: RawText) -> bool {
    let change: Option<FileUpdate> = change.parse();
    let change = change.unwrap_or_default();
    let is_same = change.unified_diff.0 == Some("\"\"");
    is_same && change.move_path.get().is_none()
}

/// The first `HEAD` bytes of an output, with their escapes. If the output is JSON, all of it, without
/// escapes, because the exit code is at its end.
fn output_text(raw: RawText<'_>) -> Cow<'_, str> {
    let text = raw.0.and_then(|raw| raw.strip_prefix('"'));
    match text {
        Some(json) if json.starts_with('{') => {
            let text: LenientText = raw.parse();
            text.0.unwrap_or_default()
        }
        text => Cow::Borrowed(head(text.unwrap_or_default())),
    }
}

/// Notes what a test runner says in an output. Of two copies, one may be cut.
fn summarize(call: &mut Call, output: RawText) {
    let summary = test_summary::of_command(call.kind, output);
    call.test_summary = call.test_summary.max(summary);
}

/// The command line of a command that is a string or a list of arguments.
fn command_of(raw: RawText<'_>) -> Option<Cow<'_, str>> {
    let text: LenientText = raw.parse();
    if text.0.is_some() {
        return text.0;
    }
    let mut words: Vec<LenientText> = Vec::new();
    let mut is_whole = true;
    elements(raw, |word| match words.len() {
        WORDS_AT_MOST => is_whole = false,
        _ => words.push(word.parse()),
    });
    let words: Vec<&str> = words.iter().map(LenientText::as_str).collect();
    match words.as_slice() {
        [] => None,
        [program, "-c" | "-lc", script] if is_shell(program) => {
            Some(Cow::Owned((*script).to_owned()))
        }
        words => is_whole.then(|| Cow::Owned(as_typed(words))),
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
