//! The tokens of text that is known to be JSON, with their spans.
//!
//! There is no recursion and no stack here: callers track the nesting if they need it.

use crate::document::string_end::quote_or_backslash;
use crate::text::Span;

/// One token of a JSON text. Commas and colons are skipped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Token {
    /// `{` or `[`.
    Open,
    /// `}` or `]`.
    Close,
    /// The key of an object; the span includes the quotes.
    Key,
    /// A string, number, boolean or null.
    Scalar,
}

/// Iterates over the tokens of a text that `serde_json` has accepted.
#[derive(Debug, Clone)]
pub(crate) struct Walker<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Walker<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        Self { text, at: 0 }
    }

    fn rest(&self) -> &'t [u8] {
        &self.text.as_bytes()[self.at..]
    }

    fn skip(&mut self, passed: impl Fn(u8) -> bool) {
        let rest = self.rest();
        self.at += rest
            .iter()
            .position(|byte| !passed(*byte))
            .unwrap_or(rest.len());
    }

    /// Skips a string; `at` is on its opening quote.
    fn string(&mut self) {
        self.at += 1;
        loop {
            let rest = self.rest();
            let Some(found) = quote_or_backslash(rest) else {
                self.at = self.text.len();
                return;
            };
            self.at += found + 1;
            if rest[found] == b'"' {
                return;
            }
            self.at += 1;
        }
    }
}

impl Iterator for Walker<'_> {
    type Item = (Token, Span);

    fn next(&mut self) -> Option<Self::Item> {
        self.skip(|byte| matches!(byte, b' ' | b'\n' | b'\r' | b'\t' | b',' | b':'));
        let start = self.at;
        let token = match self.rest().first()? {
            b'{' | b'[' => {
                self.at += 1;
                Token::Open
            }
            b'}' | b']' => {
                self.at += 1;
                Token::Close
            }
            b'"' => {
                self.string();
                let after = self.rest().iter().find(|byte| !byte.is_ascii_whitespace());
                if after == Some(&b':') {
                    Token::Key
                } else {
                    Token::Scalar
                }
            }
            _ => {
                self.skip(|byte| {
                    !matches!(byte, b' ' | b'\n' | b'\r' | b'\t' | b',' | b']' | b'}')
                });
                Token::Scalar
            }
        };
        let end = self.at;
        Some((token, Span { start, end }))
    }
}

/// The deepest nesting of a JSON text: 1 for `[]`, 2 for `[[]]`.
pub(crate) fn depth(text: &str) -> usize {
    let (mut here, mut deepest) = (0_usize, 0);
    for (token, _) in Walker::new(text) {
        match token {
            Token::Open => {
                here += 1;
                deepest = deepest.max(here);
            }
            Token::Close => here = here.saturating_sub(1),
            Token::Key | Token::Scalar => {}
        }
    }
    deepest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_have_exact_places() {
        let text = r#" {"a\"b" : [1, "x"], "c":null}"#;
        let tokens: Vec<_> = Walker::new(text)
            .map(|(token, span)| (token, &text[span.start..span.end]))
            .collect();
        let expected = [
            (Token::Open, "{"),
            (Token::Key, r#""a\"b""#),
            (Token::Open, "["),
            (Token::Scalar, "1"),
            (Token::Scalar, r#""x""#),
            (Token::Close, "]"),
            (Token::Key, r#""c""#),
            (Token::Scalar, "null"),
            (Token::Close, "}"),
        ];
        assert_eq!(tokens, expected);
    }

    #[test]
    fn a_string_ends_at_its_closing_quote() {
        let text = r#"["\\", "\"", "a\\\"b",-1e5,true]"#;
        let tokens: Vec<_> = Walker::new(text)
            .map(|(_, span)| &text[span.start..span.end])
            .collect();
        let expected = [
            "[",
            r#""\\""#,
            r#""\"""#,
            r#""a\\\"b""#,
            "-1e5",
            "true",
            "]",
        ];
        assert_eq!(tokens, expected);
    }

    #[test]
    fn depth_counts_open_brackets_outside_strings() {
        assert_eq!(depth(r#""[[[""#), 0);
        assert_eq!(depth(r#"{"a":[[]],"b":[]}"#), 3);
    }
}
