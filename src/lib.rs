//! Holds what a subagent returns to what its orchestrator was promised.
//!
//! ```
//! let root = retval::Root::open("fixtures")?;
//! let checker = retval::Checker::new(&retval::profile::RETURN, &root).session("sess_1767225600_k3m9qa");
//! let report = checker.check(r#"{"status": "completed", "summary": "All done."}"#);
//! assert!(!report.is_valid());
//! assert_eq!(report.findings[0].head, "Missing required field: artifacts");
//! # Ok::<(), retval::RootError>(())
//! ```
//!
//! # The path of one return
//!
//! [`Checker::check`] takes bytes. [`json`] reads them with serde into a typed [`document`], which
//! keeps apart what is missing, null and of another type. The steps of [`rules`] look at it one by
//! one, as the [`profile`] asks, and say what they [find](finding); only then is the text read
//! again for the places. [`mod@format`] makes text, JSON or XML of the outcome. [`convert`] makes one
//! standard's return another's.
//!
//! A finding is data. The library never prints, never exits, and reads nothing but the artifacts
//! that a return claims, through [`Root`]. Every text of a finding has passed [`text::escape`].

pub mod baseline;
mod checker;
pub mod config;
pub mod convert;
mod diagnostics;
pub mod document;
pub mod error_log;
pub mod explain;
pub mod finding;
pub mod format;
pub mod harness;
mod instruction;
pub mod json;
mod level;
pub mod profile;
pub mod report;
mod root;
mod rule;
pub mod rules;
pub mod schema;
mod step;
pub mod text;

pub use checker::{BYTES_AT_MOST, Checker, DEPTH_AT_MOST};
pub use finding::Finding;
pub use instruction::Instruction;
pub use json::decode::state::ITEMS_AT_MOST;
pub use profile::Profile;
pub use report::Report;
pub use root::{Found, Root, RootError};
pub use text::{Base, Position};

/// Compiles the README's examples.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
