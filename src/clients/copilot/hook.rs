//! How Copilot CLI calls a hook.

use serde_json::json;

use crate::clients::Client;
use crate::clients::hook::{
    Answer, Event, HookFormat, HookLine, HookSettings, Moment, Payload, Reply, TIMEOUT, cut, quoted,
};

const STOP_REASON: &str = "/stopReason";
const OTHER_STOP_REASON: &str = "/stop_reason";
/// The caller of an agent. Payloads about its calls have the agent's id in place of the session's.
const CALLER: &str = "/parentAgentId";
const TOOL_RESULT: &str = "/toolResult";

pub(super) const FORMAT: HookFormat = HookFormat {
    members: &[STOP_REASON, OTHER_STOP_REASON, CALLER, TOOL_RESULT],
    is_own,
    moment,
    details,
    answer,
    ..HookFormat::BASE
};

pub(super) const SETTINGS: HookSettings = HookSettings {
    // GitHub reads the same file.
    project_folder: ".github",
    marks: &[".github/hooks"],
    folder_variable: Some("COPILOT_HOME"),
    is_versioned: true,
    events: &[("subagentStart", None), ("subagentStop", None)],
    call: Some(("preToolUse", false)),
    item,
    trust: Some("trust this folder when Copilot CLI asks, or start it with --trust-folder"),
    read_with: Some(Client::ClaudeCode),
    ..HookSettings::new(
        Client::Copilot,
        ".copilot",
        "hooks/retval.json",
        include_str!("../../../fixtures/captured/copilot-start.json"),
    )
};

fn item(_: Option<&str>, line: HookLine) -> String {
    let (shell, powershell) = (quoted(line.shell), quoted(line.powershell));
    format!(
        r#"{{ "type": "command", "bash": {shell}, "powershell": {powershell}, "timeoutSec": {TIMEOUT} }}"#
    )
}

fn is_own(payload: &Payload) -> bool {
    payload.name().is_empty() && payload.has_any(&["/sessionId", "/agentName", "/agentType"])
        || payload.has_any(&["/agent_name", OTHER_STOP_REASON])
}

/// Its own payloads do not name the event.
fn moment(payload: &Payload) -> Moment {
    match payload.name() {
        "" if payload.has_any(&["/response", STOP_REASON]) => Moment::Stop,
        "" if payload.has_any(&[TOOL_RESULT]) => Moment::Foreign,
        "" if !payload.tool().is_empty() => Moment::Call,
        "" => Moment::Start,
        _ => payload.usual_moment(),
    }
}

fn details(payload: &Payload, event: &mut Event) {
    if event.moment == Moment::Call && event.session == event.agent_id {
        event.session = payload.text(&[CALLER]).map(str::to_owned);
    }
}

fn answer(answer: Answer, moment: Moment) -> Reply {
    match answer {
        Answer::Block(reason) if moment == Moment::Call => Reply::of(
            &json!({ "permissionDecision": "deny", "permissionDecisionReason": cut(reason) }),
        ),
        Answer::Context(text) => Reply::of(&json!({ "additionalContext": cut(text) })),
        Answer::Replace(text) => Reply::of(&json!({ "modifiedResponse": text })),
        Answer::Block(reason) => Reply::block("block", reason),
        Answer::Note(text) => Reply::aside(text),
        Answer::Nothing | Answer::Prompt { .. } | Answer::Tell(_) => Reply::default(),
    }
}
