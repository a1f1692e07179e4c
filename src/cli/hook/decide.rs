//! What the hook does about an event: pure, but for the check of a return.

use std::path::Path;

use crate::clients::{Answer, Event, Moment};
use crate::log::ReturnLack;
use crate::text::is_blank;

use crate::cli::hook::case::{AgentCase, Decision, failure, hook_call, record_of_agent};
use crate::cli::hook::end::AgentEnd;
use crate::cli::hook::options::{FailurePolicy, HookArgs, HookOptions};
use crate::cli::hook::retries::{self, Asking};
use crate::cli::hook::session::{AgentRecord, HookSession, KnownMistake, Verdict};
use crate::cli::hook::trace::{Decided, Trace};
use crate::cli::hook::{agent_files, caller, hand_in, scope, start};
use crate::cli::settings::Settings;

/// The options of the hook, and the settings that it works with.
pub(super) struct HookSetup {
    pub(super) args: HookArgs,
    pub(super) policy: FailurePolicy,
    pub(super) loaded: anyhow::Result<(HookOptions, Settings)>,
    pub(super) keeps_log: bool,
}

impl HookSetup {
    /// The setup in a folder, or in the current folder.
    pub(super) fn load(args: HookArgs, folder: Option<&Path>) -> Self {
        let settings = match folder {
            Some(folder) => Settings::load_for_others(&args.config, folder),
            None => Settings::load(&args.config),
        };
        let settings = settings.map(|settings| settings.given(args.given()));
        let policy = FailurePolicy::resolve(&args, settings.as_ref().ok());
        let keeps_log = settings.as_ref().ok().and_then(|it| it.values.hook_log);
        let loaded = settings.and_then(|settings| {
            let mut options = HookOptions::resolve(args.clone(), &settings)?;
            let root = folder.zip(options.root.as_ref());
            options.root = root
                .map(|(folder, root)| folder.join(root))
                .or(options.root);
            Ok((options, settings))
        });
        Self {
            args,
            policy,
            loaded,
            keeps_log: keeps_log.unwrap_or(true),
        }
    }

    /// Without settings that can be read, the log is the one of the command.
    pub(super) fn errors_json(&self) -> Option<&Path> {
        let options = self
            .loaded
            .as_ref()
            .map(|(options, _)| &options.errors_json);
        options.unwrap_or(&self.args.errors_json).as_deref()
    }
}

/// A payload that was not read completely.
#[derive(Debug)]
pub(super) struct Unread {
    pub(super) why: String,
    /// Counts as an invalid return; anything else is a failure of the hook.
    pub(super) is_too_large: bool,
}

/// Decides about an event, of which only the beginning may be known.
pub(super) fn decide(
    setup: &HookSetup,
    (event, unread): (&Event, Option<&Unread>),
    session: &mut HookSession,
) -> Decision {
    let event = &hand_in::attributed(event.clone(), session);
    if let Some(unread) = unread {
        return failed(setup, event, &unread.why, unread.is_too_large, session);
    }
    let decided = match (&setup.loaded, event.moment) {
        _ if !is_ours(event) => {
            let mut trace = Trace::of(event);
            trace.unchecked("it is not about an agent");
            return Decision::new(Answer::Nothing, trace);
        }
        // Nothing is checked, so no mistake in the settings matters.
        (_, Moment::MainStop) | (Ok(_), Moment::Waited) => {
            let answer = caller::answer(event, session);
            let mut trace = Trace::of(event);
            trace.answered(event.moment, &answer);
            return Decision::new(answer, trace);
        }
        (Err(error), _) => Err(format!("{error:#}")),
        (Ok(loaded), Moment::Notification) => {
            caller::notified(event, |event| of_agent(setup, loaded, event, session))
        }
        (Ok(loaded), _) => of_agent(setup, loaded, event, session),
    };
    decided.unwrap_or_else(|why| failed(setup, event, &why, false, session))
}

/// Events without an agent are ignored, whatever else is wrong.
fn is_ours(event: &Event) -> bool {
    // Claude Code 2.0 names the agent only in the transcript of its caller.
    let is_traced = event.moment == Moment::Stop && event.agent_transcript.is_some();
    let has_agent = if let Some(agent) = &event.agent {
        !is_blank(agent)
    } else {
        // Qwen Code gives the id of the agent that makes a call alone, whose name may be known from before.
        let is_known = event.agent_id.is_some() || event.client.facts().hides_callers;
        let is_hidden = event.moment == Moment::Call && is_known;
        is_traced || is_hidden || event.moment.names_no_agent()
    };
    has_agent && event.moment != Moment::Foreign
}

/// The hook itself has failed: the agent may end, unless the hook fails closed. Then it is asked again a
/// limited number of times, or its caller is warned. A failure is told and recorded once in a session.
fn failed(
    setup: &HookSetup,
    event: &Event,
    why: &str,
    is_refused: bool,
    session: &mut HookSession,
) -> Decision {
    let (text, policy) = (failure(why), setup.policy);
    let is_refused = !policy.is_observing && (policy.is_closed || is_refused);
    let mut case = AgentCase::of(event, session);
    case.trace.decision = Decided::Failed;
    case.trace.why = Some(why.to_owned());
    if !is_ours(event) {
        return case.decided(event.moment, Answer::Note(text));
    }
    let known = case.session.known.mistakes.iter();
    let known = known.filter(|it| it.text == text).cloned().next_back();
    let mut mistake = known.unwrap_or_else(|| KnownMistake {
        text: text.clone(),
        ..KnownMistake::default()
    });
    let is_start = matches!(event.moment, Moment::Start | Moment::Compaction);
    if setup.errors_json().is_some() && !is_start && !mistake.is_recorded {
        let lack = ReturnLack::Unchecked;
        case.records = vec![record_of_agent(hook_call(event), event, &text, lack)];
        mistake.is_recorded = true;
    }
    let answer = match event.moment {
        Moment::Result | Moment::Fetched if is_refused => Answer::Block(text),
        Moment::Stop | Moment::Call
            if is_refused && retries::decide(policy, event, &mut case) != Asking::Accept =>
        {
            Answer::Block(format!(
                "{text}\nReturn the complete JSON object again as your whole final report.\n"
            ))
        }
        Moment::Result | Moment::Fetched | Moment::Notification | Moment::Waited
            if !mistake.is_told =>
        {
            mistake.is_told = true;
            Answer::Tell(text)
        }
        _ => Answer::Note(text),
    };
    let mistakes = &mut case.session.known.mistakes;
    mistakes.retain(|it| it.text != mistake.text);
    mistakes.push(mistake);
    case.decided(event.moment, answer)
}

fn of_agent(
    setup: &HookSetup,
    loaded: &(HookOptions, Settings),
    event: &Event,
    session: &mut HookSession,
) -> Result<Decision, String> {
    let mut case = AgentCase::of(event, session);
    let answer = answer(setup, loaded, event, &mut case);
    let answer = answer.map_err(|error| format!("{error:#}"))?;
    if event.moment == Moment::Stop && agent_files::is_by_workflow(event) {
        caller::hand_on(event, &mut case);
    }
    Ok(case.decided(event.moment, answer))
}

/// Answers an event of one agent: from the verdict that is kept for its caller, else by its return.
fn answer(
    setup: &HookSetup,
    (options, settings): &(HookOptions, Settings),
    event: &Event,
    case: &mut AgentCase<'_>,
) -> anyhow::Result<Answer> {
    if let Some(answer) = caller::by_verdict(event, case) {
        return Ok(answer);
    }
    let is_named = event.agent.is_some();
    let mut event = completed(event, &case.record);
    let agent = event.agent.clone().unwrap_or_default();
    if agent.is_empty() {
        return Ok(case.unchecked("the name of its agent is unknown"));
    }
    case.trace.agent = Some(agent.clone());
    let own = settings.hook_agent(&agent);
    if let Some(why) = scope::why_unchecked(options, own, &event, &agent, &case.record)? {
        if event.moment == Moment::Stop {
            // Its result must not be checked either, although the event of its caller may tell less of it.
            case.remember(Verdict::Silent);
        }
        return Ok(case.unchecked(why));
    }
    let own_settings = own.map(|own| settings.with_own(own));
    let own_options = own_settings.as_ref().map(|settings| {
        let mut args = setup.args.clone();
        let has_profile = own.is_some_and(|own| own.settings.values.profile.is_some());
        args.profile = args.profile.filter(|_| !has_profile);
        HookOptions::resolve(args, settings)
    });
    let own_options = own_options.transpose()?;
    let settings = own_settings.as_ref().unwrap_or(settings);
    let options = own_options.as_ref().unwrap_or(options);
    let profile = settings.profile(options.profile.as_deref())?;
    let profile = profile.unwrap_or(&crate::profile::RETURN);
    case.trace.profile = Some(profile.id.to_string());
    case.trace.profile_from = Some(options.profile_from(own));
    match event.moment {
        Moment::Start | Moment::Compaction => {
            return Ok(start::answer(options, settings, &event, profile, case));
        }
        Moment::Call => {
            event.message = hand_in::returned(options.tool.as_ref(), &event);
            if event.message.is_none() {
                return Ok(case.unchecked("it hands in no return"));
            }
        }
        Moment::Stop if options.tool.is_some() && !is_named => {
            return Ok(case.unchecked("this version does not say which agent makes a call"));
        }
        _ => {}
    }
    let mut end = AgentEnd {
        options,
        settings,
        event: &event,
        profile,
        asked_again: retries::times_before(&event, case),
        case,
    };
    match event.moment {
        Moment::Failure => Ok(end.failed()),
        _ => end.check(),
    }
}

/// The event, with what is known of its agent from its files and from earlier events.
fn completed(event: &Event, record: &AgentRecord) -> Event {
    let mut event = agent_files::completed(event);
    // At a stop without a name only the transcript knows whether the client runs the agent for itself.
    let known = record.agent.clone();
    event.agent = event
        .agent
        .or(known.filter(|_| event.moment != Moment::Stop));
    if event.message.is_none() && record.is_awaited && !event.is_at_limit {
        event.message = event
            .notified
            .first()
            .and_then(|agent| agent.result.clone());
    }
    event
}
