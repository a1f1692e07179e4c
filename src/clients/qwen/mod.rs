//! Qwen Code, made from Gemini CLI, with payloads as those of Claude Code, and for the caller as Codex has them.

pub(super) mod transcript;

use crate::clients::gemini;
use crate::clients::hook::{Event, HookFormat, HookSettings, Moment, NotifiedAgent, Payload};
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
