//! The paths that a piece of text names.
//!
//! A path is what stands alone between commas or on a line: a code span, the target of a link, or a word. Other words
//! are not understood. Where some stand there, they may say anything of the files, and whether one should be there is
//! in doubt.

mod marks;

pub(crate) use marks::{LineRange, code_span, link, range, split_lines};

use std::borrow::Cow;

use percent_encoding::percent_decode_str;

use crate::document::name::is_emoji;
use crate::document::span_of;
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
}

/// The most bytes of a line that is read.
const LINE_AT_MOST: usize = 16 << 10;

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
            named @ Self::Unreadable(_) => named,
        }
    }

    /// The same, in doubt for this reason.
    pub(crate) fn in_doubt(self, why: &'static str) -> Self {
        match self {
            Self::Path(path, doubt) => Self::Path(path, doubt.or(Some(why))),
            named @ Self::Unreadable(_) => named,
        }
    }
}

/// Passes each path that a text names to `say`. Text is the source of a value, with its marks.
pub(crate) fn each(text: &str, mut say: impl FnMut(PathMention)) {
    if text.lines().any(|line| line.len() > LINE_AT_MOST) {
        return say(PathMention::Unreadable("is too long a line"));
    }
    let parts: Vec<_> = lines(text).flat_map(separated).collect();
    // What follows a colon or a folder may be meant by it.
    let is_open = |part: &str| parts.len() > 1 && part.ends_with([':', '/']);
    let items = parts.iter().map(|part| {
        item(part).filter(|it| it.rest.is_empty() && !is_open(part)).map(|it| it.named())
    });
    if let Some(all) = items.collect::<Option<Vec<_>>>().filter(|all| !all.is_empty()) {
        return all.into_iter().for_each(say);
    }
    let files: Vec<_> = parts.iter().flat_map(|part| files(part).map(|it| (*part, it))).collect();
    let mut is_named = false;
    for (part, file) in &files {
        if file.is_meant(part) || file.is_marked && files.len() == 1 {
            say(file.named().in_doubt(UNCLEAR));
            is_named = true;
        }
    }
    if files.len() > 1 && files.iter().any(|(part, file)| !file.is_meant(part)) {
        say(PathMention::Unreadable("names several files"));
    } else if !is_named {
        say(named(unmarked(text.trim()), false).in_doubt(NO_FILE));
    }
}

/// The lines of a text with something on them, without the marks of lists and of fences, and without the
/// commas between their items.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    let lines = text.lines().flat_map(|line| line.split("<br>"));
    lines.filter_map(|line| {
        let line = line.trim().trim_end_matches([',', ';', '\\']);
        let number = line.trim_start_matches(|it: char| it.is_ascii_digit());
        let numbered = || number.strip_prefix(['.', ')']).filter(|_| number != line);
        let item = line.strip_prefix(['-', '*', '+']).or_else(numbered);
        let item = item.filter(|it| it.starts_with(' ')).unwrap_or(line);
        let item = item.trim_start_matches(|it: char| it.is_whitespace() || is_emoji(it));
        let inside = item.strip_prefix('[').and_then(|it| it.strip_suffix(']'));
        let item = inside.filter(|it| !it.contains(['[', ']'])).unwrap_or(item);
        let is_mark = line.starts_with("```") || matches!(line, "" | "[" | "]");
        (!is_mark).then_some(item)
    })
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

    /// Whether it is the first thing in a text, or stands behind a label.
    fn is_meant(&self, text: &str) -> bool {
        let before = &text[..span_of(text, self.text).start];
        let before =
            if self.is_link { before.rsplit_once('[').map_or("", |it| it.0) } else { before };
        let before = before.trim_end_matches(['*', '_', '"', '“', '(', '`', ' ']);
        before.is_empty() || before.ends_with([':', '：', ']'])
    }

    fn named(&self) -> PathMention {
        let named = named(self.text, self.is_link);
        if self.is_path() { named } else { named.in_doubt(NO_FILE) }
    }
}

/// The code span, the link or the word that a text begins with, and what follows it.
fn item(text: &str) -> Option<Item<'_>> {
    let text = text.trim_start();
    let inside = text.trim_start_matches(['*', '_', '"']);
    let span = code_span(inside).map(|it| (false, it));
    if let Some((is_link, (text, rest))) = span.or_else(|| Some((true, link(inside)?))) {
        let rest = rest.trim_matches(['*', '_', '"', ' ', '.']);
        return Some(Item { is_marked: true, is_link, text, rest });
    }
    let word = text.split(char::is_whitespace).next().unwrap_or(text);
    // A remark may follow without a space, and a label stand before it.
    let is_remark = |at: usize, it: char| "([（【".contains(it) && has_extension(&word[..at]);
    let end = word.char_indices().find(|(at, it)| *it == '：' || is_remark(*at, *it));
    let word = &word[..end.map_or(word.len(), |it| it.0)];
    let rest = text[word.len()..].trim();
    let text = unmarked(word.trim_end_matches([',', ';', ':']));
    let is_word = !text.is_empty() && !text.contains('`') && !text.contains("](");
    is_word.then_some(Item { is_marked: false, is_link: false, text, rest })
}

/// The links, code spans and words of a text that are files.
fn files(text: &str) -> impl Iterator<Item = Item<'_>> {
    let is_between = |it: char| it.is_whitespace() || "(),;:.—–-|→。，；：（）、".contains(it);
    let is_end = |it: char| it.is_whitespace() || it == '：';
    let mut rest = text;
    let all = std::iter::from_fn(move || {
        rest = rest.trim_start_matches(is_between);
        let (word, behind) = match rest.split_once(is_end) {
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
    text.len() <= LINE_AT_MOST && files(text).next().is_some()
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

/// What one piece names: a path, unless it cannot be one. An address may be in percent encoding.
fn named(text: &str, is_address: bool) -> PathMention {
    let text = text.trim_matches(|it: char| it.is_whitespace() || is_invisible(it));
    let file = text.strip_prefix("file://");
    let why = match text.chars().next() {
        _ if text.starts_with("~~") => "is struck out",
        _ if text.contains(char::is_whitespace) => "has white space in it",
        Some('$' | '~' | '@') => "begins with $, ~ or @",
        None => "is empty",
        _ if text.bytes().all(|it| it == b'.') || text == "…" => "is a placeholder",
        _ if text.contains(['*', '{']) => "is a pattern",
        _ if text.bytes().all(|it| it.is_ascii_digit()) => "is a number",
        _ if text.contains("://") && file.is_none() => "is a web address",
        _ => {
            let path = without_section(file.unwrap_or(text));
            let path = if is_address || file.is_some() {
                percent_decode_str(path).decode_utf8_lossy()
            } else {
                Cow::Borrowed(path)
            };
            // A Markdown writer may escape what could be a mark.
            return PathMention::Path(path.replace("\\_", "_"), None);
        }
    };
    PathMention::Unreadable(why)
}

/// A path without the section of the file behind it.
fn without_section(path: &str) -> &str {
    let file = path.split_once('#').filter(|(file, _)| has_extension(file));
    file.filter(|_| split_lines(path).1.is_none()).map_or(path, |(file, _)| file)
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
