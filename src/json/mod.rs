//! JSON in two passes.
//!
//! The first is fast and typed: `decode` reads a record. Each [`field::Field`] is
//! missing, null, of another type or present; duplicate keys are noted. A valid return needs nothing
//! else. Only if there are findings does the second pass (`locate`) read the text again for their
//! positions.

pub(crate) mod compact;
pub(crate) mod decode;
pub(crate) mod duplicates;
pub(crate) mod error_offset;
pub(crate) mod extract;
pub mod field;
pub(crate) mod locate;
pub(crate) mod members;
pub(crate) mod pointer;
pub(crate) mod reader;
pub(crate) mod stream_text;
pub(crate) mod string_end;
pub(crate) mod syntax;
pub mod tokens;
mod truncation;
