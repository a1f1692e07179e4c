//! The session id that a return must have, and the group of its work: as configured, else as the prompt of
//! the delegation names them.

use crate::Profile;
use crate::clients::Event;

use crate::cli::hook::options::HookOptions;

/// The session id that is expected at the end. The client's own only if the agent was told it at the start.
/// None if the prompt is unknown, because it may name another, or if it names several.
pub(super) fn expected_session(
    options: &HookOptions,
    event: &Event,
    profile: &Profile,
    was_told: bool,
) -> Option<String> {
    if let Some(session) = &options.checker.session {
        return Some(session.clone());
    }
    match session(event.prompt.as_deref()?, profile.handoff_path.as_deref()) {
        Named::One(id) => Some(id),
        Named::Unclear => None,
        Named::None => event.session.clone().filter(|_| was_told),
    }
}

pub(super) fn expected_group(
    options: &HookOptions,
    event: &Event,
    profile: &Profile,
) -> Option<String> {
    if let Some(group) = &options.checker.group {
        return Some(group.clone());
    }
    match group(event.prompt.as_deref()?, profile.handoff_path.as_deref()) {
        Named::One(group) => Some(group),
        Named::None | Named::Unclear => None,
    }
}

/// The values that a prompt has for one name.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Named {
    None,
    One(String),
    /// There are several, or one that the prompt may only tell of.
    Unclear,
}

impl Named {
    fn of<'v>(values: impl IntoIterator<Item = &'v str>) -> Self {
        let mut values = values.into_iter();
        let Some(first) = values.next() else {
            return Self::None;
        };
        if values.all(|value| value == first) {
            Self::One(first.to_owned())
        } else {
            Self::Unclear
        }
    }
}

/// The session id, from `session_id: X` and similar text, or from the path of a handoff file.
pub(super) fn session(prompt: &str, handoff_path: Option<&str>) -> Named {
    let said = values_of(prompt, "session").filter(|value| {
        let has = |is_kind: fn(&u8) -> bool| value.text.as_bytes().iter().any(is_kind);
        let is_mixed = has(u8::is_ascii_digit) && has(u8::is_ascii_alphabetic);
        value.text.len() >= 4 && is_mixed
    });
    let said: Vec<_> = said.collect();
    if said.iter().any(|value| is_mentioned(value.before)) {
        return Named::Unclear;
    }
    let said = said.iter().map(|it| it.text);
    Named::of(said.chain(in_paths(prompt, handoff_path, "{session}")))
}

/// The group id, from `group_id: X` and similar text, or from the path of a handoff file.
fn group(prompt: &str, handoff_path: Option<&str>) -> Named {
    let said = values_of(prompt, "group").filter(|value| {
        let is_word = value.text.bytes().all(|byte| byte.is_ascii_lowercase());
        value.is_of_id && !value.is_in_words || !is_word && value.is_alone
    });
    Named::of(
        said.map(|it| it.text)
            .chain(in_paths(prompt, handoff_path, "{group}")),
    )
}

/// A value that a prompt gives to a name.
struct PromptValue<'p> {
    text: &'p str,
    /// Whether the name ends in `id`.
    is_of_id: bool,
    /// Whether it is given as `NAME is X`, not as `NAME: X` or `NAME=X`.
    is_in_words: bool,
    /// Whether a sentence, a part of one, or the line ends after it.
    is_alone: bool,
    /// What stands before the name.
    before: &'p str,
}

/// The values in `name_id: X` and similar text: `"name_id": "X"`, `Name ID is X`, `name=X`.
fn values_of<'p>(prompt: &'p str, name: &str) -> impl Iterator<Item = PromptValue<'p>> {
    let lower = prompt.to_ascii_lowercase();
    let starts: Vec<_> = lower.match_indices(name).map(|(at, _)| at).collect();
    starts.into_iter().filter_map(move |at| {
        Some(PromptValue {
            before: &prompt[..at],
            ..value_after(&prompt[at + name.len()..])?
        })
    })
}

/// Whether a word comes before a name that does not give its value to the agent: `the log of session_id=X`.
fn is_mentioned(before: &str) -> bool {
    /// Words before the name of an id that is given.
    const GIVING: [&str; 10] = [
        "", "and", "include", "return", "set", "the", "this", "use", "with", "your",
    ];
    let before = before.trim_end_matches([' ', '"', '\'', '`', '*']);
    let word = before.rsplit(|it: char| !it.is_alphanumeric()).next();
    let word = word.unwrap_or_default().to_ascii_lowercase();
    !GIVING.contains(&&*word)
}

fn value_after(rest: &str) -> Option<PromptValue<'_>> {
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
    let by_sign = rest.strip_prefix([':', '=']);
    let rest = by_sign.or_else(|| {
        let is_named = name > 0;
        is_named.then(|| rest.strip_prefix("is ")).flatten()
    })?;
    let rest = rest.trim_start_matches(quotes);
    let rest = rest.trim_start_matches(' ').trim_start_matches(quotes);
    let (text, after) = id_at(rest)?;
    let after = after.trim_start_matches(quotes);
    Some(PromptValue {
        text,
        is_of_id: name > 0,
        is_in_words: by_sign.is_none(),
        before: "",
        is_alone: after.is_empty() || after.starts_with(['\n', '\r', '.', ',', ';', ')', '}']),
    })
}

/// The id at the beginning of a text, and what follows it. None if missing, or for a placeholder.
fn id_at(text: &str) -> Option<(&str, &str)> {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || "_-.".contains(letter);
    let end = text.find(|letter| !is_part(letter)).unwrap_or(text.len());
    let is_cut = text[end..].starts_with(['{', '<', '$', '>']);
    let id = text[..end].trim_end_matches(['.', '-', '_']);
    (!id.is_empty() && !is_cut).then(|| (id, &text[id.len()..]))
}

/// The values of a placeholder in the paths of handoff files that the prompt names.
fn in_paths<'p>(
    prompt: &'p str,
    template: Option<&str>,
    placeholder: &'static str,
) -> impl Iterator<Item = &'p str> {
    let words = prompt.split(|letter: char| letter.is_whitespace() || "\"'`*(),;".contains(letter));
    let parts = template.map(parts_of).unwrap_or_default();
    words.filter_map(move |word| {
        value_in(
            word.trim_end_matches(['.', ':', '!', '?']),
            &parts,
            placeholder,
        )
    })
}

/// Splits the path template of handoff files into its texts and placeholders, in order.
fn parts_of(template: &str) -> Vec<String> {
    let parts = template.split_inclusive('}').flat_map(|part| {
        let at = part.find('{').unwrap_or(part.len());
        let (text, placeholder) = part.split_at(at);
        [text.to_owned(), placeholder.to_owned()]
    });
    parts.filter(|part| !part.is_empty()).collect()
}

/// The value of a placeholder. None if the word does not end with a path of these parts.
fn value_in<'p>(word: &'p str, parts: &[String], placeholder: &str) -> Option<&'p str> {
    let (first, _) = parts.split_first()?;
    let mut rest = if first.starts_with('{') {
        word
    } else {
        &word[word.find(&**first)?..]
    };
    let mut found = None;
    for (index, part) in parts.iter().enumerate() {
        if !part.starts_with('{') {
            rest = rest.strip_prefix(&**part)?;
            continue;
        }
        let end = match parts.get(index + 1) {
            Some(next) => rest.find(&**next)?,
            None => rest.len(),
        };
        let value = &rest[..end];
        if id_at(value)?.0 != value {
            return None;
        }
        if part == placeholder {
            found = Some(value);
        }
        rest = &rest[end..];
    }
    rest.is_empty().then_some(found).flatten()
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
            assert_eq!(
                session(prompt, None),
                Named::One("sess_1_a".to_owned()),
                "{prompt}"
            );
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
            assert_eq!(session(prompt, None), Named::None, "{prompt}");
        }
    }

    #[test]
    fn of_two_ids_none_is_preferred() {
        let prompt = "session_id: sess_1_a, not session_id: sess_2_b";
        assert_eq!(session(prompt, None), Named::Unclear);
    }

    #[test]
    fn an_id_that_the_prompt_asks_for_is_given() {
        for words in ["Return", "Include", "with this", "Set the"] {
            let prompt = format!("Plan it. {words} session_id: sess_1_a");
            assert_eq!(session(&prompt, None), Named::One("sess_1_a".to_owned()));
        }
    }

    #[test]
    fn an_id_that_the_prompt_only_mentions_is_not_given() {
        for prompt in [
            "Read the log of session_id=sess_1_a and plan.",
            "The docs show session_id: sess_1_a as an example.",
        ] {
            assert_eq!(session(prompt, None), Named::Unclear, "{prompt}");
        }
    }

    const PATH: Option<&str> = Some("work/{session}/{group}/handoff_{agent}.json");

    #[test]
    fn a_group_is_found_by_its_name_and_in_paths() {
        for prompt in [
            "Build it. group_id: AUTH",
            "{\"group_id\": \"AUTH\"}",
            "**Group:** AUTH\nGo on.",
            "The group id is AUTH.",
            "Group: `AUTH`, task 3",
            "Read work/s1/AUTH/handoff_developer.json.",
            "Read `/home/ana/code/s1/AUTH/handoff_developer.json`, then work. group_id=AUTH",
        ] {
            assert_eq!(
                group(prompt, PATH),
                Named::One("AUTH".to_owned()),
                "{prompt}"
            );
        }
        let prompt = "Read work/s1/AUTH/handoff_developer.json.";
        assert_eq!(session(prompt, PATH), Named::One("s1".to_owned()));
        assert_eq!(session(prompt, None), Named::None);
    }

    #[test]
    fn words_and_placeholders_are_no_groups() {
        for prompt in [
            "Group: the tests by folder.",
            "Group: A team of three builds it.",
            "group_id: {group}",
            "Read work/<session>/<group>/handoff_developer.json",
            "Read work/s1/AUTH/notes.md",
            "The group id is in your task.",
        ] {
            assert_eq!(group(prompt, PATH), Named::None, "{prompt}");
        }
        let prompt = "group_id: AUTH, work/s1/API/handoff_developer.json";
        assert_eq!(group(prompt, PATH), Named::Unclear);
    }
}
