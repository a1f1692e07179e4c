//! Output of agent clients that contains a return, such as that of `claude -p --output-format json`.
//!
//! Only complete envelopes of known clients are opened. A stream must end with its client's last event,
//! so an interrupted run is never mistaken for a finished one.

mod events;
mod notification;

use std::borrow::Cow;
use std::fmt::{self, Display, Formatter};

use memchr::memmem;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::text::{Span, names};

/// The kind of output around a return.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum EnvelopeKind {
    /// `claude -p --output-format json`, with or without `--verbose`.
    ClaudeJson,
    /// `claude -p --output-format stream-json`.
    ClaudeStream,
    /// `codex exec --json`.
    CodexStream,
    /// `gemini --output-format json`.
    GeminiJson,
    /// `gemini --output-format stream-json`.
    GeminiStream,
    /// `copilot --output-format json`.
    CopilotStream,
    /// A `<task-notification>` of Claude Code.
    TaskNotification,
}

names! { pub EnvelopeKind, "envelope" {
    ClaudeJson = "claude-json",
    ClaudeStream = "claude-stream",
    CodexStream = "codex-stream",
    GeminiJson = "gemini-json",
    GeminiStream = "gemini-stream",
    CopilotStream = "copilot-stream",
    TaskNotification = "task-notification",
} }

impl EnvelopeKind {
    /// The name of the output in messages.
    fn title(self) -> &'static str {
        match self {
            Self::ClaudeJson => "the JSON output of Claude Code",
            Self::ClaudeStream => "the event stream of Claude Code",
            Self::CodexStream => "the event stream of Codex",
            Self::GeminiJson => "the JSON output of Gemini CLI",
            Self::GeminiStream => "the event stream of Gemini CLI",
            Self::CopilotStream => "the event stream of Copilot CLI",
            Self::TaskNotification => "a task notification of Claude Code",
        }
    }
}

/// The kind of output that a return was found in, and where.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Envelope {
    /// The kind of output.
    pub kind: EnvelopeKind,
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
        write!(out, " of {}", self.kind.title())
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

/// Texts that outputs of clients contain and returns do not. A return without them is not an envelope,
/// and need not be parsed again.
const MARKS: [&str; 4] = [
    "\"num_turns\"",
    "\"stats\"",
    "\"thread.started\"",
    "\"sessionId\"",
];

/// Opens an envelope. None if the text is not one.
pub(crate) fn open(text: &str) -> Option<Opened<'_>> {
    let start = text.trim_start();
    if start.starts_with(notification::START) {
        return notification::open(text);
    }
    let has_mark = || {
        let mut marks = MARKS.iter();
        marks.any(|mark| memmem::find(text.as_bytes(), mark.as_bytes()).is_some())
    };
    if !start.starts_with(['{', '[']) || !has_mark() {
        return None;
    }
    result(text).or_else(|| events::open(text))
}

/// The members of a result of Claude Code or Gemini CLI, as raw JSON.
#[derive(Deserialize)]
struct ResultObject<'t> {
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
    #[serde(borrow)]
    response: Option<&'t RawValue>,
    #[serde(borrow)]
    stats: Option<&'t RawValue>,
}

/// Opens output that is one JSON value.
fn result(text: &str) -> Option<Opened<'_>> {
    if text.trim_start().starts_with('[') {
        let events: Vec<&RawValue> = serde_json::from_str(text).ok()?;
        return claude_result(text, events.last()?.get(), None);
    }
    claude_result(text, text, None).or_else(|| {
        let object: ResultObject<'_> = serde_json::from_str(text).ok()?;
        let is_gemini = object.session_id.is_some() && object.stats.is_some();
        let response = object.response.filter(|_| is_gemini)?;
        opened(
            text,
            EnvelopeKind::GeminiJson,
            ("/response", response),
            None,
        )
    })
}

/// Opens the last event of Claude Code. The message is `structured_output` if a schema was given, or
/// else `result`.
fn claude_result<'t>(text: &'t str, object: &'t str, line: Option<usize>) -> Option<Opened<'t>> {
    let event: ResultObject<'t> = serde_json::from_str(object).ok()?;
    let is_result = event.kind.is_some_and(|kind| kind.get() == "\"result\"");
    if !is_result || event.session_id.is_none() || event.num_turns.is_none() {
        return None;
    }
    let kind = match line {
        Some(_) => EnvelopeKind::ClaudeStream,
        None => EnvelopeKind::ClaudeJson,
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

fn envelope(kind: EnvelopeKind, pointer: &'static str, line: Option<usize>) -> Envelope {
    Envelope {
        kind,
        pointer,
        line,
    }
}

/// The envelope with the message in a JSON string. None if the value is not a string.
fn opened<'t>(
    text: &'t str,
    kind: EnvelopeKind,
    (pointer, value): (&'static str, &'t RawValue),
    line: Option<usize>,
) -> Option<Opened<'t>> {
    Some(Opened {
        envelope: envelope(kind, pointer, line),
        message: string(value)?,
        span: span(text, value.get()),
    })
}

fn string(value: &RawValue) -> Option<Cow<'_, str>> {
    #[derive(Deserialize)]
    struct OwnedOrNot<'t>(#[serde(borrow)] Cow<'t, str>);
    serde_json::from_str(value.get())
        .ok()
        .map(|OwnedOrNot(text)| text)
}

/// The span of `part`, which is a slice of `text`.
fn span(text: &str, part: &str) -> Span {
    let start = (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
    Span::new(start.min(text.len()), part.len())
}
