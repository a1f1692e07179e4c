//! Extracts the return from the text of a model. Nothing is repaired or guessed.
//!
//! A return is a whole object that is not part of anything else:
//!
//! * No bracket before it is open that may be JSON around it, whether it is closed later or not.
//! * It is not the end of a JSON text whose beginning is missing: no key and colon precede it at the
//!   start of a line, and no bracket or further member directly follows it.
//! * It is unambiguous: there is no other object with a status, at any depth, in JSON or in similar
//!   text. Only if no object has a status, a single object without one is accepted.
//! * It does not stand in a comment, an example or a quotation.
//!
//! Brackets in prose that are closed are harmless: `[1]`, `{x}`, `a[0]`. An open one may contain what
//! follows, unless it can start neither a list nor an object. In doubt, a bracket may be JSON and stays
//! open: a closing bracket in a string, or of the other kind, does not close it.
//!
//! A text that ends before its JSON is complete is truncated, even if it contains whole objects.

#[cfg(test)]
mod tests;

use std::cmp::max_by_key;
use std::iter::{once, zip};

use serde_json::Error;

use crate::document::clues::{
    closing_quotes, end_of_json, ends_early, has_a_member, has_own_status, has_status,
    is_left_open, is_no_bracket, is_quoted, key_before, length_of_value, may_be_json, offset,
    string_length,
};
use crate::text::Span;

/// The contents of a text that is not JSON.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Contents {
    /// No whole object.
    Nothing,
    /// One return, and the text around it.
    One { place: Span, wrapping: Wrapping },
    /// More than one return; the span of the second.
    Several { second: Span },
    /// Objects only inside other JSON, or similar text.
    Inside { place: Span },
    /// Objects only in a comment, an example or a quotation.
    Cited { place: Span },
    /// JSON that starts here and is truncated.
    Truncated { start: usize },
    /// JSON that starts here and becomes invalid.
    Broken { start: usize },
}

/// Scans `text` once from its start.
pub(crate) fn contents(text: &str) -> Contents {
    let scan = Scan {
        text,
        json: &text[..end_of_json(text)],
        ..Scan::default()
    };
    let (Ok(contents) | Err(contents)) = scan.run();
    contents
}

const THOUGHTS: [(&str, &str); 2] = [("<think>", "</think>"), ("<thinking>", "</thinking>")];

/// How elements begin and end that show something without saying it: comments, examples and quotations.
/// The name of a tag may go on, as in `<examples>`.
const CITATIONS: [(&str, &str); 7] = [
    ("<!--", "-->"),
    ("<example", "</example"),
    ("<sample", "</sample"),
    ("<quot", "</quot"),
    ("<blockquote", "</blockquote"),
    ("<q>", "</q>"),
    ("<cite", "</cite"),
];

/// What can matter outside of whole objects.
const MARKS: [char; 10] = ['<', '{', '[', '}', ']', '"', '\'', '“', '„', '‘'];

#[derive(Default)]
struct Scan<'t> {
    text: &'t str,
    /// The text up to the last byte where JSON can end.
    json: &'t str,
    found: FoundObject,
    thoughts: Vec<Span>,
    /// The end of the last comment, example or quotation.
    cited_until: usize,
    /// Ends of strings and of citations that the rest of the text does not have. It is searched once.
    missing: Vec<&'static str>,
    /// The start of the line that was looked at last, and how far it was looked at.
    line: usize,
    looked: usize,
}

/// What was found outside of think blocks.
#[derive(Default)]
struct FoundObject {
    /// The first two separate objects with a status.
    returns: Vec<Span>,
    /// The first two separate objects without a status.
    others: Vec<Span>,
    /// The last object inside other JSON.
    enclosed: Option<Span>,
    /// The last object that is only cited.
    cited: Option<Span>,
    /// The last object that is not a return, but has a status or contains an object with one.
    hidden: Option<Span>,
    /// The last group of brackets that has a status but is not JSON.
    draft: Option<Span>,
    /// Which of the open brackets are braces, innermost last.
    open: Vec<bool>,
    group: Option<Group>,
    /// The byte offset of the end of the last string in the group.
    string_end: usize,
}

/// The outermost open bracket that may be JSON, and those in it.
struct Group {
    start: usize,
    /// How many brackets are open around it.
    level: usize,
    /// Whether one of the brackets that may be JSON is or was a brace.
    has_brace: bool,
}

impl Scan<'_> {
    fn run(mut self) -> Result<Contents, Contents> {
        let mut at = 0;
        let next = |rest: &str| rest.char_indices().find(|(_, mark)| MARKS.contains(mark));
        while let Some((found, mark)) = next(&self.json[at..]) {
            at += found;
            at = match mark {
                '<' => self.tag(at),
                '{' => self.object(at)?,
                _ => self.mark(at, mark),
            };
        }
        Ok(self.contents())
    }

    /// Skips a think block. Returns the byte offset at which to continue.
    fn tag(&mut self, at: usize) -> usize {
        let rest = &self.json[at..];
        for (open, close) in THOUGHTS {
            if rest.starts_with(open) {
                let end = rest.find(close).map(|found| found + close.len());
                let thought = Span::new(at, end.unwrap_or(rest.len()));
                self.thoughts.push(thought);
                return thought.end;
            }
            if rest.starts_with(close) {
                // The opening tag was cut off: everything up to here is a thought, including objects.
                let end = at + close.len();
                self.thoughts = vec![Span { start: 0, end }];
                self.found = FoundObject::default();
                return end;
            }
        }
        self.citation(at);
        at + 1
    }

    /// Notes where a citation ends. One that is not closed is only mentioned, and so is a tag in code.
    fn citation(&mut self, at: usize) {
        let rest = &self.text[at..];
        let begins = |at: usize, tag: &str| {
            let start = rest.as_bytes().get(at..at + tag.len());
            start.is_some_and(|start| start.eq_ignore_ascii_case(tag.as_bytes()))
        };
        let Some((_, close)) = CITATIONS.iter().find(|(open, _)| begins(0, open)) else {
            return;
        };
        // Between backticks, without an object.
        let is_code = || {
            let next = rest.find(['`', '{']);
            self.text[..at].ends_with('`') && next.is_some_and(|next| rest[next..].starts_with('`'))
        };
        if at < self.cited_until || self.missing.contains(close) || is_code() {
            return;
        }
        match (0..rest.len()).find(|end| begins(*end, close)) {
            Some(end) => self.cited_until = at + end,
            None => self.missing.push(close),
        }
    }

    /// Handles the brace at `at`. Returns the byte offset at which to continue, or why no return can be
    /// found.
    fn object(&mut self, at: usize) -> Result<usize, Contents> {
        let rest = &self.json[at..];
        match length_of_value(rest) {
            Ok(length) => self.whole(Span::new(at, length)),
            Err(_) if is_quoted(self.text, at) => Ok(self.mark(at, '{')),
            // A brace in prose is not followed by a key and a colon.
            Err(error) if error.is_eof() || has_a_member(rest) => Err(self.broken(at, &error)),
            Err(_) => Ok(self.mark(at, '{')),
        }
    }

    /// The end of a broken object is unknown, so everything that follows may be a part of it.
    fn broken(&self, at: usize, error: &Error) -> Contents {
        let rest = &self.json[at..];
        if ends_early(rest) || is_left_open(&rest[offset(rest, error)..]) {
            let start = self.found.group.as_ref().map_or(at, |group| group.start);
            return Contents::Truncated { start };
        }
        Contents::Broken { start: at }
    }

    fn whole(&mut self, place: Span) -> Result<usize, Contents> {
        let is_cited = self.is_cited(place.start);
        let is_alone = !is_cited && self.found.group.is_none();
        if is_alone && let Some(start) = self.rest_begins(place) {
            return Err(Contents::Broken { start });
        }
        let has_own = has_own_status(&self.text[place.start..place.end]);
        let found = &mut self.found;
        if is_alone {
            let alike = match has_own {
                Some(true) => &mut found.returns,
                _ => &mut found.others,
            };
            alike.push(place);
            alike.truncate(2);
        } else if is_cited {
            found.cited = Some(place);
        } else {
            found.enclosed = Some(place);
        }
        if has_own.is_some_and(|is_own| !is_alone || !is_own) {
            found.hidden = Some(place);
        }
        Ok(place.end)
    }

    /// Whether the object at `at` is in a citation, or in a line that Markdown quotes.
    fn is_cited(&mut self, at: usize) -> bool {
        if let Some(end) = self.text[self.looked..at].rfind('\n') {
            self.line = self.looked + end + 1;
        }
        self.looked = at;
        let line = self.text[self.line..].trim_start_matches([' ', '\t']);
        at < self.cited_until || line.starts_with('>')
    }

    /// Whether the object is part of a JSON text whose beginning is missing. Returns the byte offset at
    /// which the rest of that text starts.
    fn rest_begins(&self, place: Span) -> Option<usize> {
        let after = self.json[place.end..].trim_start();
        let goes_on =
            || after.starts_with(['}', ']']) || (after.starts_with(',') && has_a_member(after));
        key_before(&self.text[..place.start])
            .or_else(|| (self.found.open.is_empty() && goes_on()).then_some(place.start))
    }

    /// Notes a bracket or a quote that starts no whole object. Returns the byte offset after it.
    fn mark(&mut self, at: usize, mark: char) -> usize {
        let is_noted = at >= self.found.string_end;
        if is_noted && !(mark.is_ascii() && is_no_bracket(self.text, at)) {
            match mark {
                '{' | '[' => self.open(at, mark == '{'),
                '}' | ']' => self.close(at, mark == '}'),
                quote => self.string(at, quote),
            }
        }
        at + mark.len_utf8()
    }

    fn open(&mut self, at: usize, is_brace: bool) {
        if may_be_json(self.text, at) {
            let group = self.found.group.get_or_insert(Group {
                start: at,
                level: self.found.open.len(),
                has_brace: false,
            });
            group.has_brace |= is_brace;
        }
        self.found.open.push(is_brace);
    }

    fn close(&mut self, at: usize, is_brace: bool) {
        let found = &mut self.found;
        if found.open.pop_if(|last| *last == is_brace).is_some()
            && let Some(group) = found.group.take_if(|it| it.level == found.open.len())
            && group.has_brace
            && has_status(&self.text[group.start..=at])
        {
            found.draft = Some(Span {
                start: group.start,
                end: at + 1,
            });
        }
    }

    /// Notes where a string in a group ends. A quote after a letter is an apostrophe.
    fn string(&mut self, at: usize, quote: char) {
        let closing = closing_quotes(quote);
        let is_apostrophe = self.text[..at].ends_with(char::is_alphanumeric);
        if self.found.group.is_none() || is_apostrophe || self.missing.contains(&closing) {
            return;
        }
        let start = at + quote.len_utf8();
        match string_length(&self.text[start..], closing) {
            Some(length) => self.found.string_end = start + length,
            None => self.missing.push(closing),
        }
    }

    fn contents(self) -> Contents {
        if let Some(contents) = self.left_open() {
            return contents;
        }
        let found = self.found;
        let (place, second) = match (&*found.returns, &*found.others) {
            ([first, more @ ..], _) => {
                let other = more.first().copied().or(found.hidden).or(found.draft);
                let later = |other| max_by_key(*first, other, |it| it.start);
                (*first, other.map(later))
            }
            ([], [first, more @ ..]) => {
                let inside = found.enclosed.or(found.cited).or(found.draft);
                (*first, more.first().copied().or(inside))
            }
            ([], []) => {
                let inside = found.enclosed.map(|place| Contents::Inside { place });
                let cited = found.cited.map(|place| Contents::Cited { place });
                let broken = found.draft.map(|it| Contents::Broken { start: it.start });
                return inside.or(cited).or(broken).unwrap_or(Contents::Nothing);
            }
        };
        match second {
            Some(second) => Contents::Several { second },
            None => Contents::One {
                place,
                wrapping: Wrapping::of(self.text, place, &self.thoughts),
            },
        }
    }

    /// The meaning of a bracket that is never closed and may be JSON. An empty one is prose.
    fn left_open(&self) -> Option<Contents> {
        let start = self.found.group.as_ref()?.start;
        let rest = &self.json[start..];
        if !rest[1..].trim_start().is_empty() && ends_early(rest) {
            return Some(Contents::Truncated { start });
        }
        let holds_objects = self.found.enclosed.is_some_and(|place| place.start > start);
        holds_objects.then_some(Contents::Broken { start })
    }
}

/// Which kinds of text are around a return: a fence, think blocks and prose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Wrapping([bool; 3]);

impl Wrapping {
    /// The kinds for a message.
    pub(crate) fn name(self) -> String {
        let kinds = ["a Markdown fence", "a think block", "prose"];
        let there = zip(kinds, self.0).filter(|(_, is_there)| *is_there);
        let named: Vec<_> = there.map(|(kind, _)| kind).collect();
        named.join(" and ")
    }

    /// Looks at the text around a return.
    pub(crate) fn of(text: &str, place: Span, thoughts: &[Span]) -> Self {
        /// The white space of JSON; anything else around a return is prose.
        const WHITE: [char; 4] = [' ', '\n', '\r', '\t'];
        let before = text[..place.start].trim_end_matches(WHITE);
        let after = text[place.end..].trim_start_matches(WHITE);
        let line = before.rsplit('\n').next().unwrap_or(before).trim_start();
        let is_mark = |mark: &&str| line.starts_with(mark) && after.starts_with(mark);
        let mark = ["```", "~~~"].into_iter().find(is_mark);
        let (opening, closing) = mark.map_or((0, 0), |mark| (line.len(), mark.len()));
        let fenced = Span {
            start: before.len() - opening,
            end: text.len() - after.len() + closing,
        };
        let is_apart = |it: &&Span| it.end <= fenced.start || fenced.end <= it.start;
        let mut parts: Vec<_> = thoughts.iter().filter(is_apart).collect();
        parts.push(&fenced);
        parts.sort_by_key(|it| it.start);
        let ends = once(0).chain(parts.iter().map(|it| it.end));
        let starts = parts.iter().map(|it| it.start).chain([text.len()]);
        let mut between = zip(ends, starts).map(|(start, end)| &text[start..end]);
        let has_prose = between.any(|it| !it.trim_matches(WHITE).is_empty());
        Self([mark.is_some(), !thoughts.is_empty(), has_prose])
    }
}
