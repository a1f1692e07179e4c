//! The records of a line, and what reads them.

use std::fmt;
use std::hash::{DefaultHasher, Hasher};
use std::io::Read;
use std::sync::LazyLock;

use memchr::memmem::Finder;
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use crate::text::surrogates::replace_halves;

use super::lenient::{LenientText, Object};
use super::lines::{Line, TRANSCRIPT_AT_MOST, TranscriptLines};
use super::run::{Gap, Run};
use super::runs::Runs;

/// Reads the transcripts of one client, line by line.
pub(super) trait Reader {
    fn runs(&mut self) -> &mut Runs;

    /// Reads the records of a line. Says whether all of it could be read.
    fn read(&mut self, text: &str, line: u64) -> bool;

    fn finish(self: Box<Self>) -> Vec<Run>;
}

/// Hands every line to the reader, and remembers what could not be read.
pub(super) fn read_lines(source: &mut dyn Read, reader: &mut dyn Reader) -> std::io::Result<()> {
    let mut source = source.take(TRANSCRIPT_AT_MOST);
    let mut lines = TranscriptLines::new(&mut source);
    while let Some((number, line)) = lines.next()? {
        let (bytes, is_last) = match line {
            Line::Whole(bytes) => (bytes, false),
            Line::Last(bytes) => (bytes, true),
            Line::TooLong => {
                reader.runs().lose(Gap::LongLine { line: number });
                continue;
            }
        };
        if with_text(bytes, |text| reader.read(text, number)) {
            continue;
        }
        let gap = if is_last {
            Gap::HalfLine
        } else {
            Gap::Unreadable { line: number }
        };
        reader.runs().lose(gap);
    }
    if source.limit() == 0 {
        reader.runs().lose(Gap::TooMuch);
    }
    Ok(())
}

/// Calls a function with the text of a line or a document, in which what is no text is replaced. In
/// place, because a copy would double the memory.
pub(super) fn with_text<R>(bytes: &mut [u8], read: impl FnOnce(&str) -> R) -> R {
    static FINDER: LazyLock<Finder> = LazyLock::new(|| Finder::new(SURROGATE));
    // Hardly any line has one. Clients in JavaScript write halves of pairs where they cut a text.
    if FINDER.find(bytes).is_some() {
        replace_halves(bytes);
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        return read(text);
    }
    let mut valid = 0;
    while let Err(error) = std::str::from_utf8(&bytes[valid..]) {
        let start = valid + error.valid_up_to();
        valid = error
            .error_len()
            .map_or(bytes.len(), |length| start + length);
        bytes[start..valid].fill(b'?');
    }
    read(std::str::from_utf8(bytes).unwrap_or_default())
}

/// Calls a function with each object of a line: two of them may stand on one. Says whether all of
/// the line could be read.
pub(super) fn each<'a, T: Deserialize<'a>>(text: &'a str, mut read: impl FnMut(T)) -> bool {
    let values = serde_json::Deserializer::from_str(text).into_iter::<Object<T>>();
    for value in values {
        match value {
            Ok(Object(Some(value))) => read(value),
            Ok(Object(None)) | Err(_) => return false,
        }
    }
    true
}

/// Calls a function with each element of a list.
pub(super) fn elements<'a>(list: Option<&'a RawValue>, read: impl FnMut(&'a RawValue)) {
    if let Some(list) = list {
        // What cannot be read ends the list.
        let _ = serde_json::Deserializer::from_str(list.get()).deserialize_seq(Elements(read));
    }
}

struct Elements<F>(F);

impl<'de, F: FnMut(&'de RawValue)> Visitor<'de> for Elements<F> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut list: A) -> Result<(), A::Error> {
        while let Some(element) = list.next_element()? {
            (self.0)(element);
        }
        Ok(())
    }
}

/// Calls a function with the name and the value of each member of an object.
pub(super) fn entries(object: Option<&RawValue>, read: impl FnMut(&str, &RawValue)) {
    if let Some(object) = object {
        // What cannot be read ends the object.
        let _ =
            serde_json::Deserializer::from_str(object.get()).deserialize_map(MemberVisitor(read));
    }
}

struct MemberVisitor<F>(F);

impl<'de, F: FnMut(&str, &RawValue)> Visitor<'de> for MemberVisitor<F> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<(), A::Error> {
        while let Some((key, value)) = map.next_entry::<LenientText, &RawValue>()? {
            (self.0)(key.or_empty(), value);
        }
        Ok(())
    }
}

/// A number for a text that is the same within a transcript.
pub(super) fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(text.as_bytes());
    hasher.finish()
}

/// How the escape of half a pair begins, as JavaScript writes it.
const SURROGATE: &[u8] = b"\\ud";
