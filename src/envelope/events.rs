//! Event streams: one JSON object per line, from the first event of a client to its last.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::{EnvelopeKind, Opened, claude_result, envelope, opened, span, string};

/// An event. Members whose meaning depends on the kind of event are kept as raw JSON.
#[derive(Deserialize)]
struct ClientEvent<'t> {
    #[serde(rename = "type", borrow)]
    kind: Cow<'t, str>,
    #[serde(borrow)]
    item: Option<&'t RawValue>,
    #[serde(borrow)]
    role: Option<&'t RawValue>,
    #[serde(borrow)]
    content: Option<&'t RawValue>,
    #[serde(borrow)]
    data: Option<&'t RawValue>,
    #[serde(rename = "sessionId", borrow)]
    session: Option<&'t RawValue>,
    #[serde(borrow)]
    stats: Option<&'t RawValue>,
}

/// An event, its text, and its line number, from 1.
struct EventLine<'t> {
    event: ClientEvent<'t>,
    text: &'t str,
    number: usize,
}

/// Opens a stream of events. None unless all lines are events and the last one ends a run.
pub(super) fn open(text: &str) -> Option<Opened<'_>> {
    let mut lines = text
        .lines()
        .zip(1..)
        .filter(|(line, _)| !line.trim().is_empty())
        .map(|(text, number)| {
            let event = serde_json::from_str(text).ok()?;
            Some(EventLine {
                event,
                text,
                number,
            })
        });
    let first = lines.next()??;
    let find = match &*first.event.kind {
        "system" => claude,
        "thread.started" => codex,
        "init" => gemini,
        kind if kind.starts_with("session.") || kind == "user.message" => copilot,
        _ => return None,
    };
    // If a stream is cut off, its last line is not an event, or not the event that ends a run.
    let events: Vec<_> = std::iter::once(Some(first))
        .chain(lines)
        .collect::<Option<_>>()?;
    find(text, &events)
}

fn claude<'t>(text: &'t str, events: &[EventLine<'t>]) -> Option<Opened<'t>> {
    let last = events.last()?;
    claude_result(text, last.text, Some(last.number))
}

/// The last message of the agent in the last turn.
fn codex<'t>(text: &'t str, events: &[EventLine<'t>]) -> Option<Opened<'t>> {
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
    let kind = EnvelopeKind::CodexStream;
    match messages.next() {
        Some((message, line)) => opened(text, kind, ("/item/text", message), Some(line)),
        None => Some(nothing(text, kind, "/item/text", last)),
    }
}

/// The messages of the assistant since the last event of another kind, joined: the answer comes in
/// pieces.
fn gemini<'t>(text: &'t str, events: &[EventLine<'t>]) -> Option<Opened<'t>> {
    let (last, before) = events.split_last()?;
    if last.event.kind != "result" || last.event.stats.is_none() {
        return None;
    }
    let is_answer = |line: &&EventLine<'t>| {
        let role = line.event.role.map(RawValue::get);
        line.event.kind == "message" && role == Some("\"assistant\"")
    };
    let mut pieces: Vec<_> = before.iter().rev().take_while(is_answer).collect();
    pieces.reverse();
    let kind = EnvelopeKind::GeminiStream;
    let Some(end) = pieces.last() else {
        return Some(nothing(text, kind, "/content", last));
    };
    let message: Option<String> = pieces
        .iter()
        .map(|line| string(line.event.content?))
        .collect();
    Some(Opened {
        envelope: envelope(kind, "/content", Some(end.number)),
        message: Cow::Owned(message?),
        span: span(text, end.event.content?.get()),
    })
}

/// The last message of the main agent.
fn copilot<'t>(text: &'t str, events: &[EventLine<'t>]) -> Option<Opened<'t>> {
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
    let kind = EnvelopeKind::CopilotStream;
    match messages.next() {
        Some((message, line)) => opened(text, kind, ("/data/content", message), Some(line)),
        None => Some(nothing(text, kind, "/data/content", last)),
    }
}

/// The envelope of a run that ended without a message.
fn nothing<'t>(
    text: &'t str,
    kind: EnvelopeKind,
    pointer: &'static str,
    last: &EventLine<'t>,
) -> Opened<'t> {
    Opened {
        envelope: envelope(kind, pointer, Some(last.number)),
        message: Cow::Borrowed(""),
        span: span(text, last.text),
    }
}
