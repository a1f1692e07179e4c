//! Where reports go.

pub(crate) mod atomic;
pub(crate) mod error_log;
pub(crate) mod invalid;
mod lines;
pub(crate) mod locked;
mod ownership;
pub(crate) mod place;
mod replace;
mod signals;
mod sink;
mod targets;
mod temp_name;
// The tests look at the temporary name that a file gets on Linux, and create symlinks.
#[cfg(all(test, target_os = "linux"))]
mod tests;

pub(crate) use replace::{replace, target};
pub(crate) use sink::{Closed, Sink, print_stdout};
pub(crate) use targets::Targets;
