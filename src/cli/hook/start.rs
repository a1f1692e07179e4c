//! The start of an agent: what is noted of it, and its instruction.

use std::time::SystemTime;

use crate::clients::{Answer, Event, Moment};
use crate::evidence::EvidenceMode;
use crate::evidence::repository::Repository;
use crate::{Instruction, Profile};

use crate::cli::hook::callers;
use crate::cli::hook::options::HookOptions;
use crate::cli::hook::prompt::{self, Named};
use crate::cli::hook::state::{AgentRecord, AgentStart};
use crate::cli::settings::Settings;
use crate::cli::settings::checker::CheckerOptions;

pub(super) fn answer(
    options: &HookOptions,
    settings: &Settings,
    event: &Event,
    profile: &Profile,
    record: &mut AgentRecord,
) -> Answer {
    if event.moment == Moment::Start {
        note(options, event, record);
    }
    if record.was_accepted || !profile.is_instructed() {
        // The agent is resumed: it has the instruction already, and may answer a question in prose. Or
        // nobody has said how it is to return.
        return Answer::Nothing;
    }
    let (session, fallback) = told_sessions(options, event, profile);
    let is_certain = event.client.facts().context_mark.is_none();
    record.was_told_session |= fallback.is_some() && event.agent_id.is_some() && is_certain;
    let known = CheckerOptions {
        session: session.clone(),
        group: prompt::expected_group(options, event, profile),
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
    if let Some(prompt) = event.prompt.as_ref().filter(|_| is_by_prompt) {
        return Answer::Prompt {
            agent: event.agent.clone().unwrap_or_default(),
            prompt: format!("{prompt}\n\n{instruction}"),
        };
    }
    record.is_awaited = event.moment == Moment::Start && event.agent_id.is_some();
    record.agent = event.agent.clone().filter(|_| record.is_awaited);
    Answer::Context(instruction.to_string())
}

/// Why an agent gets no instruction.
pub(super) fn why_silent(profile: &Profile) -> &'static str {
    if profile.is_instructed() {
        "it is resumed and has the instruction already"
    } else {
        "its profile has no instruction"
    }
}

/// The session ids for the instruction: the one to return, and the one to return if the task names none.
fn told_sessions(
    options: &HookOptions,
    event: &Event,
    profile: &Profile,
) -> (Option<String>, Option<String>) {
    if let Some(configured) = &options.checker.session {
        return (Some(configured.clone()), None);
    }
    let named = |prompt| prompt::session(prompt, profile.handoff_path.as_deref());
    match event.prompt.as_deref().map(named) {
        Some(Named::One(id)) => (Some(id), None),
        Some(Named::None) => (event.session.clone(), None),
        Some(Named::Unclear) | None => (None, event.session.clone()),
    }
}

/// Notes when the agent starts, and the commit that is checked out then, as far as its end needs them.
fn note(options: &HookOptions, event: &Event, record: &mut AgentRecord) {
    let has_evidence = options.checker.evidence_mode != EvidenceMode::Off;
    let has_file = options.return_file.is_some();
    // The work of a resumed agent began with its first start; its next file is newer than this one. Several
    // agents without an id may have the same name: the first start counts.
    let counts_again = has_file && event.agent_id.is_some();
    if !(has_evidence || has_file) || record.start.is_some() && !counts_again {
        return;
    }
    let repository = || Repository::find(options.folder(event));
    let head = has_evidence.then(|| repository().and_then(|it| it.head()).ok());
    record.start = Some(AgentStart {
        at: SystemTime::now(),
        head: head.flatten().map(|commit| commit.to_string()),
    });
}

fn delegation_path(callers: &[String], event: &Event) -> Vec<String> {
    let first = std::iter::once("orchestrator".to_owned());
    let last = event.agent.clone();
    first.chain(callers.iter().cloned()).chain(last).collect()
}
