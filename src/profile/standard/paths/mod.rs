//! The paths that a piece of text names.

mod gone;
mod lines;
mod marks;
mod named;

use std::borrow::Cow;

use crate::form::name::is_emoji;
pub(crate) use gone::{heads_gone, is_gone, of_gone, says_gone};
pub(crate) use lines::{LineRange, range, split_lines};
pub(crate) use marks::{before_remark, first_code_span};
use marks::{code_span, code_spans, target, unmarked};
pub(crate) use named::exactly;
use named::{linked, named};

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
    let lines = || lines(text);
    let first = lines().next().unwrap_or(text);
    let is_path: Vec<_> = lines().map(begins_with_path).collect();
    match is_path[..] {
        [] | [_] => of_line(first, &mut say),
        [true, ref more @ ..] if !more.contains(&true) => of_line(first, &mut say),
        [false, ..] if heads_gone(first) => say(PathMention::Gone),
        [false, ref more @ ..] if is_label(first) && !more.contains(&false) => {
            lines().skip(1).for_each(|line| of_line(line, &mut say));
        }
        ref all if !all.contains(&false) => lines().for_each(|line| of_line(line, &mut say)),
        [_, ref more @ ..] if more.contains(&true) => {
            say(PathMention::Unreadable("names several files"));
        }
        _ => of_line(text, &mut say),
    }
}

/// The lines of a text with something on them, without the marks of lists, and without the commas between
/// their items. Fences of code are none.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = &str> {
    let is_mark = |line: &str| line.starts_with("```") || matches!(line, "" | "[" | "]");
    let lines = text.lines().map(str::trim);
    lines.filter(move |line| !is_mark(line)).map(|line| {
        let line = line.trim_end_matches([',', ';']);
        let number = line.trim_start_matches(|it: char| it.is_ascii_digit());
        let numbered = || number.strip_prefix(['.', ')']).filter(|_| number != line);
        let item = line.strip_prefix(['-', '*', '+']).or_else(numbered);
        let line = item.filter(|it| it.starts_with(' ')).unwrap_or(line);
        without_letter(line.trim_start())
    })
}

/// A line without the letter that Git writes before a changed file.
fn without_letter(line: &str) -> &str {
    const LETTERS: [&str; 6] = ["M", "A", "AM", "MM", "U", "??"];
    let path = line
        .split_once(' ')
        .filter(|(letter, _)| LETTERS.contains(letter));
    let path = path.map(|(_, path)| path.trim_start());
    path.filter(|it| looks_like_path(it)).unwrap_or(line)
}

/// Whether a line begins with what may be a path, and nothing but a remark follows.
pub(crate) fn begins_with_path(line: &str) -> bool {
    looks_like_path(code_span(line).map_or_else(|| before_remark(line), |(span, _)| span))
}

/// Passes each path that one line names to `say`.
fn of_line<'t>(text: &'t str, say: &mut impl FnMut(PathMention<'t>)) {
    let text = text.trim_start_matches(|it: char| it.is_whitespace() || is_emoji(it));
    let bold = text.strip_prefix("**");
    let bold = bold.and_then(|it| it.split_once(":** "));
    let label = text.split_once(": ");
    let labelled = bold.into_iter().chain(label).find(|(label, rest)| {
        // "Node.js: `a.js`" is about the one in backticks.
        let is_name = looks_like_path(label) && (label.contains('/') || !rest.starts_with('`'));
        (is_label(label) || !is_name) && names_paths(rest.trim())
    });
    let rest = labelled.map_or(text, |(_, rest)| rest.trim());
    if is_gone(text) || is_gone(rest) {
        return say(of_gone(text));
    }
    let folder = code_span(rest).map_or_else(|| before_remark(rest), |(span, _)| span);
    if folder.ends_with('/') && rest.ends_with(" files)") {
        return say(PathMention::Unreadable("is a folder with files"));
    }
    if rest.starts_with('<') && rest.ends_with('>') && !looks_like_path(unmarked(rest)) {
        return say(PathMention::Unreadable("is a placeholder"));
    }
    let rest = bracketed(rest);
    let label = label.map_or(text, |(label, _)| label);
    if labelled.is_none() && (is_label(label) || heads_gone(label)) {
        return say(PathMention::Unreadable("begins with a label"));
    }
    match listed(rest) {
        Some(words) => {
            let has_paths = words.len() > 1 && words.iter().any(|it| looks_like_path(it.text));
            let named = words.into_iter().map(|word| match word {
                word if has_paths && word.is_prose() => {
                    PathMention::Unreadable("has words among the paths")
                }
                word => named(word.text),
            });
            named.for_each(say);
        }
        None => say(remarked(rest).unwrap_or_else(|| within(rest))),
    }
}

/// A text without the brackets of a list around it.
fn bracketed(text: &str) -> &str {
    let inside = text.strip_prefix('[').and_then(|it| it.strip_suffix(']'));
    inside.filter(|it| !it.contains(['[', ']'])).unwrap_or(text)
}

/// The path or link that a text begins with, if a remark follows, whatever the remark has in backticks or
/// links.
fn remarked(text: &str) -> Option<PathMention<'_>> {
    if let Some((span, remark)) = code_span(text).filter(|(span, _)| looks_like_path(span)) {
        let is_remark = [": ", " (", " — ", " – ", " - "]
            .iter()
            .any(|it| remark.starts_with(it));
        let has_more = remark.split(", ").skip(1).any(|it| code_span(it).is_some());
        return (is_remark && !has_more).then(|| named(span));
    }
    let path = before_remark(text);
    if let Some((label, _)) = path.split_once("](").filter(|_| path.starts_with('[')) {
        let is_named = code_spans(label).any(looks_like_path);
        return target(path).filter(|_| !is_named).map(linked);
    }
    let is_path = looks_like_path(path) && !path.contains('`') && !path.ends_with('/');
    // "Read/write: `a.md`" does not begin with a path.
    let is_only = || !code_spans(text).any(looks_like_path) && target(text).is_none();
    let is_bare = is_path && !path.starts_with(['[', '!']) && (has_extension(path) || is_only());
    is_bare.then(|| named(path))
}

/// What a text names that does not begin with a path: its first code span, or else its first link.
fn within(text: &str) -> PathMention<'_> {
    let mut spans = code_spans(text);
    let Some(first) = spans.next() else {
        return target(text).map_or_else(|| named(before_remark(text)), linked);
    };
    let mut before = text.split('`').take(1).flat_map(str::split_whitespace);
    let is_remark = !looks_like_path(first) && before.any(|word| has_extension(unmarked(word)));
    if is_remark || spans.any(looks_like_path) {
        return PathMention::Unreadable("names several files");
    }
    named(first)
}

/// Whether a text has nothing but paths and their remarks.
fn names_paths(text: &str) -> bool {
    let are_paths = |words: Vec<Word<'_>>| words.into_iter().all(|it| looks_like_path(it.text));
    begins_with_path(text) || listed(text).is_some_and(are_paths)
}

/// Whether the words before a colon say what was done with files, and are the name of none.
pub(crate) fn is_label(text: &str) -> bool {
    const LABELS: [&str; 11] = [
        "added", "changed", "created", "edited", "file", "files", "modified", "new", "updated",
        "written", "wrote",
    ];
    let text = unmarked(text.trim()).trim_end_matches(':');
    let mut words = text.split([' ', '/', '&']).filter(|it| !it.is_empty());
    !text.is_empty() && words.all(|word| LABELS.iter().any(|it| it.eq_ignore_ascii_case(word)))
}

/// A word or code span among others.
struct Word<'t> {
    text: &'t str,
    is_span: bool,
}

impl Word<'_> {
    /// Whether it is "others", "..." or the like, which names no file.
    fn is_prose(&self) -> bool {
        let may_be_name = self.is_span || looks_like_path(self.text);
        !may_be_name && !self.text.contains(char::is_uppercase)
    }
}

/// The words or code spans of a text, if nothing but commas and the like separates them. More lines of a
/// file, as in `a.rs:1,3`, are none.
fn listed(text: &str) -> Option<Vec<Word<'_>>> {
    let mut words: Vec<Word<'_>> = Vec::new();
    let mut rest = text;
    loop {
        let is_span = rest.trim_start().starts_with('`');
        let (text, after) = word(rest)?;
        let has_lines = words
            .last()
            .is_some_and(|it| split_lines(it.text).1.is_some());
        if !has_lines || range(text).is_none() {
            words.push(Word { text, is_span });
        }
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

/// Whether a code span may be the path of a file, and not a name or a command.
fn looks_like_path(span: &str) -> bool {
    !span.contains(char::is_whitespace) && (span.contains('/') || has_extension(span))
}

fn has_extension(path: &str) -> bool {
    let name = split_lines(path).0.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').is_some_and(|(stem, extension)| {
        let is_short = (1..=8).contains(&extension.len());
        !stem.is_empty() && is_short && extension.bytes().all(|it| it.is_ascii_alphanumeric())
    })
}

#[cfg(test)]
mod tests;
