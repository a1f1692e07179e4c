//! The output of `claude -p --output-format`, and the notification that the main agent gets when a
//! background agent has ended.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::clients::output::{Opened, OutputFacts, OutputKind, envelope, opened, span};

const JSON: OutputKind = OutputKind {
    name: "claude-json",
    title: "the JSON output of Claude Code",
};

const STREAM: OutputKind = OutputKind {
    name: "claude-stream",
    title: "the event stream of Claude Code",
};

const NOTIFICATION: OutputKind = OutputKind {
    name: "task-notification",
    title: "a task notification of Claude Code",
};

pub(super) const OUTPUT: OutputFacts = OutputFacts {
    kinds: &[JSON, STREAM, NOTIFICATION],
    marks: &["\"num_turns\"", START],
    whole,
    starts: |kind| kind == "system",
    stream: |text, events| {
        let last = events.last()?;
        result(text, last.text, Some(last.number))
    },
};

/// The members of a result, as raw JSON.
#[derive(Deserialize)]
struct ClaudeResult<'t> {
    #[serde(rename = "type", borrow)]
    kind: Option<&'t RawValue>,
    #[serde(borrow)]
    session_id: Option<&'t RawValue>,
    #[serde(borrow)]
    num_turns: Option<&'t RawValue>,
    #[serde(borrow)]
    result: Option<&'t RawValue>,
    #[serde(borrow)]
    structured_output: Option<&'t RawValue>,
}

/// Opens a notification, or a result that is alone or the last event of a list.
fn whole(text: &str) -> Option<Opened<'_>> {
    let start = text.trim_start();
    if start.starts_with(START) {
        return notification(text);
    }
    if start.starts_with('[') {
        let events: Vec<&RawValue> = serde_json::from_str(text).ok()?;
        return result(text, events.last()?.get(), None);
    }
    result(text, text, None)
}

/// Opens the last event. The message is `structured_output` if a schema was given, or
/// else `result`.
fn result<'t>(text: &'t str, object: &'t str, line: Option<usize>) -> Option<Opened<'t>> {
    let event: ClaudeResult<'t> = serde_json::from_str(object).ok()?;
    let is_result = event.kind.is_some_and(|kind| kind.get() == "\"result\"");
    if !is_result || event.session_id.is_none() || event.num_turns.is_none() {
        return None;
    }
    let kind = match line {
        Some(_) => STREAM,
        None => JSON,
    };
    if let Some(output) = event.structured_output {
        let envelope = envelope(kind, "/structured_output", line);
        return Some(Opened {
            envelope,
            message: Cow::Borrowed(output.get()),
            span: span(text, output.get()),
        });
    }
    match event.result {
        Some(result) => opened(text, kind, ("/result", result), line),
        // A run that ended by an error or a limit has no result.
        None => Some(Opened {
            envelope: envelope(kind, "/result", line),
            message: Cow::Borrowed(""),
            span: span(text, object),
        }),
    }
}

const START: &str = "<task-notification>";
const END: &str = "</task-notification>";

/// Opens a notification. The message is the text of `<result>`, which ends at the first closing tag,
/// because the client writes `&`, `<` and `>` in it as entities.
fn notification(text: &str) -> Option<Opened<'_>> {
    let inside = text.trim().strip_prefix(START)?.strip_suffix(END)?;
    let (before, rest) = inside.split_once("<result>")?;
    let (result, after) = rest.split_once("</result>")?;
    let is_one = [before, after]
        .iter()
        .all(|part| !part.contains(START) && !part.contains("<result>"));
    is_one.then(|| Opened {
        envelope: envelope(NOTIFICATION, "<result>", None),
        message: decoded(result.trim()),
        span: span(text, result.trim()),
    })
}

/// Decodes the entities of a text. `&amp;` comes last, so that nothing is decoded twice.
fn decoded(text: &str) -> Cow<'_, str> {
    if !text.contains('&') {
        return Cow::Borrowed(text);
    }
    let text = text.replace("&lt;", "<").replace("&gt;", ">");
    Cow::Owned(text.replace("&amp;", "&"))
}
