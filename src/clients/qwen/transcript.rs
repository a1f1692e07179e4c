//! Sessions of Qwen Code, which is made from Gemini CLI: lines with records. An agent's records are in a
//! file of its own.

use crate::clients::gemini;
use crate::clients::gemini::transcript::{enter, exit_code, tokens};
use crate::clients::qwen::FACTS;
use crate::clients::run::{
    AGENT_TYPE, CWD, CallKind, EnteredCall, JsonNode, MODEL, Outcome, Reader, Runs, SESSION,
    Tokens, VERSION, test_summary, time_of,
};

/// The tool that starts a subagent.
const AGENT: &str = "agent";

/// What the client says of a call that somebody stopped. It may have been running.
const CANCELLED: &str = "ancelled";

#[derive(Debug, Default)]
pub(in crate::clients) struct Qwen {
    runs: Runs,
    main: Option<usize>,
}

impl Reader for Qwen {
    fn runs(&mut self) -> &mut Runs {
        &mut self.runs
    }

    fn record(&mut self, record: &JsonNode, line: u64) {
        let kind = record.word("type");
        let parts = record.at("message").at("parts");
        if parts.is_nothing() || !matches!(kind, "user" | "assistant" | "tool_result") {
            if kind != "system" {
                self.runs.note_unknown_record();
            }
            return;
        }
        let parts = parts.list();
        let run = self.run_of(record);
        self.runs.draft(run).at(time_of(record.word("timestamp")));
        self.runs.set(run, CWD, record.get("cwd"));
        self.runs.set(run, MODEL, record.get("model"));
        self.runs.set(run, VERSION, record.get("version"));
        match kind {
            "user" => self.on_user(run, record, parts),
            "assistant" => self.on_assistant(run, record, parts, line),
            _ => {
                let results = parts.iter().map(|part| part.at("functionResponse"));
                results.for_each(|result| self.result(result));
            }
        }
    }
}

impl Qwen {
    fn run_of(&mut self, record: &JsonNode) -> usize {
        let run = match record.get("agentId") {
            Some(id) => self.runs.agent(id),
            None => *self.main.get_or_insert_with(|| self.runs.add()),
        };
        if self.runs.draft(run).has_records {
            return run;
        }
        self.runs.set(run, SESSION, record.get("sessionId"));
        self.runs.set(run, AGENT_TYPE, record.get("agentName"));
        let draft = self.runs.draft(run);
        draft.has_records = true;
        if record.get("agentId").is_none() {
            draft.run.depth = Some(0);
        }
        run
    }

    /// The first message of a user to an agent is its task. Later ones may be of a hook, or of its caller.
    fn on_user(&mut self, run: usize, record: &JsonNode, parts: &[JsonNode]) {
        let is_first = self.runs.draft(run).run.prompt.is_none();
        // A message of the main agent's user that the user did not write has a subtype.
        let is_main = record.get("agentId").is_none() && record.get("subtype").is_none();
        if is_first || is_main {
            self.runs.task(run, &text_of(parts));
        } else {
            self.runs.message(run);
        }
    }

    fn on_assistant(&mut self, run: usize, record: &JsonNode, parts: &[JsonNode], line: u64) {
        if let Some(usage) = record.object("usageMetadata") {
            let names = [
                "promptTokenCount",
                "cachedContentTokenCount",
                "totalTokenCount",
            ];
            let tokens = Tokens {
                output: usage.sum(["candidatesTokenCount"]),
                ..tokens(usage, names)
            };
            self.runs.usage(run, record.word("uuid"), tokens);
        }
        let text = text_of(parts);
        if !text.trim().is_empty() {
            self.runs.text(run, &text);
        }
        for call in parts.iter().filter_map(|part| part.object("functionCall")) {
            let kind = match FACTS.kind_of(call.word("name")) {
                CallKind::Other => gemini::FACTS.kind_of(call.word("name")),
                kind => kind,
            };
            let cwd = record.get("cwd");
            let EnteredCall { is_new, .. } = enter(&mut self.runs, run, kind, call, cwd, line);
            let (arguments, id) = (call.at("args"), call.word("id"));
            let agent = arguments.get("subagent_type");
            let agent = agent.or(arguments.get("agent_name"));
            if let (true, AGENT, Some(agent)) = (is_new, call.word("name"), agent) {
                let prompt = arguments.get("prompt");
                let child = self.runs.start(run, id, prompt, Some(agent));
                self.runs.name_agent(child, &format!("{agent}-{id}"));
            }
        }
    }

    fn result(&mut self, result: &JsonNode) {
        let response = result.at("response");
        let (error, output) = (response.at("error"), response.at("output"));
        let Some(place) = self.runs.call_place(result.word("id")) else {
            return;
        };
        let call = self.runs.call_at(place);
        let of_command = output.text().filter(|_| call.kind == CallKind::Command);
        let exit_code = of_command.and_then(exit_code);
        let is_cancelled = error.text().is_some_and(|error| error.contains(CANCELLED));
        let outcome = match exit_code {
            _ if is_cancelled => Outcome::Unknown,
            _ if !error.is_nothing() => Outcome::Failed,
            _ if call.background || output.is_nothing() => Outcome::Unknown,
            Some(code) if code != 0 => Outcome::Failed,
            _ => Outcome::Succeeded,
        };
        call.exit_code = exit_code;
        call.test_summary = test_summary::of_command(call.kind, output);
        self.runs.result_at(place, outcome);
    }
}

/// What a message says, without the thoughts.
fn text_of(parts: &[JsonNode]) -> String {
    let said = parts.iter().filter(|part| !part.is("thought"));
    said.map(|part| part.word("text")).collect()
}
