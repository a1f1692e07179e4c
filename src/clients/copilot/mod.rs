//! Copilot CLI.

pub(super) mod transcript;

use serde_json::json;

use crate::clients::hook::{
    Answer, Event, HookFormat, HookLine, HookSettings, Moment, Payload, Reply, TIMEOUT, cut, quoted,
};
use crate::clients::output::{
    EventLine, Opened, OutputFacts, OutputKind, error_message, last_text,
};
use crate::clients::raw::at;
use crate::clients::{Client, ClientFacts};

pub(super) static FACTS: ClientFacts = ClientFacts {
    programs: &["copilot"],
    asked_again_at_most: Some(8),
    takes_replacement: true,
    return_tools: &[("task_complete", "/summary")],
    tools: include_str!("tools.txt"),
    path_arguments: &["path", "file_path"],
    histories: &["session-state"],
    settings: Some(SETTINGS),
    hook: Some(HookFormat {
        is_own,
        moment,
        details,
        answer,
        ..HookFormat::BASE
    }),
    output: Some(OUTPUT),
    ..ClientFacts::BASE
};

const SETTINGS: HookSettings = HookSettings {
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
        || payload.has_any(&["/agent_name", "/stop_reason"])
}

/// Its own payloads do not name the event.
fn moment(payload: &Payload) -> Moment {
    match payload.name() {
        "" if payload.has_any(&["/response", "/stopReason"]) => Moment::Stop,
        "" if payload.has_any(&["/toolResult"]) => Moment::Foreign,
        "" if !payload.tool().is_empty() => Moment::Call,
        "" => Moment::Start,
        _ => payload.usual_moment(),
    }
}

/// Payloads about calls of an agent have the agent's id in place of the session's.
fn details(payload: &Payload, event: &mut Event) {
    if event.moment == Moment::Call && event.session == event.agent_id {
        event.session = payload.text(&["/parentAgentId"]).map(Into::into);
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

const STREAM: OutputKind = OutputKind::new("copilot-stream", "the event stream of Copilot CLI");

const OUTPUT: OutputFacts = OutputFacts {
    kinds: &[STREAM],
    marks: &["\"sessionId\"", "\"session."],
    starts: |event| {
        let is_first = event.kind.starts_with("session.") || event.kind == "user.message";
        (is_first && event.members.has("data")).then_some(STREAM)
    },
    stream,
    ..OutputFacts::NONE
};

fn stream<'t>(text: &'t str, events: &[EventLine<'t>]) -> Option<Opened<'t>> {
    let last = events.last()?;
    if last.kind != "result" || !last.members.has("sessionId") {
        return None;
    }
    let opened = last_text(text, STREAM, "/data/content", events, |event| {
        let data = event.members.raw("data");
        let data = data.filter(|_| event.kind == "assistant.message")?;
        at(data, "/content").filter(|_| at(data, "/parentToolCallId").is_none())
    })?;
    let failed = last.members.raw("exitCode").filter(|code| *code != "0");
    let failure = failed.map(|code| {
        let mut errors = events.iter().rev().filter(|it| it.kind == "session.error");
        let error = errors.find_map(|event| error_message(event.members.raw("data")));
        error.unwrap_or_else(|| format!("exit code {code}"))
    });
    Some(opened.failed(failure))
}
