//! Limits of the length of a whole return.

use super::blocks::Blocks;
use super::find::FoundTemplate;
use super::lists::{BOUNDS, FIRST, LAST, List, WHOLE, has_words, words};
use super::proposal::{KeyValue, Proposal};

/// Adds the limits of the whole return. Those that `limits` does not have become notes.
pub(super) fn limits(proposal: &mut Proposal, blocks: &Blocks<'_>, found: &FoundTemplate) {
    let is_in_region = |line: usize| (found.region.line..found.region.end).contains(&line);
    for (line, text) in blocks.lines.iter().enumerate() {
        if blocks.is_in_fence(line) {
            continue;
        }
        let sentence = words(text);
        let is_whole = WHOLE.is_in(&sentence);
        let Some((most, unit)) = limit(&sentence).filter(|_| is_whole) else {
            continue;
        };
        let is_field = text.trim_start().starts_with("- **") || has_words(&sentence, "each");
        let is_return = List("return|final|response|reply").is_in(&sentence);
        if is_field || !(is_in_region(line) || is_return) {
            continue;
        }
        let key = match unit {
            "lines" | "line" => "limits.lines",
            "characters" | "chars" => "limits.return-characters",
            "tokens" => "limits.return-tokens",
            _ => {
                let text = format!("a limit of {most} {unit} of a whole return cannot be checked");
                proposal.notes.push((line, text));
                continue;
            }
        };
        if proposal.keys.iter().all(|it| it.key != key) {
            proposal.add(key, KeyValue::Raw(most.to_string()), line);
        }
    }
}

/// The number and the unit of a limit in the words of a sentence.
fn limit(sentence: &str) -> Option<(u32, &str)> {
    for singular in [
        "exactly one line",
        "a single line",
        "only one line",
        "one line only",
    ] {
        if has_words(sentence, singular) && !FIRST.is_in(sentence) && !LAST.is_in(sentence) {
            return Some((1, "line"));
        }
    }
    let words: Vec<_> = sentence.split(' ').collect();
    let units = List("lines|words|characters|chars|tokens|sentences|bullets");
    let at = words.iter().position(|it| units.is(it))?;
    let before = words.get(at.checked_sub(1)?)?;
    let most = before.parse().ok()?;
    let bound = words[..at - 1].join(" ");
    let is_bound = BOUNDS
        .0
        .split('|')
        .any(|it| format!(" {bound}").ends_with(&format!(" {it}")));
    (is_bound && most > 0).then_some((most, words[at]))
}
