//! The items of a line: links, code spans and words, and the remarks behind them.

use super::marks::{closing, code_span, link, unmarked};
use super::{has_extension, looks_like_path, range, split_lines};
use crate::form::name::is_emoji;

/// A link, code span or word, with the remarks behind it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Item<'t> {
    pub(super) kind: ItemKind,
    /// The target of a link, or what stands inside of the marks.
    pub(super) text: &'t str,
    /// What stands in brackets or behind a dash or colon.
    pub(super) remark: &'t str,
    /// All of it, as it stands in the line.
    pub(super) whole: &'t str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ItemKind {
    Link,
    Span,
    Word,
}

/// What follows the items of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tail {
    Nothing,
    /// A remark that ends with the line.
    Remark,
    /// More words.
    Prose,
}

impl Item<'_> {
    pub(super) fn looks_like_path(&self) -> bool {
        let is_web = self.text.contains("://") && !self.text.starts_with("file://");
        !is_web && (self.kind == ItemKind::Link || looks_like_path(self.text))
    }

    /// Whether it names a file even amid prose, where `and/or` and `e.g` do not.
    fn is_file(&self) -> bool {
        let extension = || self.text.rsplit_once('.').map_or("", |it| it.1);
        let is_plain =
            || has_extension(self.text) && (self.text.contains('/') || extension().len() > 1);
        self.looks_like_path() && (self.kind != ItemKind::Word || is_plain())
    }

    /// Whether it is "others", "..." or the like, which names no file.
    pub(super) fn is_prose(&self) -> bool {
        let may_be_name = self.kind != ItemKind::Word || self.looks_like_path();
        !may_be_name && !self.text.contains(char::is_uppercase)
    }
}

/// The items of a line up to where something else separates them than commas and the like. More lines of a
/// file, as in `a.rs:1,3`, are none.
pub(super) fn items(text: &str) -> (Vec<Item<'_>>, Tail) {
    let mut items: Vec<Item<'_>> = Vec::new();
    let mut rest = text.trim();
    while let Some((mut item, behind)) = item(rest) {
        let after = behind_remarks(behind);
        let is_open = begins_remark(after);
        let left = if is_open { 0 } else { after.len() };
        item.remark = &behind[..behind.len() - left];
        item.whole = &rest[..rest.len() - left];
        let has_lines = |it: &Item<'_>| split_lines(it.text).1.is_some();
        if !items.last().is_some_and(has_lines) || range(item.text).is_none() {
            items.push(item);
        }
        if is_open {
            return (items, Tail::Remark);
        }
        let end = after.trim();
        if end.chars().all(is_end) && end.chars().count() < 2 {
            return (items, Tail::Nothing);
        }
        let Some(next) = separated(after) else { break };
        rest = next;
    }
    (items, Tail::Prose)
}

/// All links, code spans and words of a text.
pub(super) fn all(text: &str) -> impl Iterator<Item = Item<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        loop {
            rest = rest.trim_start_matches(|it: char| is_end(it) || it == ':' || it == '：');
            if let Some((item, behind)) = item(rest) {
                rest = behind;
                return Some(item);
            }
            // What begins within a word, as in "(`a.md`)".
            let next = rest.char_indices().skip(1);
            let next = next.map(|(at, _)| &rest[at..]);
            rest = next
                .into_iter()
                .find(|it| it.starts_with(['`', '[']))
                .filter(|_| !rest.starts_with('`'))?;
        }
    })
}

/// The links and code spans that a text has, and the words that are files.
pub(super) fn files(text: &str) -> impl Iterator<Item = Item<'_>> {
    all(text).filter(Item::is_file)
}

/// The first link, code span or word of a text, and what follows it.
pub(super) fn item<'t>(text: &'t str) -> Option<(Item<'t>, &'t str)> {
    let text = text.trim_start();
    let inside = text.trim_start_matches(['*', '_']);
    let behind = |rest: &'t str| rest.trim_start_matches(['*', '_']);
    let (kind, text, rest) = if let Some((span, rest)) = code_span(inside) {
        (ItemKind::Span, span, behind(rest))
    } else if let Some((target, rest)) = link(inside) {
        (ItemKind::Link, target, behind(rest))
    } else {
        let (word, rest) = word(text)?;
        (ItemKind::Word, word, rest)
    };
    let item = Item {
        kind,
        text,
        remark: "",
        whole: text,
    };
    Some((item, rest))
}

/// The first word of a text, without marks, and what follows it.
fn word(text: &str) -> Option<(&str, &str)> {
    let mut is_inside = false;
    let end = text.char_indices().find(|(at, it)| {
        is_inside = (is_inside || *it == '{') && *it != '}';
        let (before, rest) = text.split_at(*at);
        match it {
            _ if it.is_whitespace() => true,
            ',' | ';' | '、' | '，' | '；' => !is_inside,
            '：' => *at > 0,
            '[' => *at > 0 && rest.starts_with("[^"),
            '(' | '（' if *at > 0 => {
                let is_last = |end: usize| rest[end..].chars().next().is_none_or(is_end);
                closing(rest).is_some_and(is_last) && (*it == '（' || has_extension(before))
            }
            _ => false,
        }
    });
    let (word, _) = text.split_at(end.map_or(text.len(), |it| it.0));
    // A remark follows in "a.rs: fixed".
    let word = word.strip_suffix(':').unwrap_or(word);
    let plain = unmarked(word);
    let is_word = !plain.is_empty() && !plain.contains('`') && !plain.contains("](");
    is_word.then(|| (plain, &text[word.len()..]))
}

/// Whether a character may follow what ends.
fn is_end(it: char) -> bool {
    it.is_whitespace() || matches!(it, ',' | ';' | '.' | '、' | '，' | '；' | '。' | '：')
}

/// What follows the remarks in brackets, the emoji and the numbers of lines that a text begins with.
fn behind_remarks(text: &str) -> &str {
    let mut rest = text;
    loop {
        let next = rest.trim_start();
        let is_count = |it: char| it.is_ascii_digit() || matches!(it, '+' | '-' | '−' | '/');
        let end = match next.chars().next() {
            Some('(' | '（' | '[' | '【') if link(next).is_none() => closing(next),
            Some('+' | '-' | '−') => {
                let rest = next.trim_start_matches(is_count);
                let count = next.len() - rest.len();
                let is_count = count > 1 && !next.starts_with("--");
                (is_count && rest.chars().next().is_none_or(is_end)).then_some(count)
            }
            Some(it) if is_emoji(it) && it != '→' => Some(it.len_utf8()),
            _ => None,
        };
        match end {
            Some(end) => rest = &next[end..],
            None => return rest,
        }
    }
}

/// Whether a remark follows an item that ends with the line. A path behind an arrow is none.
fn begins_remark(text: &str) -> bool {
    const DASHES: [&str; 7] = ["— ", "– ", "- ", "-- ", "| ", "(", "（"];
    let rest = text.trim_start();
    let behind_arrow = ["→", "->", "=>"]
        .iter()
        .find_map(|it| rest.strip_prefix(it));
    let is_spaced = rest.len() < text.len();
    let is_path = |rest: &str| item(rest).is_some_and(|(item, _)| item.looks_like_path());
    rest.starts_with([':', '：'])
        || is_spaced && DASHES.iter().any(|it| rest.starts_with(it))
        || behind_arrow.is_some_and(|rest| !is_path(rest))
}

/// What follows the separator that a text begins with.
fn separated(text: &str) -> Option<&str> {
    let rest = text.trim_start();
    let is_spaced = rest.len() < text.len();
    if let Some(rest) = rest.strip_prefix([',', ';', '、', '，', '；']) {
        let after = rest.trim_start();
        return Some(conjunction(after).unwrap_or(after));
    }
    conjunction(rest).filter(|_| is_spaced)
}

fn conjunction(text: &str) -> Option<&str> {
    let rest = ["and", "&", "+"]
        .iter()
        .find_map(|it| text.strip_prefix(it))?;
    rest.starts_with(char::is_whitespace).then_some(rest)
}
