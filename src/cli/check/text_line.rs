//! A line of a stream of texts: a JSON string, or an object with a text and what is expected of it.

use std::borrow::Cow;
use std::fmt::{self, Formatter};

use serde::Deserialize;
use serde::de::{Deserializer, Error, Visitor};

use crate::text::{escape, is_blank};

/// A text, and what is expected of it.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StreamText<'t> {
    /// The bytes of the text. They are no UTF-8 where those of the line are none, or where an escape is
    /// half a surrogate pair.
    #[serde(borrow, deserialize_with = "bytes")]
    pub(super) text: Cow<'t, [u8]>,
    /// The expected session id.
    pub(super) session: Option<String>,
    /// The agent that was called.
    pub(super) agent: Option<String>,
    /// The folder that artifact paths are relative to.
    pub(super) root: Option<String>,
    /// The caller's name for the text.
    pub(super) id: Option<String>,
}

impl<'t> StreamText<'t> {
    /// Reads a line. The error says why it is no text, and is safe to print.
    pub(super) fn read(line: &'t [u8]) -> anyhow::Result<Self> {
        let mut reader = serde_json::Deserializer::from_slice(line);
        let read = match line.trim_ascii_start().first() {
            Some(b'"') => bytes(&mut reader).map(|text| Self { text, ..Self::default() }),
            Some(b'{') => Self::deserialize(&mut reader).and_then(Self::without_blanks),
            _ => anyhow::bail!(
                "it is not a text: expected a string, or an object with the member `text`"
            ),
        };
        let read = read.and_then(|read| reader.end().map(|()| read));
        read.map_err(|error| {
            // What a whole object lacks has no place in it.
            let column = Some(error.column()).filter(|it| *it > 0).unwrap_or(line.len());
            let said = error.to_string();
            // The number of the line in the stream is told elsewhere.
            let said = said.rsplit_once(" at line ").map_or(&*said, |it| it.0);
            let said = escape::truncated(said);
            anyhow::anyhow!("it is not a text: {said}, after byte {column}")
        })
    }

    /// Refuses words that are blank.
    fn without_blanks(self) -> serde_json::Result<Self> {
        let words = [
            ("session", &self.session),
            ("agent", &self.agent),
            ("root", &self.root),
            ("id", &self.id),
        ];
        for (name, word) in words {
            if word.as_deref().is_some_and(is_blank) {
                return Err(Error::custom(format_args!(
                    "`{name}` is blank: leave it out, or write null"
                )));
            }
        }
        Ok(self)
    }
}

/// Reads a text as bytes.
fn bytes<'t, D: Deserializer<'t>>(reader: D) -> Result<Cow<'t, [u8]>, D::Error> {
    reader.deserialize_bytes(BytesVisitor)
}

struct BytesVisitor;

impl<'t> Visitor<'t> for BytesVisitor {
    type Value = Cow<'t, [u8]>;

    fn expecting(&self, out: &mut Formatter<'_>) -> fmt::Result {
        out.write_str("a string as the text")
    }

    fn visit_borrowed_bytes<E: Error>(self, text: &'t [u8]) -> Result<Self::Value, E> {
        Ok(Cow::Borrowed(text))
    }

    fn visit_bytes<E: Error>(self, text: &[u8]) -> Result<Self::Value, E> {
        Ok(Cow::Owned(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &[u8]) -> Result<(Vec<u8>, String), String> {
        let read = StreamText::read(line).map_err(|error| error.to_string())?;
        let members = [read.session, read.agent, read.root, read.id];
        let members = members.map(Option::unwrap_or_default);
        Ok((read.text.into_owned(), members.join(",")))
    }

    #[test]
    fn a_string_is_its_text_whatever_it_holds() {
        for (line, text) in [
            (br#""plain""#.as_slice(), b"plain".as_slice()),
            (br#"  "a\n\"b\" \u00e4" "#, "a\n\"b\" \u{e4}".as_bytes()),
            (br#""""#, b""),
            (br#""\ud83d\ude00""#, "\u{1f600}".as_bytes()),
            (b"\"\xff\xfe\"", b"\xff\xfe"),
            (br#""\ud800""#, b"\xed\xa0\x80"),
            (b"{\"text\":\"\xff\\n\"}", b"\xff\n"),
            (br#"{"te\u0078t":"a"}"#, b"a"),
        ] {
            assert_eq!(read(line), Ok((text.to_owned(), ",,,".to_owned())));
        }
        let long = format!("\"{}\"", r"\\".repeat(1_000));
        let text = read(long.as_bytes()).map(|it| it.0);
        assert_eq!(text, Ok(vec![b'\\'; 1_000]));
    }

    #[test]
    fn an_object_has_expectations() {
        let line = br#"{"id":"7","text":"a","root":"r/\u00e4","agent":null,"session":"s"}"#;
        assert_eq!(read(line), Ok((b"a".to_vec(), "s,,r/\u{e4},7".to_owned())));
    }

    #[test]
    fn what_is_wrong_is_said() {
        let unknown = "expected one of `text`, `session`, `agent`, `root`, `id`";
        let neither = "expected a string, or an object with the member `text`";
        for (line, said) in [
            ("Done.", neither),
            (r#"["a"]"#, neither),
            ("5", neither),
            ("{}", "missing field `text`, after byte 2"),
            (
                r#"{"text":null}"#,
                "invalid type: null, expected a string as the text, after byte 12",
            ),
            (r#"{"text":{}}"#, "invalid type: map, expected a string as the text, after byte 8"),
            (
                r#"{"text":"","session":5}"#,
                "invalid type: integer `5`, expected a string, after byte 22",
            ),
            (
                r#"{"text":"","session":" "}"#,
                "`session` is blank: leave it out, or write null, after byte 25",
            ),
            (r#"{"text":"","text":""}"#, "duplicate field `text`, after byte 17"),
            (r#"{"text":"","id":null,"id":""}"#, "duplicate field `id`, after byte 25"),
            (
                r#"{"text":"","sesion":""}"#,
                &format!("unknown field `sesion`, {unknown}, after byte 19"),
            ),
            (
                r#"{"text":"","\u001b":1}"#,
                &format!(r"unknown field `\u{{1b}}`, {unknown}, after byte 19"),
            ),
            (r#""a"#, "EOF while parsing a string, after byte 2"),
            (r#""a" "b""#, "trailing characters, after byte 5"),
        ] {
            let said = format!("it is not a text: {said}");
            assert_eq!(read(line.as_bytes()), Err(said));
        }
    }
}
