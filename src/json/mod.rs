//! JSON in two passes.
//!
//! The first is fast and typed: `read` has `serde_json` fill a record whose every [`field::Field`]
//! knows whether it was missing, null, of another type or present, and notes whether a key stood
//! twice. A valid return needs no more. Only when there is something to report does the second
//! pass (`walk`, `locate`) go over the text again and say where.

pub(crate) mod decode;
pub(crate) mod error_offset;
pub(crate) mod extract;
pub mod field;
pub(crate) mod locate;
pub mod pointer;
pub(crate) mod syntax;
pub(crate) mod tokens;
mod truncation;
