//! A member of a return: missing, null, of another type, or a value.

mod kind;
mod node;

use std::borrow::Cow;

pub(crate) use kind::{Expected, Kind};
pub(crate) use node::{ExpectedType, Node, TypeTree};

use crate::text::is_blank;

/// A member of a profile as it is in a return.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) enum Field<T> {
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

/// A list.
pub(crate) type FieldList<T> = Vec<Field<T>>;

impl<T> Field<T> {
    /// The value, if it is present and has the expected type.
    pub(crate) fn present(&self) -> Option<&T> {
        match self {
            Self::Present(value) => Some(value),
            _ => None,
        }
    }

    /// Sets a value, and returns it to be filled in place. Inlined, so that the value is also created in
    /// place: unused parts of a record or a list need not be copied.
    #[inline]
    pub(crate) fn insert(&mut self, value: T) -> &mut T {
        *self = Self::Present(value);
        match self {
            Self::Present(value) => value,
            _ => unreachable!("it was put there"),
        }
    }

    /// Whether the key is absent or its value is null.
    pub(crate) fn is_absent(&self) -> bool {
        matches!(self, Self::Missing | Self::Null)
    }
}

impl<T> Field<FieldList<T>> {
    pub(crate) fn items(&self) -> &[Field<T>] {
        self.present().map_or(&[], FieldList::as_slice)
    }
}

impl Field<Cow<'_, str>> {
    /// Whether the field is absent, or a text without a visible character.
    pub(crate) fn is_unfilled(&self) -> bool {
        self.is_absent() || self.present().is_some_and(|text| is_blank(text))
    }
}

/// The state of a field without its value, for the rules about required fields and types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    /// The key is absent.
    Missing,
    /// The value is `null`.
    Null,
    /// The value is of another type.
    Wrong(Kind),
    /// A string without a visible character.
    Blank,
    /// A value of the expected type.
    Present,
}

/// A member that the record does not define.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Unknown<'t> {
    /// The key.
    pub key: Cow<'t, str>,
    /// Its state; never [`State::Wrong`], because no type is expected.
    pub state: State,
}

/// A number. Its size is not checked, so the nearest `f64` is enough.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Number(pub f64);

/// A number without a fraction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Integer(pub f64);

/// A text such as `92%`, or a number without a unit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Amount {
    /// A text.
    Text,
    /// The number.
    Bare(f64),
}

/// Any value; only its kind is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Anything(pub Kind);

/// An object with arbitrary keys.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Dict<'t, T>(pub Vec<(Cow<'t, str>, Field<T>)>);
