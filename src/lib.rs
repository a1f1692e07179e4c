//! Checks what a subagent returns before its caller relies on it.
//!
//! ```
//! let root = retval::Root::open("fixtures")?;
//! let checker = retval::Checker::new(&retval::profile::RETURN, &root).session("sess_1767225600_k3m9qa");
//! let report = checker.check(r#"{"status": "completed", "summary": "All done."}"#);
//! assert!(!report.is_valid());
//! assert_eq!(report.findings[0].head(), "Missing required field: artifacts");
//! # Ok::<(), retval::RootError>(())
//! ```
//!
//! A [`Report`] can be displayed, rendered in any [output format](Format), and serialized
//! into any format of serde:
//!
//! ```
//! use retval::Format;
//!
//! let root = retval::Root::open("fixtures")?;
//! let report = retval::Checker::new(&retval::profile::RETURN, &root).check("{}");
//! assert!(report.to_string().starts_with("1:1: error[field-missing] Missing required field: status\n"));
//! assert!(Format::Text.render(&report, "return.json").contains("[FAIL] Missing required field: status\n"));
//! assert_eq!(serde_json::to_value(&report)?["findings"][0]["rule"], "field-missing");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The path of one return
//!
//! [`Checker::check`] takes bytes. They are parsed with serde into a typed document, which distinguishes
//! a missing value, null and a value of another type. The six steps of [`rules`] check the document one
//! by one, as the [`profile`] requires, and report [findings](Finding). The text is read a second time
//! only to find the line and column of a finding. A [`Format`] writes the report as text, JSON or XML.
//! [`convert`] converts a return between profiles.
//!
//! A finding is data. The library never prints or exits. It reads only the artifacts that a return
//! claims, through [`Root`], and, if it is told to, the git repository around them. Every text of a
//! finding is escaped for a terminal.

mod audit;
mod baseline;
mod check;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
mod clients;
mod config;
pub mod convert;
mod error_log;
pub mod evidence;
mod form;
mod format;
mod instruction;
mod json;
pub mod profile;
mod root;
mod rule;
pub mod schema;
mod text;

pub use check::finding::Finding;
pub use check::{Checker, ReturnFile, report, rules};
#[doc(hidden)]
pub use check::{RuleCounts, RuleFindings};
pub use clients::transcript;
pub use config::{Config, ConfigError, ConfigErrors, CustomProfile};
pub use form::Form;
pub use format::{Format, Source};
pub use instruction::Instruction;
pub use json::{BYTES_AT_MOST, DEPTH_AT_MOST, ITEMS_AT_MOST};
pub use profile::Profile;
pub use report::Report;
pub use root::{Root, RootError};
pub use text::Position;

/// What the command and the tests of this package need. It is not part of the API and may change at any
/// time.
#[doc(hidden)]
pub mod internal {
    pub use crate::check::ReportParts;
    pub use crate::check::fingerprint::fingerprint;
    pub use crate::check::rules::HOOK_LEVELS;
    pub use crate::check::rules::age::is_older;
    pub use crate::json::field;
    pub use crate::json::stream_text::{StreamText, StreamTextError};
    pub use crate::json::tokens;
    pub use crate::root::{BatchClock, Found, collapsed};
    pub use crate::text::{Base, NameError, Span, count, escape, is_blank, is_invisible, suggest};

    pub mod audit {
        pub use crate::audit::*;
    }
    pub mod baseline {
        pub use crate::baseline::*;
    }
    pub mod clients {
        pub use crate::clients::*;
    }
    pub mod config {
        pub use crate::config::*;
    }
    pub mod document {
        pub use crate::profile::document::*;
    }
    pub mod error_log {
        pub use crate::error_log::*;
    }
    pub mod explain {
        pub use crate::check::explain::*;
    }
    pub mod form {
        pub use crate::form::*;
    }
    pub mod format {
        pub use crate::format::*;
    }
    #[cfg(feature = "git")]
    pub mod repository {
        pub use crate::evidence::repository::*;
    }
    pub mod shell {
        pub use crate::evidence::shell::*;
    }
}

/// Compiles the README's examples.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
