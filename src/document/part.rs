//! Which part of a message is the return.

use super::name::is_alike;
use super::text::scan::scan;
use super::text::{is_hollow, span, span_of};
use crate::text::Span;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PartMarks {
    /// It is the content of the fenced code with one of these names after its fence, or of any if there are none.
    Fence(Vec<String>),
    Between([String; 2]),
    /// It is the content of this tag. Of nested ones the outermost counts.
    Tag(String),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PartError {
    /// There is none. One that has no end is none.
    Missing,
    /// There are several: the content of each.
    Ambiguous(Vec<Span>),
    NotLast(Span),
}

/// Finds the part of a message, in bytes. `last` says that nothing may follow it.
pub(crate) fn find(message: &str, marks: &PartMarks, last: bool) -> Result<Span, PartError> {
    let found = match marks {
        PartMarks::Fence(words) => fenced(message, words),
        PartMarks::Between(marks) => between(message, marks),
        PartMarks::Tag(name) => tagged(message, name),
    };
    match &*found {
        [] => Err(PartError::Missing),
        [(_, end)] if last && !is_hollow(&message[*end..]) => {
            let rest = message[*end..].trim();
            Err(PartError::NotLast(span_of(message, rest)))
        }
        [(part, _)] => Ok(*part),
        parts => Err(PartError::Ambiguous(parts.iter().map(|(part, _)| *part).collect())),
    }
}

/// The fenced code with one of these words. Here and below, each part comes with the end of its last mark.
fn fenced(message: &str, words: &[String]) -> Vec<(Span, usize)> {
    let is_named = |word: Span| {
        let word = &message[word.start..word.end];
        words.is_empty() || words.iter().any(|it| is_alike(it, word))
    };
    let mark = message.len() - message.trim_start_matches('\u{feff}').len();
    let all = scan(message, mark, &[]).unwrap_or_default().fences;
    let closed = all.iter().filter(|it| it.is_closed && is_named(it.word));
    closed.map(|it| (it.content, it.place.end)).collect()
}

fn between(message: &str, [opening, closing]: &[String; 2]) -> Vec<(Span, usize)> {
    let mut found = Vec::new();
    let mut at = 0;
    let end_of = |from: usize, mark: &str| Some(from + message[from..].find(mark)? + mark.len());
    while let Some(start) = end_of(at, opening)
        && let Some(end) = end_of(start, closing).filter(|it| *it > start)
    {
        at = end;
        found.push((span(start, end - closing.len()), end));
    }
    found
}

/// The content of the tags with a name, but for those inside of one.
fn tagged(message: &str, name: &str) -> Vec<(Span, usize)> {
    let mut found = Vec::new();
    let mut at = 0;
    for element in scan(message, 0, &[name]).unwrap_or_default().elements {
        if element.open.start >= at && element.name.eq_ignore_ascii_case(name) {
            at = element.close.end;
            found.push((element.content(), at));
        }
    }
    found
}
