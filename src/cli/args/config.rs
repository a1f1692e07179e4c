//! The options that select the configuration.

use std::path::PathBuf;

use clap::Args;

use crate::cli::args::heading;

// A doc comment here would become part of each command's help.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct ConfigArgs {
    /// Configuration file [default: the nearest retval.toml, here or above]
    ///
    /// Paths and globs in it are relative to its folder; from a pipe or a device, to this folder.
    #[arg(long, value_name = "FILE", help_heading = heading::SETTINGS)]
    pub(crate) config: Option<PathBuf>,
    /// Read no configuration file
    #[arg(long, conflicts_with = "config", help_heading = heading::SETTINGS, hide_short_help = true)]
    pub(crate) no_config: bool,
}
