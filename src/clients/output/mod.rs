//! Output of clients that contains a return, such as that of `claude -p --output-format json`.
//!
//! Only complete outputs of known clients are opened. A stream must end with its client's last event, so
//! an interrupted run is never mistaken for a finished one.

mod protocols;

use std::borrow::Cow;
use std::fmt::{self, Display, Formatter};

use memchr::memmem;
use serde::{Serialize, Serializer};

use crate::clients::Client;
use crate::clients::failure::{ClientFailure, FailureKind};
use crate::clients::raw::{RawObject, at, text_of};
use crate::text::Span;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct OutputKind {
    pub name: &'static str,
    pub title: &'static str,
}

impl OutputKind {
    pub(super) const fn new(name: &'static str, title: &'static str) -> Self {
        Self { name, title }
    }

    pub(crate) fn all() -> impl Iterator<Item = Self> {
        let of_clients = facts().flat_map(|facts| facts.kinds);
        of_clients.copied().chain(protocols::KINDS)
    }
}

impl Serialize for OutputKind {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.name)
    }
}

#[derive(Debug)]
pub(super) struct OutputFacts {
    pub(super) kinds: &'static [OutputKind],
    /// Texts that its outputs contain and returns do not, which need not be parsed again.
    pub(super) marks: &'static [&'static str],
    pub(super) whole: fn(&str) -> Option<Opened<'_>>,
    /// The kind of stream that begins with this event.
    pub(super) starts: fn(&EventLine<'_>) -> Option<OutputKind>,
    /// Opens a stream of events, if the last one ends a run.
    pub(super) stream: for<'t> fn(&'t str, &[EventLine<'t>]) -> Option<Opened<'t>>,
}

impl OutputFacts {
    pub(super) const NONE: Self =
        Self { kinds: &[], marks: &[], whole: |_| None, starts: |_| None, stream: |_, _| None };
}

fn facts() -> impl Iterator<Item = &'static OutputFacts> {
    let clients = Client::ALL.into_iter();
    clients.filter_map(|client| client.facts().output.as_ref())
}

pub(super) struct EventLine<'t> {
    pub(super) kind: Cow<'t, str>,
    pub(super) members: RawObject<'t>,
    pub(super) text: &'t str,
    pub(super) number: usize,
}

impl<'t> EventLine<'t> {
    /// None if the object has no type.
    fn read(text: &'t str, number: usize) -> serde_json::Result<Option<Self>> {
        let members = RawObject::parse(text)?;
        let kind = members.text("type");
        Ok(kind.map(|kind| Self { kind, members, text, number }))
    }

    pub(super) fn without_message(
        &self,
        kind: OutputKind,
        pointer: &'static str,
        text: &'t str,
    ) -> Opened<'t> {
        Opened::at((kind, pointer, Some(self.number)), "", (text, self.text))
    }
}

/// The events of a stream. None unless all lines are events; the last one may be cut off.
fn events(text: &str) -> Option<Vec<EventLine<'_>>> {
    let lines = text.lines().zip(1..);
    let mut lines = lines.filter(|(line, _)| !line.trim().is_empty()).peekable();
    let mut events = Vec::new();
    while let Some((line, number)) = lines.next() {
        match EventLine::read(line, number) {
            Ok(event) => events.push(event?),
            Err(error) if error.is_eof() && lines.peek().is_none() => {}
            Err(_) => return None,
        }
    }
    Some(events)
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Envelope {
    pub kind: OutputKind,
    /// The RFC 6901 pointer to the value that contains the return, relative to its line in a stream, or
    /// else to the output. In a notification, the name of the element.
    pub pointer: &'static str,
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

#[derive(Debug)]
pub(crate) struct Opened<'t> {
    /// None if the output is cut off.
    pub(crate) envelope: Option<Envelope>,
    /// The agent's final message; empty if it ended without one.
    pub(crate) message: Cow<'t, str>,
    /// Where the message is in the envelope.
    pub(crate) span: Span,
    /// What the client says if it failed.
    pub(crate) failure: Option<ClientFailure>,
}

impl<'t> Opened<'t> {
    /// A message at a place of an output of this kind, and the part of the text in which it stands.
    pub(super) fn at(
        (kind, pointer, line): (OutputKind, &'static str, Option<usize>),
        message: impl Into<Cow<'t, str>>,
        (text, part): (&str, &str),
    ) -> Self {
        let start = part.as_ptr().addr().saturating_sub(text.as_ptr().addr());
        Self {
            envelope: Some(Envelope { kind, pointer, line }),
            message: message.into(),
            span: Span::new(start.min(text.len()), part.len()),
            failure: None,
        }
    }

    pub(super) fn string(
        place: (OutputKind, &'static str, Option<usize>),
        value: &'t str,
        text: &'t str,
    ) -> Option<Self> {
        Some(Self::at(place, text_of(value)?, (text, value)))
    }

    pub(super) fn failed(mut self, words: Option<impl Into<String>>) -> Self {
        self.failure = words.map(ClientFailure::new);
        self
    }
}

/// Opens an output. None if the text is not one. One line of another program may come before that of a
/// client, which is printed, but not before a result of a protocol.
pub(crate) fn open(text: &str) -> Option<Opened<'_>> {
    let is_output = |text: &str| text.trim_start().starts_with(['{', '[', '<']);
    if is_output(text) {
        return open_whole(text).or_else(|| protocols::open(text));
    }
    let rest = text.split_once('\n')?.1;
    let mut opened = open_whole(rest).filter(|_| is_output(rest))?;
    let before = text.len() - rest.len();
    opened.span.start += before;
    opened.span.end += before;
    if let Some(envelope) = &mut opened.envelope {
        envelope.line = envelope.line.map(|line| line + 1);
    }
    Some(opened)
}

fn open_whole(text: &str) -> Option<Opened<'_>> {
    let mut marks = facts().flat_map(|facts| facts.marks);
    if !marks.any(|mark| memmem::find(text.as_bytes(), mark.as_bytes()).is_some()) {
        return None;
    }
    facts().find_map(|facts| (facts.whole)(text)).or_else(|| {
        let events = events(text)?;
        let first = events.first()?;
        let (facts, kind) = facts().find_map(|it| Some((it, (it.starts)(first)?)))?;
        (facts.stream)(text, &events).or_else(|| Some(cut_off(text, kind)))
    })
}

/// Whether a stream of events of a client begins with this text, after a line of another program at most.
pub(crate) fn starts_stream(text: &str) -> bool {
    let begins = |text: &str| {
        let line = text.trim_start().lines().next().unwrap_or_default();
        let first = EventLine::read(line, 1).ok().flatten();
        first.is_some_and(|first| facts().any(|facts| (facts.starts)(&first).is_some()))
    };
    match text.split_once('\n') {
        Some((first, rest)) if !first.trim_start().starts_with('{') => begins(rest),
        _ => begins(text),
    }
}

fn cut_off(text: &str, kind: OutputKind) -> Opened<'_> {
    Opened {
        envelope: None,
        message: Cow::Borrowed(""),
        span: Span::new(0, text.len()),
        failure: Some(ClientFailure {
            kind: FailureKind::Other,
            words: format!("{} ends before its last event", kind.title),
        }),
    }
}

/// Opens the last message of a stream: the text that a function finds in an event.
pub(super) fn last_text<'t>(
    text: &'t str,
    kind: OutputKind,
    pointer: &'static str,
    events: &[EventLine<'t>],
    message: impl Fn(&EventLine<'t>) -> Option<&'t str>,
) -> Option<Opened<'t>> {
    let mut messages = events.iter().rev();
    match messages.find_map(|event| Some((message(event)?, event.number))) {
        Some((message, line)) => Opened::string((kind, pointer, Some(line)), message, text),
        None => Some(events.last()?.without_message(kind, pointer, text)),
    }
}

/// The message of an error object, or the text of an error. None without either.
pub(super) fn error_message(error: Option<&str>) -> Option<String> {
    let error = error?;
    let message = at(error, "/message").and_then(text_of);
    message.or_else(|| text_of(error)).map(Cow::into_owned)
}
