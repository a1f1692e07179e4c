//! Sessions of Gemini CLI. A file has lines with records and changes to earlier records; in older
//! versions it is one document. An agent's session has its own file.

use crate::clients::failure::end_by_request;
use crate::clients::gemini::FACTS;
use crate::clients::run::{
    CWD, Call, CallKind, CallPlace, ClientStatus, End, JsonNode, LastRecord, MODEL, Outcome,
    RunReader, Runs, SESSION, Tokens, leading, time_of,
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
pub(crate) struct Gemini {
    runs: Runs,
    cwd: Option<String>,
    is_warned: bool,
    has_answer: bool,
    /// The hash of the id of the last message to the agent, which may be repeated as a change.
    last_message: Option<u64>,
}

impl RunReader for Gemini {
    fn runs(&mut self) -> &mut Runs {
        &mut self.runs
    }

    fn record(&mut self, record: &JsonNode, line: u64) {
        if !self.runs.has_own() {
            self.head(record);
        }
        let changes = record.at("$set").at("messages").list();
        for message in changes.iter().chain([record]) {
            self.message(message, line);
        }
    }

    fn head(&mut self, head: &JsonNode) {
        if head.get("projectHash").is_some() {
            self.session(head);
        }
    }

    fn finish(&mut self) {
        if self.is_warned && !self.has_answer {
            let run = self.runs.own();
            self.runs.draft(run).run.end = End::Failed;
        }
    }
}

impl Gemini {
    fn session(&mut self, record: &JsonNode) {
        let run = self.runs.own();
        let id = record.word("sessionId");
        if record.get("kind") == Some("subagent") {
            self.runs.name_agent(run, id);
        } else {
            self.runs.main_agent();
            self.runs.set(run, SESSION, Some(id));
        }
        let started = self.runs.draft(run).run.started;
        if started.is_none() {
            let time = time_of(record.word("startTime"));
            self.runs.draft(run).record(time);
        }
        let folder = record.at("directories").list().first();
        if let Some(folder) = folder.and_then(JsonNode::text) {
            self.cwd = self.runs.store(folder);
            self.runs.set(run, CWD, Some(folder));
        }
    }

    fn message(&mut self, record: &JsonNode, line: u64) {
        if record.get("id").is_none() {
            return;
        }
        let run = self.runs.own();
        let time = time_of(record.word("timestamp"));
        self.runs.draft(run).record(time);
        let text = record.at("content").joined_text();
        match record.word("type") {
            "user" => self.on_user(run, record.word("id"), &text),
            "gemini" => self.on_assistant(run, record, &text, line),
            "error" => self.runs.end(run, end_by_request(&text)),
            "info" if text.starts_with("Request cancelled") => {
                self.runs.end(run, End::Interrupted);
            }
            _ => {}
        }
    }

    fn on_user(&mut self, run: usize, id: &str, text: &str) {
        let id = self.runs.hash(id);
        // Results of tools are messages of the user, too, but have no text.
        if self.last_message.replace(id) == Some(id) || text.is_empty() || text.starts_with(CONTEXT)
        {
            return;
        }
        if text.starts_with(LAST_CHANCE) {
            self.is_warned = true;
            self.runs.message(run);
        } else {
            self.runs.task(run, text);
        }
    }

    fn on_assistant(&mut self, run: usize, record: &JsonNode, text: &str, line: u64) {
        self.runs.set(run, MODEL, record.get("model"));
        if let Some(usage) = record.object("tokens") {
            let tokens = Tokens {
                output: usage.sum(["output", "thoughts"]),
                ..usage.tokens(["input", "cached", "total"])
            };
            self.runs.usage(run, record.word("id"), tokens);
        }
        let calls = record.at("toolCalls").list();
        for call in calls {
            self.on_tool_use(run, call, line);
        }
        if calls.is_empty() && !text.trim().is_empty() {
            self.runs.text(run, text);
        } else if calls.is_empty() && !record.at("thoughts").list().is_empty() {
            self.runs.reasoning(run);
        }
    }

    fn on_tool_use(&mut self, run: usize, call: &JsonNode, line: u64) {
        let (id, name) = (call.word("id"), call.word("name"));
        let (kind, place) = (FACTS.kind_of(name), (self.cwd.as_deref(), line));
        let new = FACTS.call((kind, name), call.at("args"), None, place);
        let is_background = new.background;
        let place = self.runs.call(run, id, new);
        if place.is_some() && kind == CallKind::Delegate {
            let arguments = call.at("args");
            let agent = arguments.first_of(&["agent_name", "subagent_type"]);
            self.runs.start(run, id, arguments.get("prompt"), agent);
        }
        if let Some(place) = place.or_else(|| self.runs.call_place(id)) {
            self.result(place, call, is_background);
        }
    }

    fn result(&mut self, place: CallPlace, call: &JsonNode, is_background: bool) {
        let part = call.at("result").list().first();
        let part = part.unwrap_or(&JsonNode::Nothing).at("functionResponse");
        let response = part.at("response");
        let (error, output) = (response.word("error"), response.at("output"));
        let known = self.runs.call_at(place);
        let exit_code = exit_code(known, output);
        let status = call.word("status");
        let outcome = match status {
            "success" if exit_code.is_some_and(|code| code != 0) => Outcome::Failed,
            "success" if is_background => Outcome::Unknown,
            "success" => Outcome::Succeeded,
            "error" => Outcome::Failed,
            // The user did not allow the call, so that it never ran.
            "cancelled" if error.contains("did not allow") => Outcome::Rejected,
            // It may have been running.
            "cancelled" => Outcome::Unknown,
            _ => return,
        };
        if known.outcome != Outcome::Unknown {
            return;
        }
        let is_write = known.kind == CallKind::Write;
        // What the client shows the user about it.
        let shown = call.at("resultDisplay");
        let before = shown.at("originalContent");
        let is_same = *before == *shown.at("newContent") && !before.is_nothing();
        if is_write && is_same && !shown.is("isNewFile") {
            known.is_rewrite = true;
        }
        self.runs.ended(place, outcome, exit_code, output);
        if let Some(path) = shown.get("filePath").filter(|_| is_write) {
            self.runs.report_paths(place, &[path]);
        }
        let child = self.runs.started_by(call.word("id"));
        if let (Some(child), "success" | "error") = (child, status) {
            let status = match outcome {
                Outcome::Succeeded => ClientStatus::Completed,
                _ => ClientStatus::Failed,
            };
            self.runs.draft(child).run.details.status = Some(status);
        }
        if call.get("name") == Some("complete_task") && outcome == Outcome::Succeeded {
            let text = match call.at("args").at("result") {
                JsonNode::Text(text) => text.to_string(),
                JsonNode::Nothing => String::new(),
                other => serde_json::to_string(other).unwrap_or_default(),
            };
            self.runs.text(place.0, &text);
            self.runs.draft(place.0).last = LastRecord::End;
            self.has_answer = true;
        }
    }
}

/// The exit code at the end of a command's output. The client reports success for every exit code.
pub(crate) fn exit_code(call: &Call, output: &JsonNode) -> Option<i64> {
    let output = output.text().filter(|_| call.kind == CallKind::Command)?;
    let tail = &output[output.floor_char_boundary(output.len().saturating_sub(TAIL))..];
    leading(tail.rsplit_once(EXIT_CODE)?.1)
}
