//! Where reports go.

pub(crate) mod atomic;
pub(crate) mod error_log;
pub(crate) mod invalid;
mod lines;
pub(crate) mod locked;
mod ownership;
mod replace;
mod signals;
mod sink;
mod targets;
mod temp_name;

pub(crate) use replace::{replace, target};
pub(crate) use sink::{Closed, Sink, print_stdout};
pub(crate) use targets::Targets;
