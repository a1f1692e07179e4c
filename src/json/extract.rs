//! Finds the one return inside what a model wrapped around it. Nothing is repaired: an object
//! counts only if it is whole, and two that could be meant are none.

use std::borrow::Cow;

use serde::de::IgnoredAny;

use crate::json::decode::record::record;
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

/// What stands around a return.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Wrapping {
    fence: bool,
    prose: bool,
    thoughts: bool,
}

impl Wrapping {
    /// As a message names it.
    pub(crate) fn name(self) -> String {
        let parts = [
            (self.fence, "a Markdown fence"),
            (self.thoughts, "a think block"),
            (self.prose, "prose"),
        ];
        let named: Vec<_> = parts
            .iter()
            .filter(|(there, _)| *there)
            .map(|(_, name)| *name)
            .collect();
        named.join(" and ")
    }
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
    returns: Candidates,
    others: Candidates,
    thoughts: Vec<Span>,
}

/// The first two objects of a sort: enough to tell one from many.
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
        Ok(found) => !matches!(found.status, crate::json::field::Field::Missing),
        // Too deep or too large a number for a quick look: let the checks decide.
        Err(_) => true,
    }
}

/// What JSON takes for white space; anything else around a return is prose.
const WHITE: [char; 4] = [' ', '\n', '\r', '\t'];

fn wrapping(text: &str, place: Span, thoughts: &[Span]) -> Wrapping {
    let (before, after) = (
        text[..place.start].trim_end_matches(WHITE),
        text[place.end..].trim_start_matches(WHITE),
    );
    let fence_line = before.rsplit('\n').next().unwrap_or(before).trim_start();
    let mark = ["```", "~~~"]
        .into_iter()
        .find(|mark| fence_line.starts_with(mark) && after.starts_with(mark));
    let outside = match mark {
        Some(mark) => [
            Span::new(0, before.len() - fence_line.len()),
            Span {
                start: text.len() - after.len() + mark.len(),
                end: text.len(),
            },
        ],
        None => [
            Span::new(0, before.len()),
            Span {
                start: text.len() - after.len(),
                end: text.len(),
            },
        ],
    };
    Wrapping {
        fence: mark.is_some(),
        prose: outside
            .into_iter()
            .any(|part| has_prose(text, part, thoughts)),
        thoughts: !thoughts.is_empty(),
    }
}

/// Whether anything but white space stands in `part` outside the thoughts.
fn has_prose(text: &str, part: Span, thoughts: &[Span]) -> bool {
    let mut at = part.start;
    for thought in thoughts {
        if thought.start >= part.start && thought.end <= part.end {
            if !text[at..thought.start].trim_matches(WHITE).is_empty() {
                return true;
            }
            at = thought.end;
        }
    }
    !text[at..part.end].trim_matches(WHITE).is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(text: &str) -> (String, String) {
        match contents(text) {
            Contents::One { place, wrapping } => {
                (text[place.start..place.end].to_owned(), wrapping.name())
            }
            other => panic!("{other:?}"),
        }
    }

    const RETURN: &str = r#"{"status":"partial","summary":"a ``` and a <think> in it"}"#;

    #[test]
    fn the_return_is_found_and_what_is_around_it_named() {
        for (text, name) in [
            (format!("```json\n{RETURN}\n```"), "a Markdown fence"),
            (format!("~~~\r\n{RETURN}\r\n~~~\r\n"), "a Markdown fence"),
            (format!("Done.\n{RETURN}"), "prose"),
            (
                format!("Done:\n```json\n{RETURN}\n```\nBye"),
                "a Markdown fence and prose",
            ),
            (
                format!("<think>{{\"status\":\"failed\"}}</think>\n{RETURN}"),
                "a think block",
            ),
            (
                format!("it may be {{\"status\":1}} or\n</think>{RETURN}"),
                "a think block",
            ),
            (format!("Use {{x}} and {{\"port\": 80}}. {RETURN}"), "prose"),
            (format!("Use {{\"x\"}} or {{1: 2}}. {RETURN}"), "prose"),
            (format!("{RETURN}\nBye"), "prose"),
            (format!("<result>{RETURN}</result>"), "prose"),
            (format!("a < b <th {RETURN}"), "prose"),
            (format!("```json\n{RETURN}"), "prose"),
            (format!("{RETURN}\n```"), "prose"),
            (
                format!("Hm <thinking>{{\"status\":1}}</thinking>\n{RETURN}"),
                "a think block and prose",
            ),
            (
                format!("<think>a</think> so <think>b</think>\n{RETURN}"),
                "a think block and prose",
            ),
            (
                format!("<think>a</think>\n<think>b</think>\n{RETURN}"),
                "a think block",
            ),
            (format!("{RETURN}\n<think>a</think>\n"), "a think block"),
            (
                format!("<think>a</think>```\n{RETURN}\n```"),
                "a think block and prose",
            ),
            (
                format!("<think>a</think>\n```\n{RETURN}\n```"),
                "a Markdown fence and a think block",
            ),
        ] {
            assert_eq!(one(&text), (RETURN.to_owned(), name.to_owned()), "{text}");
        }
    }

    #[test]
    fn two_returns_are_none() {
        let text = format!("draft {RETURN} final {RETURN}");
        let start = text.rfind(RETURN).expect("it is there");
        assert_eq!(
            contents(&text),
            Contents::Several {
                second: Span::new(start, RETURN.len())
            }
        );
    }

    #[test]
    fn what_is_cut_off_or_broken_is_never_guessed() {
        assert_eq!(
            contents("x {\"status\":\"completed\",\"summ"),
            Contents::Truncated { start: 2 }
        );
        let broken = |start| Contents::Broken { start };
        assert_eq!(
            contents("x {\"a\":{\"status\":\"completed\"} broken"),
            broken(2)
        );
        assert_eq!(
            contents(&format!("{{\"status\":\"failed\",, \"last\": {RETURN}}}")),
            broken(0)
        );
        assert_eq!(
            contents(&format!("{{\"a\": \"C:\\work\", \"last\": {RETURN}}}")),
            broken(0)
        );
        assert_eq!(
            contents("<think>{\"status\":\"completed\"}"),
            Contents::Nothing
        );
        assert_eq!(contents("no object at all"), Contents::Nothing);
    }
}
