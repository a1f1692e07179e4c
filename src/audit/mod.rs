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

pub use compare::{Change, changes};
pub use facts::{AuditedRun, CheckedReturn, ClaimCount, ReturnSize};
pub use fan_in::{FanIn, Parent};
pub use groups::{AuditGroup, GroupBy, Groups, SMALL, week_of};
pub use index::{AgentTypes, RunIndex};
pub use outcome::RunOutcome;
pub use rate::Rate;
pub use record::RunRecord;
pub use report::{
    AuditReport, AuditSources, Coverage, HeldProfile, OutcomeCount, RefusingRule, VERSION,
};
pub use schema::schema;
pub use uncommitted::Uncommitted;
pub use weight::{AuditWeight, LengthClass, Sizes, Writes};
