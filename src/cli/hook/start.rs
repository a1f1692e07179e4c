//! The start of an agent: what is noted of it, and its instruction.

use std::time::SystemTime;

use crate::Profile;
use crate::clients::{Answer, Event, Moment};
use crate::evidence::EvidenceMode;
use crate::evidence::repository::Repository;
use crate::instruct::Instruction;

use crate::cli::hook::agent_files::GIT_AT_MOST;
use crate::cli::hook::case::AgentCase;
use crate::cli::hook::options::HookOptions;
use crate::cli::hook::prompt::{self, PromptId};
use crate::cli::hook::session::{AgentRecord, AgentStart};
use crate::cli::settings::Settings;
use crate::cli::settings::checker::CheckerOptions;

pub(super) fn answer(
    options: &HookOptions,
    settings: &Settings,
    event: &Event,
    profile: &Profile,
    case: &mut AgentCase<'_>,
) -> Answer {
    case.brought(event, None);
    let record = &mut case.record;
    if event.moment == Moment::Start {
        note(options, event, record);
    }
    if record.was_accepted || !profile.is_instructed {
        let why = if profile.is_instructed {
            "it is resumed and has the instruction already"
        } else {
            "its profile has no instruction"
        };
        case.trace.why = Some(why.to_owned());
        return Answer::Nothing;
    }
    let (session, fallback) = told_sessions(options, event);
    let known = CheckerOptions {
        session: session.clone(),
        group: prompt::expected_group(options, event),
        agent: event.agent.clone(),
        ..options.checker.clone()
    };
    let orchestrator = std::iter::once("orchestrator".to_owned());
    let path: Vec<_> = orchestrator.chain(event.agent.clone()).collect();
    let mut instruction = Instruction {
        fallback_path: &path,
        session: session.as_deref(),
        fallback_session: fallback.as_deref(),
        agent: event.agent.as_deref(),
        group: known.group.as_deref(),
        ..Instruction::new(profile)
    };
    if let Some(handoffs) = known.handoffs(settings, profile) {
        instruction.handoff = handoffs;
    }
    let text = match instruction.text() {
        Ok(text) => text,
        Err(error) => {
            case.trace.why = Some(error.to_string());
            return Answer::Nothing;
        }
    };
    let is_certain = event.client.facts().context_mark.is_none();
    record.was_told_session |= fallback.is_some() && event.agent_id.is_some() && is_certain;
    let is_by_prompt = event.client.facts().is_instructed_by_prompt;
    if let Some(prompt) = event.prompt.as_ref().filter(|_| is_by_prompt) {
        return Answer::Prompt {
            agent: event.agent.clone().unwrap_or_default(),
            prompt: format!("{prompt}\n\n{text}"),
        };
    }
    record.is_awaited = event.moment == Moment::Start && event.agent_id.is_some();
    record.agent = event.agent.clone().filter(|_| record.is_awaited);
    Answer::Context(text)
}

/// The session ids for the instruction: the one to return, and the one to return if the task names none.
fn told_sessions(options: &HookOptions, event: &Event) -> (Option<String>, Option<String>) {
    if let Some(configured) = &options.checker.session {
        return (Some(configured.clone()), None);
    }
    match event.prompt.as_deref().map(prompt::session) {
        Some(PromptId::One(id)) => (Some(id), None),
        Some(PromptId::None) => (event.session.clone(), None),
        Some(PromptId::Unclear) | None => (None, event.session.clone()),
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
    let repository = || Repository::find(options.folder(event), GIT_AT_MOST);
    let head = has_evidence.then(|| repository().and_then(|it| it.head()).ok());
    record.start = Some(AgentStart {
        at: SystemTime::now(),
        head: head.flatten().map(|commit| commit.to_string()),
    });
}
