//! Keys that an object has more than once.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::json::locate::unquoted;
use crate::json::pointer::Pointer;
use crate::json::tokens::{Token, Walker};
use crate::text::Span;

/// The duplicate keys in `text`, which must be JSON: their pointers and spans, and how many more there
/// are. Keeps at most `most` of them, and no more once the keys in their pointers have `bytes` bytes
/// together.
pub(crate) fn duplicates(
    text: &str,
    most: usize,
    bytes: usize,
) -> (Vec<(Pointer<'_>, Span)>, usize) {
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

impl<'t> Scope<'t> {
    fn next(&mut self) {
        self.index += 1;
    }

    fn extend(pointer: Pointer<'t>, scope: &Self) -> Pointer<'t> {
        match &scope.key {
            Some(key) => pointer.key(key.clone()),
            None => pointer.index(scope.index),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn duplicate_keys_beyond_the_limit_of_bytes_are_only_counted() {
        let text = r#"{"ab": 1, "ab": 2, "ab": 3, "c": 1, "c": 2}"#;
        for (bytes, kept) in [(0, 0), (1, 1), (2, 1), (3, 2), (4, 2), (5, 3)] {
            let (found, more) = duplicates(text, 10, bytes);
            assert_eq!((found.len(), more), (kept, 3 - kept), "{bytes} bytes");
        }
    }

    #[test]
    fn a_duplicate_key_is_found_behind_items_of_any_kind() {
        let text = r#"[[], {"a": 0}, "x", {"b": 1, "b": 2}, 5]"#;
        let (found, _) = duplicates(text, 10, 100);
        assert_eq!(found[0].0.to_string(), "/3/b");
    }
}
