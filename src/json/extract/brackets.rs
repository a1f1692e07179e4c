//! Tracks the open brackets in a text, and whether they may be JSON.
//!
//! Brackets in prose that are closed are harmless: `[1]`, `{x}`, `a[0]`. An open one may contain what
//! follows, unless it can start neither a list nor an object, not even one with unquoted keys or a
//! missing colon: `[INFO so far`, ``a missing `{` ``, `[0, 1)`. In doubt, a bracket may be JSON and
//! stays open: a closing bracket in a string, or of the other kind, does not close it.

use crate::json::extract::candidate::QUOTES;
use crate::text::Span;

/// The open brackets, in one pass over the text. `json_like` is the number of those in `open` that may be
/// JSON. `outermost` and `has_brace` mean something only while it is above zero, or until the last of them
/// is closed.
#[derive(Default)]
pub(crate) struct Brackets {
    /// Innermost last.
    open: Vec<Bracket>,
    /// How many of them may be JSON.
    json_like: usize,
    /// The byte offset of the outermost bracket that may be JSON.
    outermost: usize,
    /// Whether one of the brackets that may be JSON is or was a brace.
    has_brace: bool,
    /// The byte offset of the end of the last string in these brackets.
    string_end: usize,
    /// Quotes that have no closing quote in the rest of the text.
    unpaired: Vec<char>,
}

struct Bracket {
    close: u8,
    is_json_like: bool,
}

impl Brackets {
    /// The offset of the next byte that can matter.
    pub(crate) fn find(&self, bytes: &[u8]) -> Option<usize> {
        if self.open.is_empty() {
            return memchr::memchr3(b'{', b'[', b'<', bytes);
        }
        let is_relevant = |byte| b"{[<}]\"'".contains(byte) || *byte == QUOTATION_MARK;
        bytes.iter().position(is_relevant)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// The byte offset of the outermost open bracket that may be JSON.
    pub(crate) fn outermost(&self) -> Option<usize> {
        (self.json_like > 0).then_some(self.outermost)
    }

    pub(crate) fn clear(&mut self) {
        *self = Self {
            unpaired: std::mem::take(&mut self.unpaired),
            ..Self::default()
        };
    }

    /// Processes the byte at `at`, which does not start a whole object. Returns the outermost group that
    /// may be JSON and has a brace, when it is closed.
    pub(crate) fn take(&mut self, text: &str, at: usize) -> Option<Span> {
        let byte = text.as_bytes()[at];
        if at < self.string_end || (byte != QUOTATION_MARK && is_no_bracket(text, at)) {
            return None;
        }
        match byte {
            b'{' => self.open(text, at, b'}'),
            b'[' => self.open(text, at, b']'),
            b'"' | b'\'' | QUOTATION_MARK => self.start_string(text, at),
            close => return self.close(at, close),
        }
        None
    }

    fn open(&mut self, text: &str, at: usize, close: u8) {
        let is_json_like = may_be_json(text, at);
        if is_json_like {
            if self.json_like == 0 {
                (self.outermost, self.has_brace) = (at, false);
            }
            self.json_like += 1;
            self.has_brace |= close == b'}';
        }
        self.open.push(Bracket {
            close,
            is_json_like,
        });
    }

    fn close(&mut self, at: usize, close: u8) -> Option<Span> {
        let last = self.open.pop_if(|last| last.close == close)?;
        self.json_like -= usize::from(last.is_json_like);
        let is_group = last.is_json_like && self.json_like == 0 && self.has_brace;
        is_group.then_some(Span {
            start: self.outermost,
            end: at + 1,
        })
    }

    fn start_string(&mut self, text: &str, at: usize) {
        let rest = &text[at..];
        let string = STRINGS.iter().find(|(open, _)| rest.starts_with(*open));
        let is_apostrophe = text[..at].ends_with(char::is_alphanumeric);
        let Some((open, close)) = string.filter(|_| self.json_like > 0 && !is_apostrophe) else {
            return;
        };
        if self.unpaired.contains(open) {
            return;
        }
        match string_end(&rest[open.len_utf8()..], close) {
            Some(length) => self.string_end = at + open.len_utf8() + length,
            None => self.unpaired.push(*open),
        }
    }
}

/// The first byte of the typographic quotes.
const QUOTATION_MARK: u8 = 0xe2;

/// How strings begin and end, in JSON and in similar text.
const STRINGS: [(char, &[char]); 5] = [
    ('"', &['"']),
    ('\'', &['\'']),
    ('“', &['”']),
    ('„', &['“', '”']),
    ('‘', &['’']),
];

/// The length of the rest of a string, with its closing quote.
fn string_end(rest: &str, close: &[char]) -> Option<usize> {
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
fn may_be_json(text: &str, at: usize) -> bool {
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
fn is_no_bracket(text: &str, at: usize) -> bool {
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
