//! The command: argv, options, run, exit code.

mod check;
mod cli;
mod collector;
mod converting;
mod demands;
mod grouped;
mod hook;
mod input;
mod judging;
mod known;
mod log_file;
mod new_file;
mod output;
mod print_schema;
mod progress;
mod settings;
mod show;
mod usage;
mod workers;

use std::io::Write as _;
use std::mem::ManuallyDrop;
use std::process::ExitCode;

use clap::{CommandFactory as _, FromArgMatches as _};

/// The run failed, and standard error says why already.
#[derive(Debug, thiserror::Error)]
#[error("the run failed")]
struct Told;

/// How a run ended; the worst outcome counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Exit {
    /// Every return is valid.
    Valid = 0,
    /// At least one is not.
    Invalid = 1,
    /// Something could not be checked.
    Unchecked = 2,
}

fn main() -> ExitCode {
    let exit = run().unwrap_or_else(|error| {
        if error.is::<output::Closed>() {
            return Exit::Valid;
        }
        if !error.is::<Told>() {
            complain(&error);
        }
        Exit::Unchecked
    });
    ExitCode::from(exit as u8)
}

fn run() -> anyhow::Result<Exit> {
    match parse() {
        Ok((cli, typed)) => match cli.command {
            cli::Subcommands::Check(check) => check::run(check, &typed),
            cli::Subcommands::Convert(convert) => converting::run(convert),
            cli::Subcommands::Instruct(instruct) => show::instruct(instruct),
            cli::Subcommands::Explain(explain) => show::explain(&explain),
            cli::Subcommands::Config(config) => show::config(&config),
            cli::Subcommands::Completions(completions) => show::completions(&completions),
            cli::Subcommands::Man(man) => show::man(&man),
            cli::Subcommands::Schema(schema) => print_schema::run(schema),
            cli::Subcommands::Hook(hook) => {
                // An answer that nobody takes blocks nobody.
                let _ = hook::run(hook);
                Ok(Exit::Valid)
            }
        },
        // Harnesses take exit code 2 for a block, and a usage error would block every agent.
        Err(error) if error.use_stderr() && is_hook() && !is_by_hand() => {
            let _ = hook::misunderstood(&usage::text(error));
            Ok(Exit::Valid)
        }
        Err(error) => usage::answer(error),
    }
}

/// The options, and the order in which the outputs were typed.
fn parse() -> Result<(cli::Cli, usage::Typed), clap::Error> {
    // What clap has built is left as it is: the process is over before it would be torn down.
    let mut command = ManuallyDrop::new(cli::Cli::command());
    let matches = command.try_get_matches_from_mut(std::env::args_os())?;
    let mut matches = ManuallyDrop::new(matches);
    let typed = usage::Typed::of(&matches);
    Ok((cli::Cli::from_arg_matches_mut(&mut matches)?, typed))
}

/// Whether the first argument asks for the hook, whatever follows.
fn is_hook() -> bool {
    std::env::args_os()
        .nth(1)
        .is_some_and(|first| first == "hook")
}

/// Whether a person asks the hook for its settings.
fn is_by_hand() -> bool {
    let mut arguments = std::env::args_os();
    arguments.any(|argument| argument.as_encoded_bytes().starts_with(b"--print-config"))
}

/// Says on standard error what should be known and fails nothing.
fn note(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "note: {text}");
}

/// Says on standard error what went wrong. If even that fails there is nobody left to tell.
fn complain(error: &anyhow::Error) {
    let _ = writeln!(std::io::stderr().lock(), "error: {error:#}");
}
