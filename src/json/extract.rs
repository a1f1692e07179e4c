//! Finds the one return inside what a model wrapped around it. Nothing is repaired: an object
//! counts only if it is whole, and two that could be meant are none.

use std::borrow::Cow;

use serde::de::IgnoredAny;

use super::record::record;
use super::wrapping::{Wrapping, wrapping};
use crate::text::Span;

/// What a text that is not JSON holds.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Contents {
    /// No whole object.
    Nothing,
    /// One object that can be meant, and what stands around it.
    One { place: Span, wrapping: Wrapping },
    /// More than one object that can be meant; the place of the second.
    Several { second: Span },
    /// An object begins here and the text ends before it does.
    Truncated { start: usize },
    /// An object begins here and is not JSON further on.
    Broken { start: usize },
}

record! {
    /// What tells a return from any other object: every standard requires a status.
    pub(super) struct Telltale<'t> {
        /// The status.
        "status" => pub status: Cow<'t, str>,
    }
}

/// Looks through `text` once, from its start, whatever its length.
pub(crate) fn contents(text: &str) -> Contents {
    let mut scan = Scan::default();
    let mut at = 0;
    while let Some(found) = memchr::memchr2(b'{', b'<', &text.as_bytes()[at..]) {
        at += found;
        at = match scan.visit(text, at) {
            Ok(next) => next,
            Err(contents) => return contents,
        };
    }
    scan.contents(text)
}

const THOUGHTS: [(&str, &str); 2] = [("<think>", "</think>"), ("<thinking>", "</thinking>")];

#[derive(Default)]
struct Scan {
    returns: Found,
    others: Found,
    thoughts: Vec<Span>,
}

/// The first two objects of a sort: enough to tell one from many.
#[derive(Default)]
struct Found {
    first: Option<Span>,
    second: Option<Span>,
}

impl Found {
    fn note(&mut self, place: Span) {
        match (self.first, self.second) {
            (None, _) => self.first = Some(place),
            (Some(_), None) => self.second = Some(place),
            _ => {}
        }
    }
}

impl Scan {
    /// Handles what begins at `at`; answers where to go on, or why nothing can be found.
    fn visit(&mut self, text: &str, at: usize) -> Result<usize, Contents> {
        let rest = &text[at..];
        for (open, close) in THOUGHTS {
            if rest.starts_with(open) {
                let length = rest
                    .find(close)
                    .map_or(rest.len(), |found| found + close.len());
                self.thoughts.push(Span::new(at, length));
                return Ok(at + length);
            }
            if rest.starts_with(close) {
                // The opening tag was cut off: all up to here were thoughts, objects too.
                let end = at + close.len();
                *self = Self {
                    thoughts: vec![Span { start: 0, end }],
                    ..Self::default()
                };
                return Ok(end);
            }
        }
        if !rest.starts_with('{') {
            return Ok(at + 1);
        }
        let mut values = serde_json::Deserializer::from_str(rest).into_iter::<IgnoredAny>();
        match values.next() {
            Some(Ok(_)) => {
                let place = Span::new(at, values.byte_offset());
                let sort = if is_return(&text[place.start..place.end]) {
                    &mut self.returns
                } else {
                    &mut self.others
                };
                sort.note(place);
                Ok(place.end)
            }
            Some(Err(error)) if error.is_eof() => Err(Contents::Truncated { start: at }),
            // Where a broken object ends nobody can tell, so that all that follows may be a part of
            // it. A brace in prose has no key and colon after it.
            Some(Err(_)) if has_a_member(rest) => Err(Contents::Broken { start: at }),
            Some(Err(_)) | None => Ok(at + 1),
        }
    }

    fn contents(self, text: &str) -> Contents {
        let sort = if self.returns.first.is_some() {
            &self.returns
        } else {
            &self.others
        };
        match (sort.first, sort.second) {
            (Some(place), None) => Contents::One {
                place,
                wrapping: wrapping(text, place, &self.thoughts),
            },
            (_, Some(second)) => Contents::Several { second },
            (None, None) => Contents::Nothing,
        }
    }
}

/// Whether a brace is followed by a key and a colon, as in an object.
fn has_a_member(rest: &str) -> bool {
    let inner = rest[1..].trim_start();
    let mut values = serde_json::Deserializer::from_str(inner).into_iter::<IgnoredAny>();
    let is_key = inner.starts_with('"') && matches!(values.next(), Some(Ok(_)));
    is_key && inner[values.byte_offset()..].trim_start().starts_with(':')
}

fn is_return(object: &str) -> bool {
    match serde_json::from_str::<Telltale<'_>>(object) {
        Ok(found) => !matches!(found.status, super::field::Field::Missing),
        // Too deep or too large a number for a quick look: let the checks decide.
        Err(_) => true,
    }
}
