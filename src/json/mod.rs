//! What is known of JSON beside its values: where it stands in a text, and what is wrong with it.

pub(crate) mod clues;
pub(crate) mod extract;
pub(crate) mod fault;
pub(crate) mod pointer;
pub(crate) mod raw;
pub(crate) mod stream_text;
pub(crate) mod string_end;
pub(crate) mod tokens;

/// How deep arrays and objects may be nested.
pub(crate) const DEPTH_AT_MOST: usize = 128;

/// Bytes that one return may have unless [`Checker::max_bytes`](crate::Checker::max_bytes) says otherwise: 16 MiB.
pub(crate) const BYTES_AT_MOST: u64 = 16 * 1024 * 1024;

/// Most list items and keys in one return. Each can take several hundred bytes of memory during the check,
/// but as little as two bytes of text. Real returns have a thousandth of this.
pub(crate) const ITEMS_AT_MOST: usize = 100_000;
