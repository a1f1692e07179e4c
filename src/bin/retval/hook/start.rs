//! The instruction for an agent that starts.

use retval::internal::clients::{Answer, Event};
use retval::{Instruction, Profile};

use crate::hook::options::HookOptions;
use crate::hook::state::HookState;
use crate::hook::verdicts::Verdicts;
use crate::hook::{callers, session, work};
use crate::settings::Settings;
use crate::settings::checker::CheckerOptions;

pub(super) fn answer(
    options: &HookOptions,
    settings: &Settings,
    event: &Event,
    profile: &Profile,
    state: &HookState,
) -> Answer {
    work::start(options, event, state);
    if Verdicts::of(event, state).was_accepted() {
        // The agent is resumed: it has the instruction already, and may answer a question in prose.
        return Answer::Nothing;
    }
    let (session, fallback) = session::to_tell(options, event, profile);
    if fallback.is_some() {
        session::tell(event, state);
    }
    let known = CheckerOptions {
        session: session.clone(),
        group: session::group(options, event, profile),
        agent: event.agent.clone(),
        ..options.checker.clone()
    };
    let callers = callers::of(event);
    let path = delegation_path(callers.as_deref().unwrap_or_default(), event);
    let mut instruction = Instruction {
        fallback_path: &path,
        is_fallback_certain: callers.is_some(),
        session: session.as_deref(),
        fallback_session: fallback.as_deref(),
        agent: event.agent.as_deref(),
        group: known.group.as_deref(),
        ..Instruction::new(profile)
    };
    if let Some(handoffs) = known.handoffs(settings, profile) {
        instruction.handoff = handoffs;
    }
    let is_by_prompt = event.client.facts().is_instructed_by_prompt;
    match event.prompt.as_ref().filter(|_| is_by_prompt) {
        Some(prompt) => Answer::Prompt {
            agent: event.agent.clone().unwrap_or_default(),
            prompt: format!("{prompt}\n\n{instruction}"),
        },
        None => Answer::Context(instruction.to_string()),
    }
}

fn delegation_path(callers: &[String], event: &Event) -> Vec<String> {
    let first = std::iter::once("orchestrator".to_owned());
    let last = event.agent.clone();
    first.chain(callers.iter().cloned()).chain(last).collect()
}
