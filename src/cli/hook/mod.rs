//! `retval hook`: instructs an agent when it starts, checks its return when it stops, and asks it again
//! a limited number of times.
//!
//! When a client calls it, the exit code is always 0, and standard output holds the client's JSON or
//! nothing: a failure of the hook must not break the agents.

mod agent_files;
pub(crate) mod command;
mod end;
mod failures;
mod fan_in;
mod hand_in;
pub(crate) mod install;
mod log;
mod mistakes;
mod no_message;
mod notification;
pub(crate) mod options;
mod payload;
mod prompt;
mod refusal;
pub(crate) mod retries;
mod return_file;
pub(crate) mod scope;
mod start;
mod state;
mod state_file;
mod trace;
mod typed;
mod untold;
mod work;

use crate::clients::{Answer, Event, HookSettings, Moment};
use crate::config::AgentSettings;
use crate::text::escape;

use crate::cli::exit::Exit;
use crate::cli::hook::command::HookCommandArgs;
use crate::cli::hook::install::ClientVersion;
use crate::cli::hook::options::{FailurePolicy, HookArgs, HookOptions};
use crate::cli::hook::typed::TypedOptions;
use crate::cli::output::Sink;
use crate::cli::settings::Settings;
use crate::cli::stderr;
use end::AgentEnd;
use retries::Decision;
use state::{AgentState, Verdict};
use trace::{Trace, Tracer};

/// Runs the command that a person gives. Without one, answers the client that calls the hook.
pub(crate) fn run(args: HookCommandArgs) -> anyhow::Result<Exit> {
    if let Some(command) = args.command {
        return command.run();
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
    let tracer = Tracer::new();
    let client = args.caller.map(|hook| hook.client);
    let settings = Settings::load(&args.config).map(|settings| settings.given(args.given()));
    let policy = FailurePolicy::resolve(args, settings.as_ref().ok());
    let tracer = tracer.on(settings.as_ref().ok().and_then(|it| it.values.hook_log));
    let options = settings.and_then(|settings| {
        let options = HookOptions::resolve(args.clone(), &settings)?;
        Ok((options, settings))
    });
    let event = match payload::read(client) {
        Ok(Some(event)) => hand_in::attributed(event),
        Ok(None) => return Ok(()),
        Err(unread) => {
            tracer.failed(&unread.event, unread.why());
            return give(unread.answer(policy), &unread.event);
        }
    };
    if !payload::is_ours(&event) {
        tracer.foreign(&event);
        return Ok(());
    }
    if event.moment == Moment::MainStop {
        // Nothing is checked, so no mistake in the settings matters.
        let answer = untold::answer(&event);
        tracer.decided(&event, &Trace::default(), &answer);
        return give(answer, &event);
    }
    let found = options
        .as_ref()
        .ok()
        .map(|(options, _)| &options.errors_json);
    // Without settings that can be read, the log is the one of the command.
    let errors_json = found.unwrap_or(&args.errors_json).clone();
    let answer = options.and_then(|(options, settings)| {
        let one = |event: &Event| {
            let mut state = AgentState::load(event);
            let answer = handle(args, &options, &settings, event, &mut state)?;
            if event.moment == Moment::Stop && agent_files::is_by_workflow(event) {
                state.hand_on(event);
            }
            tracer.decided(event, &state.trace, &answer);
            Ok(answer)
        };
        match event.moment {
            Moment::Notification => notification::answer(&event, one),
            Moment::Waited => {
                let answer = untold::answer(&event);
                tracer.decided(&event, &Trace::default(), &answer);
                Ok(answer)
            }
            _ => one(&event),
        }
    });
    let errors_json = errors_json.as_deref();
    let answer = answer.unwrap_or_else(|error| {
        tracer.failed(&event, format!("{error:#}"));
        let text = failure(&error);
        let answer = fail(policy, &event, &error);
        mistakes::told(answer, &text, &event, errors_json)
    });
    give(answer, &event)
}

/// Prints an answer: JSON to standard output, what the JSON has no place for to standard error.
fn give(answer: Answer, event: &Event) -> anyhow::Result<()> {
    let reply = answer.reply(event.client, event.moment);
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
        Moment::Stop | Moment::Call if decide() != Decision::Accept => Answer::Block(format!(
            "{text}\nReturn the complete JSON object again as your whole final report.\n"
        )),
        _ => Answer::Note(text),
    }
}

/// The event, with what is known of its agent from its files and from earlier events.
fn completed(event: &Event, state: &AgentState) -> Event {
    let mut event = agent_files::completed(event);
    // At a stop without a name only the transcript knows whether the client runs the agent for itself.
    let known = state.record.agent.as_ref();
    let known = known.filter(|_| event.moment != Moment::Stop);
    event.agent = event.agent.or_else(|| known.cloned());
    if event.message.is_none() && state.record.is_awaited && !event.is_at_limit {
        let result = event
            .notified
            .first()
            .and_then(|agent| agent.result.clone());
        event.message = result;
    }
    event
}

/// Why an agent is not checked. None if it is.
fn why_unchecked(
    options: &HookOptions,
    own: Option<&AgentSettings>,
    event: &Event,
    agent: &str,
    state: &AgentState,
) -> anyhow::Result<Option<&'static str>> {
    let is_configured = scope::is_checked(&options.agents, own, agent)?;
    let is_over = agent_files::has_handed_over(event) && state.record.handed_in.is_none();
    // A person who has named the agent learns that its return was not checked.
    let is_named_in_vain =
        is_over && is_configured == Some(true) && agent_files::has_ended_by_tool(event);
    Ok(if is_over && !is_named_in_vain {
        Some("it has handed its result to a workflow")
    } else if is_configured == Some(false) {
        Some("--agents or its table leaves it out")
    } else {
        let is_built_in = is_configured.is_none() && agent_files::is_built_in(event, agent);
        is_built_in.then_some("the client brings it along")
    })
}

/// Answers an event of one agent: from the verdict that is kept for its caller, else by its return.
fn handle(
    args: &HookArgs,
    options: &HookOptions,
    settings: &Settings,
    event: &Event,
    state: &mut AgentState,
) -> anyhow::Result<Answer> {
    if let Some(answer) = state.tell(event) {
        return Ok(answer);
    }
    if event.moment == Moment::Task {
        return Ok(state.refused_task());
    }
    let is_named = event.agent.is_some();
    let event = &completed(event, state);
    let agent = event.agent.as_deref().unwrap_or_default();
    if agent.is_empty() {
        state.trace.unchecked("the name of its agent is unknown");
        return Ok(Answer::Nothing);
    }
    state.trace.agent = Some(agent.to_owned());
    let own = settings.hook_agent(agent);
    if let Some(why) = why_unchecked(options, own, event, agent, state)? {
        state.trace.unchecked(why);
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
    let profile = profile.unwrap_or(&crate::profile::RETURN);
    state.trace.profile = Some((profile.id.to_string(), options.profile_from(own)));
    if matches!(event.moment, Moment::Start | Moment::Compaction) {
        fan_in::note(event, None);
        let record = &mut state.record;
        let answer = start::answer(options, settings, event, profile, record);
        if answer == Answer::Nothing {
            state.trace.why = Some(start::why_silent(profile).into());
        }
        return Ok(answer);
    }
    let mut event = event.clone();
    if event.moment == Moment::Call {
        event.message = hand_in::returned(options.tool.as_ref(), &event);
        if event.message.is_none() {
            state.trace.unchecked("it hands in no return");
            return Ok(Answer::Nothing);
        }
    }
    if event.moment == Moment::Stop && options.tool.is_some() && !is_named {
        state
            .trace
            .unchecked("this version does not say which agent makes a call");
        return Ok(Answer::Nothing);
    }
    let event = &event;
    let asked_again = retries::times_before(event, state);
    let mut end = AgentEnd {
        options,
        settings,
        event,
        profile,
        state,
        asked_again,
    };
    match event.moment {
        Moment::Failure => Ok(end.failed()),
        _ => end.check(),
    }
}
