//! `retval hook try`: says what the hook would do about an event, or about what an agent returned. It decides as the
//! hook does, and keeps nothing.

use std::env;
use std::fmt::Write as _;
use std::path::PathBuf;

use crate::clients::{Answer, Client, Event, HookSettings, Moment};
use crate::text::escape;
use anyhow::Context as _;
use clap::Args;

use crate::cli::args::visible;
use crate::cli::hook::PAYLOAD_AT_MOST;
use crate::cli::hook::case::Decision;
use crate::cli::hook::decide::decide;
use crate::cli::hook::install::{self, TypedOptions};
use crate::cli::hook::options::HookSetup;
use crate::cli::hook::session::HookSession;
use crate::cli::input::{read_one, shown_name};
use crate::cli::output::{self, Exit, print_stdout};

#[derive(Debug, Args)]
pub(crate) struct TryArgs {
    /// What the agent returned, or the payload of an event; - or nothing means standard input
    file: Option<PathBuf>,
    /// Make the event of this agent's end from what it returned
    #[arg(long, value_name = "NAME", value_parser = visible)]
    agent: Option<String>,
    #[command(flatten)]
    options: TypedOptions,
}

pub(super) fn run(args: TryArgs) -> anyhow::Result<Exit> {
    let (origin, bytes) = read_one(args.file.as_deref(), "hook try", PAYLOAD_AT_MOST)?;
    let named = args.options.args.caller;
    let is_made = args.agent.is_some();
    let event = if let Some(agent) = args.agent {
        end_of(named, agent, String::from_utf8_lossy(&bytes).into_owned())?
    } else {
        let name = shown_name(origin.path());
        let event = Event::read(&bytes, named.map(|hook| hook.client));
        let event = event.with_context(|| format!("{name}: it is not JSON"))?;
        event.with_context(|| format!("{name}: it is empty"))?
    };
    let client = event.client.as_str();
    let (setup, mut text) = setup(event.client.facts().settings.as_ref(), args.options);
    let (decision, mut told) = decided(&setup, &event, is_made);
    for trace in &decision.traces {
        let _ = writeln!(text, "event     {}, in {client}", trace.subject(!is_made));
        let _ = writeln!(text, "decision  {}", trace.happened());
    }
    let is_asked = matches!(decision.answer, Answer::Block(_));
    if is_asked || !is_made && !decision.answer.text().trim().is_empty() {
        text += &said("says", decision.answer.text());
    }
    if is_made {
        let mut when = "";
        if is_asked {
            let mut args = setup.args;
            args.retries = Some(0);
            told = decided(&HookSetup::load(args, None), &event, true).1;
            when = ", if its return is still invalid then";
        }
        let how = if told.is_empty() { "told nothing" } else { "told" };
        text += &said(&format!("caller    {how}{when}"), &told);
    }
    print_stdout(text)
}

/// What the hook decides, and what the caller of the agent is told then, or gets in place of the return. Of an
/// event that was made, nothing is known from before.
fn decided(setup: &HookSetup, event: &Event, is_made: bool) -> (Decision, String) {
    let mut session = HookSession::read(event);
    if is_made {
        session = HookSession::unusable(event);
        session.is_usable = true;
    }
    let decision = decide(setup, (event, None), &mut session);
    let agent = session.known.agents.pop().unwrap_or_default();
    let told = match (agent.verdict, &decision.answer) {
        (Some(Ok(Answer::Block(text) | Answer::Tell(text))), _) => text,
        (_, Answer::Replace(text)) => text.clone(),
        _ => String::new(),
    };
    (decision, told + &agent.receipt.unwrap_or_default())
}

/// The end of an agent with this message, as far as a payload of the client would tell it.
fn end_of(
    named: Option<&'static HookSettings>,
    agent: String,
    message: String,
) -> anyhow::Result<Event> {
    let client = named.or_else(install::installed_client);
    let client = client.or(Client::ClaudeCode.facts().settings.as_ref());
    let client = client.context("no client has hooks")?;
    Ok(Event {
        moment: Moment::Stop,
        name: None,
        session: None,
        agent_id: Some(agent.clone()),
        agent: Some(agent),
        message: Some(message),
        may_have_message: true,
        prompt: None,
        transcript: None,
        agent_transcript: None,
        folder: Some(env::current_dir().context("cannot find the current folder")?),
        was_asked_again: Some(false),
        times_asked_again: None,
        ..Event::read_beginning(client.example.as_bytes(), Some(client.client))
    })
}

/// The hook with the given options, or else with those of the hook that is installed, and a line about them.
fn setup(client: Option<&HookSettings>, given: TypedOptions) -> (HookSetup, String) {
    // `--client` alone says only which hook is meant.
    let is_bare = given.words().len() <= 2 * usize::from(given.args.caller.is_some());
    let installed = client.filter(|_| is_bare).and_then(install::installed_options);
    if is_bare && installed.is_none() && install::installed_client().is_none() {
        output::note("no hook is installed; `retval hook install` would use --profile any");
    }
    let options = installed.unwrap_or(given);
    let shown = match &options.words()[..] {
        [] => "none".to_owned(),
        words => escape::list([words.join(" ")]),
    };
    let text = format!("options   {shown}\n");
    (HookSetup::load(options.args, None), text)
}

/// A text below its label.
fn said(label: &str, text: &str) -> String {
    let text = escape::multiline(text.trim_end());
    let lines = text.lines().map(|line| format!("  {line}\n"));
    format!("{label}\n{}", lines.collect::<String>())
}
