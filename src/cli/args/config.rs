//! The options that select the configuration.

use std::path::PathBuf;

use crate::config::{SETTINGS, Setting};
use clap::Args;

use crate::cli::args::heading;
use crate::cli::args::values::{ON, OneOf};

// A doc comment here would become part of each command's help.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct ConfigArgs {
    /// Configuration file [default: the nearest retval.toml in this folder or above]
    ///
    /// Paths and globs in it are relative to its folder; from a pipe or a device, to this folder.
    #[arg(long, value_name = "FILE", help_heading = heading::CONFIGURATION)]
    pub(crate) config: Option<PathBuf>,
    /// Read no configuration file
    #[arg(long, num_args = 0, default_missing_value = ON, conflicts_with = "config", help_heading = heading::CONFIGURATION, hide_short_help = true)]
    pub(crate) no_config: Option<bool>,
    /// Ignore this setting from the environment and the configuration file (repeatable)
    #[arg(long, value_name = "SETTING", hide_possible_values = true, value_parser = OneOf::new(setting_names, Setting::named).hint(SETTINGS_LISTED), help_heading = heading::CONFIGURATION, hide_short_help = true)]
    pub(crate) unset: Vec<&'static Setting>,
}

/// A hint at the names of settings, because an error cannot list so many.
const SETTINGS_LISTED: &str = "`retval config` lists the settings";

fn setting_names() -> Vec<&'static str> {
    SETTINGS.iter().map(|setting| setting.name).collect()
}
