//! What the hook does about an event: pure, but for the check of a return.

use crate::clients::{Answer, Event, Moment};
use crate::config::AgentSettings;
use crate::log::ReturnLack;
use crate::profile::RETURN;
use crate::text::is_blank;

use crate::cli::hook::asking::Asking;
use crate::cli::hook::case::{Case, Decision, failure};
use crate::cli::hook::options::{Held, HookOptions, HookSetup, is_checked};
use crate::cli::hook::session::{HookSession, Verdict};
use crate::cli::hook::trace::Decided;
use crate::cli::hook::{agent_files, caller, returned, start};
use crate::cli::settings::Settings;

/// Most agents of one session that are noted.
const RUNNING_AT_MOST: usize = 256;

/// A payload that is not read. It counts as an invalid return; any other failure is one of the hook.
#[derive(Debug, thiserror::Error)]
#[error("the payload is larger than {0} bytes")]
pub(super) struct TooLarge(pub(super) u64);

/// Decides about an event. If its payload was not read completely, only its beginning is known.
pub(super) fn decide(
    setup: &HookSetup,
    (event, unread): (&Event, Option<&anyhow::Error>),
    session: &mut HookSession,
) -> Decision {
    let event = &attributed(event.clone(), session);
    if let Some(unread) = unread {
        return failed(setup, event, unread, session);
    }
    let decided = match (&setup.loaded, event.moment) {
        _ if !is_ours(event) => {
            let mut case = Case::of(event, session);
            let answer = case.unchecked("it is not about an agent");
            return case.decided(answer);
        }
        // Nothing is checked, so no mistake in the settings matters.
        (_, Moment::MainStop) | (Ok(_), Moment::Waited) => {
            let answer = caller::answer(event, session);
            return Case::of(event, session).decided(answer);
        }
        (Err(error), _) => return failed(setup, event, error, session),
        (Ok(loaded), Moment::Notification) => {
            caller::notified(event, |event| of_agent(setup, loaded, event, session))
        }
        (Ok(loaded), _) => of_agent(setup, loaded, event, session),
    };
    decided.unwrap_or_else(|error| failed(setup, event, &error, session))
}

/// Notes which agents run, and adds the name of the only one to a call that names none, in a client that does
/// not say who makes a call.
fn attributed(mut event: Event, session: &mut HookSession) -> Event {
    if !event.client.facts().hides_callers {
        return event;
    }
    let running = &mut session.known.running;
    match (event.moment, &event.agent) {
        (Moment::Start, Some(agent)) if running.names.len() < RUNNING_AT_MOST => {
            running.names.push(agent.clone());
            running.were_several |= running.names.len() > 1;
        }
        (Moment::Start, _) => running.were_several = true,
        (Moment::Call, _) => {
            let only = running.names.last().filter(|_| !running.were_several);
            event.agent = only.cloned();
        }
        (Moment::Result | Moment::Failure, agent) => {
            let mut names = running.names.iter();
            if let Some(at) = names.position(|name| Some(name) == agent.as_ref()) {
                running.names.remove(at);
            }
            running.were_several &= !running.names.is_empty();
        }
        _ => {}
    }
    event
}

/// Events without an agent are ignored, whatever else is wrong.
fn is_ours(event: &Event) -> bool {
    // Claude Code 2.0 names the agent only in the transcript of its caller.
    let is_traced = event.moment == Moment::Stop && event.agent_transcript.is_some();
    // Qwen Code gives the id of the agent that makes a call alone, whose name may be known from before.
    let is_known = event.agent_id.is_some() || event.client.facts().hides_callers;
    let is_hidden = event.moment == Moment::Call && is_known;
    let has_agent = match &event.agent {
        Some(agent) => !is_blank(agent),
        None => is_traced || is_hidden || event.moment.names_no_agent(),
    };
    has_agent && event.moment != Moment::Foreign
}

/// The hook itself has failed: the agent may end, unless the hook fails closed. Then it is asked again a
/// limited number of times, or its caller is warned. A failure is told and recorded once in a session.
fn failed(
    setup: &HookSetup,
    event: &Event,
    error: &anyhow::Error,
    session: &mut HookSession,
) -> Decision {
    let (text, policy) = (failure(error), setup.policy);
    let is_refused = !policy.is_observing && (policy.is_closed || error.is::<TooLarge>());
    let mut case = Case::of(event, session);
    case.trace.decision = Decided::Failed;
    case.trace.why = Some(format!("{error:#}"));
    if !is_ours(event) {
        return case.decided(Answer::Note(text));
    }
    let is_start = matches!(event.moment, Moment::Start | Moment::Compaction);
    let is_recorded = setup.errors_json().is_some() && !is_start;
    if is_recorded && is_first(&mut case.session.known.recorded, &text) {
        case.record_lack(case.hook_call(), &text, ReturnLack::Unchecked);
    }
    let answer = match event.moment {
        Moment::Result | Moment::Fetched if is_refused => Answer::Block(text),
        Moment::Stop | Moment::Call if is_refused && case.ask(policy, false) != Asking::Accept => {
            Answer::Block(format!(
                "{text}\nReturn the complete JSON object again as your whole final report.\n"
            ))
        }
        Moment::Result | Moment::Fetched | Moment::Notification | Moment::Waited
            if is_first(&mut case.session.known.told, &text) =>
        {
            Answer::Tell(text)
        }
        _ => Answer::Note(text),
    };
    case.decided(answer)
}

/// Whether a text is not among these yet. It is added.
fn is_first(texts: &mut Vec<String>, text: &str) -> bool {
    let is_first = texts.iter().all(|it| it != text);
    if is_first {
        texts.push(text.to_owned());
    }
    is_first
}

fn of_agent(
    setup: &HookSetup,
    loaded: &(HookOptions, Settings),
    event: &Event,
    session: &mut HookSession,
) -> anyhow::Result<Decision> {
    let mut case = Case::of(event, session);
    let answer = answer(setup, loaded, &mut case)?;
    if event.moment == Moment::Stop && agent_files::is_by_workflow(event) {
        caller::hand_on(&mut case);
    }
    Ok(case.decided(answer))
}

/// Answers an event of one agent: from the verdict that is kept for its caller, else by its return.
fn answer(
    setup: &HookSetup,
    loaded: &(HookOptions, Settings),
    case: &mut Case<'_>,
) -> anyhow::Result<Answer> {
    if let Some(answer) = caller::by_verdict(case) {
        return Ok(answer);
    }
    let is_named = case.event.agent.is_some();
    complete(case);
    let agent = case.event.agent.clone().unwrap_or_default();
    if agent.is_empty() {
        return Ok(case.unchecked("the name of its agent is unknown"));
    }
    case.trace.agent = Some(agent.clone());
    let (options, settings) = loaded;
    let own = settings.hook_agent(&agent);
    let moment = case.event.moment;
    if let Some(why) = why_unchecked(options, own, case)? {
        if moment == Moment::Stop {
            // Its result must not be checked either, although the event of its caller may tell less of it.
            case.remember(Verdict::Silent);
        }
        return Ok(case.unchecked(why));
    }
    let (options, settings) = &setup.of_agent(loaded, own)?;
    let profile = settings.profile(options.profile.as_deref())?;
    let held = Held {
        options,
        settings,
        profile: profile.unwrap_or(&RETURN),
    };
    case.trace.profile = Some(held.profile.id.to_string());
    case.trace.profile_from = Some(held.options.profile_from.clone());
    case.asked_before = case.times_before();
    let tool = held.options.tool.as_ref();
    match moment {
        Moment::Start | Moment::Compaction => return Ok(start::instruct(&held, case)),
        Moment::Failure => return Ok(case.has_failed(&held)),
        Moment::Call => {
            case.event.message = returned::in_call(tool, &case.event);
            if case.event.message.is_none() {
                return Ok(case.unchecked("it hands in no return"));
            }
        }
        Moment::Stop if tool.is_some() && !is_named => {
            return Ok(case.unchecked("this version does not say which agent makes a call"));
        }
        _ => {}
    }
    case.check(&held)
}

/// Completes the event with what is known of its agent from its files and from earlier events.
fn complete(case: &mut Case<'_>) {
    let (event, record) = (&mut case.event, &case.record);
    agent_files::complete(event);
    // At a stop without a name only the transcript knows whether the client runs the agent for itself.
    if event.agent.is_none() && event.moment != Moment::Stop {
        event.agent.clone_from(&record.agent);
    }
    if event.message.is_none() && record.is_awaited && !event.is_at_limit {
        let ended = event.notified.first();
        event.message = ended.and_then(|agent| agent.result.clone());
    }
}

/// Why an agent is not checked. None if it is.
fn why_unchecked(
    options: &HookOptions,
    own: Option<&AgentSettings>,
    case: &Case<'_>,
) -> anyhow::Result<Option<&'static str>> {
    let event = &case.event;
    let agent = event.agent.as_deref().unwrap_or_default();
    let is_configured = is_checked(&options.agents, own, agent)?;
    let is_over = agent_files::has_handed_over(event) && case.record.handed_in.is_none();
    // A person who has named the agent learns that its return was not checked.
    let is_named_in_vain =
        is_over && is_configured == Some(true) && agent_files::has_ended_by_tool(event);
    Ok(match is_configured {
        _ if is_over && !is_named_in_vain => Some("it has handed its result to a workflow"),
        Some(false) => Some("--agents or its table leaves it out"),
        None if agent_files::is_built_in(event) => Some("the client brings it along"),
        _ => None,
    })
}
