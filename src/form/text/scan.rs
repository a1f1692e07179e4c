//! Goes over a text for tags and fences, outside of code.

use std::collections::HashMap;

use memchr::{memchr, memmem};

use crate::text::Span;

/// The most bytes of a tag's name, and of its attributes.
const TAG_BYTES: usize = 256;

/// A tag that opens or closes something.
#[derive(Debug, Clone, Copy)]
pub(super) struct FoundTag<'t> {
    pub(super) name: &'t str,
    pub(super) span: Span,
    pub(super) closes: bool,
    /// Whether it begins its line.
    pub(super) is_first: bool,
}

/// The tags of a text outside of code and comments, matched or not.
pub(super) struct Scanner<'t> {
    text: &'t str,
    at: usize,
    line_end: usize,
    fence: Option<(u8, usize)>,
    /// How often the last run of backticks of each length stands in the line.
    ticks: HashMap<usize, usize>,
    has_no_comment_end: bool,
    /// Whether nothing was found on the line so far.
    is_new_line: bool,
}

impl<'t> Scanner<'t> {
    pub(super) fn new(text: &'t str, start: usize) -> Self {
        Self {
            text,
            at: start,
            line_end: start,
            fence: None,
            ticks: HashMap::new(),
            has_no_comment_end: false,
            is_new_line: false,
        }
    }

    /// Goes to the next line that is not code. False at the end.
    fn next_line(&mut self) -> bool {
        while self.line_end < self.text.len() {
            self.at = self.at.max(self.line_end);
            let rest = &self.text[self.at..];
            let length = memchr(b'\n', rest.as_bytes()).map_or(rest.len(), |it| it + 1);
            self.line_end = self.at + length;
            if !self.is_code(&rest[..length]) {
                self.ticks.clear();
                self.is_new_line = true;
                return true;
            }
            self.at = self.line_end;
        }
        false
    }

    /// Whether a line is fenced code or its fence.
    fn is_code(&mut self, line: &str) -> bool {
        let found = fence(line);
        match (self.fence, found) {
            (None, Some((mark, count, _))) => self.fence = Some((mark, count)),
            (None, None) => return false,
            (Some((mark, count)), Some((other, more, ""))) if mark == other && more >= count => {
                self.fence = None;
            }
            _ => {}
        }
        true
    }

    /// Skips a code span that begins here, or its opening backticks if it has no end.
    fn skip_ticks(&mut self) {
        let line = &self.text[self.at..self.line_end];
        if self.ticks.is_empty() {
            for (at, count) in tick_runs(line) {
                self.ticks.insert(count, self.at + at);
            }
        }
        let count = line.len() - line.trim_start_matches('`').len();
        let start = self.at;
        self.at += count;
        if self.ticks.get(&count).is_some_and(|last| *last > start) {
            let rest = &self.text[self.at..self.line_end];
            let end = tick_runs(rest).find(|(_, it)| *it == count);
            self.at += end.map_or(0, |(at, count)| at + count);
        }
    }

    /// Skips a comment that begins here.
    fn skip_comment(&mut self) {
        self.at += "<!--".len();
        if self.has_no_comment_end {
            return;
        }
        match memmem::find(&self.text.as_bytes()[self.at..], b"-->") {
            Some(end) => self.at += end,
            None => self.has_no_comment_end = true,
        }
        self.line_end = self.line_end.max(self.at);
        let rest = &self.text.as_bytes()[self.line_end..];
        if !self.text[..self.line_end].ends_with('\n') {
            self.line_end += memchr(b'\n', rest).map_or(rest.len(), |it| it + 1);
        }
        self.ticks.clear();
    }
}

impl<'t> Iterator for Scanner<'t> {
    type Item = FoundTag<'t>;

    fn next(&mut self) -> Option<FoundTag<'t>> {
        loop {
            let line = &self.text[self.at..self.line_end];
            let Some(found) = memchr::memchr2(b'<', b'`', line.as_bytes()) else {
                if self.next_line() {
                    continue;
                }
                return None;
            };
            let is_new_line = std::mem::take(&mut self.is_new_line);
            let is_first = is_new_line && line[..found].trim().is_empty();
            self.at += found;
            let rest = &line[found..];
            if rest.starts_with('`') {
                self.skip_ticks();
            } else if rest.starts_with("<!--") {
                self.skip_comment();
            } else if let Some(tag) = tag(rest, self.at) {
                self.at = tag.span.end;
                return Some(FoundTag { is_first, ..tag });
            } else {
                self.at += 1;
            }
        }
    }
}

/// The mark of a fence, how often it stands there, and what follows it. None for any other line.
pub(crate) fn fence(line: &str) -> Option<(u8, usize, &str)> {
    let line = line.trim().trim_start_matches(['-', '*', '+', '>', ' ']);
    let mark = *line.as_bytes().first().filter(|it| b"`~".contains(it))?;
    let rest = line.trim_start_matches(char::from(mark));
    let count = line.len() - rest.len();
    let is_fence = count >= 3 && !(mark == b'`' && rest.contains('`'));
    is_fence.then_some((mark, count, rest))
}

/// Fenced code that is closed.
#[derive(Debug)]
pub(in crate::form) struct Fence<'t> {
    /// The first word after its opening fence.
    pub(in crate::form) word: &'t str,
    pub(in crate::form) content: Span,
    /// The end of its closing fence.
    pub(in crate::form) end: usize,
}

/// The fenced code of a text that has a closing fence.
pub(in crate::form) fn fences(text: &str) -> impl Iterator<Item = Fence<'_>> {
    let mut lines = text.split_inclusive('\n');
    let mut at = 0;
    std::iter::from_fn(move || {
        let mut open: Option<(u8, usize, &str, usize)> = None;
        for line in lines.by_ref() {
            let start = at;
            at += line.len();
            // A byte-order mark at the beginning is no part of the line.
            let bare = line.strip_prefix('\u{feff}').filter(|_| start == 0);
            let found = fence(bare.unwrap_or(line));
            match (open, found) {
                (None, Some((mark, count, info))) => {
                    let word = info.split_whitespace().next().unwrap_or_default();
                    open = Some((mark, count, word, at));
                }
                (Some((mark, count, word, from)), Some((other, more, "")))
                    if mark == other && more >= count =>
                {
                    return Some(Fence {
                        word,
                        content: Span {
                            start: from,
                            end: start,
                        },
                        end: start + line.trim_end().len(),
                    });
                }
                _ => {}
            }
        }
        None
    })
}

/// The offsets and lengths of runs of backticks.
fn tick_runs(text: &str) -> impl Iterator<Item = (usize, usize)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + memchr(b'`', &text.as_bytes()[at..])?;
        let rest = &text[start..];
        let count = rest.len() - rest.trim_start_matches('`').len();
        at = start + count;
        Some((start, count))
    })
}

/// The tag at the beginning of a text, which stands at `at`. One that closes itself is none.
fn tag(text: &str, at: usize) -> Option<FoundTag<'_>> {
    let inner = text.strip_prefix('<')?;
    let closes = inner.starts_with('/');
    let inner = inner.strip_prefix('/').unwrap_or(inner);
    let is_name = |it: char| it.is_ascii_alphanumeric() || "_-.:".contains(it);
    let rest = inner.trim_start_matches(is_name);
    let name = &inner[..inner.len() - rest.len()];
    let window = rest.len().min(TAG_BYTES);
    let end = rest.as_bytes()[..window]
        .iter()
        .position(|it| *it == b'>')?;
    let attributes = &rest[..end];
    let is_tag = name.starts_with(|it: char| it.is_ascii_alphabetic())
        && name.len() <= TAG_BYTES
        && (attributes.is_empty() || attributes.starts_with([' ', '\t']))
        && !attributes.ends_with('/')
        && !attributes.contains(['<', '\n']);
    let length = text.len() - rest.len() + end + 1;
    is_tag.then(|| FoundTag {
        name,
        span: Span::new(at, length),
        closes,
        is_first: false,
    })
}
