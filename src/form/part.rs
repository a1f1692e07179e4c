//! Which part of a message is the return.

use memchr::memmem;

use super::text::is_hollow;
use super::text::scan::fences;
use super::text::tags::elements;
use crate::text::Span;

/// How the return is marked in a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PartMarks {
    /// It is the content of the fenced code with one of these words after its fence, in any case.
    Fence(Vec<String>),
    /// It stands between these two texts.
    Between([String; 2]),
    /// It is the content of this tag. Of nested ones the outermost counts.
    Tag(String),
}

/// Why a message has no single part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PartError {
    /// There is none. One that has no end is none.
    Missing,
    /// There are several: the content of each.
    Ambiguous(Vec<Span>),
    /// This follows it.
    NotLast(Span),
}

/// A part with its marks.
struct MarkedPart {
    content: Span,
    /// Where its last mark ends.
    end: usize,
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
        [part] if last && !is_hollow(&message[part.end..]) => {
            let rest = message[part.end..].trim();
            let start = rest.as_ptr().addr() - message.as_ptr().addr();
            Err(PartError::NotLast(Span::new(start, rest.len())))
        }
        [part] => Ok(part.content),
        parts => Err(PartError::Ambiguous(
            parts.iter().map(|it| it.content).collect(),
        )),
    }
}

fn fenced(message: &str, words: &[String]) -> Vec<MarkedPart> {
    fences(message)
        .filter(|fence| words.iter().any(|it| it.eq_ignore_ascii_case(fence.word)))
        .map(|fence| MarkedPart {
            content: fence.content,
            end: fence.end,
        })
        .collect()
}

fn between(message: &str, [opening, closing]: &[String; 2]) -> Vec<MarkedPart> {
    let mut found = Vec::new();
    let mut at = 0;
    let next = |from: usize, mark: &str| {
        memmem::find(&message.as_bytes()[from..], mark.as_bytes()).map(|it| from + it)
    };
    while let Some(start) = next(at, opening).map(|it| it + opening.len())
        && let Some(end) = next(start, closing)
    {
        at = end + closing.len();
        found.push(MarkedPart {
            content: Span { start, end },
            end: at,
        });
        if at == start {
            break;
        }
    }
    found
}

fn tagged(message: &str, name: &str) -> Vec<MarkedPart> {
    let elements = elements(message, 0, &[name]).map(|it| it.all);
    let mut found: Vec<MarkedPart> = Vec::new();
    for element in elements.unwrap_or_default() {
        let is_outer = found.last().is_none_or(|it| it.end <= element.open.start);
        if is_outer && element.name.eq_ignore_ascii_case(name) {
            found.push(MarkedPart {
                content: Span {
                    start: element.open.end,
                    end: element.close.start,
                },
                end: element.close.end,
            });
        }
    }
    found
}
