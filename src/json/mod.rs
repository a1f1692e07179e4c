//! JSON in two passes.
//!
//! The first is fast and typed: `read` has `serde_json` fill a record whose every [`field::Field`]
//! knows whether it was missing, null, of another type or present, and notes whether a key stood
//! twice. A valid return needs no more. Only when there is something to report does the second
//! pass (`walk`, `locate`) go over the text again and say where.

mod brackets;
mod cut;
#[cfg(test)]
mod cut_cases;
pub(crate) mod extract;
#[cfg(test)]
mod extract_cases;
pub(crate) mod fault;
#[cfg(test)]
mod fault_cases;
pub mod field;
pub(crate) mod locate;
pub mod pointer;
pub(crate) mod read;
pub(crate) mod record;
pub(crate) mod skim;
mod sort;
mod syntax;
mod values;
pub(crate) mod walk;
pub(crate) mod watch;
pub(crate) mod wrapping;
