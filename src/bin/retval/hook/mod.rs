//! `retval hook`: instructs an agent when it starts, checks its return when it stops, and asks it again
//! a limited number of times.
//!
//! When a client calls it, the exit code is always 0, and standard output holds the client's JSON or
//! nothing: a failure of the hook must not break the agents.

mod agent_files;
mod callers;
pub(crate) mod command;
mod end;
mod failures;
mod fallback;
mod free;
pub(crate) mod install;
mod log;
mod notification;
pub(crate) mod options;
mod payload;
mod prompt;
mod rejected;
pub(crate) mod retries;
mod return_file;
mod scope;
mod short_strings;
mod start;
mod state;
mod state_file;
mod typed;
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
use end::AgentEnd;
pub(crate) use fallback::HookFallback;
use retries::Decision;
use state::{AgentState, Verdict};

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
    let decide = || retries::decide(policy, event, &mut AgentState::load(event));
    match event.moment {
        Moment::Result | Moment::Fetched => Answer::Block(text),
        Moment::Stop if decide() != Decision::Accept => Answer::Block(format!(
            "{text}\nReturn the complete JSON object again as your whole final message.\n"
        )),
        _ => Answer::Note(text),
    }
}

/// Answers an event of one agent: from the verdict that is kept for its caller, else by its return.
fn handle(
    args: &HookArgs,
    options: &HookOptions,
    settings: &Settings,
    event: &Event,
) -> anyhow::Result<Answer> {
    let mut state = AgentState::load(event);
    if let Some(answer) = state.tell(event.moment) {
        return Ok(answer);
    }
    let event = &agent_files::completed(event);
    let agent = event.agent.as_deref().unwrap_or_default();
    if agent.is_empty() {
        return Ok(Answer::Nothing);
    }
    let own = settings.hook_agent(agent);
    let is_configured = scope::is_checked(&options.agents, own, agent);
    let is_checked = !agent_files::has_handed_over(event)
        && is_configured?.unwrap_or_else(|| !agent_files::is_built_in(event, agent));
    if !is_checked {
        if event.moment == Moment::Stop {
            // Its result must not be checked either, although the event of its caller may tell less of it.
            state.remember(Verdict::Silent);
        }
        return Ok(Answer::Nothing);
    }
    let own_settings = own.map(|own| settings.with_own(own));
    let resolve = |settings| {
        let mut args = args.clone();
        let has_profile = own.is_some_and(|own| own.settings.values.profile.is_some());
        args.profile = args.profile.filter(|_| !has_profile);
        HookOptions::resolve(args, settings)
    };
    let own_options = own_settings.as_ref().map(resolve).transpose()?;
    let settings = own_settings.as_ref().unwrap_or(settings);
    let options = own_options.as_ref().unwrap_or(options);
    let profile = settings.profile(options.profile.as_deref())?;
    let profile = profile.unwrap_or(&retval::profile::RETURN);
    if event.moment == Moment::Start {
        let record = &mut state.record;
        return Ok(start::answer(options, settings, event, profile, record));
    }
    let mut end = AgentEnd {
        options,
        settings,
        event,
        profile,
        state: &mut state,
    };
    match event.moment {
        Moment::Failure => Ok(end.failed()),
        _ => end.check(),
    }
}
