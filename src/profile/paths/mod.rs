//! The paths that a piece of text names.
//!
//! A path is what stands alone: an item, a cell, a code span, the target of a link, or a word with a slash or an
//! extension. Several may stand in one line, with commas between them. What else stands around it is not
//! understood, but for a remark that says in one word that the file is gone: whether the file should be there is
//! then in doubt.

mod marks;

pub(crate) use marks::{LineRange, code_span, link, range, split_lines};

use percent_encoding::percent_decode_str;

use crate::document::name::is_emoji;
use crate::profile::sample::is_sample;
use crate::text::{is_blank, is_invisible};

use marks::unmarked;

/// What a piece of text says about a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PathMention {
    /// The path of a file, exactly as written, with the lines behind it, and why nothing is known of the file
    /// if it is not there. None if it must be there.
    Path(String, Option<&'static str>),
    /// The text names a file, but not in a way that can be looked up, for this reason.
    Unreadable(&'static str),
    /// The text says that the file is gone: nothing is to be there.
    Gone,
}

/// The most bytes of a line that is read.
const LINE_AT_MOST: usize = 16 << 10;

/// Words for a file that is no longer there. The last one is the letter of Git.
const GONE: [&str; 5] = ["deleted", "removed", "moved", "renamed", "d"];

/// Why nothing is known of a file that is not there, where words stand around it.
pub(crate) const UNCLEAR: &str = "is not there, and what is said of it cannot be read";

/// The same of a word without a slash or an extension.
pub(crate) const NO_FILE: &str = "is not there, and may be no file";

impl PathMention {
    /// The same without the lines behind the path.
    pub(crate) fn without_lines(self) -> Self {
        match self {
            Self::Path(mut path, doubt) => {
                path.truncate(split_lines(&path).0.len());
                Self::Path(path, doubt)
            }
            named => named,
        }
    }

    /// The same where these words stand around it.
    fn told(self, words: &str, own: &[String]) -> Self {
        match self {
            Self::Path(..) if is_gone(words, own) => Self::Gone,
            named => named.in_doubt(UNCLEAR),
        }
    }

    /// The same, in doubt for this reason.
    pub(crate) fn in_doubt(self, why: &'static str) -> Self {
        match self {
            Self::Path(path, doubt) => Self::Path(path, doubt.or(Some(why))),
            named => named,
        }
    }
}

/// Passes each path that a text names to `say`. Text is the source of a value, with its marks. `own` are words
/// for a file that is gone, besides the usual ones. What stands deeper below a line belongs to that line, unless all
/// lines are paths.
pub(crate) fn each(text: &str, own: &[String], mut say: impl FnMut(PathMention)) {
    let lines: Vec<_> = lines(text).collect();
    let mut rest = &lines[..];
    // Where nothing but paths stands, none of them says anything of another.
    let is_file = |line: &str| is_of_paths(line) && !line.ends_with('/');
    let is_list = lines.iter().all(|(_, line)| is_file(line));
    while let Some(((is_deep, line), below)) = rest.split_first() {
        let is_below = |it: &&(bool, &str)| it.0 && !is_deep && !is_list;
        let (deeper, next) = below.split_at(below.iter().take_while(is_below).count());
        let mut paths = deeper.iter().filter(|it| is_of_paths(it.1)).peekable();
        if deeper.is_empty() {
            of_line(line, own, &mut say);
        } else if paths.peek().is_none() || is_of_paths(line) {
            of_line(line, own, &mut |named| say(named.in_doubt(UNCLEAR)));
        }
        for (_, path) in paths {
            of_line(path, own, &mut |named| say(named.told(line, own)));
        }
        rest = next;
    }
    if lines.is_empty() {
        say(PathMention::Unreadable("is empty"));
    }
}

/// The lines of a text with something on them, without the marks of lists and of fences, and without the
/// commas between their items, each with whether it is indented.
fn lines(text: &str) -> impl Iterator<Item = (bool, &str)> {
    let lines = text.lines().flat_map(|line| line.split("<br>"));
    lines.filter_map(|whole| {
        let line = whole.trim().trim_end_matches([',', ';', '\\']);
        let number = line.trim_start_matches(|it: char| it.is_ascii_digit());
        let numbered = || number.strip_prefix(['.', ')']).filter(|_| number != line);
        let item = line.strip_prefix(['-', '*', '+']).or_else(numbered);
        let item = item.filter(|it| it.starts_with(' ')).unwrap_or(line);
        let is_mark = line.starts_with("```") || matches!(line, "" | "[" | "]");
        (!is_mark).then(|| (whole.starts_with(char::is_whitespace), item.trim()))
    })
}

fn of_line(line: &str, own: &[String], say: &mut dyn FnMut(PathMention)) {
    if line.len() > LINE_AT_MOST {
        return say(PathMention::Unreadable("is too long a line"));
    }
    let line = line.trim_start_matches(|it: char| it.is_whitespace() || is_emoji(it));
    let inside = line.strip_prefix('[').and_then(|it| it.strip_suffix(']'));
    let line = inside.filter(|it| !it.contains(['[', ']'])).unwrap_or(line);
    if of_paths(line, own, say) {
        return;
    }
    // A label may stand before it: `Created: `, `**Created:** `.
    let ends = [": ", ":** ", "：", "] "].into_iter();
    let label = ends.filter_map(|end| Some((line.find(end)?, end))).min();
    if let Some((label, rest)) = label.map(|(at, end)| (&line[..at], &line[at + end.len()..]))
        && of_paths(rest.trim_start_matches(['*', ' ']), own, &mut |named| {
            say(named.told(label, own));
        })
    {
        return;
    }
    let mut all = files(line);
    say(match (all.next(), all.next()) {
        (Some(only), None) if only.is_marked => only.named(own).in_doubt(UNCLEAR),
        (Some(_), Some(_)) => PathMention::Unreadable("names several files"),
        _ => named(unmarked(line)).in_doubt(NO_FILE),
    });
}

/// Passes each path that a line begins with to `say`. Returns whether it does.
fn of_paths(line: &str, own: &[String], say: &mut dyn FnMut(PathMention)) -> bool {
    if let Some(parts) = parts(line) {
        // A remark may be about all paths before it, and what follows a dash may go on behind a comma.
        let is_open = |it: &Item<'_>| !it.rest.is_empty() && !it.rest.starts_with(['(', '（', '[']);
        let has_open = parts.iter().any(is_open);
        let last = parts.iter().rposition(|it| !it.rest.is_empty());
        for (index, part) in parts.iter().enumerate() {
            let named = part.named(own);
            let is_told = has_open || last.is_some_and(|last| index <= last);
            say(if is_told { named.in_doubt(UNCLEAR) } else { named });
        }
        return true;
    }
    let has_others = |it: &Item<'_>| names_file(it.rest);
    let is_path = |it: &Item<'_>| it.is_path() && (it.is_file() || !has_others(it));
    let Some(path) = item(line).filter(is_path) else {
        return false;
    };
    say(path.named(own).in_doubt(UNCLEAR));
    if has_others(&path) {
        say(PathMention::Unreadable("names several files"));
    }
    true
}

#[derive(Debug, Clone, Copy)]
struct Item<'t> {
    /// Whether it is a link or a code span.
    is_marked: bool,
    is_link: bool,
    /// The target of a link, or what stands inside of the marks.
    text: &'t str,
    rest: &'t str,
}

impl Item<'_> {
    fn is_path(&self) -> bool {
        let is_web = self.text.contains("://") && !self.text.starts_with("file://");
        !is_web && (self.is_link || looks_like_path(self.text))
    }

    /// Whether it names a file even amid words, where `and/or` and `e.g` do not.
    fn is_file(&self) -> bool {
        let extension = self.text.rsplit_once('.').map_or("", |it| it.1);
        let is_plain = self.text.contains('/') || extension.len() > 1;
        self.is_path() && (self.is_marked || has_extension(self.text) && is_plain)
    }

    fn named(&self, own: &[String]) -> PathMention {
        if is_gone(self.rest, own) {
            return PathMention::Gone;
        }
        let named = if self.is_link { linked(self.text) } else { named(self.text) };
        if self.is_path() { named } else { named.in_doubt(NO_FILE) }
    }
}

/// The items of a line that is nothing but paths with commas and the like between them, and remarks behind.
fn parts(line: &str) -> Option<Vec<Item<'_>>> {
    let mut all: Vec<Item<'_>> = Vec::new();
    for part in separated(line) {
        let has_lines = |it: &Item<'_>| split_lines(it.text).1.is_some();
        if all.last().is_some_and(has_lines) && range(part).is_some() {
            continue;
        }
        let is_part = |it: &Item<'_>| {
            is_remark(it.rest) && (it.is_path() || it.rest.is_empty()) && !names_file(it.rest)
        };
        all.push(item(part).filter(is_part)?);
    }
    let is_list = all.len() == 1 || all.iter().any(Item::is_path);
    is_list.then_some(all)
}

/// The parts of a line between its separators. Those inside of code, brackets and braces are none.
fn separated(line: &str) -> Vec<&str> {
    const CONJUNCTIONS: [&str; 3] = ["and ", "& ", "+ "];
    let (mut parts, mut start, mut depth, mut is_code) = (Vec::new(), 0, 0_usize, false);
    let mut before = ' ';
    for (at, it) in line.char_indices() {
        let after = &line[at + it.len_utf8()..];
        match it {
            '`' => is_code = !is_code,
            '(' | '[' | '{' | '（' | '【' => depth += 1,
            ')' | ']' | '}' | '）' | '】' => depth = depth.saturating_sub(1),
            _ => {}
        }
        let is_digit = |it: char| it.is_ascii_digit();
        let is_list = match it {
            ',' => !(is_digit(before) && after.starts_with(is_digit)),
            ';' | '、' | '，' | '；' => true,
            ' ' => CONJUNCTIONS.iter().any(|it| after.starts_with(it)),
            _ => false,
        };
        before = it;
        if is_list && depth == 0 && !is_code {
            parts.push(&line[start..at]);
            start = at + it.len_utf8();
        }
    }
    parts.push(&line[start..]);
    let parts = parts.into_iter().map(str::trim).map(|part| {
        let mut rests = CONJUNCTIONS.iter().filter_map(|it| part.strip_prefix(it));
        rests.next().map_or(part, str::trim_start)
    });
    parts.filter(|part| !part.is_empty()).collect()
}

fn item(text: &str) -> Option<Item<'_>> {
    let text = text.trim_start();
    let inside = text.trim_start_matches(['*', '_', '"']);
    let span = code_span(inside).map(|it| (false, it));
    if let Some((is_link, (text, rest))) = span.or_else(|| Some((true, link(inside)?))) {
        let rest = rest.trim_start_matches(['*', '_', '"']);
        return Some(Item {
            is_marked: true,
            is_link,
            text,
            rest: rest.trim().trim_end_matches('.'),
        });
    }
    let word = text.split(char::is_whitespace).next().unwrap_or(text);
    // A remark may follow without a space.
    let bracket = word.find('(').filter(|at| has_extension(&word[..*at]));
    let is_end = |(at, it): &(usize, char)| {
        Some(*at) == bracket
            || *at > 0 && (matches!(it, '（' | '【' | '：') || word[*at..].starts_with("[^"))
    };
    let end = word.char_indices().find(is_end);
    let word = word[..end.map_or(word.len(), |it| it.0)].trim_end_matches([',', ';', ':']);
    let rest = text[word.len()..].trim().trim_end_matches([',', ';', ':']);
    let text = unmarked(word);
    let is_word = !text.is_empty() && !text.contains('`') && !text.contains("](");
    is_word.then_some(Item { is_marked: false, is_link: false, text, rest })
}

/// The links, code spans and words of a text that are files.
fn files(text: &str) -> impl Iterator<Item = Item<'_>> {
    let is_between = |it: char| it.is_whitespace() || "(),;:.—–-|→。，；：（）、".contains(it);
    let mut rest = if text.len() > LINE_AT_MOST { "" } else { text };
    let all = std::iter::from_fn(move || {
        rest = rest.trim_start_matches(is_between);
        let (word, behind) = match rest.split_once(char::is_whitespace) {
            _ if rest.is_empty() => return None,
            Some(parts) => parts,
            None => (rest, ""),
        };
        // A code span or a link may begin within a word.
        let marks = ['`', '['].into_iter().filter_map(|mark| word.find(mark));
        let marked = marks.min().and_then(|at| item(&rest[at..]));
        if let Some(marked) = marked.filter(|it| it.is_marked) {
            rest = marked.rest;
            return Some(Some(marked));
        }
        rest = behind;
        Some(item(word.trim_end_matches(is_between)))
    });
    all.flatten().filter(Item::is_file)
}

/// Whether a text names a file anywhere.
pub(crate) fn names_file(text: &str) -> bool {
    files(text).next().is_some()
}

fn is_of_paths(line: &str) -> bool {
    let is_short = line.len() <= LINE_AT_MOST;
    is_short && parts(line).is_some_and(|all| all.iter().any(Item::is_path))
}

/// Whether what follows a path is nothing, or a remark.
fn is_remark(rest: &str) -> bool {
    const STARTS: [&str; 16] =
        ["(", "（", "[", "【", ":", "：", "—", "–", "- ", "-- ", "|", "+", "-", "→", "->", "=>"];
    let is_mark = |it: char| is_emoji(it) || it == '.';
    rest.is_empty() || rest.starts_with(is_mark) || STARTS.iter().any(|it| rest.starts_with(it))
}

/// Whether a text says in one word, and says nothing else, that a file is gone.
pub(crate) fn is_gone(text: &str, own: &[String]) -> bool {
    let word = text.trim_matches(|it: char| !it.is_alphanumeric()).to_lowercase();
    let is_own = || own.iter().any(|own| own.to_lowercase() == word);
    GONE.contains(&&*word) || !word.is_empty() && is_own()
}

/// Whether a line above files has a word that says that they are gone, whatever else it says.
pub(crate) fn may_be_gone(text: &str, own: &[String]) -> bool {
    /// How such words begin.
    const STEMS: [&str; 4] = ["delet", "remov", "renam", "mov"];
    let text = text.to_lowercase();
    let mut words = text.split(|it: char| !it.is_alphanumeric());
    let is_own = |own: &String| !own.is_empty() && text.contains(&*own.to_lowercase());
    words.any(|word| STEMS.iter().any(|stem| word.starts_with(stem))) || own.iter().any(is_own)
}

/// The path that a text is, as in JSON. One that has a remark behind it, or is a number, is none.
pub(crate) fn exactly(text: &str) -> PathMention {
    let path = before_remark(text);
    if !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit()) {
        return PathMention::Unreadable("is a number");
    }
    if path.len() < text.len() && text.contains(" (") && has_extension(path) {
        return PathMention::Unreadable("has a remark behind it");
    }
    PathMention::Path(text.to_owned(), None)
}

pub(crate) fn before_remark(text: &str) -> &str {
    const REMARKS: [&str; 7] = [" — ", " – ", " - ", " -- ", ": ", " (", " | "];
    let mut starts = text.match_indices([' ', ':']).map(|it| it.0);
    let end = starts.find(|at| REMARKS.iter().any(|it| text[*at..].starts_with(it)));
    let end = end.unwrap_or(text.len());
    unmarked(text[..end].trim().trim_end_matches(':'))
}

/// What the target of a link names: it may have a section of the file behind it, and characters in percent
/// encoding.
fn linked(target: &str) -> PathMention {
    let section = target.find('#').filter(|_| split_lines(target).1.is_none());
    match named(&target[..section.unwrap_or(target.len())]) {
        PathMention::Path(path, _) => decoded(&path),
        named => named,
    }
}

fn decoded(path: &str) -> PathMention {
    match percent_decode_str(path).decode_utf8() {
        Ok(path) => PathMention::Path(path.into_owned(), None),
        Err(_) => PathMention::Unreadable("is not UTF-8"),
    }
}

/// What one piece names: a path, unless it cannot be one.
fn named(text: &str) -> PathMention {
    let text = text.trim_matches(|it: char| it.is_whitespace() || is_invisible(it));
    let (scheme, rest) = text.split_once("://").unwrap_or(("", text));
    let why = match (scheme, text.chars().next()) {
        _ if text.starts_with("~~") => "is struck out",
        _ if text.contains(char::is_whitespace) => "has white space in it",
        (_, Some('$')) => "begins with $",
        (_, Some('~')) => "begins with ~",
        (_, Some('@')) => "begins with @",
        (_, None) => "is empty",
        _ if text.bytes().all(|it| it == b'.') || text == "…" => "is a placeholder",
        _ if text.contains("][") => "is a reference to a link",
        _ if text.contains('*') || is_braced(text) => "is a pattern",
        _ if text.bytes().all(|it| it.is_ascii_digit()) => "is a number",
        ("", _) => {
            let path = without_section(without_more_lines(text));
            // A Markdown writer may escape what could be a mark.
            return PathMention::Path(path.replace("\\_", "_"), None);
        }
        ("file", _) => return decoded(rest),
        _ => "is a web address",
    };
    PathMention::Unreadable(why)
}

/// A path with the first lines behind it, as `a.rs:1` of `a.rs:1,3`.
fn without_more_lines(path: &str) -> &str {
    let (first, more) = path.split_once(',').unwrap_or((path, ""));
    let is_lines = split_lines(first).1.is_some() && more.split(',').all(|it| range(it).is_some());
    if is_lines { first } else { path }
}

/// A path without the section of the file behind it.
fn without_section(path: &str) -> &str {
    let file = path.split_once('#').filter(|(file, _)| has_extension(file));
    file.filter(|_| split_lines(path).1.is_none()).map_or(path, |(file, _)| file)
}

/// Whether a text has several names in braces, as a shell expands them.
fn is_braced(text: &str) -> bool {
    let inside = text.split_once('{').and_then(|(_, rest)| rest.split_once('}'));
    inside.is_some_and(|(inside, _)| inside.contains(','))
}

fn looks_like_path(text: &str) -> bool {
    let is_word = !text.contains(|it: char| it.is_whitespace() || it == '<');
    // "14/14" is a number.
    let is_name = text.contains(char::is_alphabetic);
    is_word && is_name && (text.contains('/') || has_extension(text))
}

/// Whether a text may be the path of a file, and holds no place that is still to be filled in. One that `stands_alone`
/// must look like a path.
pub(crate) fn is_filled_in(text: &str, stands_alone: bool) -> bool {
    let is_open = text.contains(['<', '{', '*', '$', '…']) || text.contains("...");
    let is_sample = text.starts_with("path/to/") || is_sample(text) || is_blank(text);
    !is_open && !is_sample && (!stands_alone || looks_like_path(text))
}

fn has_extension(path: &str) -> bool {
    let name = split_lines(path).0.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').is_some_and(|(stem, extension)| {
        let is_short = (1..=8).contains(&extension.len());
        let is_plain = extension.bytes().all(|it| it.is_ascii_alphanumeric());
        // "3.2" is a number.
        !stem.is_empty() && is_short && is_plain && name.contains(char::is_alphabetic)
    })
}

#[cfg(test)]
mod tests;
