//! Detects by its content which client wrote a transcript.

use std::io::{self, Cursor, Read};

use serde::de::IgnoredAny;

use super::error::{DOCUMENT_AT_MOST, TranscriptError};
use super::lines::{LineEnd, TranscriptLines};
use super::shape::{TranscriptForm, client_of, client_of_document};
use crate::clients::Client;
use crate::clients::run::{Gap, JsonNode, each, each_message, with_text};

/// How many bytes of a transcript show whether it is one document.
const BEGINNING: usize = 64 << 10;

/// The most bytes of lines before the first record of a client. A file with more is not a transcript.
const FOREIGN_AT_MOST: usize = 64 << 20;

/// A transcript whose client is known.
pub(super) enum Detected<R> {
    /// All of a document.
    Document(Client, Vec<u8>),
    /// The lines from the first record on, and what may have been lost before it.
    Lines(Client, TranscriptLines<R>, Option<Gap>),
}

/// Reads until a record shows which client wrote the transcript.
pub(super) fn detect(source: &mut dyn Read) -> Result<Detected<impl Read + '_>, TranscriptError> {
    let mut beginning = Vec::new();
    read_up_to(BEGINNING, source, &mut beginning)?;
    let client = document_of(&beginning);
    if client.is_some() || is_spread(&beginning) {
        read_up_to(DOCUMENT_AT_MOST + 1, source, &mut beginning)?;
        if beginning.len() > DOCUMENT_AT_MOST {
            return Err(TranscriptError::TooLarge);
        }
        if let Some(client) = client.or_else(|| document_of(&beginning)) {
            return Ok(Detected::Document(client, beginning));
        }
    }
    let all = (beginning.len() < BEGINNING).then(|| beginning.clone());
    let mut lines = TranscriptLines::new(Cursor::new(beginning).chain(source));
    let mut lost = None;
    while lines.advance()? {
        match client_of_line(&lines.line).filter(|_| lines.end != LineEnd::TooLong) {
            Some((client, TranscriptForm::Document)) => {
                return Ok(Detected::Document(client, lines.line));
            }
            Some((client, TranscriptForm::Lines)) => {
                return Ok(Detected::Lines(client, lines, lost));
            }
            None if lines.bytes > FOREIGN_AT_MOST => return Err(TranscriptError::Unknown),
            None if lines.end == LineEnd::Transcript && ends_early(&lines.line) => {
                return Err(TranscriptError::Cut);
            }
            None => lost = lost.or_else(|| foreign_gap(&mut lines)),
        }
    }
    let all = all.ok_or(TranscriptError::Unknown)?;
    match client_of_line(&all) {
        Some((client, TranscriptForm::Document)) => Ok(Detected::Document(client, all)),
        None if all.trim_ascii().is_empty() => Err(TranscriptError::Empty),
        None if ends_early(&all) => Err(TranscriptError::Cut),
        _ => Err(TranscriptError::Unknown),
    }
}

/// What may have been lost in a line before the first record. A line that has only JSON objects is a record
/// of an unknown kind, and nothing is lost.
fn foreign_gap<R>(lines: &mut TranscriptLines<R>) -> Option<Gap> {
    let line = lines.number;
    if lines.end == LineEnd::TooLong {
        return Some(Gap::LongLine { line });
    }
    let has_only_objects = with_text(&mut lines.line, |text| each(text, |_| ()));
    (!has_only_objects).then_some(Gap::Unreadable { line })
}

/// Whether a text is a JSON object that is cut off.
fn ends_early(text: &[u8]) -> bool {
    let mut values = serde_json::Deserializer::from_slice(text).into_iter::<IgnoredAny>();
    text.trim_ascii_start().starts_with(b"{")
        && matches!(values.next(), Some(Err(error)) if error.is_eof())
}

/// The client that wrote a line or a document, by its first JSON object, which must be complete.
fn client_of_line(line: &[u8]) -> Option<(Client, TranscriptForm)> {
    client_of(&JsonNode::first(std::str::from_utf8(line).ok()?)?)
}

/// Reads until `into` has that many bytes.
fn read_up_to(bytes: usize, source: &mut dyn Read, into: &mut Vec<u8>) -> io::Result<usize> {
    let rest = bytes.saturating_sub(into.len());
    source.take(rest as u64).read_to_end(into)
}

/// Whether a text begins with an object on several lines. No record of a transcript does, and what a document
/// has before its messages, such as the changes of a session, may be long.
fn is_spread(beginning: &[u8]) -> bool {
    let text = beginning.trim_ascii_start();
    text.starts_with(b"{\n") || text.starts_with(b"{\r\n")
}

/// The client whose document has this beginning. The members that identify it come before its messages.
fn document_of(beginning: &[u8]) -> Option<Client> {
    let text = match std::str::from_utf8(beginning) {
        Ok(text) => text,
        Err(error) => std::str::from_utf8(&beginning[..error.valid_up_to()]).ok()?,
    };
    let mut found = None;
    // A beginning that is not JSON to its end is enough.
    let _ = each_message(
        text,
        &mut |head| found = client_of_document(head),
        &mut |_, _| {},
    );
    found
}
