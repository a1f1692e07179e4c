//! The session id that a return must have.

use retval::harness::Event;

use crate::hook::options::HookOptions;
use crate::hook::state::{HookState, key_of};

/// The id that is expected at the end: the configured one, else the one in the prompt, else the one
/// that the agent was told at the start. None if the prompt is unknown: it may name another.
pub(super) fn expected(options: &HookOptions, event: &Event, state: &HookState) -> Option<String> {
    if let Some(session) = &options.checker.session {
        return Some(session.clone());
    }
    match named(event.prompt.as_deref()?) {
        Named::One(id) => Some(id),
        Named::Several => None,
        Named::None => event.session.clone().filter(|_| was_told(event, state)),
    }
}

/// The ids in the instruction: the one to return, and the one to return if the task gives none.
pub(super) fn to_tell(options: &HookOptions, event: &Event) -> (Option<String>, Option<String>) {
    let configured = options.checker.session.clone();
    match event.prompt.as_deref().map(named) {
        _ if configured.is_some() => (configured, None),
        Some(Named::One(id)) => (Some(id), None),
        Some(Named::None) => (event.session.clone(), None),
        Some(Named::Several) | None => (None, event.session.clone()),
    }
}

/// Remembers that the agent was told the client's own id.
pub(super) fn tell(event: &Event, state: &HookState) {
    if let Some(file) = told_file(event) {
        // Otherwise no return is refused for its session.
        let _ = state.write(&file, String::new());
    }
}

fn was_told(event: &Event, state: &HookState) -> bool {
    told_file(event).is_some_and(|file| state.has(&file))
}

fn told_file(event: &Event) -> Option<String> {
    event.agent_id.as_ref()?;
    Some(format!("{}.told", key_of(event)?))
}

/// The session ids that a prompt names.
#[derive(Debug, PartialEq, Eq)]
enum Named {
    None,
    One(String),
    Several,
}

/// Looks for `session_id: X` and its like: `"session_id": "X"`, `Session ID is X`, `session=X`.
fn named(prompt: &str) -> Named {
    let mut found = Named::None;
    let lower = prompt.to_ascii_lowercase();
    for (at, word) in lower.match_indices("session") {
        let Some(id) = id_after(&prompt[at + word.len()..]) else {
            continue;
        };
        match &found {
            Named::None => found = Named::One(id.to_owned()),
            Named::One(other) if other != id => return Named::Several,
            _ => {}
        }
    }
    found
}

fn id_after(rest: &str) -> Option<&str> {
    let quotes: &[char] = &['"', '\'', '`', '*'];
    let lower = rest.get(..3).map(str::to_ascii_lowercase);
    let is_id = lower.is_some_and(|word| matches!(&*word, "_id" | " id" | "-id" | "id:" | "id="));
    let name = match rest.get(..2) {
        Some(id) if id.eq_ignore_ascii_case("id") => 2,
        _ if is_id => 3,
        _ => 0,
    };
    let rest = rest[name..]
        .trim_start_matches(quotes)
        .trim_start_matches(' ');
    let rest = rest.strip_prefix([':', '=']).or_else(|| {
        let is_named = name > 0;
        is_named.then(|| rest.strip_prefix("is ")).flatten()
    })?;
    let rest = rest.trim_start_matches(' ').trim_start_matches(quotes);
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || "_-.".contains(letter);
    let end = rest.find(|letter| !is_part(letter)).unwrap_or(rest.len());
    let is_cut = rest[end..].starts_with(['{', '<', '$', '}', '>']);
    let id = rest[..end].trim_end_matches(['.', '-', '_']);
    let has = |is_kind: fn(&u8) -> bool| id.as_bytes().iter().any(is_kind);
    let is_mixed = has(u8::is_ascii_digit) && has(u8::is_ascii_alphabetic);
    (id.len() >= 4 && is_mixed && !is_cut).then_some(id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_found_in_the_usual_spellings() {
        for prompt in [
            "Plan it. session_id: sess_1_a",
            "session_id: sess_1_a. Return it in metadata.session_id.",
            "{\"session_id\": \"sess_1_a\"}",
            "Session ID: `sess_1_a`\nThe session id is sess_1_a.",
            "**Session ID**: sess_1_a",
            "session=sess_1_a",
            "metadata.session_id is \"sess_1_a\", exactly.",
        ] {
            assert_eq!(named(prompt), Named::One("sess_1_a".to_owned()), "{prompt}");
        }
    }

    #[test]
    fn words_and_placeholders_are_no_ids() {
        for prompt in [
            "",
            "Write the session to a file.",
            "session_id: {session_id}",
            "session_id: sess_1_{id}",
            "session_id: <id>",
            "The session: plan the tide tables in 2026.",
            "Return the session_id of your task.",
            "sessionäid: ab12",
        ] {
            assert_eq!(named(prompt), Named::None, "{prompt}");
        }
    }

    #[test]
    fn of_two_ids_none_is_preferred() {
        let prompt = "session_id: sess_1_a, not session_id: sess_2_b";
        assert_eq!(named(prompt), Named::Several);
    }
}
