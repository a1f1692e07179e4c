//! How Codex calls a hook.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::clients::Client;
use crate::clients::hook::{Event, HookFormat, HookSettings, Moment, NotifiedAgent, Payload};

const TURN: &str = "/turn_id";
/// JSON in a string.
const WAITED: &str = "/tool_response";

/// The tool that waits for agents; before its name comes that of the mode.
const WAIT: &str = "wait_agent";

pub(super) const FORMAT: HookFormat = HookFormat {
    members: &[TURN, WAITED],
    is_own: |payload| payload.has_any(&[TURN]),
    moment,
    details,
    ..HookFormat::BASE
};

pub(super) const SETTINGS: HookSettings = HookSettings {
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
        "PostToolUse" if payload.tool().ends_with(WAIT) => Moment::Waited,
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
        let text = payload.text(&[WAITED]).unwrap_or_default();
        let waited: Option<Waited> = serde_json::from_str(text).ok();
        let ids = waited.into_iter().flat_map(|it| it.status.into_keys());
        event.notified = ids.map(NotifiedAgent::new).collect();
    }
}
