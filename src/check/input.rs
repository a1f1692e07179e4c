//! The bytes of one return.

use std::borrow::Cow;
use std::path::Path;
use std::time::SystemTime;

use crate::clients::failure::ClientFailure;
use crate::json::extract::wrapping::Wrapping;
use crate::text::{Base, Span};

/// What is known about a file that holds one return and nothing else.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct ReturnFile<'t> {
    /// Its path, as rules about its place read it.
    pub path: Option<&'t Path>,
    /// When it was last changed.
    pub written: Option<SystemTime>,
}

impl<'t> ReturnFile<'t> {
    /// A file by its path and the time of its last change.
    pub(crate) fn new(
        path: impl Into<Option<&'t Path>>,
        written: impl Into<Option<SystemTime>>,
    ) -> Self {
        Self {
            path: path.into(),
            written: written.into(),
        }
    }
}

/// What is checked: the bytes, their text, and the part of it that is the return.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Input<'t> {
    pub(crate) bytes: &'t [u8],
    /// The position of the first byte in the file.
    pub(crate) base: Base,
    /// All bytes as text.
    pub(crate) whole: &'t str,
    /// The text of the return itself. It is JSON if any step after the first runs.
    pub(crate) text: &'t str,
    /// The offset of `text` in `bytes`.
    pub(crate) start: usize,
    /// The file that is this return.
    pub(crate) file: ReturnFile<'t>,
    /// The text around the return.
    pub(crate) wrapping: Option<Wrapping>,
    /// What its client says if it failed.
    pub(crate) failure: Option<&'t ClientFailure>,
}

impl<'t> Input<'t> {
    /// The failure of the client that stands in place of the return. None if there is anything else.
    pub(crate) fn failure_in_place(&self) -> Option<Cow<'t, ClientFailure>> {
        match self.failure {
            Some(failure) => failure
                .is_all_of(self.whole)
                .then_some(Cow::Borrowed(failure)),
            None => ClientFailure::in_place_of_answer(self.whole).map(Cow::Owned),
        }
    }

    /// An input that is only the return.
    pub(crate) fn of_text(bytes: &'t [u8], text: &'t str, base: Base) -> Self {
        Self {
            bytes,
            base,
            whole: text,
            text,
            start: 0,
            file: ReturnFile::default(),
            wrapping: None,
            failure: None,
        }
    }

    /// The bytes of a string of the return, with its quotes, by where the text of its value lies in
    /// memory. None if the value is a copy, as it is where it was unescaped.
    pub(crate) fn span_of_string(&self, value: &str) -> Option<Span> {
        let start = value
            .as_ptr()
            .addr()
            .checked_sub(self.text.as_ptr().addr())?;
        let end = start + value.len();
        let quotes = [start.checked_sub(1)?, end];
        let bytes = self.text.as_bytes();
        let is_quoted = quotes.iter().all(|at| bytes.get(*at) == Some(&b'"'));
        is_quoted.then_some(Span {
            start: quotes[0],
            end: end + 1,
        })
    }

    /// An input that is not read as text.
    pub(crate) fn of_bytes(bytes: &'t [u8], base: Base) -> Self {
        Self::of_text(bytes, "", base)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_string_that_is_no_copy_has_its_place() {
        let text = r#"{"a": "plain", "b": ""}"#;
        let input = Input::of_text(text.as_bytes(), text, Base::default());
        let at = |value: &str| {
            let span = input.span_of_string(value);
            span.map(|span| &text[span.start..span.end])
        };
        assert_eq!(at(&text[7..12]), Some(r#""plain""#));
        assert_eq!(at(&text[21..21]), Some(r#""""#));
        assert_eq!(at(&text[8..12]), None, "a part of it");
        assert_eq!(at(text), None, "all of it");
        let copy = "plain".to_owned();
        assert_eq!(at(&copy), None);
        assert_eq!(at(""), None, "a text from elsewhere");
    }
}
