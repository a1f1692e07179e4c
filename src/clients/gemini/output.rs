//! The output of `gemini --output-format`.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::clients::output::events::EventLine;
use crate::clients::output::{
    Opened, OutputFacts, OutputKind, envelope, nothing, opened, span, string,
};

const JSON: OutputKind = OutputKind {
    name: "gemini-json",
    title: "the JSON output of Gemini CLI",
};

const STREAM: OutputKind = OutputKind {
    name: "gemini-stream",
    title: "the event stream of Gemini CLI",
};

pub(super) const OUTPUT: OutputFacts = OutputFacts {
    kinds: &[JSON, STREAM],
    marks: &["\"stats\""],
    whole,
    starts: |kind| kind == "init",
    stream,
};

fn whole(text: &str) -> Option<Opened<'_>> {
    #[derive(Deserialize)]
    struct GeminiResult<'t> {
        #[serde(borrow)]
        session_id: Option<&'t RawValue>,
        #[serde(borrow)]
        response: Option<&'t RawValue>,
        #[serde(borrow)]
        stats: Option<&'t RawValue>,
    }
    let object: GeminiResult<'_> = serde_json::from_str(text).ok()?;
    let is_own = object.session_id.is_some() && object.stats.is_some();
    let response = object.response.filter(|_| is_own)?;
    opened(text, JSON, ("/response", response), None)
}

/// The messages of the assistant since the last event of another kind, joined: the answer comes in
/// pieces.
fn stream<'t>(text: &'t str, events: &[EventLine<'t>]) -> Option<Opened<'t>> {
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
    let kind = STREAM;
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
