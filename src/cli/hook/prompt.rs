//! The session id that a return must have, and the group of its work: as configured, else as the prompt of
//! the delegation gives them.

use crate::clients::Event;

use crate::cli::hook::options::HookOptions;

/// Most characters of an id.
const LENGTH_AT_MOST: usize = 128;

/// The session id that is expected at the end. The client's own only if the agent was told it at the start.
/// None if the prompt is unknown, because it may name another, or if it gives several.
pub(super) fn expected_session(
    options: &HookOptions,
    event: &Event,
    was_told: bool,
) -> Option<String> {
    if let Some(session) = &options.checker.session {
        return Some(session.clone());
    }
    match session(event.prompt.as_deref()?) {
        PromptId::One(id) => Some(id),
        PromptId::Unclear => None,
        PromptId::None => event.session.clone().filter(|_| was_told),
    }
}

pub(super) fn expected_group(options: &HookOptions, event: &Event) -> Option<String> {
    if let Some(group) = &options.checker.group {
        return Some(group.clone());
    }
    match named(event.prompt.as_deref()?, "group", |_| true) {
        PromptId::One(group) => Some(group),
        PromptId::None | PromptId::Unclear => None,
    }
}

/// What a prompt gives for one name.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum PromptId {
    /// It does not have the word.
    None,
    One(String),
    /// It gives several, or has the word in another form.
    Unclear,
}

/// The session id. An id has a digit; `session id: of your task` is none.
pub(super) fn session(prompt: &str) -> PromptId {
    named(prompt, "session", |id| {
        id.bytes().any(|byte| byte.is_ascii_digit())
    })
}

/// The value that is given as `NAME_id: X`, `NAME id: X` or `"NAME_id": "X"`, outside code fences.
fn named(prompt: &str, name: &str, is_id: impl Fn(&str) -> bool) -> PromptId {
    let mut fence = None;
    let mut found: Vec<&str> = Vec::new();
    for line in prompt.lines() {
        let mark = line
            .trim_start()
            .get(..3)
            .filter(|it| ["```", "~~~"].contains(it));
        match (fence, mark) {
            (None, Some(_)) => fence = mark,
            (Some(_), Some(_)) if fence == mark => fence = None,
            (None, None) => found.extend(values(line, name).filter(|it| is_id(it))),
            _ => {}
        }
    }
    found.sort_unstable();
    found.dedup();
    match found[..] {
        [id] => PromptId::One(id.to_owned()),
        [] if !prompt.to_ascii_lowercase().contains(name) => PromptId::None,
        _ => PromptId::Unclear,
    }
}

fn values<'l>(line: &'l str, name: &str) -> impl Iterator<Item = &'l str> {
    let lower = line.to_ascii_lowercase();
    let ends = ["_id: ", " id: ", "_id\": \""].map(|end| format!("{name}{end}"));
    let starts = ends.iter().flat_map(|key| {
        let found = lower.match_indices(&**key).filter(|(at, _)| {
            let before = lower[..*at].chars().next_back();
            let is_quoted = key.ends_with('"');
            before.is_none_or(|it| !it.is_alphanumeric() && it != '_')
                && is_quoted == (before == Some('"'))
        });
        found.map(|(at, key)| at + key.len())
    });
    let starts: Vec<_> = starts.collect();
    starts.into_iter().filter_map(|start| id_at(&line[start..]))
}

/// The id at the beginning of a text. None for a placeholder.
fn id_at(text: &str) -> Option<&str> {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || "_-.:".contains(letter);
    let end = text.find(|letter| !is_part(letter)).unwrap_or(text.len());
    let is_cut = text[end..].starts_with(['{', '<', '$', '>']);
    // A sentence may end there.
    let id = text[..end].trim_end_matches(['.', ':']);
    (!id.is_empty() && id.len() <= LENGTH_AT_MOST && !is_cut).then_some(id)
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
            "Session ID: sess_1_a\nThe session id is sess_1_a.",
            "```\nsession_id: sess_2_b\n```\nsession id: sess_1_a",
        ] {
            assert_eq!(
                session(prompt),
                PromptId::One("sess_1_a".to_owned()),
                "{prompt}"
            );
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
            "session_id: sess_1_a, not session_id: sess_2_b",
            "```\nsession_id: sess_1_a\n```",
            &format!("session_id: {}1", "a".repeat(128)),
        ] {
            assert_eq!(session(prompt), PromptId::Unclear, "{prompt}");
        }
        assert_eq!(session("Plan it."), PromptId::None);
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
