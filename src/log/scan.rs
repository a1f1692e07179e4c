//! Reads a log as a stream, in little memory, to find where the next record goes. Checks the whole
//! text: a record is added only to a file that is valid JSON from its first byte to its last.

use std::cell::Cell;
use std::fmt;
use std::io::{self, BufReader, ErrorKind, Read};

use serde::de::{
    DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor,
};

use crate::log::ErrorLogError;
use crate::text::escape;

const CHUNK: usize = 128 * 1024;

/// Where the next record goes in a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ArrayEnd {
    /// The offset after the last record, or after the bracket that opens the array.
    pub(super) offset: u64,
    /// Whether there are no records yet.
    pub(super) is_empty: bool,
    /// Whether the bracket that closes the array follows at once, without white space.
    pub(super) is_tight: bool,
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

pub(super) fn end(log: impl Read) -> Result<ArrayEnd, ErrorLogError> {
    let position = ReadPosition::default();
    let mut log = serde_json::Deserializer::from_reader(ByteReader {
        source: BufReader::with_capacity(CHUNK, log),
        position: &position,
        character: Vec::new(),
    });
    let end = log.deserialize_map(Log(&position));
    end.and_then(|end| log.end().map(|()| end))
        .map_err(|error| {
            if !error.is_io() {
                let error = error.to_string();
                return ErrorLogError::NotALog(escape::truncated(&error).to_string());
            }
            match io::Error::from(error) {
                error if error.kind() == ErrorKind::InvalidData => {
                    ErrorLogError::NotALog("it is not UTF-8".to_owned())
                }
                error => ErrorLogError::Read(error),
            }
        })
}

/// The document, an object with a list `errors`.
struct Log<'p>(&'p ReadPosition);

impl<'de> Visitor<'de> for Log<'_> {
    type Value = ArrayEnd;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an object")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<ArrayEnd, M::Error> {
        let mut end = None;
        while let Some(key) = map.next_key::<String>()? {
            if key != "errors" {
                map.next_value::<IgnoredAny>()?;
            } else if end.replace(map.next_value_seed(Records(self.0))?).is_some() {
                return Err(M::Error::duplicate_field("errors"));
            }
        }
        end.ok_or_else(|| M::Error::missing_field("errors"))
    }
}

struct Records<'p>(&'p ReadPosition);

impl<'de> DeserializeSeed<'de> for Records<'_> {
    type Value = ArrayEnd;

    fn deserialize<D: Deserializer<'de>>(self, source: D) -> Result<ArrayEnd, D::Error> {
        source.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Records<'_> {
    type Value = ArrayEnd;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a list of errors")
    }

    fn visit_seq<S: SeqAccess<'de>>(self, mut records: S) -> Result<ArrayEnd, S::Error> {
        let mut is_empty = true;
        while records.next_element::<IgnoredAny>()?.is_some() {
            is_empty = false;
        }
        // The parser has just read the bracket that closes the list.
        let offset = self.0.before.get();
        Ok(ArrayEnd {
            offset,
            is_empty,
            is_tight: offset + 1 == self.0.last.get(),
        })
    }
}
