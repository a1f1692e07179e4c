//! Reads a log as a stream, with little memory, to find where the next record goes. Checks the whole
//! text: a record is added only to a file that is valid JSON from its first byte to its last.

use std::io::Read;

use serde::de::IgnoredAny;

use crate::error_log::ErrorLogError;
use crate::json::string_end::end_of_plain;

/// How many bytes are read at a time.
const CHUNK: usize = 128 * 1024;

/// The most levels of nesting. Each level takes memory, and no real log has that many.
const DEPTH_AT_MOST: usize = 10_000;

/// The most bytes of a key that are kept: more than `errors` takes with every character escaped.
const KEY_BYTES: usize = 64;

/// The most bytes of a number. No real one has that many.
const NUMBER_BYTES: usize = 64 * 1024;

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

/// What may come next if no token is open.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ExpectedToken {
    Value,
    ValueOrEnd,
    Key,
    KeyOrEnd,
    Colon,
    CommaOrEnd,
    Nothing,
}

/// The token that is being read. The next bytes continue it.
#[derive(Clone, Copy)]
enum OpenToken {
    None,
    Text,
    Escape,
    /// A `\u` escape, with the number of hexadecimal digits that are still to come.
    Digits(u8),
    /// A number, `true`, `false` or `null`.
    Word,
}

struct LogScan {
    /// For each open level whether it is an object. If not, it is an array.
    levels: Vec<bool>,
    expected: ExpectedToken,
    token: OpenToken,
    /// The word so far.
    word: Vec<u8>,
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
            word: Vec::new(),
            is_key: false,
            key: Vec::new(),
            is_errors: false,
            offset: 0,
            end_of_last: 0,
            end: None,
        }
    }

    fn feed(&mut self, mut bytes: &[u8]) -> Result<(), ErrorLogError> {
        while let Some(byte) = bytes.first().copied() {
            let taken = match self.token {
                OpenToken::None if matches!(byte, b' ' | b'\t' | b'\n' | b'\r') => {
                    self.offset += 1;
                    bytes = &bytes[1..];
                    continue;
                }
                OpenToken::None => self.between(byte)?,
                OpenToken::Text => self.text(bytes)?,
                OpenToken::Word => self.word(bytes)?,
                OpenToken::Escape | OpenToken::Digits(_) => self.escape(byte)?,
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
        let plain = end_of_plain(bytes).unwrap_or(bytes.len());
        self.note_key(&bytes[..plain]);
        match bytes.get(plain) {
            None => return Ok(plain),
            Some(b'\\') => {
                self.note_key(b"\\");
                self.token = OpenToken::Escape;
            }
            Some(b'"') => self.end_text()?,
            Some(_) => return Err(self.wrong()),
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

    fn escape(&mut self, byte: u8) -> Result<usize, ErrorLogError> {
        self.note_key(&[byte]);
        self.token = match (self.token, byte) {
            (OpenToken::Escape, b'u') => OpenToken::Digits(4),
            (OpenToken::Escape, byte) if b"\"\\/bfnrt".contains(&byte) => OpenToken::Text,
            (OpenToken::Digits(1), byte) if byte.is_ascii_hexdigit() => OpenToken::Text,
            (OpenToken::Digits(left), byte) if byte.is_ascii_hexdigit() => {
                OpenToken::Digits(left - 1)
            }
            _ => return Err(self.wrong()),
        };
        Ok(1)
    }

    fn word(&mut self, bytes: &[u8]) -> Result<usize, ErrorLogError> {
        let is_of_word = |byte: &&u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
        let taken = bytes.iter().take_while(is_of_word).count();
        self.word.extend_from_slice(&bytes[..taken]);
        let is_whole = taken < bytes.len();
        let is_valid = || serde_json::from_slice::<IgnoredAny>(&self.word).is_ok();
        if self.word.len() > NUMBER_BYTES || (is_whole && !is_valid()) {
            return Err(self.wrong());
        }
        if is_whole {
            self.word.clear();
            self.token = OpenToken::None;
            self.expected = ExpectedToken::CommaOrEnd;
        }
        Ok(taken)
    }

    /// Reads a byte between two tokens, which may start a token. Returns the number of bytes that were
    /// read: 0 if the byte starts a word.
    fn between(&mut self, byte: u8) -> Result<usize, ErrorLogError> {
        use ExpectedToken::{Colon, CommaOrEnd, Key, KeyOrEnd, Value, ValueOrEnd};
        let is_object = self.levels.last().copied();
        match (self.expected, byte) {
            (Value | ValueOrEnd, _) if byte != b']' => return self.value(byte),
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
        Ok(1)
    }

    fn value(&mut self, byte: u8) -> Result<usize, ErrorLogError> {
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
            _ => {
                self.token = OpenToken::Word;
                return Ok(0);
            }
        }
        Ok(1)
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
