//! Comments in JSON, for clients that accept them.

use std::fs;
use std::path::Path;

use serde_json::Value;

/// Reads a JSON file, with or without comments. None if there is no such file, or if it is not JSON.
pub(super) fn read(path: &Path) -> Option<Value> {
    let text = fs::read_to_string(path).ok()?;
    serde_json::from_str(&blanked(&text, true)).ok()
}

/// Replaces comments and a byte-order mark by spaces, so that every other byte keeps its offset.
pub(super) fn blanked(text: &str, takes_comments: bool) -> String {
    let mut blanked = text.as_bytes().to_vec();
    if text.starts_with('\u{feff}') {
        blanked[..3].fill(b' ');
    }
    if takes_comments {
        for (start, end) in places(&blanked) {
            // Newlines stay, so that line numbers stay right.
            let comment = blanked[start..end].iter_mut();
            comment
                .filter(|byte| !matches!(**byte, b'\n' | b'\r'))
                .for_each(|byte| *byte = b' ');
        }
    }
    String::from_utf8(blanked).unwrap_or_else(|_| text.to_owned())
}

/// The start and end of each comment. A comment that is not closed does not count.
fn places(text: &[u8]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        at += match rest {
            [b'"', ..] => after_string(rest),
            [b'/', b'/', ..] => {
                let end = rest.iter().position(|byte| *byte == b'\n');
                let length = end.unwrap_or(rest.len());
                found.push((at, at + length));
                length
            }
            [b'/', b'*', inner @ ..] => {
                let Some(end) = inner.windows(2).position(|pair| pair == b"*/") else {
                    break;
                };
                found.push((at, at + end + 4));
                end + 4
            }
            _ => 1,
        };
    }
    found
}

/// The length in bytes of the string at the start, with its quotes.
fn after_string(text: &[u8]) -> usize {
    let mut at = 1;
    while at < text.len() {
        match text[at] {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_comments_are_blanked() {
        let text = "{\"a//b\": \"/* c\\\" */\", // d ü\r\n /* e\n */ \"f\": 1}";
        let expected = "{\"a//b\": \"/* c\\\" */\",        \r\n     \n    \"f\": 1}";
        assert_eq!(blanked(text, true), expected);
        assert_eq!(blanked(text, false), text);
        assert_eq!(blanked("\u{feff}{}", false), "   {}");
        assert_eq!(blanked("{} /* open", true), "{} /* open");
    }
}
