//! Arguments of `retval hook`: options for a client that calls it, or a command for a person.

use crate::clients::HookSettings;
use clap::{Args, Subcommand};

use crate::cli::args::client;
use crate::cli::hook::install::{self, InstallArgs, StatusArgs, UninstallArgs};
use crate::cli::hook::options::{TypedOption, TypedOptions};
use crate::cli::hook::trace::{self, LogArgs};
use crate::cli::hook::trial::{self, TryArgs};
use crate::cli::output::Exit;

pub(crate) const EXAMPLES: &str = "\
Exit codes:
  0  always, called by a client: the answer is JSON on standard output
  1  usage error; never 2, which clients take as a block

Examples:
  retval hook install claude-code
  retval hook status
  retval hook log
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
    #[command(subcommand)]
    pub(crate) command: Option<HookCommand>,
}

impl HookCommandArgs {
    /// Keeps the options as they were typed, for the command that has some.
    pub(crate) fn keep(&mut self, typed: Vec<TypedOption>) {
        let options = match &mut self.command {
            None => &mut self.options,
            Some(HookCommand::Install(args)) => &mut args.options,
            Some(HookCommand::Try(args)) => &mut args.options,
            Some(_) => return,
        };
        options.typed = typed;
    }
}

#[derive(Debug, Subcommand)]
#[allow(clippy::large_enum_variant, reason = "there is one of it in a run")]
pub(crate) enum HookCommand {
    /// Put the hook into a client's settings file, or into those of all clients of the project
    ///
    /// All other settings and comments stay. With other options than before, the hook is replaced.
    #[command(after_long_help = install::INSTALL_EXAMPLES)]
    Install(InstallArgs),
    /// Take the hook out of a client's settings file
    #[command(after_long_help = install::UNINSTALL_EXAMPLES)]
    Uninstall(UninstallArgs),
    /// Show where the hook is installed, and try it
    ///
    /// Decides about the payload of an agent as each installed command would. No command is run.
    #[command(after_long_help = install::STATUS_EXAMPLES)]
    Status(StatusArgs),
    /// Print what the hook decided, and why
    #[command(after_long_help = trace::EXAMPLES)]
    Log(LogArgs),
    /// Say what the hook would decide about an event; nothing is changed
    #[command(after_long_help = trial::EXAMPLES)]
    Try(TryArgs),
}

impl HookCommand {
    pub(super) fn run(self) -> anyhow::Result<Exit> {
        match self {
            Self::Install(args) => install::install(&args),
            Self::Uninstall(args) => install::uninstall(&args),
            Self::Status(args) => install::status(&args),
            Self::Log(args) => trace::print_log(&args),
            Self::Try(args) => trial::run(args),
        }
    }
}
