//! Detects by its content which client wrote a transcript, and reads it line by line.

use std::io::{self, BufRead as _, BufReader, Cursor, Read, Take};

use super::{DOCUMENT_AT_MOST, TranscriptError};
use crate::clients::Client;
use crate::clients::raw::RawObject;
use crate::clients::run::{Gap, JsonNode, RunReader, each, text_of_json};

/// How many bytes of a transcript show whether it may be one document.
const BEGINNING: u64 = 64 << 10;

/// The most bytes of lines before the first record of a client. A file with more is not a transcript.
const FOREIGN_AT_MOST: usize = 64 << 20;

pub(super) enum Detected<R> {
    Document(Client, Vec<u8>),
    /// The lines from the first record on, and what may have been lost before it.
    Lines(Client, TranscriptLines<R>, Option<Gap>),
}

pub(super) fn detect(source: &mut dyn Read) -> Result<Detected<impl Read + '_>, TranscriptError> {
    let mut beginning = Vec::new();
    source.take(BEGINNING).read_to_end(&mut beginning)?;
    if may_be_document(&text_of_json(&beginning)) {
        let rest = DOCUMENT_AT_MOST + 1 - beginning.len();
        source.take(rest as u64).read_to_end(&mut beginning)?;
        match document_of(&text_of_json(&beginning)) {
            Some(_) if beginning.len() > DOCUMENT_AT_MOST => return Err(TranscriptError::TooLarge),
            Some(client) => return Ok(Detected::Document(client, beginning)),
            None => {}
        }
    }
    let is_cut = (beginning.len() as u64) < BEGINNING && ends_early(&text_of_json(&beginning));
    let mut lines = TranscriptLines::new(Cursor::new(beginning).chain(source));
    let (mut lost, mut is_empty) = (None, true);
    while lines.advance()? {
        is_empty &= lines.line.trim_ascii().is_empty();
        let mut client = None;
        lines.read_line(|record| client = client.or_else(|| client_of(record)));
        match client {
            Some(client) => return Ok(Detected::Lines(client, lines, lost)),
            None if lines.bytes > FOREIGN_AT_MOST => return Err(TranscriptError::Unknown),
            None if lines.end == LineEnd::Transcript && ends_early(&text_of_json(&lines.line)) => {
                return Err(TranscriptError::Cut);
            }
            // JSON objects of an unknown kind are no loss.
            None => lost = lost.or_else(|| lines.read_line(|_| ())),
        }
    }
    Err(match is_cut {
        true => TranscriptError::Cut,
        false if is_empty => TranscriptError::Empty,
        false => TranscriptError::Unknown,
    })
}

/// Whether a text begins with a document, or the head of one: an object on several lines, or one that is known.
fn may_be_document(beginning: &str) -> bool {
    let text = beginning.trim_start();
    match RawObject::first(text) {
        Ok(object) => object.has("messages"),
        Err(error) if error.is_eof() => {
            text.contains('\n') || client_of_document(&RawObject::beginning(text)).is_some()
        }
        Err(_) => false,
    }
}

/// The client that wrote a document. If it is cut off, what identifies it comes before its messages.
fn document_of(text: &str) -> Option<Client> {
    let document = match RawObject::first(text) {
        Ok(document) if document.has("messages") => document,
        Err(error) if error.is_eof() && text.contains("\"messages\"") => RawObject::beginning(text),
        _ => return None,
    };
    client_of_document(&document)
}

fn client_of_document(document: &RawObject) -> Option<Client> {
    if document.has_object("info") {
        return Some(Client::OpenCode);
    }
    document.has("projectHash").then_some(Client::Gemini)
}

fn ends_early(text: &str) -> bool {
    let object = RawObject::first(text.trim_start());
    text.trim_start().starts_with('{') && object.is_err_and(|error| error.is_eof())
}

/// The client that wrote a record, by its keys. Records of the system are alike in Claude Code and Qwen Code.
fn client_of(record: &JsonNode) -> Option<Client> {
    let kind = record.word("type");
    let has = |name| record.at(name).is_object();
    let is_text = |name| record.get(name).is_some();
    if has("payload") && is_text("timestamp") {
        Some(Client::Codex)
    } else if has("data") && kind.contains('.') {
        Some(Client::Copilot)
    } else if is_text("projectHash") || has("$set") || kind == "gemini" && is_text("timestamp") {
        Some(Client::Gemini)
    } else if is_text("provenance") || !record.at("message").at("parts").is_nothing() {
        Some(Client::Qwen)
    } else if !matches!(kind, "" | "system") && is_text("sessionId")
        || matches!(kind, "user" | "assistant") && has("message")
        || kind == "summary" && is_text("leafUuid")
    {
        Some(Client::ClaudeCode)
    } else {
        None
    }
}

/// The length of the longest line that is read, in bytes. Longer lines are skipped.
pub(super) const LINE_AT_MOST: usize = 5 << 19;

/// The most bytes that are read of one transcript: a file may be sparse, or grow while it is read.
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
/// lines so far.
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

    /// Gives the current line and all that follow to the reader of a client, and records the gaps.
    pub(super) fn read_by(mut self, client: Client, reader: &mut dyn RunReader) -> io::Result<()> {
        loop {
            let line = self.number;
            let gap = self.read_line(|record| {
                if client_of(record).is_some_and(|other| other != client) {
                    reader.runs().record_gap(Gap::Unreadable { line });
                }
                reader.record(record, line);
            });
            if let Some(gap) = gap {
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

    /// Reads the records of the current line. Returns why not all could be read.
    fn read_line(&self, record: impl FnMut(&JsonNode)) -> Option<Gap> {
        let is_read = self.end != LineEnd::TooLong && each(&text_of_json(&self.line), record);
        (!is_read).then_some(Gap::Unreadable { line: self.number })
    }
}
