//! The command line: clap types and nothing else, a file for each command. Names of profiles, rules
//! and formats come from the library's tables.

mod check;
mod completions;
mod convert;
mod demands;
mod explain;
mod hook;
mod instruct;
mod man;
mod names;
mod schema;
mod settings;

use clap::{Parser, Subcommand};

pub(crate) use check::{Check, ColorChoice, Which};
pub(crate) use completions::{Completions, Shell};
pub(crate) use convert::Convert;
pub(crate) use demands::Demands;
pub(crate) use explain::{Explain, Shown};
pub(crate) use hook::Hook;
pub(crate) use instruct::Instruct;
pub(crate) use man::Man;
pub(crate) use schema::Schema;
pub(crate) use settings::{Config, Configured};

/// Holds what a subagent returns to what its orchestrator was promised.
// Options have no clap defaults, and subcommands are built when called: a run costs what it uses.
#[derive(Debug, Parser)]
#[command(
    name = "retval",
    // Whoever starts it chooses what it is called by, and usage would repeat it.
    bin_name = "retval",
    version,
    max_term_width = 100,
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
    /// Judge returns: JSON, fields, status, session, summary, artifacts
    #[command(after_help = check::EXAMPLES)]
    Check(Check),
    /// Print the instruction that tells a subagent how to return
    #[command(after_help = instruct::EXAMPLES)]
    Instruct(Instruct),
    /// Make one standard's return another's, and say what became of each thing
    #[command(after_help = convert::EXAMPLES)]
    Convert(Convert),
    /// Answer an agent harness's hook: instruct at the start, judge at the stop
    #[command(after_help = hook::EXAMPLES)]
    Hook(Hook),
    /// Tell what a rule means, who asks for it, and what breaks and keeps it
    #[command(after_help = explain::EXAMPLES)]
    Explain(Explain),
    /// Show which settings are in force, and where each comes from
    #[command(after_help = settings::EXAMPLES)]
    Config(Config),
    /// Print a profile, or the machine report, as JSON Schema
    #[command(after_help = schema::EXAMPLES)]
    Schema(Schema),
    /// Print completions for a shell
    #[command(after_help = completions::EXAMPLES)]
    Completions(Completions),
    /// Print a manual page, or write all of them
    #[command(after_help = man::EXAMPLES)]
    Man(Man),
}
