//! Reads the records of a transcript, line by line.

use std::hash::{DefaultHasher, Hasher};
use std::io::Read;

use super::cursor::JsonCursor;
use super::lenient::RawText;
use super::lines::{Line, TRANSCRIPT_AT_MOST, TranscriptLines};
use super::members::ReadMembers;
use super::run::{Gap, Run};
use super::runs::Runs;
use super::shape::{Client, client_of};

/// Reads the transcripts of one client, line by line.
pub(super) trait Reader {
    fn runs(&mut self) -> &mut Runs;

    /// Reads the records of a line. Returns whether the whole line could be read.
    fn read(&mut self, text: &str, line: u64) -> bool;

    fn finish(self: Box<Self>) -> Vec<Run>;
}

/// Gives every line to the reader of a client, and records a gap for each line that could not be read.
/// `before` is the number of lines that were read before.
pub(super) fn read_lines(
    source: &mut dyn Read,
    before: u64,
    client: Client,
    reader: &mut dyn Reader,
) -> std::io::Result<()> {
    let mut source = source.take(TRANSCRIPT_AT_MOST);
    let mut lines = TranscriptLines::new(&mut source, before);
    while let Some((number, line)) = lines.next()? {
        let (bytes, is_last) = match line {
            Line::Whole(bytes) => (bytes, false),
            Line::Last(bytes) => (bytes, true),
            Line::TooLong => {
                reader.runs().lose(Gap::LongLine { line: number });
                continue;
            }
        };
        let is_read = with_text(bytes, |text| {
            let is_read = reader.read(text, number);
            if reader.runs().take_foreign() && is_of_another(client, text) {
                reader.runs().lose(Gap::OtherClient { line: number });
            }
            is_read
        });
        if is_read {
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

/// Whether a record is one of another client. If so, it is not certain which client wrote the
/// transcript.
fn is_of_another(client: Client, text: &str) -> bool {
    client_of(text).is_some_and(|(other, _)| other != client)
}

/// Calls a function with the text of a line or a document. Bytes that are not UTF-8 become `?`. They are
/// replaced in place, because a copy would double the memory.
pub(super) fn with_text<R>(bytes: &mut [u8], read: impl FnOnce(&str) -> R) -> R {
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

/// Calls a function with each object of a line, which may have several. Returns whether the whole line
/// could be read.
pub(super) fn each<'a, T: ReadMembers<'a>>(text: &'a str, mut read: impl FnMut(&T)) -> bool {
    let mut json = JsonCursor::new(text);
    while json.peek() == Some(b'{') {
        let mut record = T::default();
        if record.members(&mut json).is_none() {
            return false;
        }
        read(&record);
    }
    json.is_at_end()
}

/// Calls a function with each element of a list, up to the first that cannot be read.
pub(super) fn elements<'a>(list: RawText<'a>, mut read: impl FnMut(RawText<'a>)) {
    let _ = JsonCursor::new(list.0.unwrap_or_default()).elements(|json| {
        read(json.value()?);
        Some(())
    });
}

/// Calls a function with the key and the value of each member of an object, up to the first that cannot
/// be read.
pub(super) fn entries<'a>(object: RawText<'a>, mut read: impl FnMut(&str, RawText<'a>)) {
    let _ = JsonCursor::new(object.0.unwrap_or_default()).members(|json, name| {
        read(name, json.value()?);
        Some(())
    });
}

/// The hash of a text. Equal texts always have the same hash.
pub(super) fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(text.as_bytes());
    hasher.finish()
}
