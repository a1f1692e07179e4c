//! Sessions of Qwen Code, which is made from Gemini CLI: lines with records. An agent's records are in a
//! file of its own.

use crate::clients::gemini::transcript::{call_of, exit_code};
use crate::clients::qwen::{AGENT_TOOL, FACTS};
use crate::clients::run::{
    AGENT_TYPE, CWD, JsonNode, MODEL, Outcome, RunMember, RunReader, Runs, SESSION, Tokens,
    VERSION, time_of,
};

/// What the client says of a call that somebody stopped. It may have been running.
const CANCELLED: &str = "ancelled";

/// Where the records have the members of a run.
const MEMBERS: [(RunMember, &str); 5] = [
    (SESSION, "sessionId"),
    (AGENT_TYPE, "agentName"),
    (CWD, "cwd"),
    (MODEL, "model"),
    (VERSION, "version"),
];

#[derive(Debug, Default)]
pub(crate) struct Qwen {
    runs: Runs,
}

impl RunReader for Qwen {
    fn runs(&mut self) -> &mut Runs {
        &mut self.runs
    }

    fn record(&mut self, record: &JsonNode, line: u64) {
        let kind = record.word("type");
        let parts = record.at("message").at("parts");
        if parts.is_nothing() || !matches!(kind, "user" | "assistant" | "tool_result") {
            return;
        }
        let parts = parts.list();
        let run = match record.get("agentId") {
            Some(id) => self.runs.agent(id),
            None => self.runs.main_agent(),
        };
        let time = time_of(record.word("timestamp"));
        self.runs.draft(run).record(time);
        self.runs.set_all(run, record, &MEMBERS);
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
            let tokens = Tokens {
                output: usage.sum(["candidatesTokenCount"]),
                ..usage.tokens([
                    "promptTokenCount",
                    "cachedContentTokenCount",
                    "totalTokenCount",
                ])
            };
            self.runs.usage(run, record.word("uuid"), tokens);
        }
        let text = text_of(parts);
        if !text.trim().is_empty() {
            self.runs.text(run, &text);
        }
        for call in parts.iter().filter_map(|part| part.object("functionCall")) {
            let new = call_of(&FACTS, call, record.get("cwd"), line);
            let arguments = call.at("args");
            let agent = arguments.first_of(&["subagent_type", "agent_name"]);
            let is_new = self.runs.call(run, &new).is_some();
            if let (true, AGENT_TOOL, Some(agent)) = (is_new, new.name, agent) {
                let prompt = arguments.get("prompt");
                let child = self.runs.start(run, new.id, prompt, Some(agent));
                self.runs.name_agent(child, &format!("{agent}-{}", new.id));
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
        let exit_code = exit_code(call, output);
        let is_cancelled = error.text().is_some_and(|error| error.contains(CANCELLED));
        let outcome = match exit_code {
            _ if is_cancelled => Outcome::Unknown,
            _ if !error.is_nothing() => Outcome::Failed,
            _ if call.background || output.is_nothing() => Outcome::Unknown,
            Some(code) if code != 0 => Outcome::Failed,
            _ => Outcome::Succeeded,
        };
        self.runs.ended(place, outcome, exit_code, output);
    }
}

/// What a message says, without the thoughts.
fn text_of(parts: &[JsonNode]) -> String {
    let said = parts.iter().filter(|part| !part.is("thought"));
    said.map(|part| part.word("text")).collect()
}
