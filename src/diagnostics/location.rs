//! Where a diagnostic belongs.

use crate::json::pointer::Pointer;
use crate::text::Span;

/// The place of a diagnostic in the return, before it is looked up in the text.
#[derive(Debug)]
pub(crate) enum Location {
    /// A value.
    Value(Pointer),
    /// The key of a member.
    Key(Pointer),
    /// Bytes that are known already, and the pointer if there is one.
    Bytes(Span, Option<Pointer>),
}

impl Location {
    /// A member of the return.
    pub(crate) fn member(name: &'static str) -> Self {
        Self::Value(Pointer::root().key(name))
    }

    pub(super) fn pointer(&self) -> Option<&Pointer> {
        match self {
            Self::Value(pointer) | Self::Key(pointer) => Some(pointer),
            Self::Bytes(_, pointer) => pointer.as_ref(),
        }
    }

    /// The pointer whose bytes are still to be looked up.
    pub(super) fn unresolved(&self) -> Option<&Pointer> {
        match self {
            Self::Value(pointer) | Self::Key(pointer) => Some(pointer),
            Self::Bytes(..) => None,
        }
    }
}
