//! What the hook does about an event: pure, but for the check of a return.

use crate::clients::{Answer, Ended, Event, Moment, NotifiedAgent};
use crate::config::AgentSettings;
use crate::log::ReturnLack;
use crate::profile::RETURN;
use crate::text::{escape, is_blank};

use crate::cli::hook::case::{Asking, Case, Decision};
use crate::cli::hook::options::{Held, HookOptions, HookSetup, is_checked};
use crate::cli::hook::session::HookSession;
use crate::cli::hook::trace::Decided;
use crate::cli::hook::{caller, records, returned, start};
use crate::cli::settings::Settings;

const LEFT_OUT: &str = "--agents or its table leaves it out";
const BUILT_IN: &str = "it is built into the client";

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
    if !is_ours(event) {
        let mut case = Case::of(event, session);
        let answer = case.unchecked("it is not about an agent");
        return case.decided(answer);
    }
    match (&setup.loaded, event.moment) {
        // Nothing is checked, so no mistake in the settings matters.
        (_, Moment::MainStop) | (Ok(_), Moment::Waited) => {
            let answer = caller::answer(event, session);
            let mut decision = Case::of(event, session).decided(answer);
            let ended = |it: &&NotifiedAgent| it.ended != Ended::Unknown;
            let ended = Event {
                notified: event.notified.iter().filter(ended).cloned().collect(),
                ..event.clone()
            };
            if !ended.notified.is_empty() {
                let more = caller::notified(&ended, |event| of_agent(setup, event, session));
                decision.add(more);
            }
            decision
        }
        (Ok(_), Moment::Notification) => {
            caller::notified(event, |event| of_agent(setup, event, session))
        }
        _ => of_agent(setup, event, session),
    }
}

/// Notes which agents run. A call that names none is of the only one, in a client that does not say who makes it.
fn attributed(mut event: Event, session: &mut HookSession) -> Event {
    if !event.client.facts().hides_callers {
        return event;
    }
    let running = &mut session.known.running;
    match (event.moment, &event.agent) {
        (Moment::Start, Some(agent)) => running.push(agent.clone()),
        (Moment::Call, _) => event.agent = running.first().filter(|_| running.len() == 1).cloned(),
        (Moment::Result | Moment::Failure, Some(agent)) => {
            if let Some(at) = running.iter().position(|name| name == agent) {
                running.remove(at);
            }
        }
        _ => {}
    }
    event
}

/// Events without an agent are ignored, whatever else is wrong.
fn is_ours(event: &Event) -> bool {
    // Qwen Code gives the id of the agent that makes a call alone, whose name may be known from before.
    let is_known = event.agent_id.is_some() || event.client.facts().hides_callers;
    let is_hidden = match event.moment {
        Moment::Call => is_known,
        // What a skill or a resumed agent brings has no name, either.
        Moment::Result => event.agent_id.is_some(),
        _ => false,
    };
    let has_agent = match &event.agent {
        Some(agent) => !is_blank(agent),
        None => is_hidden || event.moment.names_no_agent(),
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
    // A configuration file may have several errors.
    let why = format!("{error:#}");
    let line = why.replace("\nerror: ", "; ");
    let shown = escape::truncated(&line);
    let text = format!("retval hook could not check the return: {shown}");
    let policy = setup.policy();
    let is_refused = !policy.is_observing && policy.is_closed;
    let mut case = Case::of(event, session);
    case.trace.decision = Decided::Failed;
    case.trace.why = Some(why);
    if !is_ours(event) {
        return case.decided(Answer::Note(text));
    }
    let is_start = matches!(event.moment, Moment::Start | Moment::Compaction);
    let is_recorded = setup.errors_json().is_some() && !is_start;
    if is_recorded && case.session.known.recorded.insert(text.clone()) {
        case.record_lack(&text, ReturnLack::Unchecked);
    }
    let answer = match event.moment {
        Moment::Result if is_refused => Answer::Block(text),
        Moment::Stop | Moment::Call if is_refused && case.ask(policy, false) != Asking::Accept => {
            let again = "Return your complete final report again.";
            Answer::Block(format!("{text}\n{again}\n"))
        }
        Moment::Result | Moment::Notification | Moment::Waited
            if case.session.known.told.insert(text.clone()) =>
        {
            Answer::Tell(text)
        }
        _ => Answer::Note(text),
    };
    case.decided(answer)
}

fn of_agent(setup: &HookSetup, event: &Event, session: &mut HookSession) -> Decision {
    let loaded = match &setup.loaded {
        Ok(loaded) => loaded,
        Err(error) => return failed(setup, event, error, session),
    };
    let mut case = Case::of(event, session);
    let known = caller::by_verdict(&mut case).map(Ok);
    let answer = match known.unwrap_or_else(|| by_return(setup, loaded, &mut case)) {
        Ok(answer) => answer,
        Err(error) => return failed(setup, event, &error, session),
    };
    let answer = case.with_receipt(answer);
    case.decided(answer)
}

fn by_return(
    setup: &HookSetup,
    loaded: &(HookOptions, Settings),
    case: &mut Case<'_>,
) -> anyhow::Result<Answer> {
    case.complete();
    case.receipt_mode = loaded.0.receipt;
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
            case.remember(Ok(Answer::Nothing));
        }
        if why != LEFT_OUT {
            case.note_unchecked(options)?;
        }
        return Ok(case.unchecked(why));
    }
    let (options, settings) = &setup.of_agent(loaded, own)?;
    let profile = settings.profile(options.profile.as_deref())?;
    let held = Held { options, settings, profile: profile.unwrap_or(&RETURN) };
    case.trace.profile = Some(held.profile.id.to_string());
    case.trace.profile_from = Some(options.profile_from.clone());
    case.is_observed = options.on_failure.is_observing;
    case.receipt_mode = options.receipt;
    case.asked_before = case.times_before();
    match moment {
        Moment::Start | Moment::Compaction => Ok(start::instruct(&held, case)),
        Moment::Failure => Ok(case.has_failed()),
        Moment::Call => {
            case.event.message = returned::in_call(options.tool.as_ref(), &case.event);
            match &case.event.message {
                Some(_) => case.check(&held),
                None => Ok(case.unchecked("it hands in no return")),
            }
        }
        _ => case.check(&held),
    }
}

fn why_unchecked(
    options: &HookOptions,
    own: Option<&AgentSettings>,
    case: &Case<'_>,
) -> anyhow::Result<Option<&'static str>> {
    let event = &case.event;
    let agent = event.agent.as_deref().unwrap_or_default();
    Ok(match is_checked(&options.agents, own, agent)? {
        Some(false) => Some(LEFT_OUT),
        // Its result goes to a script, which asks for it in its own way.
        _ if records::is_by_workflow(event) => Some("a workflow runs it"),
        None if records::is_built_in(event) => Some(BUILT_IN),
        _ => None,
    })
}
