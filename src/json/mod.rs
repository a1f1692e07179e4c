//! JSON in two passes.
//!
//! The first is fast and typed: `decode` reads a record. Each [`field::Field`] is
//! missing, null, of another type or present; duplicate keys are noted. A valid return needs nothing
//! else. Only if there are findings does the second pass (`locate`) read the text again for their
//! positions.

pub(crate) mod clues;
pub(crate) mod decode;
pub(crate) mod duplicates;
pub(crate) mod extract;
pub(crate) mod fault;
pub(crate) mod field;
pub(crate) mod locate;
pub(crate) mod pointer;
pub(crate) mod raw;
pub(crate) mod reader;
pub(crate) mod stream_text;
pub(crate) mod string_end;
pub(crate) mod tokens;

/// How deep arrays and objects may be nested.
pub(crate) const DEPTH_AT_MOST: usize = 128;

/// Bytes that one return may have unless [`Checker::max_bytes`](crate::Checker::max_bytes) says otherwise: 16 MiB.
pub(crate) const BYTES_AT_MOST: u64 = 16 * 1024 * 1024;

/// Most list items and unknown keys in one return. Each can take several hundred bytes of memory during
/// the check, but as little as two bytes of text. Real returns have a thousandth of this.
pub(crate) const ITEMS_AT_MOST: usize = 100_000;
