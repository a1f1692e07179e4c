//! The location of a diagnostic in the return.

use crate::json::locate::Spans;
use crate::json::pointer::Pointer;
use crate::text::Span;

/// The location of a diagnostic in the return, before its position is known.
#[derive(Debug)]
pub(crate) enum Location {
    /// A value.
    Value(Pointer),
    /// The key of a member.
    Key(Pointer),
    /// Known bytes, and the pointer if there is one.
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

    /// The pointer whose bytes are not known yet.
    pub(super) fn unresolved(&self) -> Option<&Pointer> {
        match self {
            Self::Value(pointer) | Self::Key(pointer) => Some(pointer),
            Self::Bytes(..) => None,
        }
    }

    /// Its bytes, where those of its pointer are known.
    pub(super) fn span(&self, located: Spans) -> Span {
        match self {
            Self::Value(_) => located.value,
            Self::Key(_) => located.key.unwrap_or(located.value),
            Self::Bytes(span, _) => *span,
        }
    }
}
