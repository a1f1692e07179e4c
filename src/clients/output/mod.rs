//! Output of clients that contains a return, such as that of `claude -p --output-format json`.
//!
//! Only complete outputs of known clients are opened. A stream must end with its client's last event, so
//! an interrupted run is never mistaken for a finished one.

pub(super) mod events;

use std::borrow::Cow;
use std::fmt::{self, Display, Formatter};

use memchr::memmem;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::value::RawValue;

use crate::clients::Client;
use crate::clients::output::events::EventLine;
use crate::text::Span;

/// A kind of output around a return.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutputKind {
    /// Its name in reports.
    pub name: &'static str,
    /// Its name in messages.
    pub title: &'static str,
}

impl OutputKind {
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        facts().flat_map(|facts| facts.kinds.iter().copied())
    }
}

impl Serialize for OutputKind {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.name)
    }
}

/// The outputs of a client.
#[derive(Debug)]
pub(super) struct OutputFacts {
    pub(super) kinds: &'static [OutputKind],
    /// Texts that its outputs contain and returns do not. A return without them is not opened, and need not
    /// be parsed again.
    pub(super) marks: &'static [&'static str],
    /// Opens an output that is not a stream.
    pub(super) whole: fn(&str) -> Option<Opened<'_>>,
    /// Whether a stream begins with an event of this kind.
    pub(super) starts: fn(&str) -> bool,
    /// Opens a stream of events, if the last one ends a run.
    pub(super) stream: for<'t> fn(&'t str, &[EventLine<'t>]) -> Option<Opened<'t>>,
}

fn facts() -> impl Iterator<Item = &'static OutputFacts> {
    let clients = Client::ALL.into_iter();
    clients.filter_map(|client| client.facts().output.as_ref())
}

/// The kind of output that a return was found in, and where.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Envelope {
    /// The kind of output.
    pub kind: OutputKind,
    /// The RFC 6901 pointer to the value that contains the return, relative to its line in a stream, or
    /// else to the output. In a notification, the name of the element.
    pub pointer: &'static str,
    /// The line of an event stream, from 1.
    pub line: Option<usize>,
}

impl Display for Envelope {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        out.write_str(self.pointer)?;
        if let Some(line) = self.line {
            write!(out, " in line {line}")?;
        }
        write!(out, " of {}", self.kind.title)
    }
}

/// An envelope and the message inside.
#[derive(Debug)]
pub(crate) struct Opened<'t> {
    pub(crate) envelope: Envelope,
    /// The agent's final message; empty if it ended without one.
    pub(crate) message: Cow<'t, str>,
    /// Where the message is in the envelope.
    pub(crate) span: Span,
}

/// Opens an output. None if the text is not one.
pub(crate) fn open(text: &str) -> Option<Opened<'_>> {
    let has_mark = || {
        let mut marks = facts().flat_map(|facts| facts.marks);
        marks.any(|mark| memmem::find(text.as_bytes(), mark.as_bytes()).is_some())
    };
    if !text.trim_start().starts_with(['{', '[', '<']) || !has_mark() {
        return None;
    }
    facts().find_map(|facts| (facts.whole)(text)).or_else(|| {
        let events = events::read(text)?;
        let first = events.first()?;
        let stream = facts()
            .find(|facts| (facts.starts)(&first.event.kind))?
            .stream;
        stream(text, &events)
    })
}

pub(super) fn envelope(kind: OutputKind, pointer: &'static str, line: Option<usize>) -> Envelope {
    Envelope {
        kind,
        pointer,
        line,
    }
}

/// The envelope with the message in a JSON string. None if the value is not a string.
pub(super) fn opened<'t>(
    text: &'t str,
    kind: OutputKind,
    (pointer, value): (&'static str, &'t RawValue),
    line: Option<usize>,
) -> Option<Opened<'t>> {
    Some(Opened {
        envelope: envelope(kind, pointer, line),
        message: string(value)?,
        span: span(text, value.get()),
    })
}

pub(super) fn string(value: &RawValue) -> Option<Cow<'_, str>> {
    #[derive(Deserialize)]
    struct OwnedOrNot<'t>(#[serde(borrow)] Cow<'t, str>);
    serde_json::from_str(value.get())
        .ok()
        .map(|OwnedOrNot(text)| text)
}

/// The span of `part`, which is a slice of `text`.
pub(super) fn span(text: &str, part: &str) -> Span {
    let start = (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
    Span::new(start.min(text.len()), part.len())
}

/// The envelope of a run that ended without a message.
pub(super) fn nothing<'t>(
    text: &'t str,
    kind: OutputKind,
    pointer: &'static str,
    last: &EventLine<'t>,
) -> Opened<'t> {
    Opened {
        envelope: envelope(kind, pointer, Some(last.number)),
        message: Cow::Borrowed(""),
        span: span(text, last.text),
    }
}
