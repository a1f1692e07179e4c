//! Why a text has no document, and how much one may hold.

use thiserror::Error;

use crate::document::{DEPTH_AT_MOST, ITEMS_AT_MOST};
use crate::text::Span;

#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{what}")]
pub(crate) struct FormError {
    pub kind: FormErrorKind,
    /// What is wrong, to follow "the return …". It may cite the message and is not escaped.
    pub what: String,
    /// How to fix it: an order without a full stop.
    pub fix: &'static str,
    pub place: Span,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FormErrorKind {
    Empty,
    NotUtf8,
    JsonSyntax,
    JsonDuplicateKey,
    YamlSyntax,
    YamlDuplicateKey,
    /// It is larger, is nested deeper or has more items than the limits allow.
    Limit,
}

impl FormError {
    pub(crate) fn new(
        kind: FormErrorKind,
        what: impl Into<String>,
        fix: &'static str,
        place: Span,
    ) -> Self {
        Self { kind, what: what.into(), fix, place }
    }

    pub(in crate::document) fn limit(what: String, place: Span) -> Self {
        Self::new(FormErrorKind::Limit, what, "return less", place)
    }

    pub(in crate::document) fn too_many(place: Span) -> Self {
        let what = format!("has more than {ITEMS_AT_MOST} items and names");
        Self::limit(what, place)
    }

    pub(in crate::document) fn too_deep(place: Span) -> Self {
        let what = format!("is nested deeper than {DEPTH_AT_MOST} levels");
        Self::limit(what, place)
    }

    pub(in crate::document) fn twice(kind: FormErrorKind, what: String, place: Span) -> Self {
        Self::new(kind, what, "write each key once", place)
    }

    pub(in crate::document) fn shifted(mut self, bytes: usize) -> Self {
        self.place.start += bytes;
        self.place.end += bytes;
        self
    }
}

/// Counts items and members of a document.
#[derive(Debug, Default)]
pub(in crate::document) struct Budget(usize);

impl Budget {
    pub(in crate::document) fn take(&mut self, items: usize, place: Span) -> Result<(), FormError> {
        self.0 += items;
        if self.0 > ITEMS_AT_MOST {
            return Err(FormError::too_many(place));
        }
        Ok(())
    }
}
