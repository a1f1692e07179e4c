//! Reads the records of a transcript, line by line.

use std::hash::{DefaultHasher, Hasher};

use super::Run;
use super::cursor::JsonCursor;
use super::lenient::RawText;
use super::members::ReadMembers;
use super::runs::Runs;

/// Reads the transcripts of one client, line by line.
pub(in crate::clients) trait Reader {
    fn runs(&mut self) -> &mut Runs;

    /// Reads the records of a line. Returns whether the whole line could be read.
    fn read(&mut self, text: &str, line: u64) -> bool;

    fn finish(self: Box<Self>) -> Vec<Run>;
}

/// Calls a function with the text of a line or a document. Bytes that are not UTF-8 become `?`. They are
/// replaced in place, because a copy would double the memory.
pub(in crate::clients) fn with_text<R>(bytes: &mut [u8], read: impl FnOnce(&str) -> R) -> R {
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
pub(in crate::clients) fn each<'a, T: ReadMembers<'a>>(
    text: &'a str,
    mut read: impl FnMut(&T),
) -> bool {
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
pub(in crate::clients) fn elements<'a>(list: RawText<'a>, mut read: impl FnMut(RawText<'a>)) {
    let _ = JsonCursor::new(list.0.unwrap_or_default()).elements(|json| {
        read(json.value()?);
        Some(())
    });
}

/// Calls a function with the key and the value of each member of an object, up to the first that cannot
/// be read.
pub(in crate::clients) fn entries<'a>(
    object: RawText<'a>,
    mut read: impl FnMut(&str, RawText<'a>),
) {
    let _ = JsonCursor::new(object.0.unwrap_or_default()).members(|json, name| {
        read(name, json.value()?);
        Some(())
    });
}

/// The hash of a text. Equal texts always have the same hash.
pub(in crate::clients) fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(text.as_bytes());
    hasher.finish()
}
