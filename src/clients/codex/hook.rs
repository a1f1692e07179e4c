//! How Codex calls a hook.

use crate::clients::Client;
use crate::clients::hook::answer::{Answer, Reply};
use crate::clients::hook::format::HookFormat;
use crate::clients::hook::payload::Payload;
use crate::clients::hook::settings::{HookSettings, TIMEOUT, TrustAdvice, item};

const TURN: &str = "/turn_id";

pub(super) const FORMAT: HookFormat = HookFormat {
    members: &[TURN],
    is_own: |payload| payload.has_any(&[TURN]),
    moment: Payload::usual_moment,
    notified: |_| Vec::new(),
    recorded_id: |_| None,
    unframed: str::to_owned,
    answer,
};

pub(super) const SETTINGS: HookSettings = HookSettings {
    client: Client::Codex,
    folder: ".codex",
    project_folder: ".codex",
    folder_variable: Some("CODEX_HOME"),
    home_variable: None,
    file: "hooks.json",
    is_versioned: false,
    takes_comments: false,
    events: &[("SubagentStart", None), ("SubagentStop", None)],
    newer_events: &[],
    item: |tools, line| item(tools, line, TIMEOUT),
    command_end: "",
    trust: Some(TrustAdvice {
        text: "trust it with /hooks in Codex, which skips it until then",
        is_of_project: false,
        is_required: true,
    }),
    read_with: None,
    example: include_str!("../../../fixtures/captured/codex-start.json"),
};

fn answer(answer: Answer) -> Reply {
    match answer {
        Answer::Context(text) => Reply::context("SubagentStart", text),
        Answer::Block(reason) => Reply::block("block", reason),
        Answer::Note(text) => Reply::note(text),
        Answer::Nothing | Answer::Prompt { .. } | Answer::Tell { .. } | Answer::Replace(_) => {
            Reply::default()
        }
    }
}
