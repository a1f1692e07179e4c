//! Where reports go.

pub(crate) mod atomic;
pub(crate) mod error_log;
mod replace;
mod sink;
mod targets;

pub(crate) use replace::{replace, target};
pub(crate) use sink::{Closed, Sink, print_stdout};
pub(crate) use targets::Targets;
