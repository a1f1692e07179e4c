//! A member of a return: missing, null, of another type, or a value.

use std::borrow::Cow;
use std::fmt;

use crate::json::pointer::{Segment, below};
use crate::text::is_blank;

/// A member of a profile as it is in a return.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Field<T> {
    /// The key is absent.
    #[default]
    Missing,
    /// The value is `null`.
    Null,
    /// The value is of another type.
    Wrong(Kind),
    /// The value has the expected type.
    Present(T),
}

impl<T> Field<T> {
    /// The value, if it is present and has the expected type.
    pub fn present(&self) -> Option<&T> {
        match self {
            Self::Present(value) => Some(value),
            _ => None,
        }
    }

    /// Sets a default value, to be filled in place.
    pub(crate) fn insert(&mut self, value: T) -> &mut T {
        *self = Self::Present(value);
        match self {
            Self::Present(value) => value,
            _ => unreachable!("it was put there"),
        }
    }

    /// Whether the key is absent or its value is null.
    pub fn is_absent(&self) -> bool {
        matches!(self, Self::Missing | Self::Null)
    }
}

impl Field<Cow<'_, str>> {
    /// Whether it is absent or a text of only white space.
    #[must_use]
    pub fn is_unfilled(&self) -> bool {
        self.is_absent() || self.present().is_some_and(|text| is_blank(text))
    }
}

/// The type of a JSON value for messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// `null`
    Null,
    /// `true` or `false`
    Boolean,
    /// A number without a fraction, in any notation.
    Integer,
    /// A number with a fraction.
    Fraction,
    /// A string.
    String,
    /// An array.
    Array,
    /// An object.
    Object,
}

impl Kind {
    pub(crate) fn of_number(number: f64) -> Self {
        if number.fract() == 0.0 {
            Self::Integer
        } else {
            Self::Fraction
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Null => "null",
            Self::Boolean => "a boolean",
            Self::Integer => "a number",
            Self::Fraction => "a number with a fraction",
            Self::String => "a string",
            Self::Array => "an array",
            Self::Object => "an object",
        })
    }
}

/// The type that a profile expects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expected {
    /// Any value.
    Anything,
    /// A boolean.
    Boolean,
    /// A number without a fraction, such as `1` and `1.0`.
    Integer,
    /// Any number.
    Number,
    /// A string.
    Text,
    /// An array.
    List,
    /// An object.
    Object,
}

impl fmt::Display for Expected {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Anything => "any value",
            Self::Boolean => "a boolean",
            Self::Integer => "an integer",
            Self::Number => "a number",
            Self::Text => "a string",
            Self::List => "an array",
            Self::Object => "an object",
        })
    }
}

/// The state of a field without its value, for the rules about required fields and types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// The key is absent.
    Missing,
    /// The value is `null`.
    Null,
    /// The value is of another type.
    Wrong(Kind),
    /// A string that is empty or only white space.
    Blank,
    /// A value of the expected type.
    Present,
}

/// A member that the record does not have.
#[derive(Debug, Clone, PartialEq)]
pub struct Unknown<'t> {
    /// The key.
    pub key: Cow<'t, str>,
    /// Its state; never [`State::Wrong`], because no type is expected.
    pub state: State,
}

/// A part of a typed return, independent of its Rust type.
pub trait Node {
    /// Its state.
    fn state(&self) -> State {
        State::Present
    }

    /// The type that the profile expects.
    fn expected(&self) -> Expected;

    /// The member `key` of the record.
    fn member(&self, _key: &str) -> Option<&dyn Node> {
        None
    }

    /// Members that the record does not have; kept only on request.
    fn unknown(&self) -> &[Unknown<'_>] {
        &[]
    }

    /// Whether its keys are arbitrary, so none is unknown.
    fn is_free(&self) -> bool {
        false
    }

    /// Every member of the record, or item, in order.
    fn each<'n>(&'n self, _visit: &mut dyn FnMut(Segment<'n>, &'n dyn Node)) {}
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

/// The JSON type behind a Rust type.
pub trait ExpectedType {
    /// The type of value that is read as `Self`.
    const EXPECTED: Expected;

    /// The type with everything inside.
    #[must_use]
    fn form() -> Form {
        Form::Leaf(Self::EXPECTED)
    }

    /// Calls back with the path and purpose of each place inside. Paths are dotted, starting at `at`,
    /// as in profiles; `[]` is every item, `*` every arbitrary key.
    fn about(_at: &str, _say: &mut dyn FnMut(&str, &'static str)) {}
}

/// The structure of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Form {
    /// A value without parts.
    Leaf(Expected),
    /// An array.
    List(Box<Form>),
    /// An object with arbitrary keys.
    Map(Box<Form>),
    /// An object with these members, in order.
    Record(Vec<(&'static str, Form)>),
}

/// A number. Its size is not checked, so the nearest `f64` is enough.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Number(pub f64);

/// A number without a fraction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Integer(pub f64);

/// Any value; only its kind is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Anything(pub Kind);

/// An object with arbitrary keys.
#[derive(Debug, Clone, PartialEq)]
pub struct Dict<'t, T>(pub Vec<(Cow<'t, str>, Field<T>)>);

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

leaves! { Number => Number, Integer => Integer, bool => Boolean, Anything => Anything }

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

    fn expected(&self) -> Expected {
        Self::EXPECTED
    }
}

impl<T: ExpectedType> ExpectedType for Vec<Field<T>> {
    const EXPECTED: Expected = Expected::List;

    fn form() -> Form {
        Form::List(Box::new(T::form()))
    }

    fn about(at: &str, say: &mut dyn FnMut(&str, &'static str)) {
        T::about(&format!("{at}[]"), say);
    }
}

impl<T: Node + ExpectedType> Node for Vec<Field<T>> {
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

    fn form() -> Form {
        Form::Map(Box::new(T::form()))
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
