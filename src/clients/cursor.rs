//! Cursor.

use serde_json::json;

use crate::clients::hook::{
    Answer, HookFormat, HookSettings, Moment, Reply, WantedHook, cut, quoted,
};
use crate::clients::{Client, ClientFacts};

pub(super) static FACTS: ClientFacts = ClientFacts {
    programs: &["cursor-agent", "cursor"],
    built_in_agents: &["bash", "browser", "explore", "generalPurpose", "shell"],
    asked_again_at_most: Some(5),
    settings: Some(HookSettings {
        marks: &[".cursor"],
        is_versioned: true,
        // By its documents.
        run_with_claude: Some("Cursor, if it includes configurations of other tools, runs"),
        events: &[("subagentStop", None)],
        item,
        ..HookSettings::new(
            Client::Cursor,
            ".cursor",
            "hooks.json",
            include_str!("../../fixtures/hooks/cursor-stop.json"),
        )
    }),
    hook: Some(HookFormat {
        is_own: |payload| {
            matches!(payload.name(), "subagentStart" | "subagentStop")
                || payload.has_any(&["/generation_id", "/conversation_id", "/workspace_roots"])
        },
        answer,
        ..HookFormat::BASE
    }),
    ..ClientFacts::BASE
};

fn item(_: Option<&str>, line: &WantedHook) -> String {
    let shell = quoted(&line.shell);
    format!(r#"{{ "command": {shell}, "loop_limit": 5 }}"#)
}

fn answer(answer: Answer, _: Moment) -> Reply {
    match answer {
        Answer::Block(reason) => Reply::of(&json!({ "followup_message": cut(reason) })),
        _ => Reply::default(),
    }
}
