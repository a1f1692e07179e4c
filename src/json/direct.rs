//! Locates one value directly: skips all values outside its path, without storing them.

use crate::json::locate::{Spans, document, unquoted};
use crate::json::pointer::Segment;
use crate::json::tokens::{Token, Walker};
use crate::text::Span;

/// The first token of a value.
type Start = (Token, Span);

/// Locates the value at the end of these steps in `text`, which must be JSON without duplicate keys.
/// None if there is no such value. For a few values this is cheaper than
/// [`locate`](crate::json::locate::locate).
pub(crate) fn locate_directly(text: &str, wanted: &[Segment<'_>]) -> Option<Spans> {
    if wanted.is_empty() {
        let value = document(text);
        return Some(Spans { value, key: None });
    }
    let mut walker = Walker::new(text);
    let mut value = walker.next()?;
    let mut key = None;
    for step in wanted {
        if value.0 != Token::Open {
            return None;
        }
        (key, value) = match step {
            Segment::Key(name) => member(text, &mut walker, name)?,
            Segment::Index(index) => (None, item(&mut walker, *index)?),
        };
    }
    let value = Span {
        start: value.1.start,
        end: end_of(value, &mut walker),
    };
    Some(Spans { value, key })
}

/// Finds a member of the object that the walker is in. Returns the span of its key, and the start of its
/// value.
fn member(text: &str, walker: &mut Walker<'_>, name: &str) -> Option<(Option<Span>, Start)> {
    while let (Token::Key, key) = walker.next()? {
        let value = walker.next()?;
        if unquoted(&text[key.start..key.end]) == name {
            return Some((Some(key), value));
        }
        end_of(value, walker);
    }
    None
}

/// Finds an item of the array that the walker is in.
fn item(walker: &mut Walker<'_>, index: usize) -> Option<Start> {
    let mut value = walker.next()?;
    for _ in 0..index {
        if value.0 == Token::Close {
            return None;
        }
        end_of(value, walker);
        value = walker.next()?;
    }
    matches!(value.0, Token::Open | Token::Scalar).then_some(value)
}

/// Skips the rest of a value. Returns the byte offset of its end.
fn end_of((token, span): Start, walker: &mut Walker<'_>) -> usize {
    match token {
        Token::Open => walker.skip_container(),
        _ => span.end,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::locate::locate;
    use crate::json::pointer::Pointer;

    const TEXT: &str =
        r#" {"a": [1, {"b": "x"}, [[], 2]], "c\u0064": {"e": [[]], "f": {}}, "": -1} "#;

    #[test]
    fn both_ways_lead_to_the_same_place() {
        let root = Pointer::root;
        let a = || root().key("a");
        let found = [
            root(),
            a(),
            a().index(0),
            a().index(1),
            a().index(1).key("b"),
            a().index(2).index(0),
            a().index(2).index(1),
            root().key("cd"),
            root().key("cd").key("e").index(0),
            root().key("cd").key("f"),
            root().key(""),
        ];
        for pointer in found {
            let place = locate_directly(TEXT, pointer.steps());
            assert!(place.is_some(), "{pointer}");
            assert_eq!(place, locate(TEXT, &[&pointer], true)[0], "{pointer}");
        }
    }

    #[test]
    fn what_is_not_there_has_no_place() {
        let root = Pointer::root;
        let a = || root().key("a");
        for pointer in [
            root().key("b"),
            root().index(0),
            a().key("b"),
            a().index(3),
            a().index(0).index(0),
            a().index(2).index(0).index(0),
            root().key("cd").key("f").key("g"),
        ] {
            assert_eq!(locate_directly(TEXT, pointer.steps()), None, "{pointer}");
            assert_eq!(locate(TEXT, &[&pointer], true)[0], None, "{pointer}");
        }
    }
}
