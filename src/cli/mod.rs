//! The command line: clap types and nothing else, a file for each command. Names of profiles, rules
//! and formats come from the library's tables.

mod check;
mod demands;
mod hook;
mod instruct;
mod names;
mod schema;

use clap::{Parser, Subcommand};

pub(crate) use check::{Check, ColorChoice, Which};
pub(crate) use demands::Demands;
pub(crate) use hook::{Harness, Hook};
pub(crate) use instruct::Instruct;
pub(crate) use names::ProfileChoice;
pub(crate) use schema::Schema;

/// Holds what a subagent returns to what its orchestrator was promised.
// Options have no clap defaults, and subcommands are built when called: a run costs what it uses.
#[derive(Debug, Parser)]
#[command(
    name = "retval",
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
    /// Answer an agent harness's hook: instruct at the start, judge at the stop
    #[command(after_help = hook::EXAMPLES)]
    Hook(Hook),
    /// Print a profile, or the machine report, as JSON Schema
    #[command(after_help = schema::EXAMPLES)]
    Schema(Schema),
}
