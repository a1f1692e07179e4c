//! What all parts of a typed return have in common: a state, an expected type, and parts of their own.

use std::borrow::Cow;

use super::{Amount, Anything, Dict, Expected, Field, FieldList, Integer, Number, State, Unknown};
use crate::json::pointer::{Segment, below};
use crate::text::is_blank;

/// A part of a typed return, independent of its Rust type.
pub(crate) trait Node {
    /// Its state.
    fn state(&self) -> State {
        State::Present
    }

    /// The type that the profile expects.
    fn expected(&self) -> Expected;

    /// The text, if it is a string.
    fn text(&self) -> Option<&str> {
        None
    }

    /// The member `key` of the record.
    fn member(&self, _key: &str) -> Option<&dyn Node> {
        None
    }

    /// Members that the record does not define. They are kept only on request.
    fn unknown(&self) -> &[Unknown<'_>] {
        &[]
    }

    /// Whether its keys are arbitrary, so that no key is unknown.
    fn is_free(&self) -> bool {
        false
    }

    /// Calls `_visit` with every member of the record, or every item of the list, in order.
    fn each<'n>(&'n self, _visit: &mut dyn FnMut(Segment<'n>, &'n dyn Node)) {}
}

/// The JSON type behind a Rust type.
pub(crate) trait ExpectedType {
    /// The type of value that is read as `Self`.
    const EXPECTED: Expected;

    /// The type, with the types of everything inside.
    fn form() -> TypeTree {
        TypeTree::Leaf(Self::EXPECTED)
    }

    /// Calls `_say` with the path and purpose of each value inside. Paths are dotted and start at
    /// `_at`, as in profiles; `[]` is every item, `*` every arbitrary key.
    fn about(_at: &str, _say: &mut dyn FnMut(&str, &'static str)) {}
}

/// The structure of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum TypeTree {
    /// A value without parts.
    Leaf(Expected),
    /// An array.
    List(Box<TypeTree>),
    /// An object with arbitrary keys.
    Map(Box<TypeTree>),
    /// An object with these members, in order.
    Record(Vec<(&'static str, TypeTree)>),
}

impl<T: Node + ExpectedType> Node for Field<T> {
    fn state(&self) -> State {
        match self {
            Self::Missing => State::Missing,
            Self::Null => State::Null,
            Self::Wrong(kind) => State::Wrong(*kind),
            Self::Present(value) => value.state(),
        }
    }

    fn expected(&self) -> Expected {
        T::EXPECTED
    }

    fn text(&self) -> Option<&str> {
        self.present()?.text()
    }

    fn member(&self, key: &str) -> Option<&dyn Node> {
        self.present()?.member(key)
    }

    fn unknown(&self) -> &[Unknown<'_>] {
        self.present().map_or(&[], Node::unknown)
    }

    fn is_free(&self) -> bool {
        self.present().is_some_and(Node::is_free)
    }

    fn each<'n>(&'n self, visit: &mut dyn FnMut(Segment<'n>, &'n dyn Node)) {
        if let Self::Present(value) = self {
            value.each(visit);
        }
    }
}

macro_rules! leaves {
    ($($leaf:ty => $expected:ident),*) => {$(
        impl ExpectedType for $leaf {
            const EXPECTED: Expected = Expected::$expected;
        }
        impl Node for $leaf {
            fn expected(&self) -> Expected {
                Self::EXPECTED
            }
        }
    )*};
}

leaves! { Amount => Amount, Number => Number, Integer => Integer, bool => Boolean, Anything => Anything }

impl ExpectedType for Cow<'_, str> {
    const EXPECTED: Expected = Expected::Text;
}

impl Node for Cow<'_, str> {
    fn state(&self) -> State {
        if is_blank(self) {
            State::Blank
        } else {
            State::Present
        }
    }

    fn text(&self) -> Option<&str> {
        Some(self)
    }

    fn expected(&self) -> Expected {
        Self::EXPECTED
    }
}

impl<T: ExpectedType> ExpectedType for FieldList<T> {
    const EXPECTED: Expected = Expected::List;

    fn form() -> TypeTree {
        TypeTree::List(Box::new(T::form()))
    }

    fn about(at: &str, say: &mut dyn FnMut(&str, &'static str)) {
        T::about(&format!("{at}[]"), say);
    }
}

impl<T: Node + ExpectedType> Node for FieldList<T> {
    fn expected(&self) -> Expected {
        Self::EXPECTED
    }

    fn each<'n>(&'n self, visit: &mut dyn FnMut(Segment<'n>, &'n dyn Node)) {
        for (index, item) in self.iter().enumerate() {
            visit(Segment::Index(index), item);
        }
    }
}

impl<T: ExpectedType> ExpectedType for Dict<'_, T> {
    const EXPECTED: Expected = Expected::Object;

    fn form() -> TypeTree {
        TypeTree::Map(Box::new(T::form()))
    }

    fn about(at: &str, say: &mut dyn FnMut(&str, &'static str)) {
        T::about(&below(at, "*"), say);
    }
}

impl<T: Node + ExpectedType> Node for Dict<'_, T> {
    fn expected(&self) -> Expected {
        Self::EXPECTED
    }

    fn is_free(&self) -> bool {
        true
    }

    fn each<'n>(&'n self, visit: &mut dyn FnMut(Segment<'n>, &'n dyn Node)) {
        for (key, value) in &self.0 {
            visit(Segment::Key(Cow::Borrowed(key)), value);
        }
    }
}
