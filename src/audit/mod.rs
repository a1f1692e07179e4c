//! The audit of a history: what came back from the agents that were called in many transcripts.
//!
//! Each run becomes an [`AuditedRun`], which has facts and no text but names and ids. The [`RunIndex`] joins
//! what several files have of one run. [`AuditReport::new`] counts them. Nothing is reported that is not
//! recorded: a run whose end no file has is one with no end recorded.

mod index;
mod outcome;
mod report;
mod run;

pub(crate) use index::RunIndex;
pub(crate) use outcome::RunOutcome;
pub(crate) use report::{AuditReport, AuditSources, Rate};
pub(crate) use run::{AuditedRun, CheckedReturn, ClaimCount};
