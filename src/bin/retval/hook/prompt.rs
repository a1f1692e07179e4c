//! What the prompt of a delegation names.

/// The session ids that a prompt names.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Named {
    None,
    One(String),
    Several,
}

/// Looks for `session_id: X` and its like: `"session_id": "X"`, `Session ID is X`, `session=X`.
pub(super) fn session(prompt: &str) -> Named {
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
            assert_eq!(
                session(prompt),
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
            assert_eq!(session(prompt), Named::None, "{prompt}");
        }
    }

    #[test]
    fn of_two_ids_none_is_preferred() {
        let prompt = "session_id: sess_1_a, not session_id: sess_2_b";
        assert_eq!(session(prompt), Named::Several);
    }
}
