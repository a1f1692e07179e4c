//! The output of `copilot --output-format json`.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::clients::output::events::EventLine;
use crate::clients::output::{Opened, OutputFacts, OutputKind, nothing, opened};

const STREAM: OutputKind = OutputKind {
    name: "copilot-stream",
    title: "the event stream of Copilot CLI",
};

pub(super) const OUTPUT: OutputFacts = OutputFacts {
    kinds: &[STREAM],
    marks: &["\"sessionId\""],
    whole: |_| None,
    starts: |kind| kind.starts_with("session.") || kind == "user.message",
    stream,
};

/// The last message of the main agent.
fn stream<'t>(text: &'t str, events: &[EventLine<'t>]) -> Option<Opened<'t>> {
    #[derive(Deserialize)]
    struct EventData<'t> {
        #[serde(borrow)]
        content: Option<&'t RawValue>,
        #[serde(rename = "parentToolCallId", borrow)]
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
    match messages.next() {
        Some((message, line)) => opened(text, kind, ("/data/content", message), Some(line)),
        None => Some(nothing(text, kind, "/data/content", last)),
    }
}
