//! Qwen Code, made from Gemini CLI, with payloads as those of Claude Code, and for the caller as Codex has them.

use crate::clients::gemini;
use crate::clients::gemini::transcript::exit_code;
use crate::clients::hook::{Event, HookFormat, HookSettings, Moment, NotifiedAgent, Payload};
use crate::clients::run::{
    AGENT_TYPE, CWD, JsonNode, MODEL, Outcome, RunMember, RunReader, Runs, SESSION, Tokens,
    VERSION, time_of,
};
use crate::clients::{Client, ClientFacts};

const TURN: &str = "/prompt_id";

/// What divides the parts of the id of a turn: session, agent and number. Other clients have a UUID there.
const TURN_MARK: char = '#';

const AGENT_TOOL: &str = "agent";

pub(super) static FACTS: ClientFacts = ClientFacts {
    programs: &["qwen"],
    built_in_agents: &["Explore", "fork", "general-purpose", "statusline-setup"],
    asked_again_at_most: Some(7),
    calls_for_caller: true,
    context_mark: Some("${hook_context}"),
    tools: include_str!("tools.txt"),
    made_from: Some(&gemini::FACTS),
    path_arguments: gemini::PATHS,
    folder_arguments: gemini::FOLDERS,
    background_arguments: gemini::BACKGROUND,
    histories: &["projects"],
    settings: Some(HookSettings {
        marks: &[".qwen"],
        folder_variable: Some("QWEN_HOME"),
        takes_comments: true,
        // The last three are for the caller of an agent.
        events: &[
            ("SubagentStart", None),
            ("SubagentStop", None),
            ("PostToolUse", Some("^agent$")),
            ("PostToolUseFailure", Some("^agent$")),
            ("Stop", None),
        ],
        call: Some(("PreToolUse", true)),
        ..HookSettings::new(
            Client::Qwen,
            ".qwen",
            "settings.json",
            include_str!("../../../fixtures/captured/qwen-start.json"),
        )
    }),
    hook: Some(HookFormat {
        is_own: |payload| {
            let turn = payload.text(&[TURN]);
            turn.is_some_and(|turn| turn.contains(TURN_MARK))
        },
        moment,
        details,
        ..HookFormat::BASE
    }),
    ..ClientFacts::BASE
};

fn moment(payload: &Payload) -> Moment {
    let is = |status| payload.is("/tool_response/returnDisplay/status", status);
    match (payload.name(), payload.tool()) {
        ("PostToolUseFailure", AGENT_TOOL) => Moment::Failure,
        ("PostToolUse", AGENT_TOOL) if is("failed") => Moment::Failure,
        ("PostToolUse", AGENT_TOOL) if is("completed") => Moment::Waited,
        ("Stop", _) => Moment::MainStop,
        _ => payload.usual_moment(),
    }
}

/// The id of an agent has its name and the id of the call that started it.
fn details(payload: &Payload, event: &mut Event) {
    let called = event.agent.as_deref().zip(payload.text(&["/tool_call_id"]));
    let id = called.map(|(name, call)| format!("{name}-{call}"));
    // In the foreground the client names the session in place of the agent's own file.
    if event.agent_transcript == event.transcript {
        event.agent_transcript = None;
    }
    if event.moment == Moment::Waited {
        event.notified = id.into_iter().map(NotifiedAgent::from).collect();
    }
}

/// What the client says of a call that somebody stopped. It may have been running.
const CANCELLED: &str = "ancelled";

const MEMBERS: [(RunMember, &str); 5] = [
    (SESSION, "sessionId"),
    (AGENT_TYPE, "agentName"),
    (CWD, "cwd"),
    (MODEL, "model"),
    (VERSION, "version"),
];

/// Reads sessions: lines with records. An agent's records are in a file of its own.
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
        let JsonNode::List(parts) = record.at("message").at("parts") else {
            return;
        };
        if !matches!(kind, "user" | "assistant" | "tool_result") {
            return;
        }
        let agent = record.get("agentId");
        let run = match agent {
            Some(id) => self.runs.agent(id),
            None => self.runs.main_agent(),
        };
        let draft = self.runs.draft(run);
        draft.record(time_of(record.word("timestamp")));
        // The first message of a user to an agent is its task. Later ones may be of a hook, or of its caller. A
        // message of the main agent's user that the user did not write has a subtype.
        let is_main = agent.is_none() && record.get("subtype").is_none();
        let is_task = is_main || draft.run.prompt.is_none();
        self.runs.set_all(run, record, &MEMBERS);
        let said = parts.iter().filter(|part| !part.is("thought"));
        let text: String = said.map(|part| part.word("text")).collect();
        match kind {
            "user" if is_task => self.runs.task(run, &text),
            "user" => self.runs.message(run),
            "assistant" => {
                self.usage(run, record);
                if !text.trim().is_empty() {
                    self.runs.text(run, &text);
                } else if parts.iter().any(|part| part.is("thought")) {
                    self.runs.reasoning(run);
                }
                for call in parts.iter().filter_map(|part| part.object("functionCall")) {
                    self.on_tool_use(run, call, record.get("cwd"), line);
                }
            }
            _ => {
                for part in parts {
                    self.result(part.at("functionResponse"));
                }
            }
        }
    }
}

impl Qwen {
    fn usage(&mut self, run: usize, record: &JsonNode) {
        if let Some(usage) = record.object("usageMetadata") {
            let counts = ["promptTokenCount", "cachedContentTokenCount", "totalTokenCount"];
            let tokens =
                Tokens { output: usage.sum(["candidatesTokenCount"]), ..usage.tokens(counts) };
            self.runs.usage(run, record.word("uuid"), tokens);
        }
    }

    fn on_tool_use(&mut self, run: usize, call: &JsonNode, cwd: Option<&str>, line: u64) {
        let (id, name, arguments) = (call.word("id"), call.word("name"), call.at("args"));
        let agent = arguments.first_of(&["subagent_type", "agent_name"]);
        let new = FACTS.call((FACTS.kind_of(name), name), arguments, None, (cwd, line));
        let is_new = self.runs.call(run, id, new).is_some();
        if let (true, AGENT_TOOL, Some(agent)) = (is_new, name, agent) {
            let child = self.runs.start(run, id, arguments.get("prompt"), Some(agent));
            self.runs.name_agent(child, &format!("{agent}-{id}"));
        }
    }

    fn result(&mut self, result: &JsonNode) {
        let response = result.at("response");
        let (error, output) = (response.at("error"), response.at("output"));
        let Some(place) = self.runs.call_place(result.word("id")) else {
            return;
        };
        let call = self.runs.call_at(place);
        // What a command that failed has written is in the error.
        let said = if output.is_nothing() { error } else { output };
        let exit_code = exit_code(call, said);
        let is_cancelled = error.text().is_some_and(|error| error.contains(CANCELLED));
        let outcome = match exit_code {
            _ if is_cancelled => Outcome::Unknown,
            _ if !error.is_nothing() => Outcome::Failed,
            _ if call.background || output.is_nothing() => Outcome::Unknown,
            Some(code) if code != 0 => Outcome::Failed,
            _ => Outcome::Succeeded,
        };
        self.runs.ended(place, outcome, exit_code, said);
    }
}
