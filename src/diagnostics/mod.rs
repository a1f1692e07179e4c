//! What the rules work with: the context of one return, and a collector for diagnostics.
//!
//! A rule reads the [`Context`] and passes each [`Diagnostic`] to the [`Collector`], which counts
//! it by level and renders its message. After all steps, the positions are looked up in the text
//! and the findings are built.

mod clock;
mod collector;
mod context;
mod diagnostic;
mod input;
mod levels;
mod locate;
mod location;
mod value;

pub(crate) use clock::Clock;
pub(crate) use collector::{Collected, Collector, POINTER_BYTES_KEPT, Ran};
pub(crate) use context::{Context, Expectations};
pub(crate) use diagnostic::{Diagnostic, DiagnosticNote, Suggestion};
pub(crate) use input::Input;
pub use input::ReturnFile;
pub(crate) use levels::Levels;
pub(crate) use location::Location;
pub(crate) use value::{SizeLimit, Value};
