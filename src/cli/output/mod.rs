//! Where reports go.

pub(crate) mod error_log;
pub(crate) mod invalid;
mod lines;
pub(crate) mod locked;
mod ownership;
pub(crate) mod place;
pub(crate) mod progress;
mod replace;
mod sink;
mod targets;

pub(crate) use replace::{replace, target};
pub(crate) use sink::{Closed, Sink, print_stdout, write_output};
pub(crate) use targets::Targets;
