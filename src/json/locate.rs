//! The second pass: the positions of findings. Runs only if there are findings.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use crate::json::pointer::{Pointer, Segment};
use crate::json::tokens::{Token, Walker};
use crate::text::Span;

/// The bytes of one pointer: its value and, for a member of an object, its key.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Spans {
    pub(crate) value: Span,
    pub(crate) key: Option<Span>,
}

/// Locates each of `wanted` in `text`, which must be JSON, in one pass. Of duplicate keys the last
/// one counts, as for most readers.
pub(crate) fn locate(text: &str, wanted: &[&Pointer]) -> Vec<Option<Spans>> {
    let tree = Tree::of(wanted);
    let mut found = vec![None; wanted.len()];
    let mut stack = Vec::new();
    let mut cursor = Cursor::default();
    for (token, span) in Walker::new(text) {
        match token {
            Token::Key => cursor.key = Some(span),
            Token::Scalar => {
                let node = cursor.enter(text, &tree, &stack);
                tree.keep(
                    node,
                    Spans {
                        value: span,
                        key: cursor.key.take(),
                    },
                    &mut found,
                );
                cursor.index += 1;
            }
            Token::Open => {
                let node = cursor.enter(text, &tree, &stack);
                stack.push(Frame {
                    node,
                    start: span.start,
                    outer: cursor,
                });
                cursor = Cursor::default();
            }
            Token::Close => {
                let Some(frame) = stack.pop() else { break };
                let value = Span {
                    start: frame.start,
                    end: span.end,
                };
                tree.keep(
                    frame.node,
                    Spans {
                        value,
                        key: frame.outer.key,
                    },
                    &mut found,
                );
                cursor = Cursor {
                    index: frame.outer.index + 1,
                    key: None,
                };
            }
        }
    }
    found
}

/// An open array or object and, if any pointer leads there, its node in the tree.
struct Frame {
    node: Option<usize>,
    start: usize,
    outer: Cursor,
}

/// The current position in a container.
#[derive(Default, Clone, Copy)]
struct Cursor {
    index: usize,
    key: Option<Span>,
}

impl Cursor {
    /// The node of the value that starts here.
    fn enter(&self, text: &str, tree: &Tree<'_>, stack: &[Frame]) -> Option<usize> {
        let Some(parent) = stack.last() else {
            return Some(Tree::ROOT);
        };
        let children = &tree.0[parent.node?].children;
        let step = match self.key {
            Some(key) => Segment::Key(unquoted(&text[key.start..key.end])),
            None => Segment::Index(self.index),
        };
        children.get(&step).copied()
    }
}

/// A key, unescaped.
fn unquoted(key: &str) -> Cow<'_, str> {
    if key.contains('\\') {
        serde_json::from_str(key).map_or_else(|_| Cow::Borrowed(key), Cow::Owned)
    } else {
        Cow::Borrowed(&key[1..key.len() - 1])
    }
}

/// The wanted pointers as a prefix tree.
struct Tree<'p>(Vec<Branch<'p>>);

#[derive(Default)]
struct Branch<'p> {
    children: HashMap<Segment<'p>, usize>,
    wanted: Vec<usize>,
}

impl<'p> Tree<'p> {
    const ROOT: usize = 0;

    fn of(wanted: &[&'p Pointer]) -> Self {
        let mut branches = vec![Branch::default()];
        for (index, pointer) in wanted.iter().enumerate() {
            let mut at = Self::ROOT;
            for step in pointer.steps() {
                let next = branches.len();
                at = *branches[at].children.entry(step.clone()).or_insert(next);
                if at == next {
                    branches.push(Branch::default());
                }
            }
            branches[at].wanted.push(index);
        }
        Self(branches)
    }

    fn keep(&self, node: Option<usize>, place: Spans, found: &mut [Option<Spans>]) {
        if let Some(node) = node {
            for index in &self.0[node].wanted {
                found[*index] = Some(place);
            }
        }
    }
}

/// The duplicate keys in `text`, which must be JSON: their pointers and spans. Keeps the first
/// `most` while their keys have at most `bytes` bytes, and counts the rest.
pub(crate) fn duplicates(text: &str, most: usize, bytes: usize) -> (Vec<(Pointer, Span)>, usize) {
    let mut found = Vec::new();
    let (mut more, mut kept) = (0, 0);
    let mut stack: Vec<Scope<'_>> = Vec::new();
    for (token, span) in Walker::new(text) {
        match token {
            Token::Key => {
                let Some(scope) = stack.last_mut() else { break };
                let key = unquoted(&text[span.start..span.end]);
                scope.key = Some(key.clone());
                if scope.keys.insert(key) {
                    continue;
                }
                if found.len() < most && kept < bytes {
                    let pointer = stack.iter().fold(Pointer::root(), Scope::extend);
                    kept += pointer.bytes();
                    found.push((pointer, span));
                } else {
                    more += 1;
                }
            }
            Token::Open => stack.push(Scope::default()),
            Token::Close => {
                stack.pop();
                stack.last_mut().map(Scope::next).unwrap_or_default();
            }
            Token::Scalar => stack.last_mut().map(Scope::next).unwrap_or_default(),
        }
    }
    (found, more)
}

/// An open array or object with its keys so far.
#[derive(Default)]
struct Scope<'t> {
    keys: HashSet<Cow<'t, str>>,
    key: Option<Cow<'t, str>>,
    index: usize,
}

impl Scope<'_> {
    fn next(&mut self) {
        self.index += 1;
    }

    fn extend(pointer: Pointer, scope: &Self) -> Pointer {
        match &scope.key {
            Some(key) => pointer.key(key.clone().into_owned()),
            None => pointer.index(scope.index),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"{"a": [1, {"b": "x"}], "c\u0064": {"e": [[]]}}"#;

    fn at(pointer: &Pointer) -> Option<(&'static str, Option<&'static str>)> {
        let place = locate(TEXT, &[pointer])[0]?;
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
        let found = locate(TEXT, &[&second, &first, &second]);
        assert_eq!(found[0], found[2]);
        assert_eq!(found[1].map(|place| place.value.start), Some(6));
    }

    #[test]
    fn duplicate_keys_are_found_at_any_depth_and_in_any_spelling() {
        let text = r#"{"a": [{"x": 1, "\u0078": 2}, {"x": 1}], "a": 0}"#;
        let (found, more) = duplicates(text, 10, 100);
        let pointers: Vec<_> = found
            .iter()
            .map(|(pointer, _)| pointer.to_string())
            .collect();
        assert_eq!(pointers, ["/a/0/x", "/a"]);
        assert_eq!(&text[found[0].1.start..found[0].1.end], r#""\u0078""#);
        assert_eq!(more, 0);
        assert_eq!(duplicates(text, 1, 100).1, 1);
    }

    #[test]
    fn items_are_counted_whatever_they_are() {
        let text = r#"[[], {"a": 0}, "x", {"b": 1, "b": 2}, 5]"#;
        for (index, value) in [(0, "[]"), (2, r#""x""#), (4, "5")] {
            let pointer = Pointer::root().index(index);
            let place = locate(text, &[&pointer])[0].expect("it is there");
            assert_eq!(&text[place.value.start..place.value.end], value);
            assert_eq!(place.key, None);
        }
        let (found, _) = duplicates(text, 10, 100);
        assert_eq!(found[0].0.to_string(), "/3/b");
    }

    #[test]
    fn duplicate_keys_beyond_the_limit_of_bytes_are_only_counted() {
        let text = r#"{"ab": 1, "ab": 2, "ab": 3, "c": 1, "c": 2}"#;
        for (bytes, kept) in [(0, 0), (1, 1), (2, 1), (3, 2), (4, 2), (5, 3)] {
            let (found, more) = duplicates(text, 10, bytes);
            assert_eq!((found.len(), more), (kept, 3 - kept), "{bytes} bytes");
        }
    }
}
