//! Extracts the return from the text of a model. Nothing is repaired or guessed.
//!
//! A return is a whole object that is not part of anything else:
//!
//! * No bracket before it is open that may be JSON around it, whether it is closed later or not
//!   (see [`crate::json::extract::brackets`]).
//! * It is not the end of a JSON text whose beginning is missing: no key and colon precede it at the
//!   start of a line, and no bracket or further member directly follows it.
//! * It is unambiguous: there is no other object with a status, at any depth, in JSON or in similar
//!   text. Only if no object has a status, a single object without one is accepted.
//! * It does not stand in a comment, an example or a quotation (see [`crate::json::extract::cited`]).
//!
//! A text that ends before its JSON is complete is truncated, even if it contains whole objects.

mod brackets;
mod candidate;
mod cited;
#[cfg(test)]
mod tests;
pub(crate) mod wrapping;

use serde::de::IgnoredAny;
use serde_json::Error;

use crate::json::error_offset::offset;
use crate::json::extract::brackets::{Brackets, is_quoted};
use crate::json::extract::candidate::{ObjectKind, classify, has_status};
use crate::json::extract::cited::Cited;
use crate::json::extract::wrapping::{Wrapping, wrapping};
use crate::json::truncation::{end_of_json, ends_early, is_left_open};
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
    let mut scan = Scan {
        text,
        json: &text[..end_of_json(text)],
        brackets: Brackets::default(),
        cited: Cited::default(),
        seen: Seen::default(),
        thoughts: Vec::new(),
    };
    match scan.run() {
        Ok(()) => scan.contents(),
        Err(contents) => contents,
    }
}

const THOUGHTS: [(&str, &str); 2] = [("<think>", "</think>"), ("<thinking>", "</thinking>")];

struct Scan<'t> {
    text: &'t str,
    /// The text up to the last byte where JSON can end.
    json: &'t str,
    brackets: Brackets,
    cited: Cited,
    seen: Seen,
    thoughts: Vec<Span>,
}

/// The objects that were found.
#[derive(Default)]
struct Seen {
    /// Separate objects with a status.
    returns: Candidates,
    /// Separate objects without a status.
    others: Candidates,
    /// The last object inside other JSON.
    enclosed: Option<Span>,
    /// The last object that is only cited.
    cited: Option<Span>,
    /// The last object that is not a return, but has a status or contains an object with one.
    hidden: Option<Span>,
    /// The last group of brackets that has a status but is not JSON.
    draft: Option<Span>,
}

/// The first two objects of a kind, enough to distinguish one from many.
#[derive(Default)]
struct Candidates {
    first: Option<Span>,
    second: Option<Span>,
}

impl Candidates {
    fn note(&mut self, place: Span) {
        match (self.first, self.second) {
            (None, _) => self.first = Some(place),
            (Some(_), None) => self.second = Some(place),
            _ => {}
        }
    }
}

impl Scan<'_> {
    fn run(&mut self) -> Result<(), Contents> {
        let mut at = 0;
        while let Some(found) = self.brackets.find(&self.json.as_bytes()[at..]) {
            at += found;
            at = match self.json.as_bytes()[at] {
                b'<' => self.tag(at),
                b'{' => self.object(at)?,
                _ => self.bracket(at),
            };
        }
        Ok(())
    }

    /// Skips a think block. Returns the byte offset at which to continue.
    fn tag(&mut self, at: usize) -> usize {
        let rest = &self.json[at..];
        for (open, close) in THOUGHTS {
            if rest.starts_with(open) {
                let length = rest
                    .find(close)
                    .map_or(rest.len(), |found| found + close.len());
                self.thoughts.push(Span::new(at, length));
                return at + length;
            }
            if rest.starts_with(close) {
                // The opening tag was cut off: everything up to here is a thought, including
                // objects.
                let end = at + close.len();
                self.thoughts = vec![Span { start: 0, end }];
                self.brackets.clear();
                self.seen = Seen::default();
                return end;
            }
        }
        self.cited.tag(self.text, at);
        at + 1
    }

    fn bracket(&mut self, at: usize) -> usize {
        if let Some(group) = self.brackets.take(self.text, at)
            && has_status(&self.text[group.start..group.end])
        {
            self.seen.draft = Some(group);
        }
        at + 1
    }

    /// Handles the brace at `at`. Returns the byte offset at which to continue, or why no return can be
    /// found.
    fn object(&mut self, at: usize) -> Result<usize, Contents> {
        let rest = &self.json[at..];
        let mut values = serde_json::Deserializer::from_str(rest).into_iter::<IgnoredAny>();
        match values.next() {
            Some(Ok(_)) => self.whole(Span::new(at, values.byte_offset())),
            Some(Err(_)) if is_quoted(self.text, at) => Ok(self.bracket(at)),
            Some(Err(error)) if error.is_eof() => Err(self.truncated(at)),
            Some(Err(error)) if has_a_member(rest) => Err(self.broken(at, &error)),
            Some(Err(_)) | None => Ok(self.bracket(at)),
        }
    }

    /// The end of a broken object is unknown, so everything that follows may be a part of it. A brace
    /// in prose is not followed by a key and a colon.
    fn broken(&self, at: usize, error: &Error) -> Contents {
        let rest = &self.json[at..];
        if ends_early(rest) || is_left_open(&rest[offset(rest, error)..]) {
            self.truncated(at)
        } else {
            Contents::Broken { start: at }
        }
    }

    fn truncated(&self, at: usize) -> Contents {
        let start = self.brackets.outermost().unwrap_or(at);
        Contents::Truncated { start }
    }

    fn whole(&mut self, place: Span) -> Result<usize, Contents> {
        let is_cited = self.cited.has(self.text, place.start);
        let is_enclosed = is_cited || self.brackets.outermost().is_some();
        if is_cited {
            self.seen.cited = Some(place);
        } else if is_enclosed {
            self.seen.enclosed = Some(place);
        } else if let Some(start) = self.rest_begins(place) {
            return Err(Contents::Broken { start });
        }
        match (classify(&self.text[place.start..place.end]), is_enclosed) {
            (ObjectKind::Return, false) => self.seen.returns.note(place),
            (ObjectKind::Other, false) => self.seen.others.note(place),
            (ObjectKind::Holder, false) => {
                self.seen.others.note(place);
                self.seen.hidden = Some(place);
            }
            (ObjectKind::Return | ObjectKind::Holder, true) => self.seen.hidden = Some(place),
            (ObjectKind::Other, true) => {}
        }
        Ok(place.end)
    }

    /// Whether the object is part of a JSON text whose beginning is missing. Returns the byte offset at
    /// which the rest of that text starts.
    fn rest_begins(&self, place: Span) -> Option<usize> {
        if let Some(key) = key_before(&self.text[..place.start]) {
            return Some(key);
        }
        let after = self.json[place.end..].trim_start();
        let goes_on =
            after.starts_with(['}', ']']) || (after.starts_with(',') && has_a_member(after));
        (self.brackets.is_empty() && goes_on).then_some(place.start)
    }

    fn contents(self) -> Contents {
        if let Some(contents) = self.left_open() {
            return contents;
        }
        let Seen {
            returns,
            others,
            enclosed,
            cited,
            hidden,
            draft,
        } = self.seen;
        let (only, second) = match returns.first {
            Some(first) => {
                let other = returns.second.or(hidden).or(draft);
                let later = other.map(|other| {
                    if other.start > first.start {
                        other
                    } else {
                        first
                    }
                });
                (Some(first), later)
            }
            None => (others.first, others.second.or(enclosed).or(cited).or(draft)),
        };
        match (only, second) {
            (Some(_), Some(second)) => Contents::Several { second },
            (Some(place), None) => Contents::One {
                place,
                wrapping: wrapping(self.text, place, &self.thoughts),
            },
            (None, _) => match (enclosed, cited, draft) {
                (Some(place), ..) => Contents::Inside { place },
                (None, Some(place), _) => Contents::Cited { place },
                (None, None, Some(draft)) => Contents::Broken { start: draft.start },
                (None, None, None) => Contents::Nothing,
            },
        }
    }

    /// The meaning of a bracket that is never closed and may be JSON. An empty one is prose.
    fn left_open(&self) -> Option<Contents> {
        let start = self.brackets.outermost()?;
        let rest = &self.json[start..];
        if !rest[1..].trim_start().is_empty() && ends_early(rest) {
            return Some(Contents::Truncated { start });
        }
        let holds_objects = self.seen.enclosed.is_some_and(|place| place.start > start);
        holds_objects.then_some(Contents::Broken { start })
    }
}

/// Whether a brace or comma is followed by a key and a colon, as in an object.
fn has_a_member(rest: &str) -> bool {
    let inner = rest[1..].trim_start();
    let mut values = serde_json::Deserializer::from_str(inner).into_iter::<IgnoredAny>();
    let is_key = inner.starts_with('"') && matches!(values.next(), Some(Ok(_)));
    is_key && inner[values.byte_offset()..].trim_start().starts_with(':')
}

/// The byte offset of a key that starts a line, and whose colon is at the end of `before`. None if there
/// is none.
fn key_before(before: &str) -> Option<usize> {
    let key = before.trim_end().strip_suffix(':')?.trim_end();
    let start = key.strip_suffix('"')?.rfind('"')?;
    let line = before[..start].trim_end_matches([' ', '\t']);
    (line.is_empty() || line.ends_with('\n')).then_some(start)
}
