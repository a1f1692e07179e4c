//! Reads a log as a stream, with little memory, to find where the next record goes. Checks the whole
//! text: a record is added only to a file that is valid JSON from its first byte to its last.

mod number;
mod state;

use std::io::Read;

use crate::error_log::ErrorLogError;
use number::NumberPart;
use state::{ExpectedToken, OpenToken};

/// How many bytes are read at a time.
const CHUNK: usize = 128 * 1024;

/// The most levels of nesting. Each level takes memory, and no real log has that many.
const DEPTH_AT_MOST: usize = 10_000;

/// The most bytes of a key that are kept: more than `errors` takes with every character escaped.
const KEY_BYTES: usize = 64;

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

/// Whether a level is an object. If not, it is an array.
type IsObject = bool;

struct LogScan {
    levels: Vec<IsObject>,
    expected: ExpectedToken,
    token: OpenToken,
    /// Whether the open string is a key.
    is_key: bool,
    /// The raw text of the last key of the outermost object, with its escapes.
    key: Vec<u8>,
    /// Whether the next value, or the one that is being read, is that of `errors`.
    is_errors: bool,
    offset: u64,
    /// The offset of the end of the last token.
    end_of_last: u64,
    end: Option<ArrayEnd>,
}

/// Reads a log and returns where the next record goes.
pub(super) fn end(mut reader: impl Read) -> Result<ArrayEnd, ErrorLogError> {
    let mut scan = LogScan::new();
    let mut buffer = vec![0; CHUNK];
    let mut kept = 0;
    loop {
        let read = match reader.read(&mut buffer[kept..]) {
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            read => read?,
        };
        let chunk = &buffer[..kept + read];
        let whole = match std::str::from_utf8(chunk) {
            Ok(_) => chunk.len(),
            // The last character continues in the next chunk.
            Err(error) if error.error_len().is_none() && read > 0 => error.valid_up_to(),
            Err(_) => return Err(ErrorLogError::not_json("it is not UTF-8")),
        };
        scan.feed(&chunk[..whole])?;
        if read == 0 {
            return scan.finish();
        }
        buffer.copy_within(whole..kept + read, 0);
        kept = kept + read - whole;
    }
}

impl LogScan {
    fn new() -> Self {
        Self {
            levels: Vec::new(),
            expected: ExpectedToken::Value,
            token: OpenToken::None,
            is_key: false,
            key: Vec::new(),
            is_errors: false,
            offset: 0,
            end_of_last: 0,
            end: None,
        }
    }

    fn feed(&mut self, mut bytes: &[u8]) -> Result<(), ErrorLogError> {
        while let Some(byte) = bytes.first() {
            let taken = match self.token {
                OpenToken::None if is_space(*byte) => {
                    let spaces = bytes.iter().take_while(|it| is_space(**it)).count();
                    self.offset += spaces as u64;
                    bytes = &bytes[spaces..];
                    continue;
                }
                OpenToken::Text => self.text(bytes)?,
                _ => self.one(*byte)?,
            };
            self.offset += taken as u64;
            self.end_of_last = self.offset;
            bytes = &bytes[taken..];
        }
        Ok(())
    }

    fn finish(self) -> Result<ArrayEnd, ErrorLogError> {
        match self.end {
            _ if self.expected != ExpectedToken::Nothing => {
                Err(ErrorLogError::not_json("it ends too early"))
            }
            Some(end) => Ok(end),
            None => Err(ErrorLogError::no_log()),
        }
    }

    fn wrong(&self) -> ErrorLogError {
        ErrorLogError::not_json(&format!("it is not JSON at byte {}", self.offset))
    }

    /// Reads the inside of a string, up to the end of the bytes or to the first quote or backslash and
    /// including it. Returns the number of bytes that were read.
    fn text(&mut self, bytes: &[u8]) -> Result<usize, ErrorLogError> {
        let plain = memchr::memchr2(b'"', b'\\', bytes).unwrap_or(bytes.len());
        // The compiler can compare many bytes at a time for their minimum, but not to find the first one
        // below a space. It can do so only for values, not for references.
        let least = bytes[..plain].iter().copied().min();
        if least.is_some_and(|it| it < b' ') {
            return Err(self.wrong());
        }
        self.note_key(&bytes[..plain]);
        match bytes.get(plain) {
            None => return Ok(plain),
            Some(b'\\') => {
                self.note_key(b"\\");
                self.token = OpenToken::Escape;
            }
            Some(_) => self.end_text()?,
        }
        Ok(plain + 1)
    }

    fn note_key(&mut self, bytes: &[u8]) {
        if self.is_key && self.levels.len() == 1 {
            let room = KEY_BYTES - self.key.len();
            self.key.extend_from_slice(&bytes[..bytes.len().min(room)]);
        }
    }

    fn end_text(&mut self) -> Result<(), ErrorLogError> {
        self.token = OpenToken::None;
        if !self.is_key {
            self.expected = ExpectedToken::CommaOrEnd;
            return Ok(());
        }
        self.expected = ExpectedToken::Colon;
        if self.levels.len() == 1 {
            let quoted = [b"\"", &*self.key, b"\""].concat();
            let key = serde_json::from_slice::<String>(&quoted);
            self.is_errors = key.is_ok_and(|key| key == "errors");
            if self.is_errors && self.end.is_some() {
                return Err(ErrorLogError::not_json("it has \"errors\" twice"));
            }
        }
        Ok(())
    }

    /// Reads one byte outside the plain part of a string. Returns the number of bytes that were read: 0
    /// if the byte ends a number, otherwise 1.
    fn one(&mut self, byte: u8) -> Result<usize, ErrorLogError> {
        match self.token {
            OpenToken::None => self.between(byte)?,
            OpenToken::Text | OpenToken::Escape => {
                self.note_key(&[byte]);
                self.token = match byte {
                    b'u' => OpenToken::Digits(4),
                    b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => OpenToken::Text,
                    _ => return Err(self.wrong()),
                };
            }
            OpenToken::Digits(left) => {
                if !byte.is_ascii_hexdigit() {
                    return Err(self.wrong());
                }
                self.note_key(&[byte]);
                self.token = if left == 1 {
                    OpenToken::Text
                } else {
                    OpenToken::Digits(left - 1)
                };
            }
            OpenToken::Number(number) => match number.next(byte) {
                Some(next) => self.token = OpenToken::Number(next),
                None if number.is_whole() => {
                    self.end_scalar();
                    return Ok(0);
                }
                None => return Err(self.wrong()),
            },
            OpenToken::Word(rest) => match rest.split_first() {
                Some((next, rest)) if *next == byte => {
                    self.token = OpenToken::Word(rest);
                    if rest.is_empty() {
                        self.end_scalar();
                    }
                }
                _ => return Err(self.wrong()),
            },
        }
        Ok(1)
    }

    fn end_scalar(&mut self) {
        self.token = OpenToken::None;
        self.expected = ExpectedToken::CommaOrEnd;
    }

    /// Reads a byte between two tokens, which may start a token.
    fn between(&mut self, byte: u8) -> Result<(), ErrorLogError> {
        use ExpectedToken::{Colon, CommaOrEnd, Key, KeyOrEnd, Value, ValueOrEnd};
        let is_object = self.levels.last().copied();
        match (self.expected, byte) {
            (Value | ValueOrEnd, _) if byte != b']' => self.value(byte)?,
            (Key | KeyOrEnd, b'"') => {
                self.token = OpenToken::Text;
                self.is_key = true;
                self.key.clear();
            }
            (Colon, b':') => self.expected = Value,
            (CommaOrEnd, b',') if is_object == Some(true) => self.expected = Key,
            (CommaOrEnd, b',') if is_object == Some(false) => self.expected = Value,
            (CommaOrEnd | KeyOrEnd, b'}') if is_object == Some(true) => self.close(),
            (CommaOrEnd | ValueOrEnd, b']') if is_object == Some(false) => self.close(),
            _ => return Err(self.wrong()),
        }
        Ok(())
    }

    fn value(&mut self, byte: u8) -> Result<(), ErrorLogError> {
        let is_document = self.levels.is_empty();
        let is_list = self.levels.len() == 1 && self.is_errors;
        if (is_document && byte != b'{') || (is_list && byte != b'[') {
            return Err(ErrorLogError::no_log());
        }
        match byte {
            b'{' | b'[' if self.levels.len() == DEPTH_AT_MOST => {
                return Err(ErrorLogError::not_json("it is nested too deeply"));
            }
            b'{' => {
                self.levels.push(true);
                self.expected = ExpectedToken::KeyOrEnd;
            }
            b'[' => {
                self.levels.push(false);
                self.expected = ExpectedToken::ValueOrEnd;
            }
            b'"' => {
                self.token = OpenToken::Text;
                self.is_key = false;
            }
            b't' => self.token = OpenToken::Word(b"rue"),
            b'f' => self.token = OpenToken::Word(b"alse"),
            b'n' => self.token = OpenToken::Word(b"ull"),
            _ => {
                self.token =
                    OpenToken::Number(NumberPart::first(byte).ok_or_else(|| self.wrong())?);
            }
        }
        Ok(())
    }

    fn close(&mut self) {
        if self.levels.len() == 2 && self.is_errors {
            self.end = Some(ArrayEnd {
                offset: self.end_of_last,
                is_empty: self.expected == ExpectedToken::ValueOrEnd,
                is_tight: self.end_of_last == self.offset,
            });
            self.is_errors = false;
        }
        self.levels.pop();
        self.expected = if self.levels.is_empty() {
            ExpectedToken::Nothing
        } else {
            ExpectedToken::CommaOrEnd
        };
    }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}
