//! Words that say that a file is no longer there.

use super::items::{Tail, item, items};
use super::{PathMention, labels, looks_like_path, named, names_paths};

/// What a remark says of its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    There,
    Gone,
    /// It may be gone.
    Unsure,
}

/// Why a file may be gone.
pub(super) const UNSURE: &str = "may be gone";

/// Whether a label or a heading says that the files below it are gone. What it has in brackets does not
/// count.
pub(crate) fn heads_gone(line: &str) -> bool {
    let says_more = |rest: &str| rest.contains(|it: char| it.is_alphabetic() || it == '/');
    let line = line.split_once(" (").map_or(line, |(before, _)| before);
    let not = || line.find(" not ").and_then(|at| after_gone(&line[at..]));
    let gone = after_gone(line).or_else(not);
    gone.is_some_and(|(_, rest)| !says_more(rest))
}

/// Whether a remark says that a file was deleted or moved. What was removed from the file, as in "removed a
/// test", does not, nor where the file came from, as in "moved from".
pub(crate) fn says_gone(remark: &str) -> bool {
    fate(remark) == Fate::Gone
}

/// What a remark says of its file.
pub(super) fn fate(remark: &str) -> Fate {
    const DELETED: [&str; 10] = [
        ":",
        "：",
        " in ",
        " as ",
        " by ",
        " because ",
        " since ",
        " after ",
        " (",
        " — ",
    ];
    const THERE: [&str; 3] = ["kept", "later", "next"];
    let mut clauses = remark.split([',', ';', '，', '；']);
    let Some((word, rest)) = clauses.next().and_then(after_gone) else {
        let words = remark.split_whitespace();
        let mut words = words.filter(|it| it.contains(char::is_alphabetic)).skip(1);
        let is_into = words.next() == Some("into") && words.next().is_some_and(looks_like_path);
        return match () {
            () if clauses.any(heads_gone) => Fate::Gone,
            () if is_into => Fate::Unsure,
            () => Fate::There,
        };
    };
    let rest = rest.trim_start_matches(['*', '_', '`']);
    let is_moved = word.eq_ignore_ascii_case("moved") || word.eq_ignore_ascii_case("renamed");
    let is_whole = !rest.starts_with(|it: char| it.is_alphanumeric() || it.is_whitespace())
        || rest.trim().is_empty()
        || rest.starts_with(" to ");
    let is_deleted = || !is_moved && (DELETED.iter().any(|it| rest.starts_with(it)));
    let mut words = remark.split(|it: char| !it.is_alphabetic());
    let is_there = words.any(|word| THERE.iter().any(|it| it.eq_ignore_ascii_case(word)));
    let has_another = || {
        rest.trim_start_matches([')', '）', ' '])
            .starts_with(['(', '（'])
    };
    match () {
        () if !is_moved && rest.starts_with(" from ") => Fate::Unsure,
        () if !(is_whole || is_deleted()) => Fate::There,
        () if is_there || rest.starts_with(')') && has_another() => Fate::Unsure,
        () => Fate::Gone,
    }
}

/// Whether a remark is about all files before it.
pub(super) fn says_all(remark: &str) -> bool {
    let mut words = remark.split(|it: char| !it.is_alphabetic());
    words.any(|word| matches!(word, "all" | "both"))
}

/// The word that says that something is no longer there, if a text begins with it, and what follows. An
/// adverb behind it is left out.
fn after_gone(text: &str) -> Option<(&str, &str)> {
    // How such words begin, in the languages that agents write most.
    const GONE: [&str; 15] = [
        "delet",
        "remov",
        "renam",
        "revert",
        "moved",
        "unchanged",
        "删除",
        "移除",
        "削除",
        "gelösch",
        "entfern",
        "supprim",
        "elimin",
        "удал",
        "삭제",
    ];
    const NOT: [&str; 5] = ["created", "changed", "modified", "written", "touched"];
    const BEFORE: [&str; 15] = [
        "all", "be", "been", "both", "entire", "file", "files", "has", "is", "not", "now", "the",
        "was", "were", "whole",
    ];
    let mut is_not = false;
    let mut rest = text.trim_start_matches(|it: char| !it.is_alphanumeric());
    loop {
        let end = rest.find(|it: char| !it.is_alphabetic());
        let (word, after) = rest.split_at(end.unwrap_or(rest.len()));
        let lower = word.to_lowercase();
        let is_in = |words: &[&str]| words.contains(&&*lower);
        let stem = lower.trim_start_matches(['已', '被']);
        let is_gone = GONE.iter().any(|it| stem.starts_with(it)) || matches!(word, "D" | "R");
        if !is_not && is_gone || is_not && is_in(&NOT) {
            let more = ["files", "file", "entirely", "completely"]
                .iter()
                .find_map(|it| after.strip_prefix(' ')?.strip_prefix(it));
            let is_word = |it: &&str| !it.starts_with(char::is_alphanumeric);
            return Some((word, more.filter(is_word).unwrap_or(after)));
        }
        is_not = lower == "not";
        rest = after.strip_prefix(' ').filter(|_| is_in(&BEFORE))?;
    }
}

/// What a text names that says that a file is gone: its new path, if it was moved there.
pub(crate) fn of_gone(text: &str) -> PathMention<'_> {
    let lower = text.to_lowercase();
    if ["recreated", "re-created", "restored", "added again"]
        .iter()
        .any(|it| lower.contains(it))
    {
        return PathMention::Unreadable("is said to be gone, and there again");
    }
    let mut words = lower.split(|it: char| !it.is_alphabetic());
    let is_moved = words.any(|word| matches!(word, "moved" | "renamed"));
    let arrow = ["→", "->", "=>", " to "]
        .iter()
        .take(if is_moved { 4 } else { 3 });
    let arrow = arrow.filter_map(|it| text.rsplit_once(it));
    let target = arrow
        .map(|(_, target)| target.trim())
        .find(|it| !it.is_empty());
    let target = target
        .and_then(item)
        .map(|(item, _)| item.text.trim_matches(['(', ')']));
    target
        .filter(|it| looks_like_path(it))
        .map_or(PathMention::Gone, named)
}

/// Whether the word in front of a path, or the remark behind it, says that the file was deleted or moved.
pub(crate) fn is_gone(text: &str) -> bool {
    begins_gone(text) || items(text).0.first().is_some_and(|it| says_gone(it.remark))
}

/// Whether a text begins by saying that what follows is gone.
pub(super) fn begins_gone(text: &str) -> bool {
    let has_items = |(label, rest): (&str, &str)| {
        heads_gone(label) && (names_paths(rest) || items(rest).1 == Tail::Nothing)
    };
    let names = |rest: &str| rest.starts_with(' ') && names_paths(rest.trim_start());
    let is_verb = || after_gone(text).is_some_and(|(_, rest)| names(rest));
    text.starts_with("~~") || heads_gone(text) || labels(text).any(has_items) || is_verb()
}
