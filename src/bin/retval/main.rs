//! The command: argv, options, run, exit code.

mod args;
mod check;
mod clap_error;
mod cli;
mod completions;
mod config;
mod convert;
mod demands;
mod exit;
mod explain;
mod help;
mod hook;
mod input;
mod instruct;
mod man;
mod manual;
mod output;
mod schema;
mod settings;
mod stderr;

use std::mem::ManuallyDrop;
use std::process::ExitCode;

use clap::{CommandFactory as _, FromArgMatches as _};

use exit::{Exit, Reported};

fn main() -> ExitCode {
    let exit = run().unwrap_or_else(|error| {
        if error.is::<output::Closed>() {
            return Exit::Valid;
        }
        if !error.is::<Reported>() {
            stderr::error(&error);
        }
        Exit::Unchecked
    });
    ExitCode::from(exit as u8)
}

fn run() -> anyhow::Result<Exit> {
    match parse() {
        Ok((cli, typed)) => match cli.command {
            cli::Subcommands::Check(check) => check::run(check, &typed),
            cli::Subcommands::Convert(convert) => convert::run(convert),
            cli::Subcommands::Instruct(instruct) => instruct::run(instruct),
            cli::Subcommands::Explain(explain) => explain::run(&explain),
            cli::Subcommands::Config(config) => config::run(&config),
            cli::Subcommands::Completions(completions) => completions::run(&completions),
            cli::Subcommands::Man(man) => man::run(&man),
            cli::Subcommands::Help(help) => help::run(&help),
            cli::Subcommands::Schema(schema) => schema::run(schema),
            cli::Subcommands::Hook(hook) => {
                // An answer that nobody takes blocks nobody.
                let _ = hook::run(hook);
                Ok(Exit::Valid)
            }
        },
        // Harnesses take exit code 2 for a block, and a usage error would block every agent.
        Err(error) if error.use_stderr() && is_hook() && !is_by_hand() => {
            let _ = hook::misunderstood(&clap_error::text(error));
            Ok(Exit::Valid)
        }
        Err(error) => clap_error::answer(error),
    }
}

/// The options, and the order in which the outputs were typed.
fn parse() -> Result<(cli::Cli, check::outputs::ArgOrder), clap::Error> {
    // What clap has built is left as it is: the process is over before it would be torn down.
    let mut command = ManuallyDrop::new(cli::Cli::command());
    let matches = command.try_get_matches_from_mut(std::env::args_os())?;
    let mut matches = ManuallyDrop::new(matches);
    let typed = check::outputs::ArgOrder::of(&matches);
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
