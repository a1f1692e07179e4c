//! The command: parses arguments and options, runs a command, and returns its exit code. Only this room
//! prints.

mod args;
mod audit;
mod check;
mod config;
mod demo;
mod evidence;
mod explain;
mod files;
mod generated;
mod help;
mod hook;
mod init;
mod input;
mod instruct;
mod manual;
mod output;
mod parser;
mod read;
mod schema;
mod settings;
#[cfg(test)]
mod tests;

use std::process::ExitCode;

use output::{Exit, Reported};
use parser::Subcommands;

/// Runs the command with the arguments of the process.
#[must_use]
pub fn main() -> ExitCode {
    let exit = run().unwrap_or_else(|error| {
        if error.is::<output::Closed>() {
            return Exit::Valid;
        }
        if !error.is::<Reported>() {
            output::error(&error);
        }
        Exit::Unchecked
    });
    ExitCode::from(exit as u8)
}

fn run() -> anyhow::Result<Exit> {
    match parser::parse(std::env::args_os().collect()) {
        Ok(command) => dispatch(command),
        Err(error) => {
            let args: Vec<_> = std::env::args_os().collect();
            let is_hook = args.get(1).is_some_and(|name| name == "hook");
            let exit = parser::print(error, &args)?;
            // Clients take exit code 2 as a block: a usage error would block every agent.
            Ok(if is_hook { exit.min(Exit::Invalid) } else { exit })
        }
    }
}

fn dispatch(command: Subcommands) -> anyhow::Result<Exit> {
    match command {
        Subcommands::Check(args) => check::run(args),
        Subcommands::Instruct(args) => instruct::run(args),
        Subcommands::Init(args) => init::run(&args),
        Subcommands::Audit(args) => audit::run(&args),
        Subcommands::Read(args) => read::run(&args),
        Subcommands::Demo => demo::run(),
        Subcommands::Explain(args) => explain::run(&args),
        Subcommands::Config(args) => config::run(&args),
        Subcommands::Completions(args) => generated::print_completions(&args, parser::command()),
        Subcommands::Man(args) => generated::print_man(&args, &parser::command()),
        Subcommands::Help(args) => help::run(&args, parser::command()),
        Subcommands::Schema(args) => schema::run(args),
        Subcommands::Hook(args) => hook::run(args),
    }
}
