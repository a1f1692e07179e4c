//! What a text shows of the JSON in it, whether that is valid or not.

use std::str::{Utf8Error, from_utf8};

use serde::de::IgnoredAny;
use serde_json::Error;

use crate::json::tokens::{Token, Walker};

/// The byte offset of the end of the JSON in `text`: before white space, the zero bytes that fill up a
/// file, a closing fence and closing tags. Each of these may follow truncated JSON, even if it was cut
/// off inside a string.
pub(crate) fn end_of_json(text: &str) -> usize {
    let mut json = text;
    loop {
        json = json.trim_end_matches(|last: char| last.is_whitespace() || "\0`~".contains(last));
        match without_closing_tag(json) {
            Some(before) => json = before,
            None => return json.len(),
        }
    }
}

/// The text before a closing tag at its end. None if missing, or if it closes a think block:
/// everything before that is a thought.
fn without_closing_tag(text: &str) -> Option<&str> {
    let inner = text.strip_suffix('>')?;
    let start = inner.rfind('<')?;
    let name = inner[start + 1..].strip_prefix('/')?;
    let is_name = |letter: char| letter.is_ascii_alphanumeric() || "-_:".contains(letter);
    let is_tag = !name.starts_with("think") && name.chars().all(is_name);
    is_tag.then(|| &text[..start])
}

/// Whether `text`, which is not JSON, is truncated JSON.
pub(crate) fn is_cut_off(text: &str) -> bool {
    ends_early(&text[..end_of_json(text)])
}

/// Whether `json` ends before its value does.
pub(crate) fn ends_early(json: &str) -> bool {
    let error = |json| serde_json::from_str::<IgnoredAny>(json).err();
    error(json).is_some_and(|found| {
        // The parser reports an incomplete number at the end as an invalid one.
        let is_number = || found.to_string().starts_with("invalid number");
        let before = || json.trim_end_matches(['-', '+', '.', 'e', 'E']);
        found.is_eof() || (is_number() && error(before()).is_some_and(|error| error.is_eof()))
    })
}

/// Whether the rest of a JSON text that the parser rejected closes no bracket: the JSON was truncated
/// and other text follows.
pub(crate) fn is_left_open(rest: &str) -> bool {
    memchr::memchr2(b'}', b']', rest.as_bytes()).is_none()
}

/// The text before an incomplete character at the end of `bytes`. None if the invalid bytes are not one.
pub(crate) fn before_incomplete_char(bytes: &[u8], error: Utf8Error) -> Option<&str> {
    let (before, rest) = bytes.split_at(error.valid_up_to());
    let (half, after) = rest.split_at(error.error_len().unwrap_or(rest.len()));
    let is_half = from_utf8(half).is_err_and(|error| error.error_len().is_none());
    let ends = from_utf8(after).is_ok_and(|after| end_of_json(after) == 0);
    if is_half && ends {
        from_utf8(before).ok()
    } else {
        None
    }
}

/// The byte offset of a parser error, at the first byte of a character.
pub(crate) fn offset(text: &str, error: &Error) -> usize {
    let lines_before = error.line().saturating_sub(1);
    let line_start = match lines_before {
        0 => 0,
        _ => memchr::memchr_iter(b'\n', text.as_bytes())
            .nth(lines_before - 1)
            .map_or(text.len(), |end| end + 1),
    };
    text.floor_char_boundary(line_start + error.column().saturating_sub(1))
}

/// Whether an object can be a return: every profile requires a status.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ObjectKind {
    /// It has a status.
    Return,
    /// Only a value inside it has one.
    Holder,
    Other,
}

pub(crate) fn classify(object: &str) -> ObjectKind {
    let (mut depth, mut kind) = (0_usize, ObjectKind::Other);
    for (token, span) in Walker::new(object) {
        match token {
            Token::Open => depth += 1,
            Token::Close => depth -= 1,
            Token::Key if is_status(&object[span.start..span.end]) => {
                if depth == 1 {
                    return ObjectKind::Return;
                }
                kind = ObjectKind::Holder;
            }
            Token::Key | Token::Scalar => {}
        }
    }
    kind
}

fn is_status(key: &str) -> bool {
    key == "\"status\""
        || (key.contains('\\')
            && serde_json::from_str::<String>(key).is_ok_and(|key| key == "status"))
}

/// Whether text that is not JSON contains a status, as a draft may.
pub(crate) fn has_status(group: &str) -> bool {
    group.match_indices("status").any(|(start, name)| {
        let before = group[..start].chars().next_back();
        let is_whole = !before.is_some_and(|before| before.is_alphanumeric() || before == '_');
        let after = group[start + name.len()..].trim_start_matches(QUOTES);
        let value = after.trim_start().strip_prefix(':');
        is_whole && value.is_some_and(|value| value.trim_start().starts_with(QUOTES))
    })
}

/// Quotes around keys and texts, in JSON and in similar text.
pub(crate) const QUOTES: [char; 10] = ['"', '\'', '“', '”', '„', '‘', '’', '‚', '«', '»'];

/// The first byte of the typographic quotes.
pub(crate) const QUOTATION_MARK: u8 = 0xe2;

/// How strings begin and end, in JSON and in similar text.
pub(crate) const STRINGS: [(char, &[char]); 5] = [
    ('"', &['"']),
    ('\'', &['\'']),
    ('“', &['”']),
    ('„', &['“', '”']),
    ('‘', &['’']),
];

/// The length of the rest of a string, with its closing quote.
pub(crate) fn string_end(rest: &str, close: &[char]) -> Option<usize> {
    let mut is_escaped = false;
    for (at, character) in rest.char_indices() {
        let end = at + character.len_utf8();
        let is_apostrophe = || character == '’' && rest[end..].starts_with(char::is_alphanumeric);
        if !is_escaped && close.contains(&character) && !is_apostrophe() {
            return Some(end);
        }
        is_escaped = !is_escaped && character == '\\';
    }
    None
}

/// Whether the bracket at `at` is only mentioned, as in "the `{` is missing".
pub(crate) fn is_quoted(text: &str, at: usize) -> bool {
    let quote = text[..at].chars().next_back();
    let mut after = text[at + 1..].chars();
    let is_pair = quote.is_some_and(|quote| "`\"'".contains(quote)) && after.next() == quote;
    is_pair && !after.next().is_some_and(char::is_alphanumeric)
}

/// Whether the bracket at `at` can begin a list or an object, whether that is valid JSON or not.
pub(crate) fn may_be_json(text: &str, at: usize) -> bool {
    let is_list = text.as_bytes()[at] == b'[';
    let (run, stop) = run(text, at);
    let item = run.split([',', ':']).next().unwrap_or(run);
    let is_followed = item.len() < run.len();
    let item = item.trim();
    if !item.chars().all(is_unquoted_char) {
        return item.starts_with(['#', '<']) || item.starts_with(QUOTES);
    }
    let is_tag = is_list && item.contains(char::is_whitespace);
    match stop {
        _ if is_followed => true,
        None | Some('[' | '{' | '"' | '\'') => !is_tag,
        Some(']') => !is_list,
        Some('}') => is_list,
        Some(_) => false,
    }
}

/// Whether a bracket is only mentioned, or is part of a terminal escape code or of an interval such as
/// `[0, 1)`.
pub(crate) fn is_no_bracket(text: &str, at: usize) -> bool {
    let is_open = text.as_bytes()[at] == b'[';
    let is_code = is_open && text[..at].ends_with('\u{1b}');
    let is_interval = || is_open && run(text, at).1 == Some(')');
    is_code || is_quoted(text, at) || is_interval()
}

/// The text from the bracket at `at` to the next bracket or quote, and that character.
fn run(text: &str, at: usize) -> (&str, Option<char>) {
    let inner = &text[at + 1..];
    let run = inner.split(is_stop).next().unwrap_or(inner);
    (run, inner[run.len()..].chars().next())
}

fn is_stop(character: char) -> bool {
    "[]{}()\"'`".contains(character)
}

/// Whether a character can occur in an unquoted key or value.
fn is_unquoted_char(character: char) -> bool {
    character.is_alphanumeric() || character.is_whitespace() || "_$-+./*".contains(character)
}

/// Whether a brace or comma is followed by a key and a colon, as in an object.
pub(crate) fn has_a_member(rest: &str) -> bool {
    let inner = rest[1..].trim_start();
    let mut values = serde_json::Deserializer::from_str(inner).into_iter::<IgnoredAny>();
    let is_key = inner.starts_with('"') && matches!(values.next(), Some(Ok(_)));
    is_key && inner[values.byte_offset()..].trim_start().starts_with(':')
}

/// The byte offset of a key that starts a line, and whose colon is at the end of `before`. None if there
/// is none.
pub(crate) fn key_before(before: &str) -> Option<usize> {
    let key = before.trim_end().strip_suffix(':')?.trim_end();
    let start = key.strip_suffix('"')?.rfind('"')?;
    let line = before[..start].trim_end_matches([' ', '\t']);
    (line.is_empty() || line.ends_with('\n')).then_some(start)
}
