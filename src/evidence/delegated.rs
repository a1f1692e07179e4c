//! Whether the agent was given the session id in its return.

use std::collections::BTreeSet;

use crate::clients::run::Completeness;
use crate::evidence::reason::{EvidenceReason, lack};
use crate::evidence::subject::Subject;
use crate::evidence::value::Assessment;

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
                    "the session ids in the task may be examples, or of another session",
                );
            }
            1 => "another session id stands".to_owned(),
            count => format!("{count} other session ids stand"),
        };
        let reason = EvidenceReason::from(format!("{others} in its task"));
        Assessment::contradicted(reason.or_to_agent(format!("{others} in your task")))
    }
}

/// Words of a paragraph that shows what session ids look like, or tells of another session.
const OF_MENTIONS: &str = "e.g example examples format instance like look pattern placeholder \
    sample schema such template earlier previous prior";

/// The session ids that a task gives to the agent: those after the name of the field, such as
/// `session_id`, but not in a block of code or where they may be examples.
fn given(prompt: &str) -> BTreeSet<&str> {
    let mut ids = BTreeSet::new();
    let (mut is_code, mut goes_on) = (false, false);
    let (mut is_mention, mut is_mention_below) = (false, false);
    for line in prompt.lines().map(str::trim) {
        if line.starts_with("```") || line.starts_with("~~~") {
            is_code = !is_code;
        } else if line.is_empty() {
            is_mention &= goes_on;
        } else {
            let mentions = words(line).any(is_of_mention);
            if line.starts_with('#') {
                is_mention_below = mentions;
                is_mention = false;
            }
            is_mention |= mentions;
            // What an introduction such as `Example:` announces may come after a blank line.
            goes_on = line.ends_with(':');
            if !is_code && !is_mention && !is_mention_below {
                ids.extend(labelled(line));
            }
        }
    }
    ids
}

/// The session ids of a line that stand after the name of the field.
fn labelled(line: &str) -> impl Iterator<Item = &str> {
    let mut last = ["", ""];
    let words = words(line).filter(|word| !word.is_empty());
    words.filter(move |word| {
        let is_id = is_session(word);
        if !is_id && *word != "is" {
            last = [last[1], word];
        }
        is_id && is_label(last)
    })
}

/// Whether two words, such as `session id`, end with the name of the field for a session id. `Session`
/// alone is one at the beginning of a line.
fn is_label([before, last]: [&str; 2]) -> bool {
    let is = |word: &str, name: &str| word.eq_ignore_ascii_case(name);
    let last = last.rsplit('.').next().unwrap_or_default();
    match before {
        "" if is(last, "session") => true,
        _ if is(before, "session") && is(last, "id") => true,
        _ => ["session_id", "session-id", "sessionid"]
            .iter()
            .any(|name| is(last, name)),
    }
}

fn is_of_mention(word: &str) -> bool {
    OF_MENTIONS
        .split(' ')
        .any(|it| word.eq_ignore_ascii_case(it))
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
