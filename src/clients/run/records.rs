//! Reads the records of a transcript, line by line.

use std::hash::{DefaultHasher, Hasher};

use serde::Deserialize;

use super::Run;
use super::runs::Runs;
use crate::json::reader::JsonReader;

/// Reads the transcripts of one client, line by line.
pub(in crate::clients) trait Reader {
    fn runs(&mut self) -> &mut Runs;

    /// Reads the records of a line. Returns whether the whole line could be read.
    fn read(&mut self, text: &str, line: u64) -> bool;

    fn finish(&mut self) -> Vec<Run> {
        self.runs().finish()
    }
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
pub(in crate::clients) fn each<'a, T: Deserialize<'a>>(
    text: &'a str,
    mut read: impl FnMut(&T),
) -> bool {
    let mut json = JsonReader::new(text, &mut []);
    while json.rest().starts_with('{') {
        match T::deserialize(&mut json) {
            Ok(record) => read(&record),
            Err(_) => return false,
        }
    }
    json.end().is_ok()
}

/// The hash of a text. Equal texts always have the same hash.
pub(crate) fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(text.as_bytes());
    hasher.finish()
}

/// Counts the lines of a document up to places that follow each other.
pub(in crate::clients) struct LineCount<'t> {
    text: &'t str,
    at: usize,
    line: u64,
}

impl<'t> LineCount<'t> {
    pub(in crate::clients) const fn new(text: &'t str) -> Self {
        Self {
            text,
            at: 0,
            line: 1,
        }
    }

    /// The line on which the next value of the reader begins, from 1.
    pub(in crate::clients) fn line(&mut self, reader: &mut JsonReader) -> u64 {
        let at = self.text.len() - reader.rest().len();
        let passed = self.text.as_bytes().get(self.at..at).unwrap_or_default();
        self.line += memchr::memchr_iter(b'\n', passed).count() as u64;
        self.at = at;
        self.line
    }
}
