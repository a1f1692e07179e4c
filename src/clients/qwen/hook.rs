//! How Qwen Code calls a hook: with payloads as those of Claude Code, and for the caller as Codex does.

use crate::clients::Client;
use crate::clients::hook::{Event, HookFormat, HookSettings, Moment, NotifiedAgent, Payload};

const TURN: &str = "/prompt_id";
const CALL: &str = "/tool_call_id";
const STATUS: &str = "/tool_response/returnDisplay/status";

/// What divides the parts of the id of a turn: session, agent and number. Other clients have a UUID there.
const TURN_MARK: char = '#';

const AGENT_TOOL: &str = "agent";

pub(super) const FORMAT: HookFormat = HookFormat {
    members: &[TURN, CALL, STATUS],
    is_own: |payload| {
        let turn = payload.text(&[TURN]);
        turn.is_some_and(|turn| turn.contains(TURN_MARK))
    },
    moment,
    details,
    ..HookFormat::BASE
};

pub(super) const SETTINGS: HookSettings = HookSettings {
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
};

fn moment(payload: &Payload) -> Moment {
    let status = payload.text(&[STATUS]).unwrap_or_default();
    match (payload.name(), payload.tool(), status) {
        ("PostToolUseFailure", AGENT_TOOL, _) | ("PostToolUse", AGENT_TOOL, "failed") => {
            Moment::Failure
        }
        ("PostToolUse", AGENT_TOOL, "completed") => Moment::Waited,
        ("Stop", ..) => Moment::MainStop,
        _ => payload.usual_moment(),
    }
}

/// The id of an agent has its name and the id of the call that started it.
fn details(payload: &Payload, event: &mut Event) {
    let called = event.agent.as_deref().zip(payload.text(&[CALL]));
    let id = called.map(|(name, call)| format!("{name}-{call}"));
    // In the foreground the client names the session in place of the agent's own file.
    if event.agent_transcript == event.transcript {
        event.agent_transcript = None;
    }
    if event.moment == Moment::Waited {
        event.notified = id.into_iter().map(NotifiedAgent::new).collect();
    }
}
