//! Codex.

pub(super) mod transcript;

use crate::clients::hook::{
    Ended, Event, HookFormat, HookSettings, Moment, NotifiedAgent, Payload,
};
use crate::clients::output::{
    EventLine, Opened, OutputFacts, OutputKind, error_message, last_text,
};
use crate::clients::raw::at;
use crate::clients::run::JsonNode;
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
        ("PostToolUse", Some("(wait|close)_agent$")),
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

/// The tools by which a caller waits for agents, and ends one.
const WAIT: &str = "wait_agent";
const CLOSE: &str = "close_agent";

fn moment(payload: &Payload) -> Moment {
    match payload.name() {
        // Before the name of the tool comes that of the mode.
        "PostToolUse" if payload.tool().ends_with(WAIT) => Moment::Waited,
        "PostToolUse" if payload.tool().ends_with(CLOSE) => Moment::Waited,
        "Stop" => Moment::MainStop,
        _ => payload.usual_moment(),
    }
}

/// The agents that a caller has waited for and that have ended. In one mode the client does not name them.
fn details(payload: &Payload, event: &mut Event) {
    if event.moment != Moment::Waited {
        return;
    }
    if payload.tool().ends_with(CLOSE) {
        let closed = payload.owned(&["/tool_input/target"]);
        event.notified.extend(
            closed.map(|id| NotifiedAgent { ended: Ended::Stopped, ..NotifiedAgent::from(id) }),
        );
        return;
    }
    // It is JSON in a string.
    let text = payload.text(&["/tool_response"]).unwrap_or_default();
    let waited = JsonNode::whole(&text).unwrap_or_default();
    let agents = waited.at("status").members().iter();
    event.notified = agents
        .map(|(id, status)| {
            let error = status.get("errored").map(str::to_owned);
            NotifiedAgent {
                ended: (error.as_ref()).map_or(Ended::Unknown, |_| Ended::Failed),
                error,
                ..NotifiedAgent::from(id.to_string())
            }
        })
        .collect();
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
