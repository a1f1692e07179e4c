//! Whether the agent was given the session id in its return.

use std::collections::BTreeSet;

use crate::evidence::reason::{Doubt, EvidenceReason};
use crate::evidence::subject::Subject;
use crate::evidence::value::Assessment;
use crate::transcript::Completeness;

/// The prefix by which session ids can be told from other words.
const SESSION: &str = "sess_";

impl Subject<'_> {
    /// Whether the session id is in the task of the agent. `is_expected`: the caller names the same id,
    /// which it may have given to the agent in another way.
    pub(crate) fn was_given(&self, session: &str, is_expected: bool) -> Assessment {
        let run = match self.run() {
            Ok(run) => run,
            Err(doubt) => return Assessment::unknown(doubt.clone()),
        };
        let prompt = run.prompt.as_deref().unwrap_or_default();
        if words(prompt).any(|word| word == session) {
            return Assessment::shown(EvidenceReason::InPrompt);
        }
        // Codex records the caller's session as the agent's.
        let of_client = [&run.session, &run.parent];
        if of_client.into_iter().flatten().any(|id| id == session) {
            return Assessment::shown(EvidenceReason::OfClient);
        }
        let ids: BTreeSet<&str> = words(prompt).filter(|word| is_session(word)).collect();
        if prompt.contains(session) {
            return Assessment::unknown(Doubt::PartOfWord);
        }
        if ids.is_empty() {
            return Assessment::unknown(Doubt::NoSessionInPrompt);
        }
        // The id may have come with a later task, or with the instruction of a hook.
        if run.resumed {
            return Assessment::unknown(Doubt::Resumed);
        }
        if let Completeness::Partial(gap) = run.completeness {
            return Assessment::unknown(Doubt::Partial(gap));
        }
        if is_expected {
            return Assessment::unknown(Doubt::ExpectedElsewhere);
        }
        Assessment::contradicted(EvidenceReason::OtherInPrompt { count: ids.len() })
    }
}

/// The words of a prompt that may be session ids.
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
