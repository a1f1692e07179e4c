//! `retval hook`: instructs an agent when it starts, checks its return when it stops, and asks it again
//! a limited number of times.
//!
//! A payload becomes an event. What is known of its session is read from one file, the decision is made,
//! what is known then is written, and the answer is printed in the client's form. When a client calls it, the
//! exit code is 0, and standard output holds the client's JSON or nothing: a failure of the hook must not
//! break the agents.

mod caller;
mod case;
mod decide;
pub(crate) mod install;
pub(crate) mod options;
mod receipt;
mod records;
mod returned;
mod session;
mod settle;
mod start;
mod trace;
mod trial;

use std::io::Read as _;
use std::time::Instant;

use crate::clients::{Answer, Client, Event, HookSettings, Moment};
use anyhow::anyhow;
use clap::{Args, Subcommand};

use crate::cli::args::client;
use crate::cli::hook::decide::decide;
use crate::cli::hook::install::{InstallArgs, StatusArgs, TypedOptions, UninstallArgs};
use crate::cli::hook::options::{HookArgs, HookSetup};
use crate::cli::hook::session::{HookSession, Saved};
use crate::cli::hook::trace::{LogArgs, Trace};
use crate::cli::hook::trial::TryArgs;
use crate::cli::output::error_log::LogFile;
use crate::cli::output::terminal::is_input_typed;
use crate::cli::output::{self, Exit, Sink};

const PAYLOAD_AT_MOST: u64 = 256 * 1024 * 1024;

/// A note for a person who starts the hook in a terminal, where it would otherwise wait silently.
const TYPED: &str = "retval hook: reading the payload of a client from standard input; \
                     `retval hook install CLIENT` lets a client call it";

// A doc comment here would become part of the help.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_help_heading = "Commands")]
pub(crate) struct HookCommandArgs {
    #[command(flatten)]
    pub(crate) options: TypedOptions,
    /// Print the settings that `install` would write for a client, with the given options
    #[arg(long, value_name = "CLIENT", value_parser = client())]
    pub(super) print_config: Option<&'static HookSettings>,
    #[command(subcommand)]
    pub(crate) command: Option<HookCommand>,
}

#[derive(Debug, Subcommand)]
#[allow(clippy::large_enum_variant, reason = "there is one of it in a run")]
pub(crate) enum HookCommand {
    /// Put the hook into a client's settings file, or into those of all clients of the project
    ///
    /// All other settings and comments stay. Without options, a hook that is there keeps its own.
    #[command(after_long_help = include_str!("../examples/hook-install.txt").trim_ascii_end())]
    Install(InstallArgs),
    /// Take the hook out of a client's settings file
    #[command(after_long_help = include_str!("../examples/hook-uninstall.txt").trim_ascii_end())]
    Uninstall(UninstallArgs),
    /// Show where the hook is installed, and try it
    ///
    /// Decides about the payload of an agent as each installed command would. No command is run.
    #[command(after_long_help = include_str!("../examples/hook-status.txt").trim_ascii_end())]
    Status(StatusArgs),
    /// Print what the hook decided, and why
    #[command(after_long_help = include_str!("../examples/hook-log.txt").trim_ascii_end())]
    Log(LogArgs),
    /// Say what the hook would do with a return, or with an event; nothing is changed
    #[command(after_long_help = include_str!("../examples/hook-try.txt").trim_ascii_end())]
    Try(TryArgs),
}

/// Runs the command that a person gives. Without one, answers the client that calls the hook.
pub(crate) fn run(args: HookCommandArgs) -> anyhow::Result<Exit> {
    match args.command {
        Some(HookCommand::Install(args)) => return install::install(&args),
        Some(HookCommand::Uninstall(args)) => return install::uninstall(&args),
        Some(HookCommand::Status(args)) => return install::status(&args),
        Some(HookCommand::Log(args)) => return trace::print_log(&args),
        Some(HookCommand::Try(args)) => return trial::run(args),
        None => {}
    }
    if let Some(client) = args.print_config {
        let text = install::config_text(client, &args.options)?;
        let _ = Sink::Stdout.write(text.as_bytes());
        return Ok(Exit::Valid);
    }
    // A failure to write the answer must not block the agent.
    let _ = answer(args.options.args);
    Ok(Exit::Valid)
}

fn answer(args: HookArgs) -> anyhow::Result<()> {
    let called = Instant::now();
    let client = args.caller.map(|hook| hook.client);
    let setup = HookSetup::load(args, None);
    let Some((event, unread)) = read(client) else {
        return Ok(());
    };
    let about = (&event, unread.as_ref());
    let decided = |mut session: HookSession| {
        let decision = decide(&setup, about, &mut session);
        (decision, session.save(&event))
    };
    let (mut decision, mut saved) = decided(HookSession::read(&event));
    if let Saved::Outdated(now) = saved {
        (decision, saved) = decided(*now);
    }
    if matches!(saved, Saved::Lost) && must_be_known(event.moment, &decision.answer) {
        // As nothing can be remembered, only what the client itself knows counts.
        (decision, _) = decided(HookSession::unusable(&event));
    }
    record(&setup, &mut decision.traces);
    for trace in decision.traces.into_iter().filter(|_| setup.keeps_log) {
        trace.write(called);
    }
    let reply = decision.answer.reply(event.client, event.moment);
    Sink::Stdout.write(reply.0.as_bytes())
}

/// Whether an answer must be remembered: else an agent might be asked, or its caller told, for ever.
fn must_be_known(moment: Moment, answer: &Answer) -> bool {
    match moment {
        Moment::Stop | Moment::Call => matches!(answer, Answer::Block(_)),
        Moment::MainStop | Moment::Waited => *answer != Answer::Nothing,
        _ => false,
    }
}

/// Reads the event, if there is one. The beginning of a payload still tells which agent it is about.
fn read(client: Option<Client>) -> Option<(Event, Option<anyhow::Error>)> {
    if is_input_typed() {
        output::note(TYPED);
    }
    let mut bytes = Vec::new();
    let mut input = std::io::stdin().lock().take(PAYLOAD_AT_MOST + 1);
    let error = match input.read_to_end(&mut bytes) {
        Err(error) => anyhow!("cannot read the payload: {error}"),
        Ok(_) if input.limit() == 0 => {
            anyhow!("the payload is larger than {PAYLOAD_AT_MOST} bytes")
        }
        Ok(_) => match Event::read(&bytes, client) {
            Ok(None) => {
                output::note("retval hook: there is no payload on standard input");
                return None;
            }
            Ok(Some(event)) => return Some((event, None)),
            Err(error) => anyhow!("the payload is not JSON: {error}"),
        },
    };
    Some((Event::read_beginning(&bytes, client), Some(error)))
}

/// Adds what the decision is about to the error log. It stands even if that fails.
fn record(setup: &HookSetup, traces: &mut [Trace]) {
    let records = traces.iter_mut().filter_map(|it| it.record.take());
    let mut records: Vec<_> = records.collect();
    if let (Some(path), false) = (setup.errors_json(), records.is_empty()) {
        let mut log = LogFile::new(path);
        let logged = log.add(&mut records).and_then(|()| log.flush());
        let _ = logged.map_err(|error| output::error(&error));
    }
}
