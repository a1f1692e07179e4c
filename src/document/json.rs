//! The form of JSON: reads a text into a tree.
//!
//! It takes what `serde_json` takes, which words what is wrong where this reader refuses a text; a test compares
//! both.

use std::borrow::Cow;

use memchr::memchr2;
use serde::de::IgnoredAny;

use crate::document::tree::{Chars, Kind, NodeKey, Tree};
use crate::document::{DEPTH_AT_MOST, ITEMS_AT_MOST};
use crate::text::Span;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refused {
    Syntax,
    /// A string has half a surrogate pair, whose escape begins here. Whether the rest is JSON is not known.
    HalfPair(usize),
    /// It is nested deeper than [`DEPTH_AT_MOST`] from this bracket on. Whether the rest is JSON is not known.
    Depth(usize),
    /// It has more than [`ITEMS_AT_MOST`] items and keys. The one too many ends at this byte.
    Items(usize),
}

/// The most members of the whole, and of an object inside of it, that do not count: those that items of formats
/// have. Of an object with more, all count. A tree of as many objects as allowed then takes at most 64 MiB.
const FREE: [usize; 2] = [64, 8];

pub(crate) fn read(text: &str) -> Result<Tree<'_>, Refused> {
    let mut tree = Tree::new(text);
    read_part(&mut tree, Span::new(0, text.len()), NodeKey::default())?;
    Ok(tree)
}

/// Reads a part of the text of a tree, which is one value, and adds it with this name.
pub(super) fn read_part(tree: &mut Tree<'_>, part: Span, key: NodeKey) -> Result<(), Refused> {
    let text = &tree.text()[..part.end];
    let mut reader =
        JsonReader { bytes: text.as_bytes(), text, at: part.start, depth: 0, items: 0, tree };
    reader.value(key)?;
    reader.skip_space();
    if reader.at == text.len() { Ok(()) } else { Err(Refused::Syntax) }
}

struct JsonReader<'t, 'r> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    depth: usize,
    items: usize,
    tree: &'r mut Tree<'t>,
}

impl JsonReader<'_, '_> {
    fn skip_space(&mut self) {
        while let Some(b' ' | b'\n' | b'\t' | b'\r') = self.bytes.get(self.at) {
            self.at += 1;
        }
    }

    /// The next byte that is not white space.
    #[inline]
    fn peek(&mut self) -> Result<u8, Refused> {
        match self.bytes.get(self.at) {
            Some(byte) if *byte > b' ' => Ok(*byte),
            _ => {
                self.skip_space();
                self.bytes.get(self.at).copied().ok_or(Refused::Syntax)
            }
        }
    }

    fn count(&mut self, more: usize) -> Result<(), Refused> {
        self.items += more;
        if self.items > ITEMS_AT_MOST {
            return Err(Refused::Items(self.at));
        }
        Ok(())
    }

    fn value(&mut self, key: NodeKey) -> Result<(), Refused> {
        let first = self.peek()?;
        let start = self.at;
        let (kind, length) = match first {
            b'{' => return self.inside(Kind::Object, key, b'}'),
            b'[' => return self.inside(Kind::Array, key, b']'),
            b'"' => {
                let chars = self.string()?;
                let end = self.at;
                (self.tree).push(Kind::String, key, chars, Some(Span { start, end }));
                return Ok(());
            }
            b't' => (Kind::Boolean, self.word("true")),
            b'f' => (Kind::Boolean, self.word("false")),
            b'n' => (Kind::Null, self.word("null")),
            _ => (Kind::Integer, number_length(&self.bytes[start..])),
        };
        let place = Span::new(start, length.ok_or(Refused::Syntax)?);
        self.at = place.end;
        let chars = Tree::chars(place.start..place.end);
        self.tree.push(kind, key, chars, Some(place));
        Ok(())
    }

    /// The length of a word, if it is the next one.
    fn word(&self, word: &str) -> Option<usize> {
        let is_next = self.bytes[self.at..].starts_with(word.as_bytes());
        is_next.then_some(word.len())
    }

    /// Reads a list or an object from its opening bracket on.
    fn inside(&mut self, kind: Kind, key: NodeKey, closing: u8) -> Result<(), Refused> {
        self.depth += 1;
        if self.depth > DEPTH_AT_MOST {
            return Err(Refused::Depth(self.at));
        }
        // Items are counted where they end.
        if key.1.is_some() && self.depth > 2 {
            self.count(1)?;
        }
        let place = Span::new(self.at, 1);
        let own = self.tree.push(kind, key, Chars::default(), Some(place));
        self.at += 1;
        let free = FREE[usize::from(self.depth > 1)];
        let mut members = 0;
        let mut has_more = self.peek()? != closing;
        while has_more {
            if kind == Kind::Object {
                let key = self.key()?;
                self.value(key)?;
                members += 1;
                if members > free {
                    self.count(if members == free + 1 { members } else { 1 })?;
                }
            } else {
                self.value(NodeKey::default())?;
                self.count(1)?;
            }
            has_more = match self.peek()? {
                b',' => {
                    self.at += 1;
                    true
                }
                byte if byte == closing => false,
                _ => return Err(Refused::Syntax),
            };
        }
        self.at += 1;
        self.depth -= 1;
        self.tree.close(own, self.at);
        if members > 1 {
            self.tree.watch_keys(own);
        }
        Ok(())
    }

    fn key(&mut self) -> Result<NodeKey, Refused> {
        if self.peek()? != b'"' {
            return Err(Refused::Syntax);
        }
        let start = self.at;
        let key = self.string()?;
        let end = self.at;
        if self.peek()? != b':' {
            return Err(Refused::Syntax);
        }
        self.at += 1;
        Ok((key, Some(Span { start, end })))
    }

    /// Reads a string from its opening quote on.
    #[inline]
    fn string(&mut self) -> Result<Chars, Refused> {
        let start = self.at + 1;
        let end = start + plain_length(&self.bytes[start..])?;
        if self.bytes[end] != b'"' {
            return self.escaped(start, end);
        }
        self.at = end + 1;
        Ok(Tree::chars(start..end))
    }

    /// The rest of a string with escapes, of which the first one is at `end`.
    #[inline(never)]
    fn escaped(&mut self, mut start: usize, mut end: usize) -> Result<Chars, Refused> {
        let copied = self.tree.copies().len();
        loop {
            self.tree.copies().push_str(&self.text[start..end]);
            if self.bytes[end] == b'"' {
                self.at = end + 1;
                return Ok(self.tree.copied_since(copied));
            }
            start = self.escape(end)?;
            end = start + plain_length(&self.bytes[start..])?;
        }
    }

    /// Reads an escape from its backslash on. Returns where it ends.
    fn escape(&mut self, at: usize) -> Result<usize, Refused> {
        let mut end = at + 2;
        let character = match self.bytes.get(at + 1) {
            Some(byte @ (b'"' | b'\\' | b'/')) => char::from(*byte),
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                let first = self.unit(at + 2)?;
                let is_half = (0xd800..0xdc00).contains(&first);
                let has_second = is_half && self.bytes[at + 6..].starts_with(b"\\u");
                let second = has_second.then(|| self.unit(at + 8)).transpose()?;
                end = at + if has_second { 12 } else { 6 };
                let decoded = char::decode_utf16([first].into_iter().chain(second)).next();
                decoded.and_then(Result::ok).ok_or(Refused::HalfPair(at))?
            }
            _ => return Err(Refused::Syntax),
        };
        self.tree.copies().push(character);
        Ok(end)
    }

    fn unit(&self, at: usize) -> Result<u16, Refused> {
        let digits = self.bytes.get(at..at + 4).ok_or(Refused::Syntax)?;
        digits.iter().try_fold(0, |unit: u16, digit| {
            let digit = char::from(*digit).to_digit(16).ok_or(Refused::Syntax)?;
            Ok(unit << 4 | u16::try_from(digit).unwrap_or_default())
        })
    }
}

fn number_length(bytes: &[u8]) -> Option<usize> {
    let is_part = |it: &&u8| it.is_ascii_digit() || b"+-.eE".contains(it);
    let length = bytes.iter().take_while(is_part).count();
    let number = serde_json::from_slice::<IgnoredAny>(&bytes[..length]);
    number.is_ok().then_some(length)
}

/// How many bytes of a string come before its first escape, or before its end.
#[inline]
fn plain_length(bytes: &[u8]) -> Result<usize, Refused> {
    let length = memchr2(b'"', b'\\', bytes).ok_or(Refused::Syntax)?;
    // Without an early exit, so that many bytes are compared at once.
    let least = (bytes[..length].iter()).fold(u8::MAX, |least, it| least.min(*it));
    (least >= b' ').then_some(length).ok_or(Refused::Syntax)
}

/// A text that is JSON without white space between its tokens, if it has line breaks or tabs there.
pub(crate) fn compact(json: &str) -> Cow<'_, str> {
    if !json.contains(['\n', '\r', '\t']) {
        return Cow::Borrowed(json);
    }
    let (mut is_inside, mut is_escaped) = (false, false);
    let is_kept = |character: &char| {
        is_inside ^= *character == '"' && !is_escaped;
        is_escaped = *character == '\\' && !is_escaped;
        is_inside || !character.is_ascii_whitespace()
    };
    Cow::Owned(json.chars().filter(is_kept).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::variants;

    const TEXTS: [&str; 12] = [
        r#"{"a":1,"b":[true,false,null],"c":{"d":"e\n\"\\\/\u00e9\ud83d\ude80"}}"#,
        " [ 1 , -0 , 1.5e+3 , 0.1 , 1E400 ] ",
        "[-1,10,999999999999999999,18446744073709551616,-1e400]",
        r#""a string that is longer than one block of bytes, with an escape: \t and on""#,
        r#"{"":{"":[]},"é":{}}"#,
        r#"["\ud83d","\ude80"]"#,
        r#"["\ud83dx","\ud83d\u0041"]"#,
        "{\"a\":\"\u{1}\"}",
        r#"{"a" : "b" , "a" : "c"}"#,
        "nul",
        "01",
        "1.",
    ];

    /// What is inserted at every position, and put in place of every character.
    const PIECES: [&str; 26] = [
        "", "\"", "\\", "\\u", "\\x", "\r", "\u{1f}", "tru", "{", "}", "[", "]", ",", ":", "0",
        "1", "-", ".", "e", "+", " ", "\n", "\0", "\u{7f}", "é", "null",
    ];

    fn reads_alike(text: &str) {
        let own = read(text);
        let other = serde_json::from_str::<serde_json::Value>(text);
        match (&own, &other) {
            (Ok(tree), Ok(other)) if !tree.has_duplicate_key() => {
                let own = serde_json::to_value(tree.root()).expect("a value");
                assert_eq!(own, *other, "{text}");
            }
            (Ok(_), Ok(_)) => {}
            (Ok(_), Err(error)) => {
                assert!(error.to_string().contains("out of range"), "{text}: {error}");
            }
            (Err(_), other) => assert!(other.is_err(), "{text}"),
        }
    }

    #[test]
    fn both_readers_take_the_same_texts() {
        for text in TEXTS {
            variants::each(text, &PIECES, reads_alike);
        }
    }

    #[test]
    fn every_value_knows_its_way_and_its_place() {
        let text = r#"{"a": [1, {"b~/c": "x\ty"}], "a": {}, "d": null}"#;
        let tree = read(text).expect("a tree");
        let inner = tree.root().children().next().and_then(|list| list.items().nth(1));
        let inner = inner.and_then(|it| it.member("b~/c")).expect("a value");
        assert_eq!(inner.pointer().to_string(), "/a/1/b~0~1c");
        assert_eq!(inner.text(), Some("x\ty"));
        let span = inner.place().expect("a place");
        assert_eq!(&text[span.start..span.end], r#""x\ty""#);
        let span = inner.key_place().expect("a place");
        assert_eq!(&text[span.start..span.end], r#""b~/c""#);
        assert!(tree.root().member("a").expect("a member").is_object(), "the last one counts");
        assert_eq!(tree.duplicate_keys().len(), 1);
    }

    #[test]
    fn limits_are_counted_from_the_first_bracket() {
        let deep = |levels| "[".repeat(levels) + &"]".repeat(levels);
        assert!(read(&deep(DEPTH_AT_MOST)).is_ok());
        let at = DEPTH_AT_MOST;
        assert_eq!(read(&deep(at + 1)).err(), Some(Refused::Depth(at)));
        let many = |items| format!("[{}1]", "1,".repeat(items - 1));
        assert!(read(&many(ITEMS_AT_MOST)).is_ok());
        let object = |keys: usize| format!("{{{}\"\":0}}", "\"a\":0,".repeat(keys - 1));
        let objects = |items, keys| format!("[{}0]", (object(keys) + ",").repeat(items - 1));
        assert!(read(&objects(ITEMS_AT_MOST, 8)).is_ok());
        assert!(read(&objects(ITEMS_AT_MOST / 10, 9)).is_ok());
        assert!(read(&objects(ITEMS_AT_MOST / 10 + 2, 9)).is_err());
        let at = 2 * ITEMS_AT_MOST + 2;
        assert_eq!(read(&many(ITEMS_AT_MOST + 1)).err(), Some(Refused::Items(at)));
    }

    #[test]
    fn half_a_pair_is_told() {
        for (text, at) in [(r#""\ud800""#, 1), (r#""a\ud800\u0041""#, 2), (r#"["\udc00"]"#, 2)] {
            assert_eq!(read(text).err(), Some(Refused::HalfPair(at)), "{text}");
        }
    }

    #[test]
    fn only_white_space_between_tokens_is_left_out() {
        let text = "{\n\t\"a \\\" b\": [ 1,\r\n 2.0 ],\n  \"c\\\\\": \" \"\n}\n";
        assert_eq!(compact(text), r#"{"a \" b":[1,2.0],"c\\":" "}"#);
        assert_eq!(compact("{ \"a\": 1 }"), "{ \"a\": 1 }");
    }
}
