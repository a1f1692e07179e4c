//! Why a text has no document.

use thiserror::Error;

use crate::document::fault::Fault;
use crate::text::Span;

/// Why a text is not in a form.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{what}")]
pub(crate) struct FormError {
    /// Which kind of error it is.
    pub kind: FormErrorKind,
    /// What is wrong, to follow "the return …". It may cite the message and is not escaped.
    pub what: String,
    /// How to fix it: an order without a full stop.
    pub fix: &'static str,
    /// Where it is, in bytes of the message.
    pub place: Span,
}

impl FormError {
    pub(in crate::document) fn limit(what: String, place: Span) -> Self {
        Self {
            kind: FormErrorKind::Limit,
            what,
            fix: "return less",
            place,
        }
    }

    pub(in crate::document) fn of(kind: FormErrorKind, fault: Fault) -> Self {
        let Fault { what, fix, place } = fault;
        Self {
            kind,
            what,
            fix,
            place,
        }
    }

    /// The same, `bytes` further right.
    pub(in crate::document) fn shifted(mut self, bytes: usize) -> Self {
        self.place.start += bytes;
        self.place.end += bytes;
        self
    }
}

/// A kind of error of a form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FormErrorKind {
    /// There is nothing but white space.
    Empty,
    /// It is not UTF-8.
    NotUtf8,
    /// It is not JSON.
    JsonSyntax,
    /// An object of the JSON has a key twice.
    JsonDuplicateKey,
    /// It is not YAML that can be JSON.
    YamlSyntax,
    /// A mapping of the YAML has a key twice.
    YamlDuplicateKey,
    /// It is larger, is nested deeper or has more items than the limits allow.
    Limit,
}
