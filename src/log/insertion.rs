//! Finds where the next record goes in a log. Reads the log as a stream, in little memory, and checks the
//! whole text: a record is added only to a file that is valid JSON from its first byte to its last.

use std::cell::Cell;
use std::fmt;
use std::io::{self, BufReader, ErrorKind, Read};

use serde::de::{
    DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor,
};

use crate::text::escape;

const CHUNK: usize = 128 * 1024;

/// Where records are added to a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Insertion {
    /// The offset in bytes after the last record, or after the bracket that opens the array.
    pub(crate) offset: u64,
    /// Whether there are no records yet.
    is_empty: bool,
    /// Whether the bracket that closes the array follows at once, without white space.
    is_tight: bool,
}

impl Insertion {
    /// Finds where records are added to a log. The error is safe to print.
    pub(crate) fn find(log: impl Read) -> io::Result<Self> {
        let position = ReadPosition::default();
        let mut log = serde_json::Deserializer::from_reader(ByteReader {
            source: BufReader::with_capacity(CHUNK, log),
            position: &position,
            character: Vec::new(),
        });
        let document = LogPart {
            position: &position,
            expected: "an object",
        };
        let found = log.deserialize_map(document);
        let found = found.and_then(|found| log.end().map(|()| found));
        found.map_err(not_a_log)
    }

    /// Returns the text before a record that is added.
    pub(crate) fn separator(&self, is_first: bool) -> &'static str {
        if is_first && self.is_empty {
            "\n    "
        } else {
            ",\n    "
        }
    }

    /// Returns the text after the last record that is added.
    pub(crate) fn ending(&self) -> &'static str {
        if self.is_tight { "\n  " } else { "" }
    }
}

fn not_a_log(error: serde_json::Error) -> io::Error {
    let is_of_reader = error.is_io();
    let error = io::Error::from(error);
    let why = match error.kind() {
        ErrorKind::InvalidData if is_of_reader => "it is not UTF-8".to_owned(),
        _ if is_of_reader => return error,
        _ => escape::truncated(&error.to_string()).to_string(),
    };
    io::Error::other(format!(
        "not a JSON document with an \"errors\" array; the file was not changed: {why}"
    ))
}

/// How far the parser has read, in bytes. `last` is after the last byte that is not white space, and
/// `before` is after the one before that.
#[derive(Default)]
struct ReadPosition {
    read: Cell<u64>,
    last: Cell<u64>,
    before: Cell<u64>,
}

/// Hands out one byte at a time, so that the position is that of the parser.
struct ByteReader<'p, R> {
    source: BufReader<R>,
    position: &'p ReadPosition,
    /// A character whose last bytes are still to come. The parser does not look at those that it skips.
    character: Vec<u8>,
}

impl<R: Read> Read for ByteReader<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut byte = [0];
        let (Some(to), 1) = (buffer.first_mut(), self.source.read(&mut byte)?) else {
            return Ok(0);
        };
        let [byte] = byte;
        if !byte.is_ascii() || !self.character.is_empty() {
            self.character.push(byte);
            match std::str::from_utf8(&self.character) {
                Ok(_) => self.character.clear(),
                Err(error) if error.error_len().is_none() => {}
                Err(_) => return Err(ErrorKind::InvalidData.into()),
            }
        }
        let ReadPosition { read, last, before } = self.position;
        read.set(read.get() + 1);
        if !byte.is_ascii_whitespace() {
            before.set(last.replace(read.get()));
        }
        *to = byte;
        Ok(1)
    }
}

/// The document, an object with a list `errors`, or that list.
struct LogPart<'p> {
    position: &'p ReadPosition,
    expected: &'static str,
}

impl<'de> DeserializeSeed<'de> for LogPart<'_> {
    type Value = Insertion;

    fn deserialize<D: Deserializer<'de>>(self, source: D) -> Result<Insertion, D::Error> {
        source.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for LogPart<'_> {
    type Value = Insertion;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.expected)
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Insertion, M::Error> {
        let mut found = None;
        while let Some(key) = map.next_key::<String>()? {
            if key != "errors" {
                map.next_value::<IgnoredAny>()?;
                continue;
            }
            let errors = map.next_value_seed(LogPart {
                expected: "a list of errors",
                ..self
            })?;
            if found.replace(errors).is_some() {
                return Err(M::Error::duplicate_field("errors"));
            }
        }
        found.ok_or_else(|| M::Error::missing_field("errors"))
    }

    fn visit_seq<S: SeqAccess<'de>>(self, mut records: S) -> Result<Insertion, S::Error> {
        let mut is_empty = true;
        while records.next_element::<IgnoredAny>()?.is_some() {
            is_empty = false;
        }
        // The parser has just read the bracket that closes the list.
        let offset = self.position.before.get();
        Ok(Insertion {
            offset,
            is_empty,
            is_tight: offset + 1 == self.position.last.get(),
        })
    }
}
