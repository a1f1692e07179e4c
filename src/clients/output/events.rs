//! Event streams: one JSON object per line, from the first event of a client to its last.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

/// An event. Members whose meaning depends on the kind of event are kept as raw JSON.
#[derive(Deserialize)]
pub(in crate::clients) struct ClientEvent<'t> {
    #[serde(rename = "type", borrow)]
    pub(in crate::clients) kind: Cow<'t, str>,
    #[serde(borrow)]
    pub(in crate::clients) item: Option<&'t RawValue>,
    #[serde(borrow)]
    pub(in crate::clients) role: Option<&'t RawValue>,
    #[serde(borrow)]
    pub(in crate::clients) content: Option<&'t RawValue>,
    #[serde(borrow)]
    pub(in crate::clients) data: Option<&'t RawValue>,
    #[serde(rename = "sessionId", borrow)]
    pub(in crate::clients) session: Option<&'t RawValue>,
    #[serde(borrow)]
    pub(in crate::clients) stats: Option<&'t RawValue>,
}

/// An event, its text, and its line number, from 1.
pub(in crate::clients) struct EventLine<'t> {
    pub(in crate::clients) event: ClientEvent<'t>,
    pub(in crate::clients) text: &'t str,
    pub(in crate::clients) number: usize,
}

/// The events of a stream. None unless all lines are events.
pub(super) fn read(text: &str) -> Option<Vec<EventLine<'_>>> {
    let lines = text.lines().zip(1..);
    let lines = lines.filter(|(line, _)| !line.trim().is_empty());
    let events = lines.map(|(text, number)| {
        let event = serde_json::from_str(text).ok()?;
        Some(EventLine {
            event,
            text,
            number,
        })
    });
    events.collect()
}
