//! Detects by its content which client wrote a transcript.

use std::io::{self, Read};

use serde::de::IgnoredAny;

use super::error::{DOCUMENT_AT_MOST, TranscriptError};
use super::lines::LINE_AT_MOST;
use super::passed::PassedLines;
use super::shape::{self, TranscriptForm};
use crate::clients::Client;
use crate::clients::run::LenientText;
use crate::json::reader::{GaveUp, JsonReader};

const BLOCK: usize = 64 << 10;

/// The beginning of a transcript whose client is known.
pub(in crate::clients) struct Detected {
    pub(in crate::clients) client: Client,
    pub(in crate::clients) form: TranscriptForm,
    /// The bytes read so far, without the skipped lines.
    pub(in crate::clients) head: Vec<u8>,
    pub(in crate::clients) passed: PassedLines,
}

/// A reader of the bytes read so far, then of the rest.
pub(in crate::clients) struct Replayed<'r> {
    pub(in crate::clients) head: Vec<u8>,
    pub(in crate::clients) at: usize,
    pub(in crate::clients) rest: &'r mut dyn Read,
}

impl Read for Replayed<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.at == self.head.len() {
            // Frees the memory, which the lines that follow need.
            self.head = Vec::new();
            self.at = 0;
            return self.rest.read(into);
        }
        let count = (&self.head[self.at..]).read(into)?;
        self.at += count;
        Ok(count)
    }
}

/// Reads until a record shows which client wrote the transcript.
pub(in crate::clients) fn detect(reader: &mut dyn Read) -> Result<Detected, TranscriptError> {
    let mut head = Vec::new();
    let mut passed = PassedLines::default();
    let mut start = 0;
    let mut searched = 0;
    let (client, form) = loop {
        let count = more(reader, &mut head)?;
        let is_first = start == 0 && passed.count == 0;
        let document = is_first.then(|| document_of(&head[..head.len().min(BLOCK)]));
        if let Some(client) = document.flatten() {
            break (client, TranscriptForm::Document);
        }
        if let Some(found) = client_of_lines(&head, &mut start, searched) {
            break found;
        }
        searched = head.len();
        let is_full = head.len() >= DOCUMENT_AT_MOST;
        if count == 0 || is_full {
            let is_all = passed.count == 0;
            let all = || client_of(&head).filter(|_| is_all);
            if let Some(found) = client_of(&head[start..]).or_else(all) {
                break found;
            }
            if count == 0 {
                return Err(nothing_in(&head, start, passed.count));
            }
            if is_first && head.trim_ascii_start().starts_with(b"{") {
                return Err(TranscriptError::TooLarge);
            }
        }
        let is_long = is_full && head.len() - start > LINE_AT_MOST;
        if start > LINE_AT_MOST || is_long {
            passed.pass(&mut head[..start])?;
            head.drain(..start);
            head.shrink_to_fit();
            start = 0;
            searched = head.len();
        }
        if is_long {
            passed.pass_long_line(reader, &mut head)?;
            searched = 0;
        }
    };
    // Lines before the record that are still in `head` count towards the limit of skipped bytes, too.
    passed.take(start)?;
    // Frees the memory, which the lines need.
    head.shrink_to_fit();
    let detected = Detected {
        client,
        form,
        head,
        passed,
    };
    whole(reader, detected)
}

/// The client that the first line with a known record belongs to. `start` is the offset of the first
/// line that was not looked at, and moves behind each line that has no known record. There is no newline
/// between `start` and `searched`.
fn client_of_lines(
    head: &[u8],
    start: &mut usize,
    searched: usize,
) -> Option<(Client, TranscriptForm)> {
    let mut searched = searched;
    while let Some(at) = memchr::memchr(b'\n', &head[searched..]) {
        let end = searched + at;
        let found = client_of(&head[*start..end]);
        if found.is_some() {
            return found;
        }
        *start = end + 1;
        searched = *start;
    }
    None
}

/// The reason why a transcript has no known record. `all` is what is left of it, its last line begins at
/// `start`, and `before` lines were skipped.
fn nothing_in(all: &[u8], start: usize, before: u64) -> TranscriptError {
    if before > 0 {
        TranscriptError::Unknown
    } else if all.trim_ascii().is_empty() {
        TranscriptError::Empty
    } else if ends_early(all) || ends_early(&all[start..]) {
        TranscriptError::Cut
    } else {
        TranscriptError::Unknown
    }
}

/// Whether a text is a JSON object that is cut off.
fn ends_early(text: &[u8]) -> bool {
    let mut values = serde_json::Deserializer::from_slice(text).into_iter::<IgnoredAny>();
    text.trim_ascii_start().starts_with(b"{")
        && matches!(values.next(), Some(Err(error)) if error.is_eof())
}

/// Reads a document to its end. Lines are read later.
fn whole(reader: &mut dyn Read, mut detected: Detected) -> Result<Detected, TranscriptError> {
    if detected.form == TranscriptForm::Document {
        let head = &mut detected.head;
        let rest = (DOCUMENT_AT_MOST + 1).saturating_sub(head.len());
        reader.take(rest as u64).read_to_end(head)?;
        if head.len() > DOCUMENT_AT_MOST {
            return Err(TranscriptError::TooLarge);
        }
    }
    Ok(detected)
}

/// The client whose document has this beginning. The members that identify it come before its messages.
fn document_of(beginning: &[u8]) -> Option<Client> {
    let text = match std::str::from_utf8(beginning) {
        Ok(text) => text,
        Err(error) => std::str::from_utf8(&beginning[..error.valid_up_to()]).ok()?,
    };
    let (mut found, mut info, mut session) = (None, false, false);
    // A beginning that is not JSON to its end is enough.
    let _ = JsonReader::new(text, &mut []).members(|document, name| {
        match name {
            "info" => info = document.value::<Option<IgnoredAny>>()?.is_some(),
            "projectHash" | "sessionId" => {
                session |= document.value::<LenientText>()?.get().is_some();
            }
            "messages" => {
                found = match (info, session) {
                    (true, _) => Some(Client::OpenCode),
                    (false, true) => Some(Client::Gemini),
                    (false, false) => None,
                };
                return Err(GaveUp);
            }
            _ => {
                document.value::<IgnoredAny>()?;
            }
        }
        Ok(())
    });
    found
}

fn client_of(line: &[u8]) -> Option<(Client, TranscriptForm)> {
    shape::client_of(std::str::from_utf8(line).ok()?)
}

fn more(reader: &mut dyn Read, head: &mut Vec<u8>) -> io::Result<usize> {
    let before = head.len();
    reader.take(BLOCK as u64).read_to_end(head)?;
    Ok(head.len() - before)
}
