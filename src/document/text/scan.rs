//! Finds what is no plain text in a text: fenced code, comments, tags and marks.
//!
//! A text is read once, character by character. Only fenced code, comments and emphasis go over several lines.

use std::borrow::Cow;
use std::collections::HashMap;

use memchr::{memchr, memmem};

use super::fences::{FencedCode, fence, line_end};
use super::lines::{after_list_mark, trimmed};
use super::span;
use crate::document::ITEMS_AT_MOST;
use crate::document::error::FormError;
use crate::text::Span;

/// The most bytes of a tag's name, and of its attributes.
const TAG_BYTES: usize = 256;

/// The most backticks around a code span, the most other marks around a text, and how deep these may be nested.
const TICKS: usize = 8;
const WIDTH: usize = 3;
const OPEN_MARKS: usize = 32;

/// The most marks that are removed from a message. No one writes that many.
const MARKS: usize = 500_000;

/// The names of the elements of HTML, which are formatting and not tags.
const HTML: &str = "\
    a abbr address area article aside audio b base bdi bdo big blockquote body br button canvas \
    caption center cite code col colgroup data datalist dd del details dfn dialog dir div dl dt \
    em embed fieldset figcaption figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head \
    header hgroup hr html i iframe img input ins kbd label legend li link main map mark menu \
    meta meter nav noscript object ol optgroup option output p picture pre progress q rp rt ruby \
    s samp script search section select slot small source span strike strong style sub summary \
    sup svg table tbody td template textarea tfoot th thead time title tr track tt u ul var \
    video wbr";

fn run_length(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|it| **it == bytes[0]).count()
}

/// The number of the backticks that a line begins with, and the length of the code span, if they begin one.
pub(in crate::document) fn code_span(line: &str) -> (usize, Option<usize>) {
    let bytes = line.as_bytes();
    let ticks = run_length(bytes);
    let mut at = ticks;
    // Of each number of backticks, at most one has no other one behind it.
    while ticks <= TICKS
        && let Some(found) = memchr(b'`', &bytes[at..])
    {
        let run = run_length(&bytes[at + found..]);
        at += found + run;
        if run == ticks {
            return (ticks, Some(at));
        }
    }
    (ticks, None)
}

/// The name of the tag at the beginning, its length, and whether it closes something. None if it closes itself.
fn tag(text: &str) -> Option<(&str, usize, bool)> {
    let inner = text.strip_prefix('<')?;
    let closes = inner.starts_with('/');
    let inner = inner.strip_prefix('/').unwrap_or(inner);
    let is_name = |it: char| it.is_ascii_alphanumeric() || "_-.:".contains(it);
    let rest = inner.trim_start_matches(is_name);
    let name = &inner[..inner.len() - rest.len()];
    let window = &rest.as_bytes()[..rest.len().min(TAG_BYTES)];
    let end = memchr(b'>', window)?;
    let attributes = &rest[..end];
    let is_tag = name.starts_with(|it: char| it.is_ascii_alphabetic())
        && name.len() <= TAG_BYTES
        && (attributes.is_empty() || attributes.starts_with([' ', '\t']))
        && !attributes.ends_with('/')
        && !attributes.contains('<');
    is_tag.then(|| (name, text.len() - rest.len() + end + 1, closes))
}

#[derive(Debug, Clone, Copy)]
pub(in crate::document) struct Element<'t> {
    pub(in crate::document) name: &'t str,
    pub(in crate::document) open: Span,
    pub(in crate::document) close: Span,
    /// Whether its content stands on lines of its own. Otherwise it is part of the text around it.
    pub(super) is_block: bool,
}

impl Element<'_> {
    pub(in crate::document) fn content(&self) -> Span {
        span(self.open.end, self.close.start)
    }
}

/// Something that is no part of a value. A mark may count only around a whole value: then it is a mark of that.
#[derive(Debug, Clone, Copy)]
struct Removal {
    place: Span,
    whole: Option<Span>,
}

#[derive(Debug, Default)]
pub(in crate::document) struct Scanned<'t> {
    pub(super) text: &'t str,
    pub(in crate::document) fences: Vec<FencedCode>,
    /// Those on lines of their own.
    pub(super) comments: Vec<Span>,
    /// The tags, in the order in which they open.
    pub(in crate::document) elements: Vec<Element<'t>>,
    removals: Vec<Removal>,
}

#[derive(Default)]
struct Scan<'t, 'n> {
    found: Scanned<'t>,
    /// The HTML elements that count as tags.
    named: &'n [&'n str],
    /// Where marks of emphasis are open, and which.
    marks: Vec<(usize, &'t str)>,
    /// The tags that are open, and how many have a name. None for the elements of HTML.
    open: Vec<Element<'t>>,
    counts: HashMap<&'t str, Option<usize>>,
    /// Whether no comment behind this has an end.
    lacks_comment_end: bool,
    /// Where the last comment or tag ends that begins its line.
    mark_end: usize,
}

/// Reads a text from `start` on. `named` are the HTML elements that count as tags.
pub(in crate::document) fn scan<'t>(
    text: &'t str,
    start: usize,
    named: &[&str],
) -> Result<Scanned<'t>, FormError> {
    let found = Scanned { text, ..Scanned::default() };
    let mut scan = Scan { found, named, mark_end: start, ..Scan::default() };
    let mut at = start;
    while at < text.len() {
        if let Some(fence) = fence(text, at) {
            at = line_end(text, fence.place.end) + 1;
            scan.found.fences.push(fence);
        } else {
            at = scan.line(at, line_end(text, at)) + 1;
        }
        let found = &scan.found;
        if found.fences.len() + found.comments.len() + found.elements.len() > ITEMS_AT_MOST {
            return Err(FormError::too_many(span(at, at)));
        }
    }
    let mut found = scan.found;
    found.elements.sort_unstable_by_key(|it| it.open.start);
    found.removals.sort_unstable_by_key(|it| it.place.start);
    Ok(found)
}

/// Whether a mark next to this is a part of a word or of a path.
fn goes_on(next: Option<char>) -> bool {
    next.is_some_and(|it| it == '/' || it.is_alphanumeric())
}

impl<'t> Scan<'t, '_> {
    /// Reads a line. Returns where it ends: a comment may end on a later one.
    fn line(&mut self, start: usize, mut end: usize) -> usize {
        let text = self.found.text;
        let line = text[start..end].trim_start();
        let begins = line.is_empty() || line.starts_with(['#', '>', '|']);
        if begins || after_list_mark(line).is_some() {
            self.marks.clear();
        }
        let is_special = |it: &u8| b"`*_<\\".contains(it);
        let mut at = start;
        while let Some(found) = text.as_bytes()[at..end].iter().position(is_special) {
            at += found;
            let rest = &text[at..end];
            at += match rest.as_bytes()[0] {
                b'`' => {
                    let (ticks, length) = code_span(rest);
                    if let Some(length) = length {
                        let inner = &rest[ticks..length - ticks];
                        let is_padded =
                            inner.starts_with(' ') && inner.ends_with(' ') && inner.len() > 2;
                        let width = ticks + usize::from(is_padded);
                        self.found.marks(Span::new(at, length), width, false);
                    }
                    length.unwrap_or(ticks)
                }
                b'<' if rest.starts_with("<!--") => self.comment(at, start),
                b'<' => self.tag(at, rest, start),
                b'\\' => {
                    1 + usize::from(rest[1..].starts_with(|it: char| it.is_ascii_punctuation()))
                }
                _ => self.emphasis(at, rest),
            };
            if at > end {
                end = line_end(text, at);
            }
        }
        end
    }

    /// Removes a comment. One without an end runs to that of the text, if it begins its line. Returns its length.
    fn comment(&mut self, at: usize, line: usize) -> usize {
        let text = self.found.text;
        let rest = &text[at..];
        let find = || memmem::find(&rest.as_bytes()[4..], b"-->");
        let end = if self.lacks_comment_end { None } else { find() };
        self.lacks_comment_end = end.is_none();
        let length = match end {
            Some(end) => 4 + end + 3,
            None if text[line..at].trim().is_empty() => rest.len(),
            None => return 4,
        };
        let place = Span::new(at, length);
        self.found.remove([place], None);
        let after = rest[length..].trim_start_matches(SPACE);
        let is_last = after.is_empty() || after.starts_with(['\n', '<']);
        if self.is_first(place, line) && (is_last || rest[..length].contains('\n')) {
            self.found.comments.push(place);
        }
        length
    }

    /// Whether nothing but comments and tags stands before one of these on its line.
    fn is_first(&mut self, place: Span, line: usize) -> bool {
        let is_first = begins_line(&self.found.text[line.max(self.mark_end)..place.start]);
        if is_first {
            self.mark_end = place.end;
        }
        is_first
    }

    /// Notes marks that open or close emphasis. Returns their length.
    fn emphasis(&mut self, at: usize, rest: &'t str) -> usize {
        let run = &rest[..run_length(rest.as_bytes())];
        let place = Span::new(at, run.len());
        let [before, after] = self.found.around(place);
        let is_space = |it: Option<char>| it.is_none_or(char::is_whitespace);
        let opening = self.marks.iter().rposition(|(_, it)| *it == run);
        if let Some(opening) = opening.filter(|_| !is_space(before) && !goes_on(after)) {
            let start = self.marks[opening].0;
            self.marks.truncate(opening);
            let inner = &self.found.text[start + run.len()..at];
            let is_path = inner.starts_with('/') || inner.ends_with('/');
            self.found.marks(span(start, place.end), run.len(), is_path);
        } else if !goes_on(before) && !is_space(after) && run.len() <= WIDTH {
            if self.marks.len() == OPEN_MARKS {
                self.marks.clear();
            }
            self.marks.push((at, run));
        }
        run.len()
    }

    /// Notes a tag, and what it closes. Returns its length.
    fn tag(&mut self, at: usize, rest: &'t str, line: usize) -> usize {
        let Some((name, length, closes)) = tag(rest) else {
            return 1;
        };
        let is = |other: &str| name.eq_ignore_ascii_case(other);
        // What is not closed takes memory, too.
        if self.open.len().max(self.counts.len()) == ITEMS_AT_MOST && !closes {
            return length;
        }
        let is_tag = || self.named.iter().any(|it| is(it)) || !HTML.split(' ').any(is);
        let Some(count) = *self.counts.entry(name).or_insert_with(|| is_tag().then_some(0)) else {
            return length;
        };
        let place = Span::new(at, length);
        let is_block = self.is_first(place, line);
        if !closes {
            self.counts.insert(name, Some(count + 1));
            self.open.push(Element { name, open: place, close: place, is_block });
        } else if count > 0 {
            while let Some(open) = self.open.pop() {
                if let Some(Some(count)) = self.counts.get_mut(open.name) {
                    *count -= 1;
                }
                if open.name == name {
                    self.found.close(open, place, open.open.start < line);
                    break;
                }
            }
        }
        length
    }
}

impl<'t> Scanned<'t> {
    /// The text of a part of the message, without marks and without white space around it.
    pub(super) fn plain(&self, part: Span) -> Cow<'t, str> {
        let part = trimmed(self.text, part);
        let first = (self.removals).partition_point(|it| it.place.start < part.start);
        let removals = self.removals[first..].iter();
        let inside = removals
            .take_while(|it| it.place.start < part.end)
            .filter(|it| it.whole.is_none_or(|whole| whole == part));
        let mut text = String::new();
        let mut at = part.start;
        for Removal { place, .. } in inside {
            if place.start >= at {
                text.push_str(&self.text[at..place.start]);
                at = place.end.min(part.end);
            }
        }
        if at == part.start {
            return Cow::Borrowed(&self.text[part.start..part.end]);
        }
        text.push_str(&self.text[at..part.end]);
        Cow::Owned(text.trim().to_owned())
    }

    fn remove<const N: usize>(&mut self, places: [Span; N], whole: Option<Span>) {
        if self.removals.len() < MARKS {
            let removals = places.map(|place| Removal { place, whole });
            self.removals.extend(removals);
        }
    }

    /// Removes marks of `width` bytes around a text. If it is part of a word or of a path, they may be none.
    fn marks(&mut self, whole: Span, width: usize, is_path: bool) {
        let is_part = is_path || self.around(whole).into_iter().any(goes_on);
        let marks = [whole.start, whole.end - width].map(|start| Span::new(start, width));
        self.remove(marks, is_part.then_some(whole));
    }

    fn around(&self, place: Span) -> [Option<char>; 2] {
        let before = self.text[..place.start].chars().next_back();
        [before, self.text[place.end..].chars().next()]
    }

    /// Notes where an open tag closes. It is a block if it stands on lines of its own, beside nothing but such tags.
    fn close(&mut self, mut element: Element<'t>, close: Span, has_lines: bool) {
        let content = &self.text[element.open.end..close.start];
        let is_first = element.is_block || has_lines && ends_line(content);
        let is_last = ends_element(&self.text[close.end..]) || has_lines && begins_line(content);
        (element.close, element.is_block) = (close, is_first && is_last);
        if element.is_block {
            self.remove([span(element.open.start, close.end)], None);
        } else {
            self.remove([element.open, close], None);
        }
        self.elements.push(element);
    }
}

/// Whether nothing but a few other closing tags stands between a text and the end of its line.
fn ends_element(after: &str) -> bool {
    const TAGS_AT_MOST: usize = 32;
    let mut rest = after;
    for _ in 0..TAGS_AT_MOST {
        match tag(rest.trim_start_matches(SPACE)) {
            Some((_, length, true)) => rest = &rest.trim_start_matches(SPACE)[length..],
            _ => break,
        }
    }
    ends_line(rest)
}

const SPACE: [char; 3] = [' ', '\t', '\r'];

/// Whether what follows a text is the first thing on its line.
fn begins_line(before: &str) -> bool {
    let before = before.trim_end_matches(SPACE);
    before.is_empty() || before.ends_with('\n')
}

/// Whether what stands before a text is the last thing on its line.
fn ends_line(after: &str) -> bool {
    let after = after.trim_start_matches(SPACE);
    after.is_empty() || after.starts_with('\n')
}
