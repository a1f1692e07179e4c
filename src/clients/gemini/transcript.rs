//! Sessions of Gemini CLI. A file has lines with records and changes to earlier records; in older
//! versions it is one document. An agent's session has its own file.

use std::cell::RefCell;

use crate::clients::failure::end_by_request;
use crate::clients::gemini::FACTS;
use crate::clients::run::{
    CWD, CallKind, CallPlace, CallShell, ClientStatus, End, EnteredCall, Gap, JsonNode, LastRecord,
    MODEL, NewCall, Outcome, Reader, Run, Runs, Tokens, WriteEffect, each_message, effect_of_edit,
    joined, test_summary, time_of,
};

/// The client's message to an agent that stops without an answer. The agent gets one more turn.
const LAST_CHANCE: &str = "You have stopped calling tools without finishing";
/// The beginning of the client's own first message.
const CONTEXT: &str = "<session_context>";
/// The text before the exit code, which is on a line of its own.
const EXIT_CODE: &str = "\nExit Code: ";
/// How many bytes at the end of an output are searched for its exit code.
const TAIL: usize = 1024;

#[derive(Debug, Default)]
pub(in crate::clients) struct Gemini {
    runs: Runs,
    run: Option<usize>,
    cwd: Option<String>,
    is_warned: bool,
    has_answer: bool,
    /// The hash of the id of the last message to the agent, which may be repeated as a change.
    last_message: Option<u64>,
}

impl Reader for Gemini {
    fn runs(&mut self) -> &mut Runs {
        &mut self.runs
    }

    fn record(&mut self, record: &JsonNode, line: u64) {
        let is_head = record.get("projectHash").is_some();
        if is_head && self.run.is_none() {
            self.session(record);
        }
        let changes = record.object("$set");
        for message in changes.map_or(&[][..], |set| set.at("messages").list()) {
            self.message(message, line);
        }
        // Records of other clients may have ids, too, but their types contain a dot.
        if record.get("id").is_some() && !record.word("type").contains('.') {
            self.message(record, line);
        } else if !is_head && changes.is_none() {
            self.runs.note_unknown_record();
        }
    }

    fn finish(&mut self) -> Vec<Run> {
        if let (Some(run), true, false) = (self.run, self.is_warned, self.has_answer) {
            self.runs.draft(run).run.end = End::Failed;
        }
        self.runs.finish()
    }
}

pub(in crate::clients) fn read_document(document: &str) -> Vec<Run> {
    let session = RefCell::new(Gemini::default());
    let read = each_message(
        document,
        &mut |head| {
            if head.get("projectHash").is_some() {
                session.borrow_mut().session(head);
            }
        },
        &mut |message, line| session.borrow_mut().message(message, line),
    );
    let mut session = session.into_inner();
    if let Err(line) = read {
        session.runs.record_gap(Gap::Unreadable { line });
    }
    session.finish()
}

impl Gemini {
    fn run(&mut self) -> usize {
        let run = *self.run.get_or_insert_with(|| self.runs.add());
        self.runs.draft(run).has_records = true;
        run
    }

    fn session(&mut self, record: &JsonNode) {
        let run = self.run();
        let id = record.word("sessionId");
        if record.get("kind") == Some("subagent") {
            self.runs.name_agent(run, id);
        } else {
            let session = self.runs.store(id);
            let draft = self.runs.draft(run);
            draft.run.session = session;
            draft.run.depth = Some(0);
        }
        self.runs.draft(run).at(time_of(record.word("startTime")));
        let folder = record.at("directories").list().first();
        if let Some(folder) = folder.and_then(JsonNode::text) {
            self.cwd = self.runs.store(folder);
            self.runs.set(run, CWD, Some(folder));
        }
    }

    fn message(&mut self, record: &JsonNode, line: u64) {
        let run = self.run();
        self.runs.draft(run).at(time_of(record.word("timestamp")));
        match record.word("type") {
            "user" => self.on_user(run, record),
            "gemini" => self.on_assistant(run, record, line),
            "error" => {
                let error = record.at("content").joined_text();
                self.runs.end(run, end_by_request(&error));
            }
            "info"
                if record
                    .at("content")
                    .joined_text()
                    .starts_with("Request cancelled") =>
            {
                self.runs.end(run, End::Interrupted);
            }
            _ => {}
        }
    }

    fn on_user(&mut self, run: usize, record: &JsonNode) {
        let id = self.runs.hash(record.word("id"));
        let text = record.at("content").joined_text();
        // Results of tools are messages of the user, too, but have no text.
        if self.last_message.replace(id) == Some(id) || text.is_empty() || text.starts_with(CONTEXT)
        {
            return;
        }
        if text.starts_with(LAST_CHANCE) {
            self.is_warned = true;
            self.runs.message(run);
        } else {
            self.runs.task(run, &text);
        }
    }

    fn on_assistant(&mut self, run: usize, record: &JsonNode, line: u64) {
        self.runs.set(run, MODEL, record.get("model"));
        if let Some(usage) = record.object("tokens") {
            let tokens = Tokens {
                output: usage.sum(["output", "thoughts"]),
                ..tokens(usage, ["input", "cached", "total"])
            };
            self.runs.usage(run, record.word("id"), tokens);
        }
        let calls = record.at("toolCalls").list();
        for call in calls {
            self.on_tool_use(run, call, line);
        }
        let text = record.at("content").joined_text();
        if calls.is_empty() && !text.trim().is_empty() {
            self.runs.text(run, &text);
        }
    }

    fn on_tool_use(&mut self, run: usize, call: &JsonNode, line: u64) {
        let arguments = call.at("args");
        let (kind, cwd) = (FACTS.kind_of(call.word("name")), self.cwd.as_deref());
        let entered = enter(&mut self.runs, run, kind, call, cwd, line);
        let EnteredCall { is_new, place } = entered;
        if let Some(place) = place {
            if is_new && kind == CallKind::Delegate {
                let agent = arguments.get("agent_name");
                let agent = agent.or(arguments.get("subagent_type"));
                let prompt = arguments.get("prompt");
                self.runs.start(run, call.word("id"), prompt, agent);
            }
            self.result(place, call, arguments);
        }
    }

    fn result(&mut self, place: CallPlace, call: &JsonNode, arguments: &JsonNode) {
        let is_command = self.runs.call_at(place).kind == CallKind::Command;
        let part = call.at("result").list().first();
        let response = part.map(|part| part.at("functionResponse").at("response"));
        let output = response.map_or(&JsonNode::Nothing, |response| response.at("output"));
        let exit_code = output.text().filter(|_| is_command).and_then(exit_code);
        // The user did not allow the call, so that it never ran.
        let was_refused =
            response.is_some_and(|response| response.word("error").contains("did not allow"));
        let status = call.word("status");
        let outcome = match status {
            "success" if exit_code.is_some_and(|code| code != 0) => Outcome::Failed,
            "success" if is_background(arguments) => Outcome::Unknown,
            "success" => Outcome::Succeeded,
            "error" => Outcome::Failed,
            "cancelled" if was_refused => Outcome::Rejected,
            // It may have been running.
            "cancelled" => Outcome::Unknown,
            _ => return,
        };
        if self.runs.call_at(place).outcome != Outcome::Unknown {
            return;
        }
        self.runs.result_at(place, outcome);
        let child = self.runs.started_by(call.word("id"));
        if let (Some(child), "success" | "error") = (child, status) {
            let is_success = outcome == Outcome::Succeeded;
            let status = if is_success {
                ClientStatus::Completed
            } else {
                ClientStatus::Failed
            };
            self.runs.draft(child).run.details.status = Some(status);
        }
        let known = self.runs.call_at(place);
        known.exit_code = exit_code;
        known.test_summary = test_summary::of_command(known.kind, output);
        if known.kind == CallKind::Write {
            // What the client shows the user about it.
            let shown = call.at("resultDisplay");
            let before = shown.at("originalContent");
            let is_same = *before == *shown.at("newContent") && !before.is_nothing();
            if is_same && !shown.is("isNewFile") {
                known.effect = known.effect.max(WriteEffect::Rewrite);
            }
            if let Some(path) = shown.get("filePath") {
                self.runs.report_path(place, path);
            }
        }
        if call.get("name") == Some("complete_task") && outcome == Outcome::Succeeded {
            let result = arguments.at("result");
            let json = || serde_json::to_string(result).unwrap_or_default();
            match result {
                JsonNode::Text(text) => self.runs.text(place.0, text),
                JsonNode::Nothing => self.runs.text(place.0, ""),
                _ => self.runs.text(place.0, &json()),
            }
            self.runs.draft(place.0).last = LastRecord::End;
            self.has_answer = true;
        }
    }
}

/// Enters a call, which has the same arguments in Gemini CLI and in clients that are made from it.
pub(in crate::clients) fn enter(
    runs: &mut Runs,
    run: usize,
    kind: CallKind,
    call: &JsonNode,
    cwd: Option<&str>,
    line: u64,
) -> EnteredCall {
    let (name, arguments) = (call.word("name"), call.at("args"));
    let path = arguments.get("file_path");
    let path = path.or(arguments.get("notebook_path"));
    let path = path.filter(|_| kind == CallKind::Write);
    let folder = arguments.get("dir_path").or(arguments.get("directory"));
    let cwd = joined(cwd, folder);
    let new = NewCall {
        id: call.word("id"),
        name,
        kind,
        paths: path.as_slice(),
        effect: effect_of_edit(arguments.at("old_string"), arguments.at("new_string")),
        command: arguments
            .get("command")
            .filter(|_| kind == CallKind::Command),
        background: is_background(arguments),
        cwd: cwd.as_deref(),
        shell: CallShell::Own,
        line,
    };
    runs.call(run, &new)
}

fn is_background(arguments: &JsonNode) -> bool {
    arguments.is("is_background") || arguments.is("run_in_background")
}

/// The tokens of a message, without those of the answer. The input has the cached ones in it.
pub(in crate::clients) fn tokens(usage: &JsonNode, [input, cached, total]: [&str; 3]) -> Tokens {
    let cache = usage.sum([cached]);
    Tokens {
        input: usage.sum([input]).saturating_sub(cache),
        output: 0,
        cache,
        total: usage.sum([total]),
    }
}

/// The exit code at the end of a command's output. The client reports success for every exit code.
pub(in crate::clients) fn exit_code(output: &str) -> Option<i64> {
    let tail = &output[output.floor_char_boundary(output.len().saturating_sub(TAIL))..];
    let (_, code) = tail.rsplit_once(EXIT_CODE)?;
    let end = code.bytes().position(|byte| !byte.is_ascii_digit());
    code[..end.unwrap_or(code.len())].parse().ok()
}
