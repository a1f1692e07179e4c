//! Event streams: one JSON object per line, from the first event of a client to its last.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

/// An event. Members whose meaning depends on the kind of event are kept as raw JSON.
#[derive(Deserialize)]
pub(in crate::clients) struct ClientEvent<'t> {
    #[serde(rename = "type", borrow)]
    pub(in crate::clients) kind: Cow<'t, str>,
    pub(in crate::clients) item: Option<&'t RawValue>,
    pub(in crate::clients) role: Option<&'t RawValue>,
    pub(in crate::clients) content: Option<&'t RawValue>,
    pub(in crate::clients) data: Option<&'t RawValue>,
    #[serde(rename = "sessionId")]
    pub(in crate::clients) session: Option<&'t RawValue>,
    pub(in crate::clients) stats: Option<&'t RawValue>,
    pub(in crate::clients) session_id: Option<&'t RawValue>,
    pub(in crate::clients) thread_id: Option<&'t RawValue>,
    pub(in crate::clients) subtype: Option<&'t RawValue>,
    pub(in crate::clients) error: Option<&'t RawValue>,
    pub(in crate::clients) message: Option<&'t RawValue>,
    #[serde(rename = "exitCode")]
    pub(in crate::clients) exit_code: Option<&'t RawValue>,
}

/// An event, its text, and its line number, from 1.
pub(in crate::clients) struct EventLine<'t> {
    pub(in crate::clients) event: ClientEvent<'t>,
    pub(in crate::clients) text: &'t str,
    pub(in crate::clients) number: usize,
}

/// The first event of a text. None unless its first line is one.
pub(super) fn first(text: &str) -> Option<ClientEvent<'_>> {
    serde_json::from_str(text.trim_start().lines().next()?).ok()
}

/// The events of a stream. None unless all lines are events; the last one may be cut off.
pub(super) fn read(text: &str) -> Option<Vec<EventLine<'_>>> {
    let lines = text.lines().zip(1..);
    let mut lines = lines.filter(|(line, _)| !line.trim().is_empty()).peekable();
    let mut events = Vec::new();
    while let Some((text, number)) = lines.next() {
        match serde_json::from_str(text) {
            Ok(event) => events.push(EventLine {
                event,
                text,
                number,
            }),
            Err(error) if error.is_eof() && lines.peek().is_none() => {}
            Err(_) => return None,
        }
    }
    Some(events)
}
