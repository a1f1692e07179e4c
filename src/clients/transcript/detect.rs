//! Detects by its content which client wrote a transcript, and reads it line by line.

use std::io::{self, BufRead as _, BufReader, Cursor, Read, Take};

use serde::de::IgnoredAny;

use super::{DOCUMENT_AT_MOST, TranscriptError};
use crate::clients::Client;
use crate::clients::run::{DocumentPart, Gap, JsonNode, Reader, each, each_part, with_text};

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
            Some((client, true)) => {
                return Ok(Detected::Document(client, lines.line));
            }
            Some((client, false)) => {
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
        Some((client, true)) => Ok(Detected::Document(client, all)),
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

/// The client that wrote a line or a document, by its first JSON object, which must be complete, and whether
/// it is a document.
fn client_of_line(line: &[u8]) -> Option<(Client, bool)> {
    let record = JsonNode::first(std::str::from_utf8(line).ok()?)?;
    Some((client_of(&record)?, is_document(&record)))
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
    let _ = each_part(text, &mut |part| {
        if let DocumentPart::Head(head) = part {
            found = found.or(client_of_document(head));
        }
    });
    found
}

/// The client that wrote a record or a document, by its keys.
fn client_of(record: &JsonNode) -> Option<Client> {
    let kind = record.word("type");
    let has = |name| record.at(name).is_object();
    let is_text = |name| record.get(name).is_some();
    if is_document(record) {
        client_of_document(record)
    } else if has("payload") && is_text("timestamp") {
        Some(Client::Codex)
    } else if has("data") && kind.contains('.') {
        Some(Client::Copilot)
    } else if is_text("projectHash") || has("$set") || kind == "gemini" && is_text("timestamp") {
        Some(Client::Gemini)
    } else if is_text("provenance") || !record.at("message").at("parts").is_nothing() {
        Some(Client::Qwen)
    } else if !kind.is_empty() && is_text("sessionId")
        || matches!(kind, "user" | "assistant") && has("message")
        || kind == "summary" && is_text("leafUuid")
    {
        Some(Client::ClaudeCode)
    } else {
        None
    }
}

fn is_document(record: &JsonNode) -> bool {
    !record.at("messages").is_nothing() && client_of_document(record).is_some()
}

/// The client that wrote a document with messages, by its other members.
fn client_of_document(document: &JsonNode) -> Option<Client> {
    let is_text = |name| document.get(name).is_some();
    if document.at("info").is_object() {
        return Some(Client::OpenCode);
    }
    (is_text("projectHash") || is_text("sessionId")).then_some(Client::Gemini)
}

/// The length of the longest line that is read, in bytes. Longer lines are skipped.
pub(super) const LINE_AT_MOST: usize = 5 << 19;

/// The most bytes that are read of one transcript. The rest is not read: a sparse file may have any
/// size, and a file may grow while it is read.
const TRANSCRIPT_AT_MOST: u64 = 1 << 30;

const BLOCK: usize = 256 << 10;

/// How a line ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LineEnd {
    Newline,
    /// The last line has no newline.
    Transcript,
    /// Only the beginning of the line is there.
    TooLong,
}

/// The lines of a transcript, one after the other. `line` is the current one without its newline, never
/// more than [`LINE_AT_MOST`] bytes and one, and `number` its number, from 1. `bytes` is the length of all
/// lines so far. `retval check` reads streams by another reader: its threads take blocks of many lines,
/// and it must know which of them have arrived.
pub(super) struct TranscriptLines<R> {
    reader: BufReader<Take<R>>,
    line: Vec<u8>,
    end: LineEnd,
    number: u64,
    bytes: usize,
}

impl<R: Read> TranscriptLines<R> {
    fn new(source: R) -> Self {
        Self {
            reader: BufReader::with_capacity(BLOCK, source.take(TRANSCRIPT_AT_MOST)),
            line: Vec::new(),
            end: LineEnd::Newline,
            number: 0,
            bytes: 0,
        }
    }

    /// Reads the next line. Returns false if there is none.
    fn advance(&mut self) -> io::Result<bool> {
        self.line.clear();
        let mut bounded = self.reader.by_ref().take(LINE_AT_MOST as u64 + 1);
        let read = bounded.read_until(b'\n', &mut self.line)?;
        self.number += 1;
        self.bytes += read;
        self.end = if self.line.pop_if(|last| *last == b'\n').is_some() {
            LineEnd::Newline
        } else if self.line.len() <= LINE_AT_MOST {
            LineEnd::Transcript
        } else {
            self.bytes += self.reader.skip_until(b'\n')?;
            LineEnd::TooLong
        };
        Ok(read > 0)
    }

    /// Gives the current line and all that follow to the reader of a client, and records a gap for each
    /// that could not be read.
    pub(super) fn read_by(mut self, client: Client, reader: &mut dyn Reader) -> io::Result<()> {
        loop {
            if let Some(gap) = self.read_line_by(client, reader) {
                reader.runs().record_gap(gap);
            }
            if !self.advance()? {
                break;
            }
        }
        if self.reader.get_ref().limit() == 0 {
            reader.runs().record_gap(Gap::TooMuch);
        }
        Ok(())
    }

    fn read_line_by(&mut self, client: Client, reader: &mut dyn Reader) -> Option<Gap> {
        let line = self.number;
        if self.end == LineEnd::TooLong {
            return Some(Gap::LongLine { line });
        }
        let is_read = with_text(&mut self.line, |text| {
            each(text, |record| {
                reader.record(record, line);
                let is_of_another = || client_of(record).is_some_and(|other| other != client);
                // It is not certain which client wrote the transcript.
                if reader.runs().take_unknown_record() && is_of_another() {
                    reader.runs().record_gap(Gap::OtherClient { line });
                }
            })
        });
        match self.end {
            _ if is_read => None,
            LineEnd::Transcript => Some(Gap::HalfLine),
            _ => Some(Gap::Unreadable { line }),
        }
    }
}
