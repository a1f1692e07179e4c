//! The bytes of one return.

use std::time::SystemTime;

use crate::json::extract::wrapping::Wrapping;
use crate::text::Base;

/// What is checked: the bytes, their text, and the part of it that is the return.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Input<'t> {
    pub(crate) bytes: &'t [u8],
    /// The position of the first byte in the file.
    pub(crate) base: Base,
    /// All bytes as text.
    pub(crate) whole: &'t str,
    /// The text of the return itself. It is JSON if any step after the first runs.
    pub(crate) text: &'t str,
    /// The offset of `text` in `bytes`.
    pub(crate) start: usize,
    /// The text around the return.
    pub(crate) wrapping: Option<Wrapping>,
    /// When the file was last changed, if it holds nothing else.
    pub(crate) written: Option<SystemTime>,
}

impl<'t> Input<'t> {
    /// An input that is only the return.
    pub(crate) fn of_text(bytes: &'t [u8], text: &'t str, base: Base) -> Self {
        Self {
            bytes,
            base,
            whole: text,
            text,
            start: 0,
            wrapping: None,
            written: None,
        }
    }

    /// An input that is not read as text.
    pub(crate) fn of_bytes(bytes: &'t [u8], base: Base) -> Self {
        Self::of_text(bytes, "", base)
    }
}
