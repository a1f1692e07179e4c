//! The output of `codex exec --json`.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::clients::output::events::EventLine;
use crate::clients::output::{Opened, OutputFacts, OutputKind, nothing, opened};

const STREAM: OutputKind = OutputKind {
    name: "codex-stream",
    title: "the event stream of Codex",
};

pub(super) const OUTPUT: OutputFacts = OutputFacts {
    kinds: &[STREAM],
    marks: &["\"thread.started\""],
    whole: |_| None,
    starts: |kind| kind == "thread.started",
    stream,
};

/// The last message of the agent in the last turn.
fn stream<'t>(text: &'t str, events: &[EventLine<'t>]) -> Option<Opened<'t>> {
    #[derive(Deserialize)]
    struct EventItem<'t> {
        #[serde(rename = "type", borrow)]
        kind: Cow<'t, str>,
        #[serde(borrow)]
        text: Option<&'t RawValue>,
    }
    let last = events.last()?;
    if !matches!(&*last.event.kind, "turn.completed" | "turn.failed") {
        return None;
    }
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
    match messages.next() {
        Some((message, line)) => opened(text, kind, ("/item/text", message), Some(line)),
        None => Some(nothing(text, kind, "/item/text", last)),
    }
}
