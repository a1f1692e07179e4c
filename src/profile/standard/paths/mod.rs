//! The paths that a piece of text names.

mod gone;
mod items;
mod lines;
mod marks;
mod named;

use std::borrow::Cow;

use crate::form::name::is_emoji;
use gone::{Fate, UNSURE, begins_gone, fate, says_all};
pub(crate) use gone::{heads_gone, is_gone, of_gone, says_gone};
use items::{Item, ItemKind, Tail, all, files, items};
pub(crate) use lines::{LineRange, range, split_lines};
use marks::unmarked;
pub(crate) use marks::{before_remark, first_code_span};
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
    let mut below = text.lines().skip(1).peekable();
    if items(first)
        .0
        .first()
        .is_some_and(|it| it.text.ends_with('/'))
        && below.peek().is_some()
        && below.all(|line| line.starts_with(char::is_whitespace))
    {
        return say(PathMention::Unreadable("is a folder with files"));
    }
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
    let lines = text.lines().flat_map(|line| line.split("<br>"));
    let lines = lines.flat_map(|line| line.split("<br/>")).map(str::trim);
    lines.filter(move |line| !is_mark(line)).map(|line| {
        let line = line.trim_end_matches([',', ';', '\\']);
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

/// Whether a line begins with what may be a path, and nothing but other items and remarks follow.
pub(crate) fn begins_with_path(line: &str) -> bool {
    let (items, tail) = items(line);
    let is_first = |item: &Item<'_>| {
        item.looks_like_path() && (tail != Tail::Prose || item.kind != ItemKind::Word)
    };
    items.first().is_some_and(is_first)
}

/// Passes each path that one line names to `say`.
fn of_line<'t>(text: &'t str, say: &mut impl FnMut(PathMention<'t>)) {
    let text = text.trim_start_matches(|it: char| it.is_whitespace() || is_emoji(it));
    let labelled = labels(text).find(|(label, rest)| {
        // "Node.js: `a.js`" is about the one in backticks.
        let is_name = begins_with_path(label) && (label.contains('/') || !rest.starts_with('`'));
        (is_label(label) || !is_name) && names_paths(rest)
    });
    let rest = labelled.map_or(text, |(_, rest)| rest);
    if begins_gone(text) || begins_gone(rest) {
        return say(of_gone(text));
    }
    let rest = bracketed(rest);
    let (items, tail) = items(rest);
    let folder = items.first().filter(|it| it.text.ends_with('/'));
    if folder.is_some_and(|it| it.remark.ends_with(" files)")) {
        return say(PathMention::Unreadable("is a folder with files"));
    }
    if rest.starts_with('<') && rest.ends_with('>') && !looks_like_path(unmarked(rest)) {
        return say(PathMention::Unreadable("is a placeholder"));
    }
    let label = text.split_once(": ").map_or(text, |(label, _)| label);
    if labelled.is_none() && (is_label(label) || heads_gone(label)) {
        return say(PathMention::Unreadable("begins with a label"));
    }
    match &items[..] {
        [first, ..] if tail == Tail::Nothing && is_sure(first) => of_items(&items, say),
        [first, ..] if tail == Tail::Remark && is_sure(first) => {
            of_items(&items, say);
            let remark = items.last().map_or("", |it| it.remark);
            let clauses = remark.split([',', ';', '，', '；', '：']);
            let mut more = clauses.flat_map(|it| it.split(": "));
            let dashes = [' ', '—', '–', '-', '|'];
            if more.any(|it| begins_with_path(it.trim_start_matches(dashes))) {
                say(PathMention::Unreadable("names several files"));
            }
        }
        [others @ .., _] if !others.is_empty() && others.iter().all(Item::looks_like_path) => {
            of_items(others, say);
            say(PathMention::Unreadable(AMONG));
        }
        _ => say(within(rest)),
    }
}

/// Why a list of files may be more than its paths.
const AMONG: &str = "has words among the paths";

/// The labels that a line may begin with, and what follows them: `Created:`, `**Created:**`, `[NEW]`.
fn labels(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let bold = text.strip_prefix("**");
    let bold = bold.and_then(|it| it.split_once(":** "));
    let mark = text.strip_prefix('[').and_then(|it| it.split_once("] "));
    let mark = mark.filter(|(label, _)| label.chars().all(char::is_alphabetic));
    let wide = || text.split_once('：');
    let plain = text.split_once(": ").or_else(wide);
    let labels = [bold, mark, plain].into_iter().flatten();
    labels.map(|(label, rest)| (label, rest.trim()))
}

/// A text without the brackets of a list around it.
fn bracketed(text: &str) -> &str {
    let inside = text.strip_prefix('[').and_then(|it| it.strip_suffix(']'));
    inside.filter(|it| !it.contains(['[', ']'])).unwrap_or(text)
}

/// Whether the first item of a line is what the line names: nothing of the kind of `Read/write` or
/// `parse()` before another path.
fn is_sure(first: &Item<'_>) -> bool {
    let is_file = !first.text.ends_with('/')
        && (first.kind != ItemKind::Word || has_extension(first.text))
        && first.looks_like_path();
    is_file || files(first.remark).next().is_none()
}

/// Passes what each item of a list names to `say`.
fn of_items<'t>(items: &[Item<'t>], say: &mut impl FnMut(PathMention<'t>)) {
    let has_paths = items.len() > 1 && items.iter().any(Item::looks_like_path);
    // "a.md, b.md (deleted)" may be about both.
    let last = items.last().filter(|it| fate(it.remark) == Fate::Gone);
    let last = last.filter(|it| of_gone(it.whole) == PathMention::Gone);
    let are_all = last.is_some_and(|it| says_all(it.remark));
    for item in items {
        say(match fate(item.remark) {
            _ if are_all => PathMention::Gone,
            _ if last.is_some() && item.remark.is_empty() => PathMention::Unreadable(UNSURE),
            Fate::Gone => of_gone(item.whole),
            Fate::Unsure => PathMention::Unreadable(UNSURE),
            Fate::There if has_paths && item.is_prose() => PathMention::Unreadable(AMONG),
            Fate::There => named_by(item),
        });
    }
}

fn named_by<'t>(item: &Item<'t>) -> PathMention<'t> {
    match item.kind {
        ItemKind::Link => linked(item.text),
        ItemKind::Span | ItemKind::Word => named(item.text),
    }
}

/// What a text names that does not begin with a path: its only code span or link that may be one.
fn within(text: &str) -> PathMention<'_> {
    let Some(first) = all(text).find(|it| it.kind != ItemKind::Word) else {
        return named(before_remark(text));
    };
    let mut files = files(text);
    match (files.next(), files.next()) {
        (None, _) => PathMention::Unreadable("may be no file"),
        (Some(_), None) if first.looks_like_path() => named_by(&first),
        _ => PathMention::Unreadable("names several files"),
    }
}

/// Whether a text has nothing but paths and their remarks.
fn names_paths(text: &str) -> bool {
    let (items, tail) = items(text);
    begins_with_path(text) && (tail == Tail::Remark || items.iter().all(Item::looks_like_path))
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

/// Whether a code span may be the path of a file, and not a name or a command.
fn looks_like_path(span: &str) -> bool {
    let is_word = !span.contains(|it: char| it.is_whitespace() || it == '<');
    is_word && (span.contains('/') || has_extension(span))
}

fn has_extension(path: &str) -> bool {
    let name = split_lines(path).0.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').is_some_and(|(stem, extension)| {
        let is_short = (1..=8).contains(&extension.len());
        let is_plain = extension.bytes().all(|it| it.is_ascii_alphanumeric());
        // "3.2" is a number.
        let is_name = name.contains(char::is_alphabetic);
        !stem.is_empty() && is_short && is_plain && is_name
    })
}

#[cfg(test)]
mod tests;
