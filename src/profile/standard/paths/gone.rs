//! Words that say that a file is no longer there.

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
pub(super) fn after_gone(text: &str) -> Option<(&str, &str)> {
    const GONE: [&str; 4] = ["deleted", "removed", "renamed", "moved"];
    const BEFORE: [&str; 10] = [
        "all", "been", "both", "file", "files", "has", "is", "now", "was", "were",
    ];
    let mut rest = text.trim_start_matches(|it: char| !it.is_alphanumeric());
    loop {
        let end = rest.find(|it: char| !it.is_ascii_alphabetic());
        let (word, after) = rest.split_at(end.unwrap_or(rest.len()));
        let is_in = |words: &[&str]| words.iter().any(|it| it.eq_ignore_ascii_case(word));
        if is_in(&GONE) {
            let files = [" files", " file"]
                .iter()
                .find_map(|it| after.strip_prefix(it));
            let files =
                files.filter(|it| it.is_empty() || it.starts_with([' ', ':', ')', '*', '_']));
            return Some((word, files.unwrap_or(after)));
        }
        rest = after.strip_prefix(' ').filter(|_| is_in(&BEFORE))?;
    }
}
