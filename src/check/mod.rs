//! The check of one return, from its bytes to a report.
//!
//! A [`Checker`] reads the bytes, runs the steps of the [`rules`] and makes the
//! [`Report`](crate::Report). A rule reads the [`Context`] and passes each [`Diagnostic`] to the [`Collector`],
//! which counts it by level and renders its message. The positions are looked up together after all steps.

mod checker;
mod collector;
mod context;
mod diagnostic;
pub(crate) mod explain;
pub(crate) mod finding;
pub(crate) mod report;
mod returned;
pub(crate) mod rules;

pub use checker::Checker;
pub(crate) use collector::{Collector, Levels};
pub(crate) use context::{Context, Expectations, Input, ReturnFile};
pub(crate) use diagnostic::{
    Diagnostic, Location, Placeholder, Suggestion, compared, differ, values,
};
