//! Whether the agent was given the session id in its return.

use std::collections::BTreeSet;

use regex::Regex;

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

/// The ids that a task gives for a name as `NAME_id: X`, `NAME id: X` or `"NAME_id": "X"`, outside fenced code: in a
/// part of a sentence that says no more. Of an error, a call or a quotation, others may be told.
pub(crate) fn given_ids<'p>(prompt: &'p str, name: &str) -> BTreeSet<&'p str> {
    const BEFORE: &str = r#"(?:^[ \t*`#-]*|[.;,{\[] *)(?:your )?[*`"]*"#;
    const ID: &str = r#"[*`"]*:[ *`"]+([A-Za-z0-9_.:-]*[A-Za-z0-9_-])[*`"]*(?:[.,;}\]]|\s*$)"#;
    let Ok(pattern) = Regex::new(&format!("(?i){BEFORE}{name}[_ ]id{ID}")) else {
        return BTreeSet::new();
    };
    let lines = outside_code(prompt).into_iter().flat_map(str::lines);
    let given = lines.flat_map(|line| pattern.captures_iter(line).collect::<Vec<_>>());
    let ids = given.filter_map(|it| Some(it.get(1)?.as_str()));
    ids.filter(|id| id.len() <= LENGTH_AT_MOST).collect()
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
