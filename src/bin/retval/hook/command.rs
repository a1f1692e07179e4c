//! Arguments of `retval hook`: options for a client that calls it, or a command for a person.

use clap::Args;
use retval::internal::clients::HookSettings;

use crate::args::values::client;
use crate::hook::install::{ClientVersion, HookCommand};
use crate::hook::typed::TypedOptions;

pub(crate) const EXAMPLES: &str = "\
Exit codes:
  0  always, called by a client: the answer is JSON on standard output
  2  usage error of a command or of --print-config

Examples:
  retval hook install claude-code
  retval hook status
  retval hook --observe --errors-json errors.json
  retval hook --agents 'research*' --retries 2";

// A doc comment here would become part of the help.
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_help_heading = "Commands"
)]
pub(crate) struct HookCommandArgs {
    #[command(flatten)]
    pub(crate) options: TypedOptions,
    /// Print the settings that `install` would write for a client, with the given options
    #[arg(long, value_name = "CLIENT", value_parser = client())]
    pub(super) print_config: Option<&'static HookSettings>,
    /// Version of Claude Code, which decides on events, for `--print-config`
    #[arg(long, value_name = "VERSION", requires = "print_config")]
    pub(super) client_version: Option<ClientVersion>,
    #[command(subcommand)]
    pub(crate) command: Option<HookCommand>,
}
