//! The second pass: finds the positions of values. One value takes no memory of the heap, because the
//! threads of a run share its lock.

use std::borrow::Cow;
use std::ops::Range;

use crate::json::pointer::{Pointer, Segment};
use crate::json::tokens::{Token, Walker};
use crate::text::Span;

/// Where the value of a pointer is and, for a member of an object, its key.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Spans {
    pub(crate) value: Span,
    pub(crate) key: Option<Span>,
}

/// Where each of the wanted values is.
pub(crate) type FoundSpans = Vec<Option<Spans>>;

/// Locates each of `wanted` in `text`, which must be JSON, in one pass. Of duplicate keys the last one
/// counts, as for most readers. `is_unique` says that there are none: then the pass ends with the last
/// wanted value.
pub(crate) fn locate(text: &str, wanted: &[&Pointer<'_>], is_unique: bool) -> FoundSpans {
    let mut search = Search::new(text, wanted, is_unique);
    search.run();
    search.found
}

/// A pass over a text. Values without a wanted pointer at or below them are skipped as a whole. So every
/// frame of the stack has a branch that is not empty, within that of the frame below it, and all its
/// pointers agree in as many steps as there are frames below. `missing` is the number of pointers that
/// are not found yet.
struct Search<'w> {
    text: &'w str,
    walker: Walker<'w>,
    /// The pointers, each with its index in `found`. They are sorted, so that those at and below one
    /// value are adjacent.
    wanted: Vec<(&'w [Segment<'w>], usize)>,
    found: FoundSpans,
    missing: usize,
    is_unique: bool,
    stack: Vec<Frame>,
    cursor: Cursor,
}

/// The wanted pointers at and below one value.
type Branch = Range<usize>;

/// An open array or object with wanted pointers below it.
struct Frame {
    branch: Branch,
    start: usize,
    outer: Cursor,
}

/// The current position in a container.
#[derive(Default, Clone, Copy)]
struct Cursor {
    index: usize,
    key: Option<Span>,
}

impl<'w> Search<'w> {
    fn new(text: &'w str, wanted: &[&'w Pointer<'w>], is_unique: bool) -> Self {
        let document = Spans {
            value: document(text),
            key: None,
        };
        let found = wanted.iter().map(|it| it.is_root().then_some(document));
        let below = wanted.iter().enumerate().filter(|(_, it)| !it.is_root());
        let mut ordered: Vec<_> = below.map(|(place, it)| (it.steps(), place)).collect();
        ordered.sort_unstable();
        Self {
            text,
            walker: Walker::new(text),
            found: found.collect(),
            missing: ordered.len(),
            wanted: ordered,
            is_unique,
            stack: Vec::new(),
            cursor: Cursor::default(),
        }
    }

    fn run(&mut self) {
        while self.missing > 0 || !self.is_unique {
            let Some((token, span)) = self.walker.next() else {
                return;
            };
            match token {
                Token::Key => self.cursor.key = Some(span),
                Token::Scalar => {
                    let branch = self.enter();
                    self.end_value(&branch, span);
                }
                Token::Open => self.open(span),
                Token::Close => {
                    let Some(frame) = self.stack.pop() else {
                        return;
                    };
                    self.cursor = frame.outer;
                    let (start, end) = (frame.start, span.end);
                    self.end_value(&frame.branch, Span { start, end });
                }
            }
        }
    }

    fn open(&mut self, span: Span) {
        let branch = self.enter();
        let depth = self.stack.len();
        let goes_on = self.wanted[branch.clone()].last();
        if goes_on.is_none_or(|(steps, _)| steps.len() <= depth) {
            let (start, end) = (span.start, self.walker.skip_container());
            return self.end_value(&branch, Span { start, end });
        }
        self.stack.push(Frame {
            branch,
            start: span.start,
            outer: std::mem::take(&mut self.cursor),
        });
    }

    /// The wanted pointers at and below the value that starts here.
    fn enter(&self) -> Branch {
        let Some(parent) = self.stack.last() else {
            return 0..self.wanted.len();
        };
        let depth = self.stack.len() - 1;
        let step = match self.cursor.key {
            Some(key) => Segment::Key(unquoted(&self.text[key.start..key.end])),
            None => Segment::Index(self.cursor.index),
        };
        let below = &self.wanted[parent.branch.clone()];
        let at = below.partition_point(|(steps, _)| steps.get(depth) < Some(&step));
        let same = below[at..].partition_point(|(steps, _)| steps.get(depth) == Some(&step));
        let start = parent.branch.start + at;
        start..start + same
    }

    /// Notes the span of a value that ends here, if it is wanted, and moves the cursor on.
    fn end_value(&mut self, branch: &Branch, value: Span) {
        let depth = self.stack.len();
        for (steps, place) in &self.wanted[branch.clone()] {
            if steps.len() > depth {
                break;
            }
            let key = self.cursor.key;
            let earlier = self.found[*place].replace(Spans { value, key });
            self.missing -= usize::from(earlier.is_none());
        }
        self.cursor = Cursor {
            index: self.cursor.index + 1,
            key: None,
        };
    }
}

/// The span of the whole value of a JSON text, without white space.
pub(super) fn document(text: &str) -> Span {
    let is_space = [' ', '\t', '\n', '\r'];
    let start = text.len() - text.trim_start_matches(is_space).len();
    Span::new(start, text.trim_matches(is_space).len())
}

/// A key, unescaped.
pub(super) fn unquoted(key: &str) -> Cow<'_, str> {
    if key.contains('\\') {
        serde_json::from_str(key).map_or_else(|_| Cow::Borrowed(key), Cow::Owned)
    } else {
        Cow::Borrowed(&key[1..key.len() - 1])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"{"a": [1, {"b": "x"}], "c\u0064": {"e": [[]]}}"#;

    fn at(pointer: &Pointer) -> Option<(&'static str, Option<&'static str>)> {
        let place = locate(TEXT, &[pointer], true)[0]?;
        let text = |span: Span| &TEXT[span.start..span.end];
        Some((text(place.value), place.key.map(text)))
    }

    #[test]
    fn values_and_keys_are_found() {
        let root = Pointer::root;
        assert_eq!(at(&root()), Some((TEXT, None)));
        assert_eq!(at(&root().key("a").index(0)), Some(("1", None)));
        assert_eq!(
            at(&root().key("a").index(1).key("b")),
            Some((r#""x""#, Some(r#""b""#)))
        );
        assert_eq!(
            at(&root().key("cd")),
            Some((r#"{"e": [[]]}"#, Some(r#""c\u0064""#)))
        );
        assert_eq!(at(&root().key("cd").key("e").index(0)), Some(("[]", None)));
        assert_eq!(at(&root().key("nowhere")), None);
    }

    #[test]
    fn many_pointers_take_one_pass() {
        let (first, second) = (Pointer::root().key("a"), Pointer::root().key("a").index(1));
        let found = locate(TEXT, &[&second, &first, &second], true);
        assert_eq!(found[0], found[2]);
        assert_eq!(found[1].map(|place| place.value.start), Some(6));
    }

    #[test]
    fn of_duplicate_keys_the_last_one_counts() {
        let text = r#"{"a": {"b": 1}, "c": 0, "a": {"b": [2], "d": {}}, "c": {}}"#;
        let root = Pointer::root;
        for (pointer, value) in [
            (root().key("a").key("b"), "[2]"),
            (root().key("a"), r#"{"b": [2], "d": {}}"#),
            (root().key("c"), "{}"),
        ] {
            let place = locate(text, &[&root(), &pointer], false)[1].expect("it is there");
            assert_eq!(&text[place.value.start..place.value.end], value);
        }
    }

    #[test]
    fn items_are_counted_whatever_they_are() {
        let text = r#"[[], {"a": 0}, "x", {"b": 1, "b": 2}, 5]"#;
        for (index, value) in [(0, "[]"), (2, r#""x""#), (4, "5")] {
            let pointer = Pointer::root().index(index);
            let place = locate(text, &[&pointer], true)[0].expect("it is there");
            assert_eq!(&text[place.value.start..place.value.end], value);
            assert_eq!(place.key, None);
        }
    }
}
