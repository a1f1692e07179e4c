//! Finds the tags and the fenced code of a text, line by line: in tags, code may be deeper than Markdown
//! has it.

use std::collections::HashMap;
use std::ops::Range;

use memchr::{memchr, memmem};
use pulldown_cmark::{Event, Parser};

use super::PIECE;
use super::span;
use crate::document::error::FormError;
use crate::text::Span;

/// The most bytes of a tag's name, and of its attributes.
const TAG_BYTES: usize = 256;

/// How deep tags may be nested.
const DEPTH_AT_MOST: usize = 24;

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

/// A line that opens fenced code, or may close it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fence<'t> {
    mark: char,
    count: usize,
    /// What follows the mark.
    info: &'t str,
}

impl<'t> Fence<'t> {
    /// The first word after the mark.
    pub(super) fn word(&self) -> &'t str {
        self.info.split_whitespace().next().unwrap_or_default()
    }

    pub(super) fn is_closed_by(&self, line: &str) -> bool {
        fence(line)
            .is_some_and(|it| it.mark == self.mark && it.count >= self.count && it.info.is_empty())
    }
}

/// The fence that a line is.
pub(crate) fn fence(line: &str) -> Option<Fence<'_>> {
    let line = line.trim().trim_start_matches(['-', '*', '+', '>', ' ']);
    let mark = line.chars().next().filter(|it| "`~".contains(*it))?;
    let info = line.trim_start_matches(mark);
    let count = line.len() - info.len();
    let is_fence = count >= 3 && !(mark == '`' && info.contains('`'));
    is_fence.then_some(Fence { mark, count, info })
}

/// Closed fenced code: the first word after its opening fence, its content, and the end of its closing fence.
pub(in crate::document) type FencedCode<'t> = (&'t str, Span, usize);

/// A tag that opens or closes something.
#[derive(Debug, Clone, Copy)]
struct FoundTag<'t> {
    name: &'t str,
    span: Span,
    closes: bool,
}

/// Goes over a text from `start` on. Returns the fenced code, and hands over the tags outside of code and
/// comments, matched or not, and whether each begins its line.
fn scan<'t>(
    text: &'t str,
    start: usize,
    mut hand_over: impl FnMut(FoundTag<'t>, bool),
) -> Vec<FencedCode<'t>> {
    let bytes = text.as_bytes();
    let mut all = Vec::new();
    let mut open: Option<(Fence<'_>, usize)> = None;
    let mut has_comment_end = true;
    // All before `at` is read. That may be more than the lines so far, because of a comment.
    let (mut at, mut end) = (start, start);
    for line in text[start..].split_inclusive('\n') {
        let line_start = end;
        end += line.len();
        if at <= line_start {
            at = end;
            match open {
                Some((fence, content)) if fence.is_closed_by(line) => {
                    let close = line_start + line.trim_end().len();
                    all.push((fence.word(), span(content, line_start), close));
                    open = None;
                    continue;
                }
                Some(_) => continue,
                None => open = fence(line).map(|it| (it, end)),
            }
            if open.is_some() {
                continue;
            }
            at = line_start;
        }
        let mut code = None;
        while at < end
            && let Some(next) = memchr(b'<', &bytes[at..end]).map(|it| at + it)
        {
            let code = code.get_or_insert_with(|| code_spans(&text[at..end], end));
            let span = code.partition_point(|it| it.end <= next);
            if let Some(span) = code.get(span).filter(|it| it.start < next) {
                at = span.end;
            } else if text[next..].starts_with("<!--") {
                at = next + "<!--".len();
                let find = || memmem::find(&bytes[at..], b"-->");
                let comment = has_comment_end.then(find).flatten();
                has_comment_end = comment.is_some();
                at += comment.unwrap_or_default();
            } else if let Some(tag) = tag(&text[next..end], next) {
                at = tag.span.end;
                hand_over(tag, text[line_start..next].trim().is_empty());
            } else {
                at = next + 1;
            }
        }
        at = at.max(end);
    }
    all
}

/// The fenced code of a text. A byte-order mark at its beginning is no part of a line.
pub(in crate::document) fn fences(text: &str) -> Vec<FencedCode<'_>> {
    let mark = text.chars().next().filter(|it| *it == '\u{feff}');
    scan(text, mark.map_or(0, char::len_utf8), |_, _| ())
}

/// The code spans of a line, or of its rest, that ends at `end`. A very long one has none.
fn code_spans(line: &str, end: usize) -> Vec<Range<usize>> {
    let line = line.trim_start();
    if line.len() > PIECE || !line.contains('`') {
        return Vec::new();
    }
    // Nothing in it is HTML, of which code would be a part.
    let line = line.replace('<', "(");
    let start = end - line.len();
    let events = Parser::new(&line).into_offset_iter();
    let code = events.filter(|(event, _)| matches!(event, Event::Code(_)));
    code.map(|(_, it)| start + it.start..start + it.end)
        .collect()
}

/// The tag at the beginning of a text, which stands at `at`. One that closes itself is none.
fn tag(text: &str, at: usize) -> Option<FoundTag<'_>> {
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
        && !attributes.contains(['<', '\n']);
    is_tag.then(|| FoundTag {
        name,
        span: Span::new(at, text.len() - rest.len() + end + 1),
        closes,
    })
}

/// A tag with its content.
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

/// The tags of a text, in the order in which they open.
#[derive(Debug, Default)]
pub(in crate::document) struct Elements<'t> {
    pub(in crate::document) all: Vec<Element<'t>>,
    /// HTML elements at the beginning of their line, which only format what follows.
    pub(super) html: Vec<Span>,
}

/// Finds the tags in `text` from `start` on. `named` are the HTML elements that count.
pub(in crate::document) fn elements<'t>(
    text: &'t str,
    start: usize,
    named: &[&str],
) -> Result<Elements<'t>, FormError> {
    let mut found = Elements::default();
    let mut open: Vec<(&str, Span)> = Vec::new();
    let mut counts: HashMap<&str, usize> = HashMap::new();
    let mut before = "";
    scan(text, start, |tag, is_first| {
        let is = |name: &str| tag.name.eq_ignore_ascii_case(name);
        // What can be folded has a summary of its own, which is none of the return.
        let is_of_details = before.eq_ignore_ascii_case("details") && is("summary");
        before = if tag.closes { "" } else { tag.name };
        let is_named = !is_of_details && named.iter().any(|it| is(it));
        if !is_named && HTML.split(' ').any(is) {
            found.html.extend(is_first.then_some(tag.span));
            return;
        }
        let count = counts.entry(tag.name).or_default();
        if !tag.closes {
            *count += 1;
            open.push((tag.name, tag.span));
            return;
        }
        let mut is_open = *count > 0;
        while is_open && let Some((name, span)) = open.pop() {
            *counts.entry(name).or_default() -= 1;
            if name == tag.name {
                is_open = false;
                found.all.push(Element {
                    name,
                    open: span,
                    close: tag.span,
                    is_block: false,
                });
            }
        }
    });
    found.all.sort_unstable_by_key(|it| it.open.start);
    find_blocks(text, start, &mut found.all)?;
    Ok(found)
}

/// Tells which tags stand on lines of their own. Inside of one that does not, none does.
fn find_blocks(text: &str, start: usize, all: &mut [Element<'_>]) -> Result<(), FormError> {
    let mut parents: Vec<Element<'_>> = Vec::new();
    // The ends of what stands before and after a tag on other lines than its own.
    let mut before = start;
    for at in 0..all.len() {
        let mut element = all[at];
        while let Some(parent) = parents.pop_if(|it| it.close.end <= element.open.start) {
            if parent.is_block {
                before = parent.close.end;
            }
        }
        if parents.len() == DEPTH_AT_MOST {
            let what = format!("has tags nested deeper than {DEPTH_AT_MOST} levels");
            return Err(FormError::limit(what, element.open));
        }
        let parent = parents.last();
        let end = parent.map_or(text.len(), |it| it.close.start);
        let next = all.get(at + 1).map(|it| it.open.start);
        let next = next.filter(|it| *it >= element.close.end);
        let after = next.map_or(end, |it| it.min(end));
        let is_outside = parent.is_none_or(|it| it.is_block);
        element.is_block = is_outside && has_own_lines(text, before, element, after);
        if element.is_block {
            before = element.open.end;
        }
        all[at] = element;
        parents.push(element);
    }
    Ok(())
}

/// Whether the opening tag begins or ends its line, and the closing one, too.
fn has_own_lines(text: &str, before: usize, element: Element<'_>, after: usize) -> bool {
    const SPACE: [char; 3] = [' ', '\t', '\r'];
    let begins = |text: &str| {
        let space = text.trim_end_matches(SPACE);
        space.is_empty() || space.ends_with('\n')
    };
    let ends = |text: &str| {
        let space = text.trim_start_matches(SPACE);
        space.is_empty() || space.starts_with('\n')
    };
    let Element { open, close, .. } = element;
    let content = &text[open.end..close.start];
    let is_first = begins(&text[before.min(open.start)..open.start]);
    let is_last = ends(&text[close.end..after.max(close.end)]);
    if !content.contains('\n') {
        return is_first && is_last;
    }
    (is_first || ends(content)) && (is_last || begins(content))
}
