//! How Cursor calls a hook.

use serde_json::json;

use crate::clients::Client;
use crate::clients::hook::{
    Answer, HookFormat, HookLine, HookSettings, Moment, Reply, cut, quoted,
};

const FOLDERS: &str = "/workspace_roots";

pub(super) const FORMAT: HookFormat = HookFormat {
    members: &[FOLDERS],
    is_own: |payload| {
        matches!(payload.name(), "subagentStart" | "subagentStop")
            || payload.has_any(&["/generation_id", "/conversation_id", FOLDERS])
    },
    answer,
    ..HookFormat::BASE
};

pub(super) const SETTINGS: HookSettings = HookSettings {
    marks: &[".cursor"],
    is_versioned: true,
    events: &[("subagentStop", None)],
    item,
    ..HookSettings::new(
        Client::Cursor,
        ".cursor",
        "hooks.json",
        include_str!("../../../fixtures/hooks/cursor-stop.json"),
    )
};

fn item(_: Option<&str>, line: HookLine) -> String {
    let shell = quoted(line.shell);
    format!(r#"{{ "command": {shell}, "loop_limit": 5 }}"#)
}

fn answer(answer: Answer, _: Moment) -> Reply {
    match answer {
        Answer::Block(reason) => Reply::of(&json!({ "followup_message": cut(reason) })),
        Answer::Note(text) => Reply::aside(text),
        Answer::Nothing
        | Answer::Context(_)
        | Answer::Prompt { .. }
        | Answer::Tell(_)
        | Answer::Replace(_) => Reply::default(),
    }
}
