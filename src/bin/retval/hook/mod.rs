//! `retval hook`: instructs an agent when it starts, checks its return when it stops, and asks it again
//! a limited number of times.
//!
//! When a client calls it, the exit code is always 0, and standard output holds the client's JSON or
//! nothing: a failure of the hook must not break the agents.

pub(crate) mod attempts;
mod callers;
pub(crate) mod command;
mod end;
mod failures;
mod fallback;
mod free;
pub(crate) mod install;
mod notification;
pub(crate) mod options;
mod payload;
mod prompt;
mod record;
mod rejected;
mod return_file;
mod runs;
mod scope;
mod session;
mod short_strings;
mod start;
mod state;
mod state_file;
mod trace;
mod typed;
mod verdicts;
mod work;

use retval::BYTES_AT_MOST;
use retval::internal::clients::{Answer, Client, Event, HookSettings, Moment};
use retval::internal::escape;

use crate::exit::Exit;
use crate::hook::command::HookCommandArgs;
use crate::hook::install::ClientVersion;
use crate::hook::options::{FailurePolicy, HookArgs, HookOptions};
use crate::hook::typed::TypedOptions;
use crate::output::Sink;
use crate::settings::Settings;
use crate::stderr;
use attempts::{Attempts, Decision};
use end::AgentEnd;
pub(crate) use fallback::HookFallback;
use state::HookState;
use verdicts::Verdicts;

/// Runs the command that a person gives. Without one, answers the client that calls the hook.
pub(crate) fn run(args: HookCommandArgs) -> anyhow::Result<Exit> {
    if let Some(command) = args.command {
        return install::run(command);
    }
    if let Some(client) = args.print_config {
        return print_config(client, &args.options, args.client_version);
    }
    // A failure to write the answer must not block the agent.
    let _ = answer(&args.options.args);
    Ok(Exit::Valid)
}

/// Fails only for options that no hook could work with.
fn print_config(
    client: &HookSettings,
    options: &TypedOptions,
    version: Option<ClientVersion>,
) -> anyhow::Result<Exit> {
    let text = install::config_text(client, options, version)?;
    let _ = Sink::Stdout.write(text.as_bytes());
    Ok(Exit::Valid)
}

fn answer(args: &HookArgs) -> anyhow::Result<()> {
    let client = args.caller.map(|hook| hook.client);
    let settings = Settings::load(&args.config).map(|settings| settings.given(args.given()));
    let policy = FailurePolicy::resolve(args, settings.as_ref().ok());
    let options = settings.and_then(|settings| {
        let options = HookOptions::resolve(args.clone(), &settings)?;
        Ok((options, settings))
    });
    let most = options
        .as_ref()
        .map_or(BYTES_AT_MOST, |(options, _)| options.most());
    let event = match payload::read(client, most) {
        Ok(Some(event)) => event,
        Ok(None) => return Ok(()),
        Err(unread) => return give(unread.answer(policy), unread.event.client),
    };
    let answer = options.and_then(|(options, settings)| {
        let one = |event: &Event| handle(args, &options, &settings, event);
        match event.moment {
            Moment::Notification => notification::answer(&event, one),
            _ => one(&event),
        }
    });
    let answer = answer.unwrap_or_else(|error| fail(policy, &event, &error));
    give(answer, event.client)
}

/// The answer of a hook whose arguments cannot be parsed: a usage error must not stop every agent,
/// unless `--fail-closed` is given.
pub(crate) fn usage_error(problem: &str, fallback: HookFallback) -> anyhow::Result<()> {
    let text = format!("retval hook: {problem}");
    let event = if fallback.is_closed {
        payload::read(None, BYTES_AT_MOST).unwrap_or_else(|unread| unread.known())
    } else {
        None
    };
    let answer = match &event {
        Some(event) => block_or_note(text, event, FailurePolicy::CLOSED),
        None => Answer::Note(text),
    };
    give(
        answer,
        event.map_or(Client::ClaudeCode, |event| event.client),
    )
}

/// Prints an answer: JSON to standard output, what the JSON has no place for to standard error.
fn give(answer: Answer, client: Client) -> anyhow::Result<()> {
    let reply = answer.reply(client);
    if let Some(text) = reply.aside {
        stderr::error(&anyhow::Error::msg(text));
    }
    let json = reply.json.unwrap_or_default();
    Sink::Stdout.write(json.as_bytes())
}

/// The failure in one line. A configuration file may have several errors.
fn failure(error: &anyhow::Error) -> String {
    let text = format!("{error:#}");
    let lines = text.lines().map(|line| line.trim_start_matches("error: "));
    let lines: Vec<_> = lines.collect();
    format!(
        "retval hook could not check the return: {}",
        escape::truncated(&lines.join("; "))
    )
}

/// The answer to a failure of the hook itself. The agent may end, unless the hook fails closed: then it
/// is asked again a limited number of times.
fn fail(policy: FailurePolicy, event: &Event, error: &anyhow::Error) -> Answer {
    let text = failure(error);
    if policy.is_closed && !policy.is_observing {
        block_or_note(text, event, policy)
    } else {
        Answer::Note(text)
    }
}

/// Asks the agent again, or warns its caller: an agent that has ended cannot be asked. Otherwise
/// only leaves a note.
fn block_or_note(text: String, event: &Event, policy: FailurePolicy) -> Answer {
    let decide = || Attempts::of(event, &HookState::open()).decide(policy);
    match event.moment {
        Moment::Result | Moment::Fetched => Answer::Block(text),
        Moment::Stop if decide() != Decision::Accept => Answer::Block(format!(
            "{text}\nReturn the complete JSON object again as your whole final message.\n"
        )),
        _ => Answer::Note(text),
    }
}

fn handle(
    args: &HookArgs,
    options: &HookOptions,
    settings: &Settings,
    event: &Event,
) -> anyhow::Result<Answer> {
    let state = HookState::open();
    if let Some(answer) = Verdicts::of(event, &state).answer() {
        return Ok(answer);
    }
    let event = &traced(event);
    let agent = event.agent.as_deref().unwrap_or_default();
    let own = settings.hook_agent(agent);
    if agent.is_empty() {
        return Ok(Answer::Nothing);
    }
    if !scope::is_checked(&options.agents, own, event, agent)? {
        Verdicts::of(event, &state).let_pass();
        return Ok(Answer::Nothing);
    }
    let Some(own) = own else {
        return respond(options, settings, event, &state);
    };
    let settings = settings.with_own(own);
    let options = HookOptions::resolve(args.clone(), &settings)?;
    respond(&options, &settings, event, &state)
}

fn respond(
    options: &HookOptions,
    settings: &Settings,
    event: &Event,
    state: &HookState,
) -> anyhow::Result<Answer> {
    let profile = settings.profile(options.profile.as_deref())?;
    let profile = profile.unwrap_or(&retval::profile::RETURN);
    let end = AgentEnd {
        options,
        settings,
        event,
        profile,
        state,
    };
    match event.moment {
        Moment::Start => Ok(start::answer(options, settings, event, profile, state)),
        Moment::Failure => Ok(end.failed()),
        _ => end.check(),
    }
}

/// The event, completed with what the transcripts tell about its agent.
fn traced(event: &Event) -> Event {
    let mut event = event.clone();
    if matches!(
        event.moment,
        Moment::Stop | Moment::Result | Moment::Fetched | Moment::Notification
    ) && let Some(run) = trace::run_of(&event)
    {
        trace::complete(&mut event, &run);
    }
    event
}
