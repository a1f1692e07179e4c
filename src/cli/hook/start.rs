//! The start of an agent: what is noted of it, its instruction, and the ids that its return is to have: as
//! configured, else as the prompt of the delegation gives them.

use std::time::SystemTime;

use crate::clients::{Answer, Event, Moment};
use crate::evidence::repository::Repository;
use crate::evidence::{EvidenceMode, given_ids};
use crate::instruct::Instruction;

use crate::cli::hook::case::Case;
use crate::cli::hook::options::{Held, HookOptions};
use crate::cli::hook::records::GIT_AT_MOST;
use crate::cli::settings::checker::CheckerOptions;

/// The instruction for an agent that starts, or whose conversation was shortened.
pub(super) fn instruct(held: &Held<'_>, case: &mut Case<'_>) -> Answer {
    let (options, profile) = (held.options, held.profile);
    let is_start = case.event.moment == Moment::Start;
    if is_start {
        case.record.agent.clone_from(&case.event.agent);
        note_start(options, case);
    }
    if !profile.is_instructed || case.record.was_accepted {
        case.trace.why = Some("it has the instruction, or its profile has none".to_owned());
        return Answer::Nothing;
    }
    let (event, record) = (&case.event, &mut case.record);
    let facts = event.client.facts();
    let session = expected_session(options, event, true);
    // The one to return if the task names none.
    let fallback = event.session.clone().filter(|_| session.is_none());
    let known = checked_for(options, event, session.clone());
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
    if let Some(handoffs) = known.handoffs(held.settings, profile, |_| false) {
        instruction.handoff = handoffs;
    }
    let text = match instruction.text() {
        Ok(text) => text,
        Err(error) => {
            case.trace.why = Some(error.to_string());
            return Answer::Nothing;
        }
    };
    let is_certain = facts.context_mark.is_none();
    record.was_told_session |= fallback.is_some() && event.agent_id.is_some() && is_certain;
    if let (Some(prompt), true) = (&event.prompt, facts.is_instructed_by_prompt) {
        return Answer::Prompt {
            agent: event.agent.clone().unwrap_or_default(),
            prompt: format!("{prompt}\n\n{text}"),
        };
    }
    Answer::Context(text)
}

/// Notes when the agent starts, and the commit that is checked out then, as far as its end needs them.
fn note_start(options: &HookOptions, case: &mut Case<'_>) {
    let (event, record) = (&case.event, &mut case.record);
    let has_evidence = options.checker.evidence_mode != EvidenceMode::Off;
    let has_file = options.return_file.is_some();
    // The work of a resumed agent began with its first start; its next file is newer than this one. Several
    // agents without an id may have the same name: the first start counts.
    let counts_again = has_file && event.agent_id.is_some();
    if !(has_evidence || has_file) || record.started.is_some() && !counts_again {
        return;
    }
    let repository = || Repository::find(options.folder(event), GIT_AT_MOST);
    let head = has_evidence.then(|| repository().and_then(|it| it.head()).ok());
    record.started = Some(SystemTime::now());
    record.head = head.flatten();
}

/// The session id that is to be returned. The client's own only if the agent is told it at the start. None if
/// the prompt is unknown, because it may name another, or if it gives several.
pub(super) fn expected_session(
    options: &HookOptions,
    event: &Event,
    was_told: bool,
) -> Option<String> {
    if options.checker.session.is_some() {
        return options.checker.session.clone();
    }
    match session_in(event.prompt.as_deref()?) {
        PromptId::One(id) => Some(id),
        PromptId::Unclear => None,
        PromptId::None => event.session.clone().filter(|_| was_told),
    }
}

/// The options for the check of a return that has this session id.
pub(super) fn checked_for(
    options: &HookOptions,
    event: &Event,
    session: Option<String>,
) -> CheckerOptions {
    let prompt = event.prompt.as_deref();
    let named = || match named(prompt?, "group", |_| true) {
        PromptId::One(group) => Some(group),
        _ => None,
    };
    CheckerOptions {
        session,
        group: options.checker.group.clone().or_else(named),
        agent: event.agent.clone(),
        ..options.checker.clone()
    }
}

/// What a prompt gives for one name.
#[derive(Debug, PartialEq, Eq)]
enum PromptId {
    /// It does not have the word.
    None,
    One(String),
    /// It gives several, or has the word in another form.
    Unclear,
}

fn session_in(prompt: &str) -> PromptId {
    named(prompt, "session", |id| id.bytes().any(|byte| byte.is_ascii_digit()))
}

/// The value that a prompt gives for a name.
fn named(prompt: &str, name: &str, is_id: impl Fn(&str) -> bool) -> PromptId {
    let mut found = given_ids(prompt, name).into_iter().filter(|it| is_id(it));
    match (found.next(), found.next()) {
        (Some(id), None) => PromptId::One(id.to_owned()),
        (None, _) if !prompt.to_ascii_lowercase().contains(name) => PromptId::None,
        _ => PromptId::Unclear,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_given_in_three_forms() {
        for prompt in [
            "Plan it. session_id: sess_1_a",
            "session_id: sess_1_a. Return it in metadata.session_id.",
            "{\"session_id\": \"sess_1_a\"}",
            "{\"session_id\":\"sess_1_a\",\"depth\":1}",
            "Context: {\"depth\": 1, \"session_id\": \"sess_1_a\"}",
            "Session ID: sess_1_a\nThe session id is sess_1_a.",
            "- **session_id: sess_1_a**",
            "Context: session_id: sess_1_a, depth: 1",
            "Plan it (session_id: sess_1_a).",
            "session_id: sess_1_a\nGet https://x.io/a?session=sess_2_b and session_id=sess_3_c.",
            "session_id: sess_1_a. The log says: unknown session id: sess_2_b.",
            "session_id: sess_1_a. Mend `resume(session_id: sess_2_b)`.",
            "session_id: sess_1_a\n> session_id: sess_2_b",
            "Mend \"session id: 99 was not found\". session_id: sess_1_a",
            "```\nsession_id: sess_2_b\n```\nsession id: sess_1_a",
        ] {
            assert_eq!(session_in(prompt), PromptId::One("sess_1_a".to_owned()), "{prompt}");
        }
    }

    #[test]
    fn nothing_else_is_an_id() {
        for prompt in [
            "Write the session to a file.",
            "session_id: {session_id}",
            "session_id: sess_1_{id}",
            "session_id: <id>",
            "session_id: of-your-task",
            "session=sess_1_a",
            "session_id=sess_1_a",
            "The session id is sess_1_a.",
            "mysession_id: sess_1_a",
            "`session_id`: sess_1_a",
            "session_id: sess_1_a, session_id: sess_2_b",
            "Use session_id: sess_1_a or session_id: sess_2_b.",
            "Why does it say unknown session_id: sess_1_a?",
            "Error: session id: 99 was not found",
            "Call resume(session_id: sess_1_a).",
            "> session_id: sess_1_a",
            "Set session_id: sess_1_a in the settings.",
            "GET /a?session_id: sess_1_a",
            "```\nsession_id: sess_1_a\n```",
            &format!("session_id: {}1", "a".repeat(128)),
        ] {
            assert_eq!(session_in(prompt), PromptId::Unclear, "{prompt}");
        }
        assert_eq!(session_in("Plan it."), PromptId::None);
    }

    #[test]
    fn a_group_is_given_in_the_same_forms() {
        for prompt in ["Build it. group_id: AUTH", "{\"group_id\": \"AUTH\"}"] {
            assert_eq!(
                named(prompt, "group", |_| true),
                PromptId::One("AUTH".to_owned()),
                "{prompt}"
            );
        }
        let path = "Read work/s1/AUTH/handoff_developer.json. Group: AUTH";
        assert_eq!(named(path, "group", |_| true), PromptId::Unclear);
    }
}
