//! The command line: clap types and nothing else, a file for each command. Names of profiles, rules
//! and formats come from the library's tables.

use clap::{CommandFactory as _, Parser, Subcommand};

use crate::{check, completions, config, convert, explain, help, hook, instruct, man, schema};

/// Check what AI subagents return, before anything acts on it
// Options have no clap defaults, and subcommands are built when called: a run costs what it uses.
#[derive(Debug, Parser)]
#[command(
    name = "retval",
    // Whoever starts it chooses what it is called by, and usage would repeat it.
    bin_name = "retval",
    version,
    max_term_width = 100,
    disable_help_subcommand = true,
    subcommand_required = true,
    arg_required_else_help = true
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Subcommands,
}

#[derive(Debug, Subcommand)]
#[command(defer = true)]
#[allow(clippy::large_enum_variant, reason = "there is one of it in a run")]
pub(crate) enum Subcommands {
    /// Check returns: JSON, fields, status, session, summary, artifacts
    #[command(after_help = check::args::EXAMPLES)]
    Check(check::args::CheckArgs),
    /// Print the instruction that tells a subagent how to return
    #[command(after_help = instruct::EXAMPLES)]
    Instruct(instruct::InstructArgs),
    /// Make one standard's return another's, and say what became of each thing
    #[command(after_help = convert::EXAMPLES)]
    Convert(convert::ConvertArgs),
    /// Answer an agent harness's hook: instruct at the start, check at the stop
    #[command(after_help = hook::args::EXAMPLES)]
    Hook(hook::args::HookArgs),
    /// Tell what a rule means, who asks for it, and what breaks and keeps it
    #[command(after_help = explain::EXAMPLES)]
    Explain(explain::ExplainArgs),
    /// Show which settings are in force, and where each comes from
    #[command(after_help = config::EXAMPLES)]
    Config(config::ConfigCommandArgs),
    /// Print a profile, or the machine report, as JSON Schema
    #[command(after_help = schema::EXAMPLES)]
    Schema(schema::SchemaArgs),
    /// Print completions for a shell
    #[command(after_help = completions::EXAMPLES)]
    Completions(completions::CompletionsArgs),
    /// Print pages for man, or write all of them
    #[command(after_help = man::EXAMPLES)]
    Man(man::ManArgs),
    /// Print the help of a command, or a page of the manual
    #[command(after_help = help::EXAMPLES)]
    Help(help::HelpArgs),
}

/// All commands, built to the last option.
pub(crate) fn command() -> clap::Command {
    let mut command = Cli::command();
    command.build();
    command
}
