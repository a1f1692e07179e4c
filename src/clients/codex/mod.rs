//! Codex.

mod hook;
pub(super) mod transcript;

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::clients::ClientFacts;
use crate::clients::output::events::EventLine;
use crate::clients::output::{Opened, OutputFacts, OutputKind, error_message, nothing, opened};
use crate::clients::run::CallKind;

pub(super) static FACTS: ClientFacts = ClientFacts {
    programs: &["codex"],
    calls_for_caller: true,
    tools: &[
        (CallKind::Write, "apply_patch"),
        (
            CallKind::Command,
            "exec_command shell shell_command local_shell write_stdin unified_exec",
        ),
        (
            CallKind::Delegate,
            "spawn_agent send_input send_message followup_task resume_agent",
        ),
        (
            CallKind::ReadOnly,
            "update_plan view_image web_search list_dir read_file grep_files wait wait_agent \
             close_agent list_agents request_user_input",
        ),
    ],
    settings: Some(hook::SETTINGS),
    hook: Some(hook::FORMAT),
    output: Some(OUTPUT),
    ..ClientFacts::BASE
};

// The output of `codex exec --json`.

const STREAM: OutputKind = OutputKind::new("codex-stream", "the event stream of Codex");

const OUTPUT: OutputFacts = OutputFacts {
    kinds: &[STREAM],
    marks: &["\"thread.started\""],
    whole: |_| None,
    starts: |event| {
        let is_first = event.kind == "thread.started" && event.thread_id.is_some();
        is_first.then_some(STREAM)
    },
    stream,
};

/// The last message of the agent in the last turn.
fn stream<'t>(text: &'t str, events: &[EventLine<'t>]) -> Option<Opened<'t>> {
    #[derive(Deserialize)]
    struct EventItem<'t> {
        #[serde(rename = "type", borrow)]
        kind: Cow<'t, str>,
        text: Option<&'t RawValue>,
    }
    let last = events.last()?;
    let failure = match &*last.event.kind {
        "turn.completed" => None,
        "turn.failed" => error_message(last.event.error).or_else(|| Some("turn.failed".to_owned())),
        // An error without a turn, such as that of a session that cannot begin.
        "error" => Some(error_message(last.event.message)?),
        _ => return None,
    };
    let turn = events
        .iter()
        .rev()
        .take_while(|line| line.event.kind != "turn.started");
    let mut messages = turn.filter_map(|line| {
        let item = line
            .event
            .item
            .filter(|_| line.event.kind == "item.completed")?;
        let item: EventItem<'t> = serde_json::from_str(item.get()).ok()?;
        let message = item.text.filter(|_| item.kind == "agent_message")?;
        Some((message, line.number))
    });
    let kind = STREAM;
    let opened = match messages.next() {
        Some((message, line)) => opened(text, kind, ("/item/text", message), Some(line))?,
        None => nothing(text, kind, "/item/text", last),
    };
    Some(opened.failed(failure))
}
