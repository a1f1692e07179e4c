//! Limits of one return, in every form.

/// How deep arrays and objects may be nested.
pub const DEPTH_AT_MOST: usize = 128;

/// Bytes that one return may have unless [`Checker::max_bytes`](crate::Checker::max_bytes) says otherwise: 16 MiB.
pub const BYTES_AT_MOST: u64 = 16 * 1024 * 1024;

/// Most list items and unknown keys in one return. Each can take several hundred bytes of memory during
/// the check, but as little as two bytes of text. Real returns have a thousandth of this.
pub const ITEMS_AT_MOST: usize = 100_000;
