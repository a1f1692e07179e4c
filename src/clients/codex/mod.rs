//! Codex.

pub(super) mod transcript;

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::clients::hook::{Event, HookFormat, HookSettings, Moment, NotifiedAgent, Payload};
use crate::clients::output::{
    EventLine, Opened, OutputFacts, OutputKind, error_message, last_text,
};
use crate::clients::raw::at;
use crate::clients::{Client, ClientFacts};

pub(super) static FACTS: ClientFacts = ClientFacts {
    programs: &["codex"],
    calls_for_caller: true,
    tools: include_str!("tools.txt"),
    folder_arguments: &["workdir"],
    histories: &["sessions", "archived_sessions"],
    settings: Some(SETTINGS),
    hook: Some(HookFormat {
        is_own: |payload| payload.has_any(&["/turn_id"]),
        moment,
        details,
        ..HookFormat::BASE
    }),
    output: Some(OUTPUT),
    ..ClientFacts::BASE
};

const SETTINGS: HookSettings = HookSettings {
    marks: &[".codex"],
    folder_variable: Some("CODEX_HOME"),
    // The last two are for the caller of an agent.
    events: &[
        ("SubagentStart", None),
        ("SubagentStop", None),
        ("PostToolUse", Some("wait_agent$")),
        ("Stop", None),
    ],
    call: Some(("PreToolUse", true)),
    trust: Some("trust it with /hooks in Codex, which skips it until then"),
    ..HookSettings::new(
        Client::Codex,
        ".codex",
        "hooks.json",
        include_str!("../../../fixtures/captured/codex-start.json"),
    )
};

fn moment(payload: &Payload) -> Moment {
    match payload.name() {
        // Before the name of the tool that waits for agents comes that of the mode.
        "PostToolUse" if payload.tool().ends_with("wait_agent") => Moment::Waited,
        "Stop" => Moment::MainStop,
        _ => payload.usual_moment(),
    }
}

/// The agents that a caller has waited for and that have ended. In one mode the client does not name them.
fn details(payload: &Payload, event: &mut Event) {
    #[derive(Deserialize)]
    #[expect(
        clippy::zero_sized_map_values,
        reason = "an object is no set to a reader"
    )]
    struct Waited {
        status: BTreeMap<String, IgnoredAny>,
    }
    if event.moment == Moment::Waited {
        // It is JSON in a string.
        let text = payload.text(&["/tool_response"]).unwrap_or_default();
        let waited: Option<Waited> = serde_json::from_str(&text).ok();
        let ids = waited.into_iter().flat_map(|it| it.status.into_keys());
        event.notified = ids.map(NotifiedAgent::from).collect();
    }
}

const STREAM: OutputKind = OutputKind::new("codex-stream", "the event stream of Codex");

const OUTPUT: OutputFacts = OutputFacts {
    kinds: &[STREAM],
    marks: &["\"thread.started\""],
    starts: |event| {
        let is_first = event.kind == "thread.started" && event.members.has("thread_id");
        is_first.then_some(STREAM)
    },
    stream,
    ..OutputFacts::NONE
};

fn stream<'t>(text: &'t str, events: &[EventLine<'t>]) -> Option<Opened<'t>> {
    let last = events.last()?;
    let failure = match &*last.kind {
        "turn.completed" => None,
        "turn.failed" => {
            error_message(last.members.raw("error")).or(Some("turn.failed".to_owned()))
        }
        // An error without a turn, such as that of a session that cannot begin.
        "error" => Some(error_message(last.members.raw("message"))?),
        _ => return None,
    };
    let start = events.iter().rposition(|it| it.kind == "turn.started");
    let turn = &events[start.unwrap_or_default()..];
    let opened = last_text(text, STREAM, "/item/text", turn, |event| {
        let item = event.members.raw("item");
        let item = item.filter(|_| event.kind == "item.completed")?;
        at(item, "/text").filter(|_| at(item, "/type") == Some("\"agent_message\""))
    })?;
    Some(opened.failed(failure))
}
