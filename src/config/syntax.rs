//! Messages about text that is not TOML. Those of the parser name its grammar; these say what to write.

use std::ops::Range;

use crate::text::escape;

/// A mistake in the text, where the parser found it.
pub(super) struct TomlMistake {
    /// The byte offset.
    pub(super) at: usize,
    pub(super) message: String,
    /// Whether it is about the syntax of the line. Then other errors in the same line may only result
    /// from it.
    is_syntax: bool,
}

/// The mistakes in the order of the text, without those that may only result from an earlier one.
pub(super) fn mistakes(text: &str, found: &[toml::de::Error]) -> Vec<TomlMistake> {
    let mut all: Vec<_> = found
        .iter()
        .map(|error| mistake(text, &error.span().unwrap_or_default(), error.message()))
        .collect();
    all.sort_by_key(|mistake| mistake.at);
    let mut kept: Vec<TomlMistake> = Vec::new();
    for mistake in all {
        let before = kept.last();
        let before = before.filter(|it| !text[it.at..mistake.at].contains('\n'));
        if before.is_none_or(|it| !it.is_syntax && !mistake.is_syntax) {
            kept.push(mistake);
        }
    }
    kept
}

fn mistake(text: &str, place: &Range<usize>, problem: &str) -> TomlMistake {
    let value = value_message(text, place, problem);
    TomlMistake {
        at: place.start,
        is_syntax: value.is_none(),
        message: value.unwrap_or_else(|| syntax_message(text, place, problem)),
    }
}

/// The message about a mistake in a key or its value. `None` if it is in the syntax of the line.
fn value_message(text: &str, place: &Range<usize>, problem: &str) -> Option<String> {
    let shown = escape::truncated(text.get(place.clone()).unwrap_or_default());
    let (_, rest) = around(text, place.start);
    let key = key_of_value(text, place.start).map(escape::truncated);
    if let (Some(key), "") = (&key, &*word(rest))
        && !rest.starts_with('=')
    {
        return Some(format!("`{key}` has no value"));
    }
    match problem.split(", expected").next().unwrap_or_default() {
        "duplicate key" => Some(format!("`{shown}` is set twice")),
        "string values must be quoted"
        | "invalid boolean"
        | "invalid float"
        | "invalid date"
        | "invalid time"
        | "invalid datetime" => {
            let of_key = key.map_or_else(String::new, |key| format!(" for `{key}`"));
            let advice = "a text stands in quotes, a switch is true or false";
            Some(format!("`{shown}` is no value{of_key}: {advice}"))
        }
        "unexpected leading zero" => Some("a number does not begin with 0".to_owned()),
        "invalid fraction" | "invalid mantissa" | "invalid exponent" => {
            Some("the number lacks digits here".to_owned())
        }
        _ => None,
    }
}

/// The message about a mistake in the syntax of a line, from the parser's message.
fn syntax_message(text: &str, place: &Range<usize>, problem: &str) -> String {
    let (what, expected) = problem.split_once(", expected ").unwrap_or((problem, ""));
    let (before, rest) = around(text, place.start);
    let header = || escape::truncated(before.trim()).to_string();
    match what {
        "key with no value" | "missing assignment between key-value pairs" => {
            no_value(before, rest)
        }
        "invalid unquoted key" => wrong_key(before, rest),
        "invalid key-value pair" => {
            "a line has the form KEY = VALUE, without braces around all lines".to_owned()
        }
        "unquoted keys cannot be empty" => "a name is missing here".to_owned(),
        "unclosed table" => format!("`{}` needs a `]` after its name", header()),
        "unclosed array table" => format!("`{}` needs `]]` after its name", header()),
        "unclosed array" => "the list needs a `]` at its end".to_owned(),
        "unclosed inline table" => "the table needs a `}` at its end".to_owned(),
        "unexpected key or value" => too_much(rest),
        "extra `=`" => "there is one `=` too many".to_owned(),
        "extra comma in array" | "extra comma in inline table" => {
            "there is one comma too many".to_owned()
        }
        "missing comma between array elements" => {
            format!("a comma or a `]` is missing before `{}`", word(rest))
        }
        "missing comma between key-value pairs" => {
            format!("a comma or a `}}` is missing before `{}`", word(rest))
        }
        "invalid basic string" if expected == "`\"`" => unclosed("\""),
        "invalid literal string" if expected == "`'`" => unclosed("'"),
        "invalid multi-line basic string" if expected == "`\"`" => unclosed("\"\"\""),
        "invalid multi-line literal string" if expected == "`'`" => unclosed("'''"),
        "missing escaped value" | "too few unicode value digits" => {
            "this is no escape: write `\\\\` for a backslash, or put the text in single quotes"
                .to_owned()
        }
        "invalid basic string" | "invalid literal string" => {
            "a control character stands in a text only as an escape, such as \\u0007".to_owned()
        }
        "carriage return must be followed by newline" => {
            "a line feed is missing after the carriage return".to_owned()
        }
        _ if what.starts_with("cannot extend value") => {
            let key = word(rest.split('.').next().unwrap_or_default());
            format!("`{key}` has a value already, so it is no table")
        }
        _ => {
            let problem = problem.trim_end_matches(", expected nothing");
            escape::truncated(problem).to_string()
        }
    }
}

fn unclosed(quote: &str) -> String {
    format!("the text needs a `{quote}` at its end")
}

/// The message about a word where a value should follow a key.
fn no_value(before: &str, rest: &str) -> String {
    let key = before.rsplit(['{', ',']).next().unwrap_or_default().trim();
    if rest.starts_with(':') || key.ends_with(':') {
        return "a key and its value have a `=` between them, no `:`".to_owned();
    }
    if let Some(quote) = ["\"", "'"].iter().find(|quote| key.starts_with(**quote))
        && key.matches(quote).count() == 1
    {
        return unclosed(quote);
    }
    let line = rest.lines().next().unwrap_or_default();
    if line.contains('=') {
        return "a key with spaces stands in quotes".to_owned();
    }
    let key = escape::truncated(key);
    format!("`{key}` has no value: a line has the form KEY = VALUE")
}

/// The message about a character that an unquoted key cannot have.
fn wrong_key(before: &str, rest: &str) -> String {
    if before.trim().is_empty() && (rest.starts_with("//") || rest.starts_with(';')) {
        return "a comment begins with `#`".to_owned();
    }
    if rest.starts_with(':') {
        return no_value(before, rest);
    }
    let character = rest.chars().next().map(String::from).unwrap_or_default();
    let character = escape::truncated(&character);
    format!("`{character}` stands in a key only if the key is in quotes")
}

/// The message about text after a value or the name of a table.
fn too_much(rest: &str) -> String {
    match rest.chars().next() {
        Some(',') => "no comma stands at the end of a line KEY = VALUE".to_owned(),
        Some(bracket @ (']' | '}')) => format!("there is one `{bracket}` too many"),
        _ => format!("a line ends before `{}`: begin a new one", word(rest)),
    }
}

/// The part of the line before a byte offset, and the whole text after it.
fn around(text: &str, at: usize) -> (&str, &str) {
    let (before, rest) = text.split_at_checked(at).unwrap_or((text, ""));
    (before.rsplit('\n').next().unwrap_or_default(), rest)
}

/// The next word, safe to print.
fn word(rest: &str) -> String {
    let end = rest.find(|it: char| it.is_whitespace() || ",]}#=".contains(it));
    escape::truncated(&rest[..end.unwrap_or(rest.len())]).to_string()
}

/// The key before `start`, if its value should begin there.
fn key_of_value(text: &str, start: usize) -> Option<&str> {
    let before = text.get(..start)?.trim_end_matches([' ', '\t']);
    let before = before.strip_suffix('=')?;
    let from = before.rfind(['\n', '{', ',']).map_or(0, |at| at + 1);
    Some(before[from..].trim())
}
