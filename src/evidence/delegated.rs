//! Whether the agent was given the session id in its return.

use std::collections::BTreeSet;

use crate::clients::run::Completeness;
use crate::evidence::assessment::{Assessment, EvidenceReason, lack};
use crate::evidence::subject::Subject;

/// The prefix by which session ids can be told from other words.
const SESSION: &str = "sess_";

const EXPECTED_ELSEWHERE: &str =
    "other session ids stand in the task, but the caller expects this one";

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
            return Assessment::shown("it stands in the task of the agent");
        }
        // Codex records the caller's session as the agent's.
        let of_client = [&run.session, &run.parent];
        if of_client.into_iter().flatten().any(|id| id == session) {
            return Assessment::shown("it is the client's own id of the session");
        }
        if prompt.contains(session) {
            return Assessment::unknown(
                "the id is a part of another word in the task of the agent",
            );
        }
        if !words(prompt).any(is_session) {
            return Assessment::unknown("no session id stands in the task of the agent");
        }
        // The id may have come with a later task, or with the instruction of a hook.
        if run.resumed {
            return Assessment::unknown("the agent was given more than one task");
        }
        if let Completeness::Partial(gap) = run.completeness {
            return Assessment::unknown(lack(gap));
        }
        if is_expected {
            return Assessment::unknown(EXPECTED_ELSEWHERE);
        }
        let others = match given(prompt).len() {
            0 => {
                return Assessment::unknown(
                    "no session id in the task is given as `session_id: ID`",
                );
            }
            1 => "another session id stands".to_owned(),
            count => format!("{count} other session ids stand"),
        };
        let reason = EvidenceReason::from(format!("{others} in its task"));
        Assessment::contradicted(reason.or_to_agent(format!("{others} in your task")))
    }
}

/// The session ids that a task gives to the agent as `session_id: X`, `session id: X` or
/// `"session_id": "X"`, but not in a block of code. Nothing else is one that is given.
fn given(prompt: &str) -> BTreeSet<&str> {
    let (mut ids, mut is_code) = (BTreeSet::new(), false);
    for line in prompt.lines().map(str::trim) {
        if line.starts_with("```") || line.starts_with("~~~") {
            is_code = !is_code;
        } else if !is_code {
            let colons = line.match_indices(':');
            ids.extend(colons.flat_map(|(at, _)| given_at(line, at)));
        }
    }
    ids
}

/// The session ids behind a colon, if the name of the field is before it.
fn given_at(line: &str, colon: usize) -> impl Iterator<Item = &str> {
    let before = line[..colon].trim_end_matches(['*', '"', ' ']);
    let before = before.to_ascii_lowercase();
    let mut names = ["session_id", "session id"].iter();
    let rest = names.find_map(|name| before.strip_suffix(name));
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    let is_name = rest.is_some_and(|rest| !rest.ends_with(is_part));
    let words = words(&line[colon + 1..]).filter(|word| !word.is_empty());
    words.take_while(move |word| is_name && is_session(word))
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
