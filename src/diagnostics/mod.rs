//! What the rules need: the facts of one return, and a place for what they find.
//!
//! A rule's check reads the [`Context`] and gives each [`Diagnostic`] to the [`Collector`], which
//! counts it by its level and puts it into words. When all steps have run, the positions are looked
//! up in the text and the findings are made.

mod collector;
mod context;
mod diagnostic;
mod input;
mod levels;
mod locate;
mod location;
mod value;

pub(crate) use collector::{Collected, Collector, POINTER_BYTES_KEPT, Ran};
pub(crate) use context::{Context, Expectations};
pub(crate) use diagnostic::{Diagnostic, DiagnosticNote, Suggestion};
pub(crate) use input::Input;
pub(crate) use levels::Levels;
pub(crate) use location::Location;
pub(crate) use value::{SizeLimit, Value};
