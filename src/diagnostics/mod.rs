//! What the rules work with: the context of one return, and a collector for diagnostics.
//!
//! A rule reads the [`Context`] and passes each [`Diagnostic`] to the [`Collector`], which counts
//! it by level, renders its message, and looks up its position in the text. Where there are many,
//! the positions are looked up together after all steps.

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
