//! Whether the agent was given the session id in its return.

use std::collections::BTreeSet;

use crate::clients::run::Completeness;
use crate::document::outside_code;
use crate::evidence::assessment::{Assessment, lack};
use crate::evidence::subject::Subject;

/// The prefix by which session ids can be told from other words.
const SESSION: &str = "sess_";

const LENGTH_AT_MOST: usize = 128;

impl Subject<'_> {
    /// Whether the session id is in the task of the agent. `is_expected`: the caller names the same id,
    /// which it may have given to the agent in another way.
    pub(crate) fn was_given(&self, session: &str, is_expected: bool) -> Assessment {
        let run = match self.run() {
            Ok(run) => run,
            Err(why) => return Assessment::unknown(why),
        };
        let prompt = run.prompt.as_deref().unwrap_or_default();
        if words(prompt).any(|word| word == session) {
            return Assessment::shown("it is in the task of the agent");
        }
        // Codex records the caller's session as the agent's.
        let of_client = [&run.session, &run.parent];
        if of_client.into_iter().flatten().any(|id| id == session) {
            return Assessment::shown("it is the client's own id of the session");
        }
        let is_given = given_ids(prompt, "session").into_iter().any(is_session);
        let why = if prompt.contains(session) {
            Some("the id is a part of another word in the task of the agent".into())
        } else if run.resumed {
            // The id may have come with a later task, or with the instruction of a hook.
            Some("the agent was given more than one task".into())
        } else if let Completeness::Partial(gap) = run.completeness {
            Some(lack(gap))
        } else if is_expected {
            Some("the caller expects this id".into())
        } else {
            (!is_given).then(|| "no session id in the task is given as `session_id: ID`".into())
        };
        match why {
            Some(why) => Assessment::unknown(why),
            None => Assessment::contradicted("another session id is in its task"),
        }
    }
}

/// The ids that a task gives for a name as `NAME_id: X`, `NAME id: X` or `"NAME_id": "X"`, outside fenced code.
pub(crate) fn given_ids<'p>(prompt: &'p str, name: &str) -> BTreeSet<&'p str> {
    let lines = outside_code(prompt).into_iter().flat_map(str::lines);
    lines.flat_map(|line| values(line, name)).collect()
}

/// The values that a line gives: what begins a sentence or a part of one, and ends it. Of an error, a call or a
/// quotation, others may be told: `unknown session id: X`, `resume(session_id: X)`.
fn values<'l>(line: &'l str, name: &str) -> Vec<&'l str> {
    let lower = line.to_ascii_lowercase();
    let mut ids = Vec::new();
    for key in ["_id", " id"].map(|end| format!("{name}{end}")) {
        let found = lower.match_indices(&*key).map(|(at, _)| at);
        for at in found.filter(|at| !lower.starts_with('>') && begins_part(&lower[..*at])) {
            let rest = line[at + key.len()..].trim_start_matches(['*', '"']);
            let value = rest.strip_prefix(':').unwrap_or_default();
            if value.starts_with(' ') || value.starts_with(MARKS) {
                ids.extend(ids_at(value));
            }
        }
    }
    ids
}

/// Marks around names and values.
const MARKS: [char; 3] = ['*', '`', '"'];

/// The ids at the beginning of a text: one, or session ids with "or" or a comma between them.
fn ids_at(text: &str) -> Vec<&str> {
    let (mut ids, mut rest) = (Vec::new(), text);
    loop {
        rest = rest.trim_start_matches([' ', '*', '`', '"']);
        let Some(id) = id_at(rest).filter(|it| ids.is_empty() || is_session(it)) else {
            break ids;
        };
        ids.push(id);
        rest = rest[id.len()..].trim_start_matches(MARKS);
        let mut next = [", ", " or ", " and "].into_iter();
        match next.find_map(|it| rest.strip_prefix(it)) {
            Some(behind) => rest = behind,
            // What goes on tells something of the id.
            None if rest.trim_start().starts_with(char::is_lowercase) => break Vec::new(),
            None => break ids,
        }
    }
}

/// Whether a sentence or a part of one may begin behind a text.
fn begins_part(before: &str) -> bool {
    let before = before.trim_end_matches([' ', '\t', '*', '`', '-', '#', '[']);
    let before = before.strip_suffix("your").unwrap_or(before).trim_end();
    let called = before.strip_suffix('(');
    let is_call = called.is_some_and(|it| it.ends_with(char::is_alphanumeric));
    let is_end = |it: char| it.is_ascii_punctuation() && !"_=&?/".contains(it);
    !is_call && before.chars().next_back().is_none_or(is_end)
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

fn words(prompt: &str) -> impl Iterator<Item = &str> {
    let is_part = |letter: char| letter.is_alphanumeric() || "_-.".contains(letter);
    let words = prompt.split(move |letter| !is_part(letter));
    words.map(|word| word.trim_end_matches(['.', '-', '_']))
}

/// Whether a word is a session id, and not a placeholder such as `sess_TIME`.
fn is_session(word: &str) -> bool {
    let id = word.strip_prefix(SESSION).unwrap_or_default();
    id.bytes().any(|byte| byte.is_ascii_digit())
}
