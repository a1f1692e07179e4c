//! Copilot CLI.

mod hook;
pub(super) mod transcript;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::clients::ClientFacts;
use crate::clients::output::events::EventLine;
use crate::clients::output::{Opened, OutputFacts, OutputKind, error_message, nothing, opened};
use crate::clients::run::CallKind;

pub(super) static FACTS: ClientFacts = ClientFacts {
    programs: &["copilot"],
    asked_again_at_most: Some(8),
    takes_replacement: true,
    return_tools: &[("task_complete", "/summary")],
    tools: &[
        (
            CallKind::Write,
            "apply_patch create edit str_replace_editor",
        ),
        (CallKind::Command, "bash powershell write_bash"),
        (CallKind::Delegate, "task write_agent"),
        (
            CallKind::ReadOnly,
            "view report_intent update_todo read_bash list_bash stop_bash \
             fetch_copilot_cli_documentation web_fetch ask_user read_agent list_agents rg \
             grep glob",
        ),
    ],
    settings: Some(hook::SETTINGS),
    hook: Some(hook::FORMAT),
    output: Some(OUTPUT),
    ..ClientFacts::BASE
};

// The output of `copilot --output-format json`.

const STREAM: OutputKind = OutputKind::new("copilot-stream", "the event stream of Copilot CLI");

const OUTPUT: OutputFacts = OutputFacts {
    kinds: &[STREAM],
    marks: &["\"sessionId\"", "\"session."],
    whole: |_| None,
    starts: |event| {
        let is_first = event.kind.starts_with("session.") || event.kind == "user.message";
        (is_first && event.data.is_some()).then_some(STREAM)
    },
    stream,
};

/// The last message of the main agent.
fn stream<'t>(text: &'t str, events: &[EventLine<'t>]) -> Option<Opened<'t>> {
    #[derive(Deserialize)]
    struct EventData<'t> {
        #[serde(borrow)]
        content: Option<&'t RawValue>,
        #[serde(rename = "parentToolCallId")]
        parent: Option<&'t RawValue>,
    }
    let last = events.last()?;
    if last.event.kind != "result" || last.event.session.is_none() {
        return None;
    }
    let mut messages = events.iter().rev().filter_map(|line| {
        let data = line
            .event
            .data
            .filter(|_| line.event.kind == "assistant.message")?;
        let data: EventData<'t> = serde_json::from_str(data.get()).ok()?;
        data.parent
            .is_none()
            .then_some((data.content?, line.number))
    });
    let kind = STREAM;
    let opened = match messages.next() {
        Some((message, line)) => opened(text, kind, ("/data/content", message), Some(line))?,
        None => nothing(text, kind, "/data/content", last),
    };
    let failed = (last.event.exit_code).filter(|code| code.get() != "0");
    let failure = failed.map(|code| {
        let mut errors = events
            .iter()
            .rev()
            .filter(|it| it.event.kind == "session.error");
        let error = errors.find_map(|line| error_message(line.event.data));
        error.unwrap_or_else(|| format!("exit code {}", code.get()))
    });
    Some(opened.failed(failure))
}
