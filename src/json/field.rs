//! What a return says in one place: nothing, null, something else than was asked, or a value.

use std::borrow::Cow;
use std::fmt;

use crate::json::pointer::{Segment, below};
use crate::text::is_blank;

/// A member that a standard names, as the return gives it.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Field<T> {
    /// The key is absent.
    #[default]
    Missing,
    /// The value is `null`.
    Null,
    /// The value is of another type.
    Wrong(Kind),
    /// The value is of the type that the standard asks for.
    Present(T),
}

impl<T> Field<T> {
    /// The value, if it is there and of the right type.
    pub fn present(&self) -> Option<&T> {
        match self {
            Self::Present(value) => Some(value),
            _ => None,
        }
    }

    /// Puts a value here, to be filled in where it stands.
    pub(crate) fn insert(&mut self, value: T) -> &mut T {
        *self = Self::Present(value);
        match self {
            Self::Present(value) => value,
            _ => unreachable!("it was put there"),
        }
    }

    /// Whether the standard's reader sees nothing here: the key is absent or its value is null.
    pub fn is_absent(&self) -> bool {
        matches!(self, Self::Missing | Self::Null)
    }
}

impl Field<Cow<'_, str>> {
    /// Whether there is nothing to read here: no text, or only white space.
    #[must_use]
    pub fn is_unfilled(&self) -> bool {
        self.is_absent() || self.present().is_some_and(|text| is_blank(text))
    }
}

/// The type of a JSON value, as a message names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// `null`
    Null,
    /// `true` or `false`
    Boolean,
    /// A number without a fraction, however it is written.
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

/// The type that a standard asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expected {
    /// Any value.
    Anything,
    /// A boolean.
    Boolean,
    /// A number without a fraction; `1.0` is one.
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

/// A field's state without its value: all that the rules on required fields and types look at.
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
    /// A value of the right type.
    Present,
}

/// A member whose key the record does not name.
#[derive(Debug, Clone, PartialEq)]
pub struct Unknown<'t> {
    /// The key.
    pub key: Cow<'t, str>,
    /// What stands there; never [`State::Wrong`], for nothing was asked.
    pub state: State,
}

/// A part of a typed return as rules walk it, whatever its Rust type.
pub trait Node {
    /// What stands here.
    fn state(&self) -> State {
        State::Present
    }

    /// The type that the standard asks for here.
    fn expected(&self) -> Expected;

    /// The member that the record names `key`.
    fn member(&self, _key: &str) -> Option<&dyn Node> {
        None
    }

    /// Members whose keys the record does not name; kept only where a reader asked for them.
    fn unknown(&self) -> &[Unknown<'_>] {
        &[]
    }

    /// Whether its keys are the agent's own, so that none is unknown.
    fn is_free(&self) -> bool {
        false
    }

    /// Every named member or item, in the record's order.
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
    /// The type that a value must have to be read as `Self`.
    const EXPECTED: Expected;

    /// The same with all that is inside.
    #[must_use]
    fn form() -> Form {
        Form::Leaf(Self::EXPECTED)
    }

    /// Says of each named place inside what stands there. Places are dotted from `at` down, as a
    /// profile writes them; `[]` is every item, `*` every key of an agent's own.
    fn about(_at: &str, _say: &mut dyn FnMut(&str, &'static str)) {}
}

/// What a value may look like, all the way down.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Form {
    /// A value without named parts.
    Leaf(Expected),
    /// An array.
    List(Box<Form>),
    /// An object whose keys are the agent's own.
    Map(Box<Form>),
    /// An object with the members of a standard, in its order.
    Record(Vec<(&'static str, Form)>),
}

/// A number. Its size is not checked, so the nearest `f64` serves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Number(pub f64);

/// A number without a fraction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Integer(pub f64);

/// Any value; only its kind is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Anything(pub Kind);

/// An object used as a map: its keys are the agent's own.
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
