//! `retval hook try`: says what the hook would do about an event, or about what an agent returned. It decides as the
//! hook does, and keeps nothing.

use std::env;
use std::path::PathBuf;

use crate::clients::{Answer, Client, Event, HookSettings, Moment, NotifiedAgent};
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
use crate::cli::hook::trace::Trace;
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
    let Some(agent) = args.agent else {
        let name = || shown_name(origin.path());
        let event = Event::read(&bytes, named.map(|hook| hook.client));
        let event = event.with_context(|| format!("{}: it is not JSON", name()))?;
        let event = event.with_context(|| format!("{}: it is empty", name()))?;
        let settings = event.client.facts().settings.as_ref();
        let (setup, mut text) = setup(settings, args.options);
        let decision = decide(&setup, (&event, None), &mut HookSession::read(&event));
        let client = event.client.as_str();
        text.extend(decision.traces.iter().map(|trace| {
            let about = trace.subject();
            format!("event     {about}, in {client}\n{}", decided(trace))
        }));
        let answer = decision.answer.text();
        if !answer.trim().is_empty() {
            text += &said("says", answer);
        }
        return print_stdout(text.as_bytes());
    };
    let client = named.or_else(install::installed_client);
    let client = client.or(Client::ClaudeCode.facts().settings.as_ref());
    let client = client.context("no client has hooks")?;
    let message = String::from_utf8_lossy(&bytes).into_owned();
    let (setup, text) = setup(Some(client), args.options);
    let text = text + &returned(&setup, &end_of(client, agent, message)?);
    print_stdout(text.as_bytes())
}

/// The end of an agent with this message, as far as a payload of the client would tell it.
fn end_of(client: &HookSettings, agent: String, message: String) -> anyhow::Result<Event> {
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

/// What happens to the return of an agent, and what its caller is told.
fn returned(setup: &HookSetup, event: &Event) -> String {
    let (stop, mut told) = end(setup, event);
    let agent = escape::truncated(event.agent.as_deref().unwrap_or_default());
    let mut text = format!("event     {agent} ends, in {}\n", event.client.as_str());
    text.extend(stop.traces.iter().map(decided));
    let mut when = "";
    if let Answer::Block(asked) = &stop.answer {
        text += &said("says", asked);
        let mut args = setup.args.clone();
        args.retries = Some(0);
        told = end(&HookSetup::load(args, None), event).1;
        when = ", if its return is still invalid after the last try";
    }
    let how = match &told {
        Answer::Replace(_) => "gets this in place of the return",
        Answer::Tell(_) | Answer::Block(_) => "told",
        Answer::Note(_) => "told nothing, this is shown to you",
        Answer::Nothing | Answer::Context(_) | Answer::Prompt { .. } => {
            "told nothing (without a record, calls are unknown)"
        }
    };
    text + &said(&format!("caller    {how}{when}"), told.text())
}

/// What the hook does when an agent ends, and what its caller gets then, or else a person.
fn end(setup: &HookSetup, event: &Event) -> (Decision, Answer) {
    let mut session = HookSession::unusable(event);
    session.is_usable = true;
    let stop = decide(setup, (event, None), &mut session);
    let facts = event.client.facts();
    // Such a client calls the hook once more, with the result.
    let comes_again = facts.hides_callers && !matches!(stop.answer, Answer::Replace(_));
    let later = if facts.result_follows_stop || comes_again {
        Some(Moment::Result)
    } else {
        facts.calls_for_caller.then_some(Moment::Waited)
    };
    let told = later.map(|moment| {
        let ids = event.agent_id.iter().cloned();
        let event =
            Event { moment, notified: ids.map(NotifiedAgent::from).collect(), ..event.clone() };
        decide(setup, (&event, None), &mut session).answer
    });
    let told = told.filter(|it| *it != Answer::Nothing);
    let told = told.unwrap_or_else(|| stop.answer.clone());
    (stop, told)
}

fn decided(trace: &Trace) -> String {
    format!("decision  {}\n", trace.happened())
}

/// A text below its label.
fn said(label: &str, text: &str) -> String {
    let text = escape::multiline(text.trim_end());
    let lines = text.lines().map(|line| format!("  {line}\n"));
    format!("{label}\n{}", lines.collect::<String>())
}
