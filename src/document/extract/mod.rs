//! Extracts the return from the text of a model. Nothing is repaired or guessed.
//!
//! A candidate is an object (a list, where the standard is one) that is the whole content of closed fenced code, or
//! that stands in prose. What is in other fenced code, in a code span or in a think block is no candidate; a code span
//! around the whole message is only a mark. Candidates with a value at the place of the status, at any depth, come
//! before all others. There must be one such candidate, it must be whole, and it must not stand in other JSON, a
//! comment or a quotation.
//!
//! JSON in prose that ends before it is complete may be the return, and whole objects in it are none.

#[cfg(test)]
mod tests;

use std::borrow::Cow;

use serde::de::IgnoredAny;
use serde_json::{Deserializer, Error};

use crate::document::json::read;
use crate::document::lookup::find_below;
use crate::document::pointer::PointerStep;
use crate::document::text::fences::{FencedCode, fence, line_end};
use crate::document::text::scan::code_span;
use crate::document::text::trimmed;
use crate::text::Span;

/// The contents of a text that is not JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Contents {
    /// No whole object.
    Nothing,
    /// One return, and the text around it.
    One { place: Span, wrapping: Wrapping },
    /// More than one return; the span of the second.
    Several { second: Span },
    /// An object only inside other JSON, a comment or a quotation.
    Inside { place: Span },
    /// JSON that starts here and is truncated.
    Truncated { start: usize },
    /// JSON that starts here and becomes invalid.
    Broken { start: usize },
}

/// What the JSON value of a return is, as far as its standard says.
#[derive(Debug, Clone)]
pub(crate) struct ReturnShape<'p> {
    /// Whether it is a list, and no object.
    pub(crate) is_list: bool,
    /// The ways to its status.
    pub(crate) status: Vec<&'p [PointerStep]>,
}

impl Default for ReturnShape<'_> {
    /// That of the built-in formats.
    fn default() -> Self {
        const STATUS: &[PointerStep] = &[PointerStep::Name(Cow::Borrowed("status"))];
        Self { is_list: false, status: vec![STATUS] }
    }
}

/// Looks at `text` once from its start.
pub(crate) fn contents(text: &str, shape: &ReturnShape<'_>) -> Contents {
    let mut search = ReturnSearch {
        text,
        shape,
        json: &text[..end_of_json(text)],
        returns: Vec::new(),
        others: Vec::new(),
        thoughts: Vec::new(),
        has_thought_end: [true; 2],
        comment_end: Some(0),
        is_quoted: false,
    };
    search.run().unwrap_or_else(|| search.contents())
}

/// What think blocks stand between.
pub(crate) const THOUGHTS: [(&str, &str); 2] =
    [("<think>", "</think>"), ("<thinking>", "</thinking>")];

struct ReturnSearch<'t, 'p> {
    text: &'t str,
    shape: &'p ReturnShape<'p>,
    /// The text up to the last byte where JSON can end.
    json: &'t str,
    /// The first two candidates with a status, and without one.
    returns: Vec<FoundReturn>,
    others: Vec<FoundReturn>,
    thoughts: Vec<Span>,
    /// Whether one of each kind may end behind this.
    has_thought_end: [bool; 2],
    /// The end of the last comment. None if no other one ends.
    comment_end: Option<usize>,
    is_quoted: bool,
}

#[derive(Clone, Copy)]
struct FoundReturn {
    place: Span,
    /// The fenced code around it, or its own place.
    outer: Span,
    /// Why it is no return, if it is none.
    fault: Option<Contents>,
}

impl ReturnSearch<'_, '_> {
    /// Looks for candidates. Returns why none can be found.
    fn run(&mut self) -> Option<Contents> {
        let (mut at, mut end) = (0, 0);
        // How far fenced code goes, and a list that cannot be read.
        let (mut fence_end, mut list_end) = (0, 0);
        let whole = self.text.trim();
        while at < self.json.len() {
            if at == 0 || self.json[..at].ends_with('\n') {
                let line = self.json[at..].trim_start_matches([' ', '\t']);
                self.is_quoted = line.starts_with('>');
                if at >= fence_end
                    && let Some(fence) = fence(self.text, at)
                {
                    fence_end = fence.place.end;
                    if fence.is_closed {
                        self.fenced(&fence);
                        at = fence_end;
                        continue;
                    }
                }
            }
            let is_special = |it: char| "\n`<{[".contains(it);
            at += self.json[at..].find(is_special)?;
            if at >= end {
                end = line_end(self.text, at);
            }
            let rest = &self.json[at..];
            at = match rest.as_bytes()[0] {
                b'`' => {
                    let (ticks, length) = code_span(&self.text[at..end]);
                    // Around the whole message, it is only a mark.
                    let length = length.filter(|it| whole != &self.text[at..at + it]);
                    at + length.unwrap_or(ticks)
                }
                b'<' => self.tag(at),
                b'[' if at < list_end => at + 1,
                b'{' | b'[' => match length_of_value(rest) {
                    Ok(length) => {
                        let place = Span::new(at, length);
                        let is_inside = goes_on(&self.json[place.end..]) || self.is_quoted;
                        let fault = is_inside.then_some(Contents::Inside { place });
                        self.add(place, place, fault);
                        place.end
                    }
                    Err(error) if self.is_json(at, &error) => {
                        return Some(broken(self.json, at, &error));
                    }
                    Err(error) => {
                        if rest.starts_with('[') {
                            list_end = at + offset(rest, &error);
                        }
                        at + 1
                    }
                },
                _ => at + 1,
            };
        }
        None
    }

    /// Skips a think block, and notes where a comment ends. Returns the byte at which to go on.
    fn tag(&mut self, at: usize) -> usize {
        let rest = &self.json[at..];
        if self.comment_end.is_some_and(|it| at >= it) && rest.starts_with("<!--") {
            // One that is not closed is only mentioned.
            self.comment_end = rest.find("-->").map(|it| at + it);
        }
        for (kind, (open, close)) in THOUGHTS.into_iter().enumerate() {
            if rest.starts_with(open) {
                let find = || Some(rest.find(close)? + close.len());
                let end = self.has_thought_end[kind].then(find).flatten();
                self.has_thought_end[kind] = end.is_some();
                let before = self.json[..at].trim_end_matches([' ', '\t']);
                if end.is_none() && !(before.is_empty() || before.ends_with('\n')) {
                    // One that is not closed and does not begin its line is only mentioned.
                    return at + 1;
                }
                let thought = Span::new(at, end.unwrap_or(rest.len()));
                self.thoughts.push(thought);
                return thought.end;
            }
            if rest.starts_with(close) {
                // The opening tag was cut off: everything up to here is a thought.
                let end = at + close.len();
                self.thoughts = vec![Span { start: 0, end }];
                (self.returns, self.others) = Default::default();
                return end;
            }
        }
        at + 1
    }

    fn fenced(&mut self, code: &FencedCode) {
        let place = trimmed(self.text, code.content);
        let inner = &self.text[place.start..place.end];
        if !inner.starts_with(['{', '[']) {
            return;
        }
        let Err(error) = serde_json::from_str::<IgnoredAny>(inner) else {
            return self.add(place, code.place, None);
        };
        // Other text behind JSON makes it no return. A line of a log begins with a bracket, too.
        let is_json = inner.starts_with('{')
            || has_object(&inner[..offset(inner, &error)])
            || self.has_status(inner);
        if is_json && !length_of_value(inner).is_ok_and(|it| !goes_on(&inner[it..])) {
            let fault = broken(&self.text[..place.end], place.start, &error);
            self.add(place, code.place, Some(fault));
        }
    }

    /// Whether the bracket at a byte begins JSON that cannot be read. One in quotes is only mentioned.
    fn is_json(&self, at: usize, error: &Error) -> bool {
        let (before, rest) = self.json.split_at(at);
        let is_quoted = |it: char| before.ends_with(it) && rest[1..].starts_with(it);
        let is_cut = error.is_eof() && rest != "[" && !['"', '\''].into_iter().any(is_quoted);
        let has_object = || has_object(&rest[..offset(rest, error)]);
        is_cut || has_a_member(rest) || rest.starts_with('[') && has_object()
    }

    fn add(&mut self, place: Span, outer: Span, fault: Option<Contents>) {
        let value = &self.text[place.start..place.end];
        let is_list = value.starts_with('[');
        let is_whole = matches!(fault, None | Some(Contents::Inside { .. }));
        let may_be = if self.shape.is_list {
            // A reference such as [1] is a list, too.
            is_list && (!is_whole || value == "[]" || value.contains(['{', '"']))
        } else {
            value.contains('{') && (is_whole || !is_list)
        };
        let alike = match self.has_status(value) {
            true => &mut self.returns,
            false if may_be => &mut self.others,
            false => return,
        };
        let is_comment = self.comment_end.is_some_and(|it| place.start < it);
        let is_inside = is_comment || is_list != self.shape.is_list;
        let fault = fault.or(is_inside.then_some(Contents::Inside { place }));
        if alike.len() < 2 {
            alike.push(FoundReturn { place, outer, fault });
        }
    }

    /// Whether something stands where a return has its status, even if the value cannot be read.
    fn has_status(&self, value: &str) -> bool {
        let mut ways = self.shape.status.iter();
        if let Ok(tree) = read(value) {
            let is_at = |way| tree.values().any(|it| !find_below(it, way).is_empty());
            return ways.any(|way| is_at(way));
        }
        ways.any(|way| {
            let Some(PointerStep::Name(name)) = way.last() else {
                return false;
            };
            let key = format!("\"{name}\"");
            let mut behind = value.split(&key).skip(1);
            behind.any(|it| it.trim_start().starts_with(':'))
        })
    }

    fn contents(&self) -> Contents {
        match (&*self.returns, &*self.others) {
            ([_, second], _) | ([], [_, second]) => Contents::Several { second: second.place },
            ([one], _) | ([], [one]) => one.fault.unwrap_or_else(|| Contents::One {
                place: one.place,
                wrapping: Wrapping::of(self.text, one, &self.thoughts),
            }),
            _ => Contents::Nothing,
        }
    }
}

/// The contents of a text with JSON that cannot be read. Where that ends is unknown: all that follows may be a part.
fn broken(json: &str, start: usize, error: &Error) -> Contents {
    let rest = &json[start..];
    if ends_early(rest) || is_left_open(&rest[offset(rest, error)..]) {
        return Contents::Truncated { start };
    }
    Contents::Broken { start }
}

/// Which kinds of text are around a return: a fence, think blocks and prose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Wrapping([bool; 3]);

impl Wrapping {
    /// Nothing but a fence.
    pub(crate) const FENCE: Self = Self([true, false, false]);

    /// The kinds for a message.
    pub(crate) fn name(self) -> String {
        let kinds = ["a Markdown fence", "a think block", "prose"];
        let there = kinds.into_iter().zip(self.0);
        let named: Vec<_> = there.filter_map(|(kind, is)| is.then_some(kind)).collect();
        named.join(" and ")
    }

    fn of(text: &str, found: &FoundReturn, thoughts: &[Span]) -> Self {
        let mut parts = thoughts.to_vec();
        parts.push(found.outer);
        parts.sort_by_key(|it| it.start);
        let ends = [0].into_iter().chain(parts.iter().map(|it| it.end));
        let starts = parts.iter().map(|it| it.start).chain([text.len()]);
        let mut between = ends.zip(starts).filter_map(|(from, to)| text.get(from..to));
        // The white space of JSON; anything else around a return is prose.
        let has_prose = between.any(|it| !it.trim_matches([' ', '\n', '\r', '\t']).is_empty());
        Self([found.outer != found.place, !thoughts.is_empty(), has_prose])
    }
}

/// The byte offset of a parser error, at the first byte of a character.
pub(crate) fn offset(text: &str, error: &Error) -> usize {
    let lines = text.split_inclusive('\n').take(error.line().saturating_sub(1));
    let line_start: usize = lines.map(str::len).sum();
    text.floor_char_boundary(line_start + error.column().saturating_sub(1))
}

/// The length of the JSON value at the start of `text`, whatever follows it.
pub(crate) fn length_of_value(text: &str) -> Result<usize, Error> {
    let mut values = Deserializer::from_str(text).into_iter::<IgnoredAny>();
    values.next().transpose()?;
    Ok(values.byte_offset())
}

/// The byte offset of the end of the JSON in `text`: before white space, the zero bytes that fill up a
/// file, a closing fence and closing tags. Each of these may follow truncated JSON, even if it was cut
/// off inside a string. Before the end of a think block there is only a thought.
pub(crate) fn end_of_json(text: &str) -> usize {
    let is_name = |letter: char| letter.is_ascii_alphanumeric() || "-_:".contains(letter);
    let mut json = text;
    loop {
        json = json.trim_end_matches(|it: char| it.is_whitespace() || "\0`~".contains(it));
        let tag = json.strip_suffix('>').and_then(|it| it.rsplit_once("</"));
        match tag {
            Some((before, name)) if !name.starts_with("think") && name.chars().all(is_name) => {
                json = before;
            }
            _ => return json.len(),
        }
    }
}

/// Whether `json` ends before its value does.
pub(crate) fn ends_early(json: &str) -> bool {
    let error = |json| serde_json::from_str::<IgnoredAny>(json).err();
    error(json).is_some_and(|found| {
        // The parser reports an incomplete number at the end as an invalid one.
        let is_number = || found.to_string().starts_with("invalid number");
        let before = || json.trim_end_matches(['-', '+', '.', 'e', 'E']);
        found.is_eof() || (is_number() && error(before()).is_some_and(|error| error.is_eof()))
    })
}

/// Whether the rest of a JSON text closes no bracket: it was truncated, and other text follows.
pub(crate) fn is_left_open(rest: &str) -> bool {
    !rest.contains(['}', ']'])
}

/// Whether JSON around a value goes on behind it.
fn goes_on(after: &str) -> bool {
    let after = after.trim_start();
    let next = after.strip_prefix(',').map(str::trim_start);
    after.starts_with(['}', ']']) || next.is_some_and(|it| it.starts_with(['{', '[', '"']))
}

/// Whether there is an object with a member in the beginning of a JSON text.
fn has_object(json: &str) -> bool {
    let (mut is_string, mut is_escaped) = (false, false);
    json.bytes().enumerate().any(|(at, it)| {
        is_string ^= it == b'"' && !is_escaped;
        is_escaped = !is_escaped && it == b'\\';
        it == b'{' && !is_string && json[at + 1..].trim_start().starts_with('"')
    })
}

/// Whether a text begins with a brace that is followed by a key and a colon, as in an object.
fn has_a_member(rest: &str) -> bool {
    let inner = rest.strip_prefix('{').unwrap_or_default().trim_start();
    let is_key = |length: usize| inner[length..].trim_start().starts_with(':');
    inner.starts_with('"') && length_of_value(inner).is_ok_and(is_key)
}
