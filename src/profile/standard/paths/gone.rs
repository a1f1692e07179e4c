//! Words that say that a file is no longer there.

use super::marks::code_span;
use super::{PathMention, before_remark, listed, looks_like_path, named, names_paths, word};

/// Whether a label or a heading says that the files below it are gone.
pub(crate) fn heads_gone(line: &str) -> bool {
    let says_more = |rest: &str| rest.contains(|it: char| it.is_alphabetic() || it == '/');
    after_gone(line).is_some_and(|(_, rest)| !says_more(rest))
}

/// Whether a remark says that a file was deleted or moved. What was removed from the file, as in "removed a
/// test", does not, nor where the file came from, as in "moved from".
pub(crate) fn says_gone(remark: &str) -> bool {
    const DELETED: [&str; 12] = [
        ":",
        " in ",
        " from ",
        " as ",
        " by ",
        " because ",
        " since ",
        " after ",
        " (",
        " — ",
        " – ",
        " - ",
    ];
    after_gone(remark).is_some_and(|(word, rest)| {
        let rest = rest.trim_start_matches(['*', '_', '`']);
        let is_moved = ["renamed", "moved"]
            .iter()
            .any(|it| it.eq_ignore_ascii_case(word));
        rest.is_empty()
            || rest.starts_with(" to ")
            || rest.starts_with([')', ',', '.', ';', ']'])
            || !is_moved && DELETED.iter().any(|it| rest.starts_with(it))
    })
}

/// The word that says that something is no longer there, if a text begins with it, and what follows.
fn after_gone(text: &str) -> Option<(&str, &str)> {
    const GONE: [&str; 6] = [
        "deleted",
        "removed",
        "renamed",
        "moved",
        "reverted",
        "unchanged",
    ];
    const NOT: [&str; 5] = ["created", "changed", "modified", "written", "touched"];
    const BEFORE: [&str; 11] = [
        "all", "been", "both", "file", "files", "has", "is", "not", "now", "was", "were",
    ];
    let mut is_not = false;
    let mut rest = text.trim_start_matches(|it: char| !it.is_alphanumeric());
    loop {
        let end = rest.find(|it: char| !it.is_ascii_alphabetic());
        let (word, after) = rest.split_at(end.unwrap_or(rest.len()));
        let is_in = |words: &[&str]| words.iter().any(|it| it.eq_ignore_ascii_case(word));
        if is_in(&GONE) || is_not && is_in(&NOT) {
            let files = [" files", " file"]
                .iter()
                .find_map(|it| after.strip_prefix(it));
            let files =
                files.filter(|it| it.is_empty() || it.starts_with([' ', ':', ')', '*', '_']));
            return Some((word, files.unwrap_or(after)));
        }
        is_not = word.eq_ignore_ascii_case("not");
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
        .and_then(word)
        .map(|(word, _)| word.trim_matches(['(', ')']));
    target
        .filter(|it| looks_like_path(it))
        .map_or(PathMention::Gone, named)
}

/// Whether the word in front of a path, or the remark behind it, says that the file was deleted or moved.
pub(crate) fn is_gone(text: &str) -> bool {
    if text.starts_with("~~") || heads_gone(text) {
        return true;
    }
    if let Some((_, rest)) = after_gone(text) {
        let named = rest.trim_start_matches([':', '*', '_']);
        if named.starts_with(' ') {
            let is_labelled = named.len() < rest.len();
            return names_paths(named.trim()) || is_labelled && listed(named).is_some();
        }
    }
    let path = code_span(text).map_or_else(|| before_remark(text), |(span, _)| span);
    let behind = text.find(path).map(|at| &text[at + path.len()..]);
    behind.is_some_and(says_gone)
}
