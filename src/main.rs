//! The command: argv, options, run, exit code.

mod check;
mod cli;
mod collector;
mod demands;
mod error_log;
mod hook;
mod input;
mod judging;
mod output;
mod progress;
mod usage;
mod workers;

use std::io::Write as _;
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
    let parsed = cli::Cli::command().try_get_matches().and_then(|matches| {
        let cli = cli::Cli::from_arg_matches(&matches)?;
        Ok((cli, matches))
    });
    match parsed {
        Ok((cli, matches)) => match cli.command {
            cli::Subcommands::Check(check) => check::run(&check, usage::subcommand(&matches)),
            cli::Subcommands::Instruct(instruct) => instruct_run(&instruct),
            cli::Subcommands::Hook(hook) => {
                // An answer that nobody takes blocks nobody.
                let _ = hook::run(&hook);
                Ok(Exit::Valid)
            }
        },
        // Harnesses take exit code 2 for a block, and a usage error would block every agent.
        Err(error) if error.use_stderr() && is_hook() => {
            let _ = hook::let_go(&usage::text(error));
            Ok(Exit::Valid)
        }
        Err(error) => usage::answer(error),
    }
}

/// Whether the first argument asks for the hook, whatever follows.
fn is_hook() -> bool {
    std::env::args_os()
        .nth(1)
        .is_some_and(|first| first == "hook")
}

fn instruct_run(options: &cli::Instruct) -> anyhow::Result<Exit> {
    let instruction = retval::Instruction {
        profile: options.profile.unwrap_or(&retval::profile::RETURN),
        session: options.session.as_deref(),
        agent: options.agent.as_deref(),
        group: options.group.as_deref(),
    };
    output::Sink::Stdout.write(instruction.to_string().as_bytes())?;
    Ok(Exit::Valid)
}

/// Says on standard error what went wrong. If even that fails there is nobody left to tell.
fn complain(error: &anyhow::Error) {
    let _ = writeln!(std::io::stderr().lock(), "error: {error:#}");
}
