//! Finds the tags of a text: `<name>…</name>` outside of code.

use std::collections::HashMap;

use memchr::memchr;

use super::html;
use super::scan::{FoundTag, Scanner};
use crate::form::error::FormError;
use crate::text::Span;

/// How deep tags may be nested.
const DEPTH_AT_MOST: usize = 24;

/// A tag with its content.
#[derive(Debug, Clone, Copy)]
pub(in crate::form) struct Element<'t> {
    pub(in crate::form) name: &'t str,
    pub(in crate::form) open: Span,
    pub(in crate::form) close: Span,
    /// Whether its content stands on lines of its own. Otherwise it is part of the text around it.
    pub(super) is_block: bool,
    depth: usize,
}

/// The tags of a text, in the order in which they open.
#[derive(Debug, Default)]
pub(in crate::form) struct Elements<'t> {
    pub(in crate::form) all: Vec<Element<'t>>,
    /// HTML elements at the beginning of their line, which only format what follows.
    pub(super) html: Vec<Span>,
}

/// Finds the tags in `text` from `start` on. `named` are the HTML elements that count.
pub(in crate::form) fn elements<'t>(
    text: &'t str,
    start: usize,
    named: &[&str],
) -> Result<Elements<'t>, FormError> {
    let mut found = Elements::default();
    if memchr(b'<', &text.as_bytes()[start..]).is_none() {
        return Ok(found);
    }
    let mut open: Vec<(FoundTag<'t>, usize)> = Vec::new();
    let mut counts: HashMap<&str, usize> = HashMap::new();
    let mut before = "";
    for tag in Scanner::new(text, start) {
        let is = |name: &str| tag.name.eq_ignore_ascii_case(name);
        // What can be folded has a summary of its own, which is none of the return.
        let is_of_details = before.eq_ignore_ascii_case("details") && is("summary");
        before = if tag.closes { "" } else { tag.name };
        if html::is_element(tag.name) && (is_of_details || !named.iter().any(|it| is(it))) {
            if tag.is_first {
                found.html.push(tag.span);
            }
            continue;
        }
        if !tag.closes {
            *counts.entry(tag.name).or_default() += 1;
            open.push((tag, found.all.len()));
            continue;
        }
        if counts.get(tag.name).is_none_or(|count| *count == 0) {
            continue;
        }
        while let Some((opened, _)) = open.pop() {
            *counts.entry(opened.name).or_default() -= 1;
            if opened.name == tag.name {
                found.all.push(Element {
                    name: opened.name,
                    open: opened.span,
                    close: tag.span,
                    is_block: false,
                    depth: 0,
                });
                break;
            }
        }
    }
    found.all.sort_unstable_by_key(|it| it.open.start);
    nest(text, start, &mut found.all)?;
    Ok(found)
}

/// Tells the depth of each tag, and which stand on lines of their own.
fn nest(text: &str, start: usize, all: &mut [Element<'_>]) -> Result<(), FormError> {
    let mut parents: Vec<Element<'_>> = Vec::new();
    let mut before = start;
    for at in 0..all.len() {
        let mut element = all[at];
        while let Some(parent) = parents.pop_if(|it| it.close.end <= element.open.start) {
            if parent.is_block {
                before = parent.close.end;
            }
        }
        let parent = parents.last();
        if parents.len() == DEPTH_AT_MOST {
            let what = format!("has tags nested deeper than {DEPTH_AT_MOST} levels");
            return Err(FormError::limit(what, element.open));
        }
        let next = all.get(at + 1).map(|it| it.open.start);
        let next = next.filter(|next| *next >= element.close.end);
        let after = parent.map_or(text.len(), |it| it.close.start);
        let after = next.map_or(after, |next| next.min(after));
        element.is_block =
            parent.is_none_or(|it| it.is_block) && has_own_lines(text, before, element, after);
        element.depth = parents.len();
        all[at] = element;
        if element.is_block {
            before = element.open.end;
        }
        parents.push(element);
    }
    Ok(())
}

/// Whether the opening tag begins or ends its line, and the closing one, too. `before` and `after` are
/// the ends of what stands before and after it on other lines than its own.
fn has_own_lines(text: &str, before: usize, element: Element<'_>, after: usize) -> bool {
    let blank_before = |at: usize, from: usize| {
        let space = text[from.min(at)..at].trim_end_matches([' ', '\t', '\r']);
        space.is_empty() || space.ends_with('\n')
    };
    let blank_after = |at: usize, to: usize| {
        let space = text[at..to.max(at)].trim_start_matches([' ', '\t', '\r']);
        space.is_empty() || space.starts_with('\n')
    };
    let Element { open, close, .. } = element;
    let is_first = blank_before(open.start, before);
    let is_last = blank_after(close.end, after);
    let content = &text[open.end..close.start];
    if !content.contains('\n') {
        return is_first && is_last;
    }
    (is_first || blank_after(open.end, close.start))
        && (is_last || blank_before(close.start, open.end))
}
