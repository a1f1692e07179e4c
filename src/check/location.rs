//! The location of a diagnostic in the return.

use std::borrow::Cow;

use crate::form::document::PlacedValue;
use crate::json::locate::{Spans, locate};
use crate::json::pointer::Pointer;
use crate::profile::standard::place::span_at;
use crate::text::Span;

/// The location of a diagnostic in the return, before its position is known.
#[derive(Debug)]
pub(crate) enum Location<'d> {
    /// A value.
    Value(Pointer<'d>),
    /// The key of a member.
    Key(Pointer<'d>),
    /// Known bytes, and the pointer if there is one.
    Bytes(Span, Option<Pointer<'d>>),
    /// A member of the return.
    Member(&'static str),
}

impl From<&'static str> for Location<'_> {
    fn from(member: &'static str) -> Self {
        Self::Member(member)
    }
}

impl<'d> From<Pointer<'d>> for Location<'d> {
    fn from(pointer: Pointer<'d>) -> Self {
        Self::Value(pointer)
    }
}

impl<'d> Location<'d> {
    /// The same without borrows.
    pub(super) fn into_owned(self) -> Location<'static> {
        match self {
            Self::Value(pointer) => Location::Value(pointer.into_owned()),
            Self::Key(pointer) => Location::Key(pointer.into_owned()),
            Self::Bytes(span, pointer) => Location::Bytes(span, pointer.map(Pointer::into_owned)),
            Self::Member(name) => Location::Member(name),
        }
    }

    pub(super) fn pointer_bytes(&self) -> usize {
        match self {
            Self::Value(pointer) | Self::Key(pointer) | Self::Bytes(_, Some(pointer)) => {
                pointer.bytes()
            }
            Self::Bytes(_, None) => 0,
            Self::Member(name) => name.len(),
        }
    }

    /// The pointer of a finding, as in RFC 6901.
    pub(super) fn pointer(&self) -> Option<String> {
        match self {
            Self::Value(pointer) | Self::Key(pointer) | Self::Bytes(_, Some(pointer)) => {
                Some(pointer.to_string())
            }
            Self::Bytes(_, None) => None,
            // The names in profiles and rules have nothing to escape.
            Self::Member(name) => Some(format!("/{name}")),
        }
    }

    /// The pointer whose bytes are to be looked up in a pass over the text.
    pub(super) fn unresolved(&self) -> Option<Cow<'_, Pointer<'d>>> {
        match self {
            Self::Value(pointer) | Self::Key(pointer) => Some(Cow::Borrowed(pointer)),
            Self::Bytes(..) => None,
            Self::Member(name) => Some(Cow::Owned(Pointer::root().key(*name))),
        }
    }

    /// Its bytes, where those of its pointer are known.
    pub(super) fn span(&self, located: Spans) -> Span {
        match self {
            Self::Value(_) | Self::Member(_) => located.value,
            Self::Key(_) => located.key.unwrap_or(located.value),
            Self::Bytes(span, _) => *span,
        }
    }

    /// Its bytes in the message of a document.
    pub(super) fn find_in(&self, document: &PlacedValue<'_>) -> Span {
        match self {
            Self::Value(pointer) | Self::Key(pointer) => span_at(document, pointer),
            Self::Bytes(span, _) => *span,
            Self::Member(name) => span_at(document, &Pointer::root().key(*name)),
        }
    }

    /// Its bytes in the text of a return without duplicate keys. Text that is not JSON has no values to
    /// locate.
    pub(super) fn find(&self, text: &str) -> Span {
        let found = self
            .unresolved()
            .and_then(|it| locate(text, &[&it], true)[0]);
        self.span(found.unwrap_or_default())
    }
}
