//! Checks what a subagent returns before its caller relies on it.
//!
//! ```
//! let root = retval::Root::open("fixtures")?;
//! let checker = retval::Checker::new(&retval::RETURN, &root).session("sess_1767225600_k3m9qa");
//! let report = checker.check(r#"{"status": "completed", "summary": "All done."}"#);
//! assert!(!report.is_valid());
//! assert_eq!(report.findings[0].head, "Missing required field: artifacts");
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
//! let report = retval::Checker::new(&retval::RETURN, &root).check("{}");
//! assert!(report.to_string().starts_with("1:1: error[field-missing] Missing required field: status\n"));
//! assert!(Format::Text.render(&report, "return.json").contains("[FAIL] Missing required field: status\n"));
//! assert_eq!(serde_json::to_value(&report)?["findings"][0]["rule"], "field-missing");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A finding is data. The library never prints or exits. It reads only the artifacts that a return
//! claims, through [`Root`]. Every text of a finding is escaped for a terminal.
#![cfg_attr(
    not(feature = "cli"),
    allow(
        dead_code,
        unused_imports,
        reason = "the command uses more of the modules than the library shows"
    )
)]

#[cfg(feature = "cli")]
mod audit;
mod check;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
mod clients;
mod config;
mod document;
mod evidence;
mod instruct;
mod json_schema;
#[cfg(any(test, feature = "testing"))]
mod laws;
mod log;
mod profile;
mod report;
mod root;
mod rule;
#[cfg(feature = "testing")]
#[doc(hidden)]
pub mod testing;
mod text;

pub use check::Checker;
pub use check::finding::Finding;
pub use check::report::{
    Artifact, ArtifactReport, ArtifactState, Delegation, Next, Progress, Report, Return,
    ReturnError, StepOutcome, StepReport,
};
pub use check::rules::RULES;
pub use config::{Config, ConfigError, ConfigErrors, CustomProfile};
pub use profile::{Action, COMPACT, HANDOFF, PROFILES, Profile, RETURN, RETURN_META, RETURN_V1};
pub use report::{Format, Source};
pub use root::{Root, RootError};
pub use rule::{Level, Rule, Step, Strictness};
pub use text::{NameError, Position};

/// Compiles the README's examples.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
