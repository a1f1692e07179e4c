//! What a text shows of the JSON in it, whether that is valid or not.

use serde::de::IgnoredAny;
use serde_json::{Deserializer, Error};

use crate::document::json::read;

/// The byte offset of a parser error, at the first byte of a character.
pub(crate) fn offset(text: &str, error: &Error) -> usize {
    let lines_before = text
        .split_inclusive('\n')
        .take(error.line().saturating_sub(1));
    let line_start: usize = lines_before.map(str::len).sum();
    text.floor_char_boundary(line_start + error.column().saturating_sub(1))
}

/// The length of the JSON value at the start of `text`, whatever follows it.
pub(crate) fn length_of_value(text: &str) -> Result<usize, Error> {
    let mut values = Deserializer::from_str(text).into_iter::<IgnoredAny>();
    values.next().transpose()?;
    Ok(values.byte_offset())
}

/// The byte offset of the end of the JSON in `text`: before white space, the zero bytes that fill up a
/// file, a closing fence and closing tags. Each of these may follow truncated JSON, even if it was cut
/// off inside a string. Before the end of a think block there is only a thought.
pub(crate) fn end_of_json(text: &str) -> usize {
    let is_name = |letter: char| letter.is_ascii_alphanumeric() || "-_:".contains(letter);
    let before_closing_tag = |text: &str| {
        let (before, name) = text.strip_suffix('>')?.rsplit_once("</")?;
        let is_tag = !name.starts_with("think") && name.chars().all(is_name);
        is_tag.then_some(before.len())
    };
    let mut end = text.len();
    loop {
        let json =
            text[..end].trim_end_matches(|it: char| it.is_whitespace() || "\0`~".contains(it));
        match before_closing_tag(json) {
            Some(before) => end = before,
            None => return json.len(),
        }
    }
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
    !rest.contains(['}', ']'])
}

/// Whether a brace or comma is followed by a key and a colon, as in an object.
pub(crate) fn has_a_member(rest: &str) -> bool {
    let inner = rest[1..].trim_start();
    let is_key = |length: usize| inner[length..].trim_start().starts_with(':');
    inner.starts_with('"') && length_of_value(inner).is_ok_and(is_key)
}

/// The byte offset of a key that starts a line, and whose colon is at the end of `before`. None if there
/// is none.
pub(crate) fn key_before(before: &str) -> Option<usize> {
    let key = before.trim_end().strip_suffix(':')?.trim_end();
    let start = key.strip_suffix('"')?.rfind('"')?;
    let line = before[..start].trim_end_matches([' ', '\t']);
    (line.is_empty() || line.ends_with('\n')).then_some(start)
}

/// Whether an object has a key `status` itself, as every profile requires of a return. None if it has none at any
/// depth. One that cannot be read, because of its size or half a surrogate pair, counts as a return.
pub(crate) fn has_own_status(object: &str) -> Option<bool> {
    let Ok(tree) = read(object) else {
        return Some(true);
    };
    let is_own = tree.root().member("status").is_some();
    let is_there = is_own || tree.values().any(|it| it.key() == "status");
    is_there.then_some(is_own)
}

/// Whether text that is not JSON contains a status, as a draft may.
pub(crate) fn has_status(group: &str) -> bool {
    group.match_indices("status").any(|(start, name)| {
        let is_part = |before: char| before.is_alphanumeric() || before == '_';
        let after = group[start + name.len()..].trim_start_matches(QUOTES);
        let value = after.trim_start().strip_prefix(':');
        !group[..start].ends_with(is_part)
            && value.is_some_and(|value| value.trim_start().starts_with(QUOTES))
    })
}

/// Quotes around keys and texts, in JSON and in similar text.
const QUOTES: [char; 10] = ['"', '\'', '“', '”', '„', '‘', '’', '‚', '«', '»'];

/// The quotes that end a string which begins with `open`, in JSON and in similar text.
pub(crate) fn closing_quotes(open: char) -> &'static str {
    match open {
        '\'' => "'",
        '“' => "”",
        '„' => "“”",
        '‘' => "’",
        _ => "\"",
    }
}

/// The length of the rest of a string, with its closing quote.
pub(crate) fn string_length(rest: &str, closing: &str) -> Option<usize> {
    let mut is_escaped = false;
    let (at, quote) = rest.char_indices().find(|&(at, character)| {
        let is_apostrophe =
            || character == '’' && rest[at..].chars().nth(1).is_some_and(char::is_alphanumeric);
        let is_end = !is_escaped && closing.contains(character) && !is_apostrophe();
        is_escaped = !is_escaped && character == '\\';
        is_end
    })?;
    Some(at + quote.len_utf8())
}

/// Whether the bracket at `at` is only mentioned, as in "the `{` is missing".
pub(crate) fn is_quoted(text: &str, at: usize) -> bool {
    let quote = text[..at].chars().next_back();
    let mut after = text[at + 1..].chars();
    let is_pair = quote.is_some_and(|quote| "`\"'".contains(quote)) && after.next() == quote;
    is_pair && !after.next().is_some_and(char::is_alphanumeric)
}

/// Whether a bracket is only mentioned, or is part of a terminal escape code or of an interval such as
/// `[0, 1)`.
pub(crate) fn is_no_bracket(text: &str, at: usize) -> bool {
    let is_open = text.as_bytes()[at] == b'[';
    let is_code = is_open && text[..at].ends_with('\u{1b}');
    is_code || is_quoted(text, at) || (is_open && run(text, at).1 == Some(')'))
}

/// Whether the bracket at `at` can begin a list or an object, even one with unquoted keys or a missing
/// colon. `[INFO so far`, ``a missing `{` `` and `[0, 1)` cannot.
pub(crate) fn may_be_json(text: &str, at: usize) -> bool {
    let is_list = text.as_bytes()[at] == b'[';
    let (run, stop) = run(text, at);
    let (item, is_followed) = match run.split_once([',', ':']) {
        Some((item, _)) => (item.trim(), true),
        None => (run.trim(), false),
    };
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

/// Whether a character can occur in an unquoted key or value.
fn is_unquoted_char(character: char) -> bool {
    character.is_alphanumeric() || character.is_whitespace() || "_$-+./*".contains(character)
}

/// The text from the bracket at `at` to the next bracket or quote, and that character.
fn run(text: &str, at: usize) -> (&str, Option<char>) {
    let inner = &text[at + 1..];
    let end = inner
        .find(|next: char| "[]{}()\"'`".contains(next))
        .unwrap_or(inner.len());
    (&inner[..end], inner[end..].chars().next())
}
