//! Options of `retval hook`.

use std::path::PathBuf;

use clap::Args;
use clap::builder::NonEmptyStringValueParser;
use retval::harness::Harness;

use crate::args::config::ConfigArgs;
use crate::args::rules::RuleArgs;
use crate::args::values::{ON, OneOf, ProfileName, harness_names};

pub(crate) const EXAMPLES: &str = "\
Exit codes:
  0  always: the answer is JSON on standard output

Examples:
  retval hook --print-config claude-code
  retval hook --observe --errors-json errors.json
  retval hook --agents 'research*' --retries 2";

#[derive(Debug, Args)]
pub(crate) struct HookArgs {
    /// Standard to hold returns to [default: return]
    #[arg(long, value_name = "PROFILE", value_parser = ProfileName::Alone)]
    pub(crate) profile: Option<String>,
    /// Session id to instruct and to expect [default: `RETVAL_SESSION`, else the harness's]
    #[arg(long, value_name = "ID", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) session: Option<String>,
    /// Folder that artifacts are relative to [default: the one that the agent works in]
    #[arg(long, value_name = "DIR")]
    pub(crate) root: Option<PathBuf>,
    /// Check the newest file that matches, below the root, in the place of the final message
    #[arg(long, value_name = "GLOB")]
    pub(crate) return_file: Option<String>,
    /// Hold only agents whose name matches to the standard (repeatable)
    #[arg(long, value_name = "GLOB")]
    pub(crate) agents: Vec<String>,
    /// How often an agent is sent back [default: 1]
    #[arg(long, value_name = "N")]
    pub(crate) retries: Option<u32>,
    /// Report and never send back
    #[arg(long, num_args = 0, default_missing_value = ON)]
    pub(crate) observe: Option<bool>,
    /// Send back when retval itself cannot check, too
    #[arg(long, num_args = 0, default_missing_value = ON)]
    pub(crate) fail_closed: Option<bool>,
    #[command(flatten)]
    pub(crate) demands: RuleArgs,
    /// Add a record of each return that stays invalid to an error log (.jsonl: a line each)
    #[arg(long, value_name = "FILE")]
    pub(crate) errors_json: Option<PathBuf>,
    /// Take the payload for this harness's [default: told by the payload]
    #[arg(long, value_name = "HARNESS", value_parser = OneOf::new(harness_names, Harness::named))]
    pub(crate) harness: Option<Harness>,
    /// Print the settings to paste for a harness
    #[arg(long, value_name = "HARNESS", value_parser = OneOf::new(harness_names, Harness::named), exclusive = true)]
    pub(crate) print_config: Option<Harness>,

    #[command(flatten)]
    pub(crate) configured: ConfigArgs,
}
