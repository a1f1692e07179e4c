//! Cuts texts of a return to the limits of a record.

use std::borrow::Cow;

use crate::text::escape;

/// The most characters of a return that a record shows. Escapes count with all their characters.
const EXCERPT: usize = 2_000;

/// The most names of a delegation path in a record.
const AGENTS: usize = 20;

/// The most bytes that each of these names takes.
const AGENT_BYTES: usize = 100;

/// Returns a text that takes at most `bytes` bytes in a record. If it is cut, its length in characters
/// is appended, which takes a few bytes more.
pub(super) fn bounded(text: &str, bytes: usize) -> Cow<'_, str> {
    let mut room = bytes;
    for (at, character) in text.char_indices() {
        let Some(left) = room.checked_sub(width(character)) else {
            let length = text.chars().count();
            return format!("{}… ({length} characters)", &text[..at]).into();
        };
        room = left;
    }
    Cow::Borrowed(text)
}

/// Returns the most bytes that a character takes in a record.
fn width(character: char) -> usize {
    match character {
        '"' | '\\' => 2,
        '#' => 6,
        hidden if escape::is_hidden(hidden) => 6 * hidden.len_utf16(),
        plain => plain.len_utf8(),
    }
}

/// Returns the first names of a delegation path, and the number of all if there are more.
pub(super) fn agents<'r>(path: &'r [Cow<'_, str>]) -> Vec<Cow<'r, str>> {
    let first = path.iter().take(AGENTS);
    let mut agents: Vec<_> = first.map(|agent| bounded(agent, AGENT_BYTES)).collect();
    if path.len() > AGENTS {
        agents.push(format!("… ({} agents)", path.len()).into());
    }
    agents
}

pub(super) fn excerpt(bytes: &[u8]) -> String {
    // A character has at most four bytes.
    let first = String::from_utf8_lossy(&bytes[..bytes.len().min(4 * EXCERPT)]);
    let starts: Vec<_> = first.char_indices().map(|(at, _)| at).skip(1).collect();
    let shown = |end: usize| escape::full(&first[..end]).to_string();
    let ends = &starts[..starts.len().min(EXCERPT)];
    let fits = |end: &usize| shown(*end).chars().count() <= EXCERPT;
    if ends.len() < EXCERPT && fits(&first.len()) {
        return shown(first.len());
    }
    let kept = ends.partition_point(fits);
    shown(kept.checked_sub(1).map_or(0, |last| ends[last]))
}
