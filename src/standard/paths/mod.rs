//! The paths that a piece of text names.

mod lines;

use std::borrow::Cow;

use percent_encoding::percent_decode_str;

use crate::form::name::is_emoji;
pub(crate) use lines::{LineRange, range, split_lines};

/// What a piece of text says about a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PathMention<'t> {
    /// The path of a file, exactly as written, with the lines behind it.
    Path(Cow<'t, str>),
    /// The text names a file, but not in a way that can be looked up, for this reason.
    Unreadable(&'static str),
    /// The text says that the file is gone: nothing is to be there.
    Gone,
}

impl PathMention<'_> {
    /// The same without the lines behind the path.
    pub(crate) fn without_lines(self) -> Self {
        let cut = |path: &str| split_lines(path).0.len();
        match self {
            Self::Path(Cow::Borrowed(path)) => Self::Path(Cow::Borrowed(&path[..cut(path)])),
            Self::Path(Cow::Owned(mut path)) => {
                path.truncate(cut(&path));
                Self::Path(Cow::Owned(path))
            }
            named => named,
        }
    }

    pub(crate) fn into_owned(self) -> PathMention<'static> {
        match self {
            Self::Path(path) => PathMention::Path(Cow::Owned(path.into_owned())),
            Self::Unreadable(why) => PathMention::Unreadable(why),
            Self::Gone => PathMention::Gone,
        }
    }
}

/// Passes each path that a text names to `say`. Text is the source of a value, with its marks: prose is
/// not searched, so that nothing is taken for a path but what stands where a path belongs.
pub(crate) fn each<'t>(text: &'t str, mut say: impl FnMut(PathMention<'t>)) {
    let text = text.trim();
    let has_lines = text.contains('\n');
    let lines = || lines(text).filter(|_| has_lines);
    let is_path: Vec<_> = lines().map(begins_with_path).collect();
    match is_path[..] {
        [] => of_line(text, &mut say),
        [true, ref more @ ..] if !more.contains(&true) => {
            lines().take(1).for_each(|line| of_line(line, &mut say));
        }
        ref all if !all.contains(&false) => lines().for_each(|line| of_line(line, &mut say)),
        [_, ref more @ ..] if more.contains(&true) => {
            say(PathMention::Unreadable("names several files"));
        }
        _ => of_line(text, &mut say),
    }
}

/// The lines of a text with something on them, without the marks of lists. Fences of code are none.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    let lines = text.lines().map(str::trim);
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with("```"));
    lines.map(|line| {
        line.strip_prefix(['-', '*', '+'])
            .filter(|it| it.starts_with(' '))
            .unwrap_or(line)
            .trim_start()
    })
}

/// Whether a line begins with what may be a path, and nothing but a remark follows.
fn begins_with_path(line: &str) -> bool {
    looks_like_path(code_span(line).map_or_else(|| before_remark(line), |(span, _)| span))
}

/// Passes each path that one line names to `say`.
fn of_line<'t>(text: &'t str, say: &mut impl FnMut(PathMention<'t>)) {
    let text = text.trim_start_matches(|it: char| it.is_whitespace() || is_emoji(it));
    if is_gone(text) {
        return say(PathMention::Gone);
    }
    let text = match text.split_once(": ") {
        Some((label, rest)) if !looks_like_path(label) && names_paths(rest.trim()) => rest.trim(),
        Some((label, _)) if is_label(label) => {
            return say(PathMention::Unreadable("begins with a label"));
        }
        _ => text,
    };
    if let Some(words) = listed(text) {
        return words.into_iter().for_each(|word| say(named(word)));
    }
    let mut spans = code_spans(text);
    if let Some(first) = spans.next() {
        return say(if spans.any(looks_like_path) {
            PathMention::Unreadable("names several files")
        } else {
            named(first)
        });
    }
    say(named(target(text).unwrap_or_else(|| before_remark(text))));
}

/// Whether a text has nothing but paths and their remarks.
fn names_paths(text: &str) -> bool {
    let are_paths = |words: Vec<&str>| words.into_iter().all(looks_like_path);
    begins_with_path(text) || listed(text).is_some_and(are_paths)
}

/// Whether a word before a colon says what was done with a file, and is the name of none.
fn is_label(word: &str) -> bool {
    const LABELS: [&str; 10] = [
        "added", "changed", "created", "edited", "file", "files", "modified", "new", "updated",
        "wrote",
    ];
    LABELS
        .iter()
        .any(|it| it.eq_ignore_ascii_case(unmarked(word)))
}

/// The words or code spans of a text, if nothing but commas and the like separates them.
fn listed(text: &str) -> Option<Vec<&str>> {
    let mut words = Vec::new();
    let mut rest = text;
    loop {
        let (word, after) = word(rest)?;
        words.push(word);
        rest = after;
        if rest.trim().is_empty() {
            return Some(words);
        }
        rest = separated(rest)?;
    }
}

/// The first word or code span of a text, without marks, and what follows it.
fn word(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start();
    if let Some((span, rest)) = code_span(text) {
        return Some((span, rest));
    }
    let mut is_inside = false;
    let end = text.find(|it: char| {
        is_inside = (is_inside || it == '{') && it != '}';
        it.is_whitespace() || matches!(it, ',' | '、') && !is_inside
    });
    let (word, rest) = text.split_at(end.unwrap_or(text.len()));
    let plain = unmarked(word);
    let is_word = !plain.is_empty() && !plain.contains('`') && !plain.contains("](");
    // A word before a remark, such as `a.rs:` in "a.rs: fixed", is none of a list.
    (is_word && !plain.ends_with(':')).then_some((plain, rest))
}

/// A word without marks around it, and without the full stop of a sentence.
fn unmarked(word: &str) -> &str {
    let mut plain = word;
    for mark in ["**", "__", "*", "\""] {
        let inside = plain.strip_prefix(mark);
        plain = inside.and_then(|it| it.strip_suffix(mark)).unwrap_or(plain);
    }
    for [start, end] in [['(', ')'], ['<', '>'], ['[', ']']] {
        let inside = plain.strip_prefix(start);
        plain = inside.and_then(|it| it.strip_suffix(end)).unwrap_or(plain);
    }
    plain.strip_suffix('.').unwrap_or(plain)
}

/// What follows the separator that a text begins with.
fn separated(text: &str) -> Option<&str> {
    let rest = text.trim_start();
    let is_spaced = rest.len() < text.len();
    if let Some(rest) = rest.strip_prefix([',', '、']) {
        let after = rest.trim_start();
        return Some(conjunction(after).unwrap_or(after));
    }
    conjunction(rest).filter(|_| is_spaced)
}

fn conjunction(text: &str) -> Option<&str> {
    let rest = text.strip_prefix("and").or(text.strip_prefix('&'))?;
    rest.starts_with(char::is_whitespace).then_some(rest)
}

/// The code span that a text begins with, and what follows it.
fn code_span(text: &str) -> Option<(&str, &str)> {
    let inside = text.trim_start_matches('`');
    let fence = &text[..text.len() - inside.len()];
    if fence.is_empty() {
        return None;
    }
    let end = inside.find(fence)?;
    Some((inside[..end].trim(), &inside[end + fence.len()..]))
}

/// The first code span of a text, between what comes before it and what follows it.
pub(crate) fn first_code_span(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_at(text.find('`')?);
    let (span, after) = code_span(rest)?;
    Some((before, span, after))
}

fn code_spans(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let start = rest.find('`')?;
        let (span, after) = code_span(&rest[start..])?;
        rest = after;
        Some(span)
    })
}

/// Whether a code span may be the path of a file, and not a name or a command.
fn looks_like_path(span: &str) -> bool {
    let name = span.rsplit('/').next().unwrap_or(span);
    let has_extension = name.rsplit_once('.').is_some_and(|(stem, extension)| {
        let is_short = (1..=8).contains(&extension.len());
        !stem.is_empty() && is_short && extension.bytes().all(|it| it.is_ascii_alphanumeric())
    });
    !span.contains(char::is_whitespace) && (span.contains('/') || has_extension)
}

/// The target of the first link.
fn target(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once("](")?;
    let (target, _) = rest.split_once(')')?;
    Some(target.split_whitespace().next().unwrap_or(target))
}

/// The text before the first remark.
pub(crate) fn before_remark(text: &str) -> &str {
    const REMARKS: [&str; 6] = [" — ", " – ", " - ", ": ", " (", " | "];
    let starts = REMARKS.iter().filter_map(|remark| text.find(remark));
    let end = starts.min().unwrap_or(text.len());
    unmarked(text[..end].trim().trim_end_matches(':'))
}

/// Whether the word in front of a path, or the remark behind it, says that the file was deleted or moved.
/// What was removed from the file, as in "a.rs: removed a test", does not.
fn is_gone(text: &str) -> bool {
    if text.starts_with("~~") {
        return true;
    }
    if let Some(rest) = after_gone(text) {
        let rest = rest.trim_start_matches(':');
        return rest.starts_with(' ') && begins_with_path(rest.trim());
    }
    let path = code_span(text).map_or_else(|| before_remark(text), |(span, _)| span);
    let behind = text.find(path).map_or("", |at| &text[at + path.len()..]);
    let remark = behind.trim_start_matches(|it: char| !it.is_alphanumeric());
    let is_end = |rest: &str| {
        rest.is_empty() || rest.starts_with(" to ") || rest.starts_with([')', ',', '.', ';', ']'])
    };
    after_gone(remark).is_some_and(is_end)
}

/// What follows the first word, if it says that something is no longer there.
fn after_gone(text: &str) -> Option<&str> {
    const GONE: [&str; 4] = ["deleted", "removed", "renamed", "moved"];
    let end = text.find(|it: char| !it.is_ascii_alphabetic());
    let (word, rest) = text.split_at(end.unwrap_or(text.len()));
    let is_gone = GONE.iter().any(|it| it.eq_ignore_ascii_case(word));
    is_gone.then_some(rest)
}

/// What one piece names: a path, unless it cannot be one.
fn named(text: &str) -> PathMention<'_> {
    let text = text.trim();
    let (scheme, rest) = text.split_once("://").unwrap_or(("", text));
    let why = match (scheme, text.chars().next()) {
        _ if text.contains(char::is_whitespace) => "has white space in it",
        (_, Some('$')) => "begins with $",
        (_, Some('~')) => "begins with ~",
        (_, None) => "is empty",
        _ if text.contains('*') || is_braced(text) => "is a pattern",
        ("", _) => return PathMention::Path(Cow::Borrowed(text)),
        ("file", _) => {
            let path = percent_decode_str(rest).decode_utf8();
            return path.map_or(PathMention::Unreadable("is not UTF-8"), PathMention::Path);
        }
        _ => "is a web address",
    };
    PathMention::Unreadable(why)
}

/// Whether a text has several names in braces, as a shell expands them.
fn is_braced(text: &str) -> bool {
    let inside = text
        .split_once('{')
        .and_then(|(_, rest)| rest.split_once('}'));
    inside.is_some_and(|(inside, _)| inside.contains(','))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Vec<PathMention<'_>> {
        let mut all = Vec::new();
        each(text, |named| all.push(named));
        all
    }

    #[test]
    fn paths_are_taken_where_they_stand_alone() {
        for (text, paths) in [
            ("src/a.rs", &["src/a.rs"][..]),
            ("`src/a.rs`", &["src/a.rs"]),
            ("a.md, b.md and c.md", &["a.md", "b.md", "c.md"]),
            ("`a.md` & **b.md**", &["a.md", "b.md"]),
            ("a.md、b.md", &["a.md", "b.md"]),
            ("a.md, and b.md", &["a.md", "b.md"]),
            ("src/__init__.py", &["src/__init__.py"]),
            ("docs/report.md.", &["docs/report.md"]),
            ("src/a.rs: the reader", &["src/a.rs"]),
            ("src/a.rs (new)", &["src/a.rs"]),
            ("src/a.rs — the reader", &["src/a.rs"]),
            ("created `src/a.rs` with `cargo new`", &["src/a.rs"]),
            ("[the report](docs/report.md)", &["docs/report.md"]),
            ("src/a.rs:12-20", &["src/a.rs"]),
            ("src/a.rs:12:7", &["src/a.rs"]),
            ("src/a.rs#L12", &["src/a.rs"]),
            ("file:///srv/a%20b.md", &["/srv/a b.md"]),
            ("File: src/a.rs", &["src/a.rs"]),
            ("Created: a.md, b.md", &["a.md", "b.md"]),
            ("**New**: `src/a.rs` (reader)", &["src/a.rs"]),
            ("Makefile: a target", &["Makefile"]),
            ("Created: the reader", &["begins with a label"]),
            ("📄 src/a.rs", &["src/a.rs"]),
            ("<src/a.rs>", &["src/a.rs"]),
            ("(src/a.rs), [b.md]", &["src/a.rs", "b.md"]),
            ("src/[id]/a.rs", &["src/[id]/a.rs"]),
            ("src/a.rs:\n  - reads the lines", &["src/a.rs"]),
            ("**src/a.rs**\n  the reader", &["src/a.rs"]),
            (
                "src/a.rs (+12 -3)\nsrc/b.rs (+4)",
                &["src/a.rs", "src/b.rs"],
            ),
            ("```\nsrc/a.rs | 2 +-\n- `b.md`\n```", &["src/a.rs", "b.md"]),
            (
                "src/a.rs\nand more, and\nsrc/b.rs",
                &["names several files"],
            ),
            ("src\n  - a.rs", &["names several files"]),
            ("src/a.rs (deleted)", &["gone"]),
            ("`src/a.rs` — removed", &["gone"]),
            ("Deleted `src/a.rs`", &["gone"]),
            ("~~src/a.rs~~", &["gone"]),
            ("src/a.rs: renamed to src/b.rs", &["gone"]),
            ("Removed: src/a.rs (unused)", &["gone"]),
            ("src/deleted.rs (new)", &["src/deleted.rs"]),
            ("deleted/a.rs", &["deleted/a.rs"]),
            ("src/a.rs: removed an unused import", &["src/a.rs"]),
            ("src/a.rs (moved the tests here)", &["src/a.rs"]),
            ("Removed unused imports from `src/a.rs`", &["src/a.rs"]),
            ("src/{a,b}.rs, c.rs", &["is a pattern", "c.rs"]),
            ("{{name}}/a.rs", &["{{name}}/a.rs"]),
        ] {
            let found: Vec<_> = all(text)
                .iter()
                .map(|it| match it {
                    PathMention::Path(path) => split_lines(path).0.to_owned(),
                    PathMention::Unreadable(why) => (*why).to_owned(),
                    PathMention::Gone => "gone".to_owned(),
                })
                .collect();
            assert_eq!(found, paths, "{text}");
        }
    }

    #[test]
    fn what_cannot_be_looked_up_is_no_path() {
        for text in [
            "the reader in src",
            "$HOME/a.md",
            "~/a.md",
            "https://x.test/a.md",
            "`src/a.rs` instead of `src/b.rs`",
            "src/*.ts",
        ] {
            assert!(
                matches!(all(text)[..], [PathMention::Unreadable(_)]),
                "{text}"
            );
        }
        let both = all("`a file.md`, b.md");
        assert!(matches!(
            both[..],
            [PathMention::Unreadable(_), PathMention::Path(_)]
        ));
    }
}
