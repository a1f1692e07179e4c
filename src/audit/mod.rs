//! The audit of a history: what came back from the agents that were called in many transcripts.
//!
//! Each run becomes an [`AuditedRun`], which has facts and no text but names, ids and paths. The [`RunIndex`] joins what several
//! files have of one run. [`AuditReport::new`] counts them. Nothing is reported that is not recorded: a run
//! whose end no file has is one with no end recorded, and every figure says of how many it speaks.

mod compare;
mod facts;
mod fan_in;
mod groups;
mod index;
mod outcome;
mod rate;
mod record;
mod report;
mod schema;
mod uncommitted;
mod weight;

pub(crate) use compare::{Change, changes};
pub(crate) use facts::{AuditedRun, CheckedReturn, ClaimCount};
pub(crate) use fan_in::{FanIn, Parent};
pub(crate) use groups::{AuditGroup, GroupBy, Groups, SMALL};
pub(crate) use index::{AgentTypes, RunIndex};
pub(crate) use outcome::RunOutcome;
pub(crate) use rate::Rate;
pub(crate) use record::RunRecord;
pub(crate) use report::{AuditReport, AuditSources, OutcomeCount, VERSION};
pub(crate) use schema::schema;
pub(crate) use uncommitted::Uncommitted;
pub(crate) use weight::{AuditWeight, Sizes};
