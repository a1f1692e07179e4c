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

#[cfg(test)]
mod tests;

use serde::de::IgnoredAny;
use serde_json::Error;

use crate::json::clues::{
    ObjectKind, QUOTATION_MARK, STRINGS, classify, end_of_json, ends_early, has_a_member,
    has_status, is_left_open, is_no_bracket, is_quoted, key_before, may_be_json, offset,
    string_end,
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

/// The open brackets, in one pass over the text. `json_like` is the number of those in `open` that may be
/// JSON. `outermost` and `has_brace` mean something only while it is above zero, or until the last of them
/// is closed.
#[derive(Default)]
pub(crate) struct Brackets {
    /// Innermost last.
    open: Vec<Bracket>,
    /// How many of them may be JSON.
    json_like: usize,
    /// The byte offset of the outermost bracket that may be JSON.
    outermost: usize,
    /// Whether one of the brackets that may be JSON is or was a brace.
    has_brace: bool,
    /// The byte offset of the end of the last string in these brackets.
    string_end: usize,
    /// Quotes that have no closing quote in the rest of the text.
    unpaired: Vec<char>,
}

struct Bracket {
    close: u8,
    is_json_like: bool,
}

impl Brackets {
    /// The offset of the next byte that can matter.
    pub(crate) fn find(&self, bytes: &[u8]) -> Option<usize> {
        if self.open.is_empty() {
            return memchr::memchr3(b'{', b'[', b'<', bytes);
        }
        let is_relevant = |byte| b"{[<}]\"'".contains(byte) || *byte == QUOTATION_MARK;
        bytes.iter().position(is_relevant)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// The byte offset of the outermost open bracket that may be JSON.
    pub(crate) fn outermost(&self) -> Option<usize> {
        (self.json_like > 0).then_some(self.outermost)
    }

    pub(crate) fn clear(&mut self) {
        *self = Self {
            unpaired: std::mem::take(&mut self.unpaired),
            ..Self::default()
        };
    }

    /// Processes the byte at `at`, which does not start a whole object. Returns the outermost group that
    /// may be JSON and has a brace, when it is closed.
    pub(crate) fn take(&mut self, text: &str, at: usize) -> Option<Span> {
        let byte = text.as_bytes()[at];
        if at < self.string_end || (byte != QUOTATION_MARK && is_no_bracket(text, at)) {
            return None;
        }
        match byte {
            b'{' => self.open(text, at, b'}'),
            b'[' => self.open(text, at, b']'),
            b'"' | b'\'' | QUOTATION_MARK => self.start_string(text, at),
            close => return self.close(at, close),
        }
        None
    }

    fn open(&mut self, text: &str, at: usize, close: u8) {
        let is_json_like = may_be_json(text, at);
        if is_json_like {
            if self.json_like == 0 {
                (self.outermost, self.has_brace) = (at, false);
            }
            self.json_like += 1;
            self.has_brace |= close == b'}';
        }
        self.open.push(Bracket {
            close,
            is_json_like,
        });
    }

    fn close(&mut self, at: usize, close: u8) -> Option<Span> {
        let last = self.open.pop_if(|last| last.close == close)?;
        self.json_like -= usize::from(last.is_json_like);
        let is_group = last.is_json_like && self.json_like == 0 && self.has_brace;
        is_group.then_some(Span {
            start: self.outermost,
            end: at + 1,
        })
    }

    fn start_string(&mut self, text: &str, at: usize) {
        let rest = &text[at..];
        let string = STRINGS.iter().find(|(open, _)| rest.starts_with(*open));
        let is_apostrophe = text[..at].ends_with(char::is_alphanumeric);
        let Some((open, close)) = string.filter(|_| self.json_like > 0 && !is_apostrophe) else {
            return;
        };
        if self.unpaired.contains(open) {
            return;
        }
        match string_end(&rest[open.len_utf8()..], close) {
            Some(length) => self.string_end = at + open.len_utf8() + length,
            None => self.unpaired.push(*open),
        }
    }
}

/// How such elements begin and how they end. The name of a tag may go on, as in `<examples>`.
const ELEMENTS: [(&str, &str); 7] = [
    ("<!--", "-->"),
    ("<example", "</example"),
    ("<sample", "</sample"),
    ("<quot", "</quot"),
    ("<blockquote", "</blockquote"),
    ("<q>", "</q>"),
    ("<cite", "</cite"),
];

/// What was found of them, in one pass over the text.
#[derive(Default)]
struct Cited {
    /// The end of the last element.
    until: usize,
    /// Ends that the rest of the text does not have.
    missing: Vec<&'static str>,
    /// The start of the line that was looked at last, and how far it was looked at.
    line: usize,
    looked: usize,
}

impl Cited {
    /// Looks at the tag at `at`. An element that is not closed is only mentioned, and so is a tag in code.
    fn tag(&mut self, text: &str, at: usize) {
        let rest = &text.as_bytes()[at..];
        let begins = |(open, _): &&(&str, &str)| {
            let start = rest.get(..open.len());
            start.is_some_and(|start| start.eq_ignore_ascii_case(open.as_bytes()))
        };
        let Some((_, close)) = ELEMENTS.iter().find(begins) else {
            return;
        };
        if at < self.until || self.missing.contains(close) || is_code(text, at) {
            return;
        }
        let mut places = rest.windows(close.len());
        match places.position(|place| place.eq_ignore_ascii_case(close.as_bytes())) {
            Some(end) => self.until = at + end,
            None => self.missing.push(close),
        }
    }

    /// Whether the object at `at` is in such an element, or in a line that Markdown quotes.
    fn has(&mut self, text: &str, at: usize) -> bool {
        let seen = &text.as_bytes()[self.looked..at];
        if let Some(end) = memchr::memrchr(b'\n', seen) {
            self.line = self.looked + end + 1;
        }
        self.looked = at;
        at < self.until
            || text[self.line..]
                .trim_start_matches([' ', '\t'])
                .starts_with('>')
    }
}

/// Whether the tag at `at` stands between backticks, without an object.
fn is_code(text: &str, at: usize) -> bool {
    let (before, rest) = text.as_bytes().split_at(at);
    before.ends_with(b"`") && {
        let next = memchr::memchr2(b'`', b'{', rest);
        next.is_some_and(|next| rest[next] == b'`')
    }
}

/// The kinds of text around a return.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Wrapping {
    fence: bool,
    prose: bool,
    thoughts: bool,
}

impl Wrapping {
    /// The kinds for a message.
    pub(crate) fn name(self) -> String {
        let named: Vec<_> = [
            (self.fence, "a Markdown fence"),
            (self.thoughts, "a think block"),
            (self.prose, "prose"),
        ]
        .iter()
        .filter(|(there, _)| *there)
        .map(|(_, name)| *name)
        .collect();
        named.join(" and ")
    }
}

/// The white space of JSON; anything else around a return is prose.
const WHITE: [char; 4] = [' ', '\n', '\r', '\t'];

pub(crate) fn wrapping(text: &str, place: Span, thoughts: &[Span]) -> Wrapping {
    let (before, after) = (
        text[..place.start].trim_end_matches(WHITE),
        text[place.end..].trim_start_matches(WHITE),
    );
    let fence_line = before.rsplit('\n').next().unwrap_or(before).trim_start();
    let mark = ["```", "~~~"]
        .into_iter()
        .find(|mark| fence_line.starts_with(mark) && after.starts_with(mark));
    let (fence_before, fence_after) = mark.map_or((0, 0), |mark| (fence_line.len(), mark.len()));
    let outside = [
        Span::new(0, before.len() - fence_before),
        Span {
            start: text.len() - after.len() + fence_after,
            end: text.len(),
        },
    ];
    Wrapping {
        fence: mark.is_some(),
        prose: outside
            .into_iter()
            .any(|part| has_prose(text, part, thoughts)),
        thoughts: !thoughts.is_empty(),
    }
}

/// Whether `part` contains anything but white space outside think blocks.
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
