//! A reader for JSON as programs write it, which is nearly all JSON.
//!
//! It borrows every string, and leaves those with escapes, and numbers with a fraction or of many
//! digits, to `serde_json`. It takes fewer instructions for that. Where a text is not JSON or exceeds
//! a limit it gives up without a reason: the whole text is then left to `serde_json`, which says what
//! is wrong. A test compares both readers.

use std::fmt::{self, Display, Formatter};

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde::forward_to_deserialize_any;

use crate::json::string_end::quote_or_backslash;

/// Arrays and objects in each other that `serde_json` accepts, too.
const LEVELS: usize = 127;

/// Reads a text from its beginning to its end.
pub(crate) struct QuickReader<'t> {
    text: &'t str,
    at: usize,
    depth: usize,
    /// Whether there are control characters anywhere. JSON allows none in strings, and text without
    /// line breaks has none at all.
    has_controls: bool,
}

/// The text is not for this reader.
#[derive(Debug)]
pub(crate) struct GaveUp;

impl std::error::Error for GaveUp {}

impl Display for GaveUp {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        out.write_str("not read")
    }
}

impl Error for GaveUp {
    fn custom<T: Display>(_: T) -> Self {
        Self
    }
}

type QuickResult<T> = Result<T, GaveUp>;

impl<'t> QuickReader<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        Self {
            text,
            at: 0,
            depth: 0,
            has_controls: has_controls(text),
        }
    }

    /// Makes sure that nothing follows the value.
    pub(crate) fn end(mut self) -> QuickResult<()> {
        match self.peek() {
            Err(GaveUp) if self.at == self.text.len() => Ok(()),
            _ => Err(GaveUp),
        }
    }

    /// The next byte that is not white space, which is not passed.
    fn peek(&mut self) -> QuickResult<u8> {
        let bytes = self.text.as_bytes();
        loop {
            let byte = *bytes.get(self.at).ok_or(GaveUp)?;
            if byte > b' ' {
                return Ok(byte);
            }
            if !matches!(byte, b' ' | b'\n' | b'\t' | b'\r') {
                return Err(GaveUp);
            }
            self.at += 1;
        }
    }

    fn expect(&mut self, byte: u8) -> QuickResult<()> {
        if self.peek()? != byte {
            return Err(GaveUp);
        }
        self.at += 1;
        Ok(())
    }

    /// Passes a word such as `true`.
    fn word(&mut self, word: &str) -> QuickResult<()> {
        if !self.text.as_bytes()[self.at..].starts_with(word.as_bytes()) {
            return Err(GaveUp);
        }
        self.at += word.len();
        Ok(())
    }

    /// Reads a string; `at` is on its opening quote.
    fn string<V: Visitor<'t>>(&mut self, visitor: V) -> QuickResult<V::Value> {
        let start = self.at + 1;
        let end = self.next_mark(start)?;
        if self.text.as_bytes()[end] == b'\\' {
            return self.string_with_escapes(end, visitor);
        }
        let string = &self.text[start..end];
        if self.has_controls && has_controls(string) {
            return Err(GaveUp);
        }
        self.at = end + 1;
        visitor.visit_borrowed_str(string)
    }

    /// Leaves a string to `serde_json`; `end` is at its first backslash.
    fn string_with_escapes<V: Visitor<'t>>(
        &mut self,
        mut end: usize,
        visitor: V,
    ) -> QuickResult<V::Value> {
        while self.text.as_bytes()[end] == b'\\' {
            end = self.next_mark(end + 2)?;
        }
        let string = &self.text[self.at..=end];
        self.at = end + 1;
        let mut string = serde_json::Deserializer::from_str(string);
        string.deserialize_str(visitor).map_err(|_| GaveUp)
    }

    /// The next quote or backslash.
    fn next_mark(&self, from: usize) -> QuickResult<usize> {
        let rest = self.text.as_bytes().get(from..).ok_or(GaveUp)?;
        let found = quote_or_backslash(rest).ok_or(GaveUp)?;
        Ok(from + found)
    }

    fn number<V: Visitor<'t>>(&mut self, visitor: V) -> QuickResult<V::Value> {
        /// So many digits always fit into 64 bits.
        const DIGITS: usize = 18;
        let rest = &self.text.as_bytes()[self.at..];
        let is_part = |byte: &u8| matches!(byte, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-');
        let length = rest.iter().position(|byte| !is_part(byte));
        let (number, _) = rest.split_at(length.unwrap_or(rest.len()));
        let start = self.at;
        self.at += number.len();
        let is_plain = matches!(number, [b'0'] | [b'1'..=b'9', ..]) && number.len() <= DIGITS;
        if is_plain && number.iter().all(u8::is_ascii_digit) {
            let add = |value, digit: &u8| value * 10 + u64::from(digit - b'0');
            return visitor.visit_u64(number.iter().fold(0, add));
        }
        let mut number = serde_json::Deserializer::from_str(&self.text[start..self.at]);
        let value = number.deserialize_any(visitor).map_err(|_| GaveUp)?;
        number.end().map_err(|_| GaveUp)?;
        Ok(value)
    }

    /// Enters an array or object.
    fn enter(&mut self) -> QuickResult<Inside<'_, 't>> {
        self.at += 1;
        self.depth += 1;
        if self.depth > LEVELS {
            return Err(GaveUp);
        }
        Ok(Inside {
            reader: self,
            is_first: true,
        })
    }

    /// Leaves it at its closing bracket.
    fn leave(&mut self, bracket: u8) -> QuickResult<()> {
        self.depth -= 1;
        self.expect(bracket)
    }
}

/// Whether there are control characters of ASCII, but for DEL.
fn has_controls(text: &str) -> bool {
    // Without a way out in between, many bytes are looked at together.
    text.bytes().fold(u8::MAX, u8::min) < b' '
}

impl<'t> Deserializer<'t> for &mut QuickReader<'t> {
    type Error = GaveUp;

    fn deserialize_any<V: Visitor<'t>>(self, visitor: V) -> QuickResult<V::Value> {
        match self.peek()? {
            b'"' => self.string(visitor),
            b'{' => {
                let value = visitor.visit_map(self.enter()?)?;
                self.leave(b'}').map(|()| value)
            }
            b'[' => {
                let value = visitor.visit_seq(self.enter()?)?;
                self.leave(b']').map(|()| value)
            }
            b'-' | b'0'..=b'9' => self.number(visitor),
            b't' => {
                self.word("true")?;
                visitor.visit_bool(true)
            }
            b'f' => {
                self.word("false")?;
                visitor.visit_bool(false)
            }
            b'n' => {
                self.word("null")?;
                visitor.visit_unit()
            }
            _ => Err(GaveUp),
        }
    }

    fn deserialize_str<V: Visitor<'t>>(self, visitor: V) -> QuickResult<V::Value> {
        match self.peek()? {
            b'"' => self.string(visitor),
            _ => Err(GaveUp),
        }
    }

    forward_to_deserialize_any! {
        <V: Visitor<'t>>
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char string bytes byte_buf option unit
        unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

/// The members of an object or the items of an array.
struct Inside<'r, 't> {
    reader: &'r mut QuickReader<'t>,
    is_first: bool,
}

impl Inside<'_, '_> {
    /// Goes on to the next one, unless the closing bracket follows.
    fn goes_on(&mut self, bracket: u8) -> QuickResult<bool> {
        let byte = self.reader.peek()?;
        if byte == bracket {
            return Ok(false);
        }
        if !std::mem::replace(&mut self.is_first, false) {
            if byte != b',' {
                return Err(GaveUp);
            }
            self.reader.at += 1;
        }
        Ok(true)
    }
}

impl<'t> SeqAccess<'t> for Inside<'_, 't> {
    type Error = GaveUp;

    fn next_element_seed<S: DeserializeSeed<'t>>(
        &mut self,
        seed: S,
    ) -> QuickResult<Option<S::Value>> {
        if !self.goes_on(b']')? {
            return Ok(None);
        }
        seed.deserialize(&mut *self.reader).map(Some)
    }
}

impl<'t> MapAccess<'t> for Inside<'_, 't> {
    type Error = GaveUp;

    fn next_key_seed<S: DeserializeSeed<'t>>(&mut self, seed: S) -> QuickResult<Option<S::Value>> {
        if !self.goes_on(b'}')? {
            return Ok(None);
        }
        seed.deserialize(&mut *self.reader).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'t>>(&mut self, seed: S) -> QuickResult<S::Value> {
        self.reader.expect(b':')?;
        seed.deserialize(&mut *self.reader)
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize as _;
    use serde_json::Value;

    use super::*;

    fn read(text: &str) -> Option<Value> {
        let mut reader = QuickReader::new(text);
        let value = Value::deserialize(&mut reader).ok()?;
        reader.end().ok().map(|()| value)
    }

    #[track_caller]
    fn compare(text: &str) {
        let expected = serde_json::from_str::<Value>(text).ok();
        assert_eq!(read(text), expected, "{text:?}");
    }

    const TEXTS: [&str; 6] = [
        r#" {"a": [1, -2, 0.5, 1e3, true, false, null], "b": {}, "c": []} "#,
        r#"{"k\u0065y": "v\n\"\\\ud83d\ude80 é", "key": "\ud83d"}"#,
        "[\n\t\"a\",\r\n {\"b\":\"c\"}]",
        r"[0,-0,-1,10,999999999999999999,1000000000000000000,18446744073709551616,1E400]",
        r#"[[[[]]],{"":{"":[""]}}]"#,
        "\"\"",
    ];

    /// What is put in at every place, and in place of every character.
    const PIECES: [&str; 22] = [
        "", "\"", "\\", "\\u", "{", "}", "[", "]", ",", ":", "0", "1", "-", ".", "e", "+", " ",
        "\n", "\0", "\u{7f}", "é", "null",
    ];

    #[test]
    fn texts_are_read_as_by_serde_json_whatever_is_changed_in_them() {
        for text in TEXTS {
            compare(text);
            for (at, character) in text.char_indices() {
                let (before, after) = text.split_at(at);
                compare(before);
                for piece in PIECES {
                    compare(&format!("{before}{piece}{after}"));
                    let rest = &after[character.len_utf8()..];
                    compare(&format!("{before}{piece}{rest}"));
                }
            }
        }
    }

    #[test]
    fn texts_are_read_down_to_the_level_of_serde_json() {
        for levels in [1, LEVELS - 1, LEVELS, LEVELS + 1] {
            compare(&format!("{}{}", "[".repeat(levels), "]".repeat(levels)));
            let objects = format!("{}1{}", r#"{"a":"#.repeat(levels), "}".repeat(levels));
            compare(&objects);
        }
    }
}
