//! Options of `retval man`.

use std::path::PathBuf;

use clap::Args;

pub(super) const EXAMPLES: &str = "\
Examples:
  retval man check | man -l -
  retval man --to ~/.local/share/man/man1";

#[derive(Debug, Args)]
pub(crate) struct Man {
    /// Command to describe [default: retval itself]
    pub(crate) command: Option<String>,
    /// Write every page into this folder
    #[arg(long, value_name = "DIR", conflicts_with = "command")]
    pub(crate) to: Option<PathBuf>,
}
