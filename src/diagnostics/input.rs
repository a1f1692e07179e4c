//! The bytes of one return.

use crate::json::extract::wrapping::Wrapping;
use crate::text::Base;

/// What is checked: bytes, their text, and the return's own part of it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Input<'t> {
    pub(crate) bytes: &'t [u8],
    /// Where the bytes begin in their file.
    pub(crate) base: Base,
    /// All of the bytes as text.
    pub(crate) whole: &'t str,
    /// The return's own text, which is JSON if a step after the first runs.
    pub(crate) text: &'t str,
    /// Where `text` begins in `bytes`.
    pub(crate) start: usize,
    /// The text around the return.
    pub(crate) wrapping: Option<Wrapping>,
}

impl<'t> Input<'t> {
    /// Bytes that are one text.
    pub(crate) fn of_text(bytes: &'t [u8], text: &'t str, base: Base) -> Self {
        Self {
            bytes,
            base,
            whole: text,
            text,
            start: 0,
            wrapping: None,
        }
    }

    /// Bytes that are not read as text.
    pub(crate) fn of_bytes(bytes: &'t [u8], base: Base) -> Self {
        Self::of_text(bytes, "", base)
    }
}
