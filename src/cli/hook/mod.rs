//! `retval hook`: instructs an agent when it starts, checks its return when it stops, and asks it again
//! a limited number of times.
//!
//! A payload becomes an event. What is known of its session is read from one file, the decision is made,
//! what is known then is written, and the answer is printed in the client's form. When a client calls it, the
//! exit code is 0, and standard output holds the client's JSON or nothing: a failure of the hook must not
//! break the agents.

mod agent_files;
mod caller;
mod case;
pub(crate) mod command;
mod decide;
mod end;
mod hand_in;
pub(crate) mod install;
mod lost;
pub(crate) mod options;
mod prompt;
pub(crate) mod retries;
mod return_file;
pub(crate) mod scope;
mod session;
mod start;
mod trace;
mod trial;

use std::io::Read as _;
use std::path::Path;
use std::time::Instant;

use crate::clients::{Answer, Client, Event, Moment};

use crate::cli::hook::case::Decision;
use crate::cli::hook::command::HookCommandArgs;
use crate::cli::hook::decide::{HookSetup, Unread, decide};
use crate::cli::hook::options::HookArgs;
use crate::cli::hook::session::{HookSession, SessionSave};
use crate::cli::output;
use crate::cli::output::Exit;
use crate::cli::output::Sink;
use crate::cli::output::error_log::LogFile;
use crate::cli::output::terminal::is_input_typed;

/// The most bytes of a payload.
const PAYLOAD_AT_MOST: u64 = 256 * 1024 * 1024;

/// A note for a person who starts the hook in a terminal, where it would otherwise wait silently.
const TYPED: &str = "retval hook: reading the payload of a client from standard input; \
                     `retval hook install CLIENT` lets a client call it";

/// Runs the command that a person gives. Without one, answers the client that calls the hook.
pub(crate) fn run(args: HookCommandArgs) -> anyhow::Result<Exit> {
    if let Some(command) = args.command {
        return command.run();
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
    let mut session = HookSession::read(&event);
    let mut decision = decide(&setup, about, &mut session);
    let mut kept = session.save(&event);
    if kept == SessionSave::Outdated {
        session = HookSession::lock(&event);
        decision = decide(&setup, about, &mut session);
        kept = session.save(&event);
    }
    if kept == SessionSave::Lost && must_be_known(event.moment, &decision.answer) {
        // As nothing can be remembered, only what the client itself knows counts.
        decision = decide(&setup, about, &mut HookSession::unusable(&event));
    }
    let Decision {
        answer,
        traces,
        records,
    } = decision;
    if let Some(path) = setup.errors_json() {
        record(path, records);
    }
    for trace in traces.into_iter().filter(|_| setup.keeps_log) {
        trace.write(called);
    }
    let reply = answer.reply(event.client, event.moment);
    // For what the JSON has no place.
    if let Some(text) = reply.aside {
        output::error(&anyhow::Error::msg(text));
    }
    Sink::Stdout.write(reply.json.unwrap_or_default().as_bytes())
}

/// Whether an answer must not be given if that cannot be remembered: an agent might be asked, or its caller
/// told, for ever.
fn must_be_known(moment: Moment, answer: &Answer) -> bool {
    match moment {
        Moment::Stop | Moment::Call => matches!(answer, Answer::Block(_)),
        Moment::MainStop | Moment::Waited => *answer != Answer::Nothing,
        _ => false,
    }
}

/// Reads the event. None if there is none. If the payload cannot be read completely, its beginning still
/// tells which agent it is about.
fn read(client: Option<Client>) -> Option<(Event, Option<Unread>)> {
    if is_input_typed() {
        output::note(TYPED);
    }
    let mut bytes = Vec::new();
    let mut input = std::io::stdin().lock().take(PAYLOAD_AT_MOST + 1);
    let read = input.read_to_end(&mut bytes);
    let is_too_large = input.limit() == 0;
    let unread = |why| {
        let unread = Unread { why, is_too_large };
        Some((Event::read_beginning(&bytes, client), Some(unread)))
    };
    if let Err(error) = read {
        return unread(format!("cannot read the payload: {error}"));
    }
    if is_too_large {
        return unread(format!(
            "the payload is larger than {PAYLOAD_AT_MOST} bytes"
        ));
    }
    if bytes.trim_ascii().is_empty() {
        output::note("retval hook: there is no payload on standard input");
    }
    match Event::read(&bytes, client) {
        Ok(event) => Some((event?, None)),
        Err(error) => unread(format!("the payload is not JSON: {error}")),
    }
}

/// Adds records to the error log. The decision stands even if that fails.
fn record(path: &Path, mut records: Vec<String>) {
    if records.is_empty() {
        return;
    }
    let mut log = LogFile::new(path);
    let logged = log.add(&mut records).and_then(|()| log.flush());
    if let Err(error) = logged {
        output::error(&error);
    }
}
