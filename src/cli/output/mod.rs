//! Where reports go.

pub(crate) mod error_log;
pub(crate) mod file;
pub(crate) mod progress;
pub(crate) mod recorder;
mod sink;

pub(crate) use file::{replace, target};
pub(crate) use sink::{Closed, Sink, Targets, print_stdout, write_output};
