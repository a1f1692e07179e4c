//! The binary: parses arguments and options, runs a command, and returns its exit code.

mod args;
mod audit;
mod check;
mod cli;
mod color;
mod completions;
mod config;
mod convert;
mod demo;
mod evidence;
mod exit;
mod explain;
mod folder;
mod help;
mod hook;
mod init;
mod input;
mod instruct;
mod leftovers;
mod man;
mod manual;
mod output;
mod pager;
mod read;
mod regular_file;
mod schema;
mod session_file;
mod settings;
mod stderr;
mod terminal;
#[cfg(test)]
mod tests;

use std::process::ExitCode;

use cli::Subcommands;
use exit::{Exit, Reported};
use hook::HookFallback;

/// The allocator of musl requests a few pages at a time from the system. That was more than a third of
/// the system calls of a short run.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: dlmalloc::GlobalDlmalloc = dlmalloc::GlobalDlmalloc;

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
    match cli::parse(std::env::args_os().collect()) {
        Ok(command) => dispatch(command),
        Err(error) => {
            let args: Vec<_> = std::env::args_os().collect();
            match HookFallback::of(&args) {
                // Clients treat exit code 2 as a block: a usage error would block every agent.
                Some(fallback) if error.use_stderr() && !terminal::is_input_typed() => {
                    let _ = hook::usage_error(&cli::error_text(error), fallback);
                    Ok(Exit::Valid)
                }
                _ => cli::print(error),
            }
        }
    }
}

fn dispatch(command: Subcommands) -> anyhow::Result<Exit> {
    match command {
        Subcommands::Check(args) => check::run(args),
        Subcommands::Convert(args) => convert::run(args),
        Subcommands::Instruct(args) => instruct::run(args),
        Subcommands::Init(args) => init::run(&args),
        Subcommands::Audit(args) => audit::run(&args),
        Subcommands::Leftovers(args) => leftovers::run(args),
        Subcommands::Read(args) => read::run(&args),
        Subcommands::Demo => demo::run(),
        Subcommands::Explain(args) => explain::run(&args),
        Subcommands::Config(args) => config::run(&args),
        Subcommands::Completions(args) => completions::run(&args, cli::command()),
        Subcommands::Man(args) => man::run(&args, &cli::command()),
        Subcommands::Help(args) => help::run(&args, cli::command()),
        Subcommands::Schema(args) => schema::run(args),
        Subcommands::Hook(args) => hook::run(args),
    }
}
