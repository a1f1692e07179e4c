//! Wrong returns, made from the example of a profile: a profile that checks something refuses most of them.

use std::ops::Range;

use serde_json::Value;

use crate::form::Form;
use crate::form::document::{Content, PlacedValue};
use crate::form::lookup::FoundValue;
use crate::profile::Profile;
use crate::profile::standard::find::PlaceOrigin;
use crate::profile::standard::{Standard, ValuePlace};
use crate::text::escape::truncated;

/// A wrong return.
pub(super) struct Mutation {
    /// What is wrong with it. Safe to print.
    pub(super) what: String,
    pub(super) text: String,
}

/// A word that no profile allows.
const FOREIGN: &str = "NO_SUCH_WORD";

/// The most names of one example that are left out.
const MOST: usize = 100;

/// The wrong returns that an example, which says this status, can be made into.
pub(super) fn of(profile: &Profile, example: &str, status: Option<&str>) -> Vec<Mutation> {
    let Some(standard) = &profile.standard else {
        return Vec::new();
    };
    let Ok(document) = standard.read(example) else {
        return Vec::new();
    };
    let mut maker = Maker {
        standard,
        example,
        document: &document,
        made: Vec::new(),
    };
    maker.names();
    let conditions = standard.required_if.iter();
    let with_status = conditions.filter(|it| it.words.iter().any(|own| Some(&**own) == status));
    let places = with_status.flat_map(|it| &it.places);
    for place in standard.required.iter().chain(places) {
        maker.leave_out(place);
    }
    let is_open = profile.statuses.iter().any(|it| &*it.word == "*");
    if let (Some(role), Some(word), false) = (&standard.roles.status, status, is_open) {
        let what = format!("the status {FOREIGN}");
        role.places.iter().for_each(|it| maker.say(it, word, &what));
    }
    for allowed in &standard.claims.values {
        let what = format!("{FOREIGN} at `{}`", truncated(allowed.place.as_str()));
        allowed
            .words
            .iter()
            .for_each(|it| maker.say(&allowed.place, it, &what));
    }
    if let Some(most) = standard
        .limits
        .lines
        .filter(|_| standard.form == Form::Text)
    {
        let more = "One more line.\n".repeat(most.min(10_000) + 1);
        let text = format!("{}\n\n{more}", example.trim_end());
        maker.add(format!("more than {most} lines"), text);
    }
    maker.made
}

struct Maker<'m, 't> {
    standard: &'m Standard,
    example: &'t str,
    document: &'m PlacedValue<'t>,
    made: Vec<Mutation>,
}

impl Maker<'_, '_> {
    /// One mutation is enough for each text.
    fn add(&mut self, what: String, text: String) {
        let is_new = self
            .made
            .iter()
            .all(|it| it.text != text && it.what != what);
        if is_new && text.trim() != self.example.trim() && !text.trim().is_empty() {
            self.made.push(Mutation { what, text });
        }
    }

    /// The example without each of its names.
    fn names(&mut self) {
        if self.standard.form == Form::Text {
            let things = self.things();
            let outer = things.iter().filter(|it| it.depth == 0).count();
            // What stands below the only title is named, too.
            let deepest = usize::from(outer == 1);
            for thing in things.iter().filter(|it| it.depth <= deepest) {
                self.cut(&thing.name, thing.lines.clone());
            }
            return;
        }
        let mut pointers = Vec::new();
        let mut below = (
            String::new(),
            serde_json::to_value(self.document).unwrap_or_default(),
        );
        // Below the only member, or the first item.
        for _ in 0..2 {
            let members: Vec<(String, Value)> = match below.1 {
                Value::Object(members) => members.into_iter().collect(),
                Value::Array(items) => items
                    .into_iter()
                    .take(1)
                    .map(|it| ("0".to_owned(), it))
                    .collect(),
                _ => break,
            };
            let pointer =
                |name: &str| format!("{}/{}", below.0, name.replace('~', "~0").replace('/', "~1"));
            pointers.extend(members.iter().map(|it| pointer(&it.0)));
            let [(name, value)] = &members[..] else { break };
            below = (pointer(name), value.clone());
        }
        for pointer in pointers {
            self.remove(&pointer, &pointer);
        }
    }

    /// The example without what stands at a place.
    fn leave_out(&mut self, place: &ValuePlace) {
        let document = self.document;
        let (found, name) = (place.find(document).unwrap_or_default(), place.as_str());
        let Some(first) = found.first() else { return };
        if self.standard.form != Form::Text {
            return self.remove(&first.pointer.to_string(), name);
        }
        let origin = place.origin(document).ok().flatten();
        let at = match origin {
            Some(PlaceOrigin::Named(thing)) if place.steps().is_empty() => thing.place(),
            _ => first.value.place.or(first.value.source),
        };
        let Some(at) = at else { return };
        let start = self.line_start(at.start);
        let thing = self.things().into_iter().find(|it| it.lines.start == start);
        // Of a row of a table, only the cell.
        let value = first.value.source.or(first.value.place).unwrap_or_default();
        self.cut(name, thing.map_or(value.start..value.end, |it| it.lines));
    }

    /// The example with a foreign word in place of one that is allowed at a place.
    fn say(&mut self, place: &ValuePlace, word: &str, what: &str) {
        let document = self.document;
        let found = place.find(document).unwrap_or_default();
        let has_word =
            |it: &&FoundValue<'_, '_>| it.value.text().is_some_and(|it| it.contains(word));
        let Some(found) = found.iter().find(has_word) else {
            return;
        };
        if self.standard.form != Form::Text {
            let mut value = serde_json::to_value(document).unwrap_or_default();
            if let Some(old) = value.pointer_mut(&found.pointer.to_string()) {
                *old = old
                    .as_str()
                    .unwrap_or_default()
                    .replace(word, FOREIGN)
                    .into();
            }
            let text = self.put(&value);
            return self.add(what.to_owned(), text);
        }
        let Some(span) = found.value.source.or(found.value.place) else {
            return;
        };
        let mut text = self.example.to_owned();
        let said = self.example[span.start..span.end].replace(word, FOREIGN);
        text.replace_range(span.start..span.end, &said);
        self.add(what.to_owned(), text);
    }

    /// JSON and YAML without the value at a pointer.
    fn remove(&mut self, pointer: &str, name: &str) {
        if self.made.len() >= MOST {
            return;
        }
        let mut value = serde_json::to_value(self.document).unwrap_or_default();
        let (parent, key) = pointer.rsplit_once('/').unwrap_or_default();
        match value.pointer_mut(parent) {
            Some(Value::Object(members)) => {
                members.remove(&key.replace("~1", "/").replace("~0", "~"));
            }
            Some(Value::Array(items)) => {
                key.parse()
                    .ok()
                    .filter(|it| *it < items.len())
                    .map(|it: usize| items.remove(it));
            }
            _ => return,
        }
        let text = self.put(&value);
        self.add(left_out(name), text);
    }

    /// The example with another document. JSON is YAML, too.
    fn put(&self, value: &Value) -> String {
        let part = self.standard.part.as_ref().and(self.document.place);
        let range = part.map_or(0..self.example.len(), |it| it.start..it.end);
        let mut text = self.example.to_owned();
        text.replace_range(range, &value.to_string());
        text
    }

    fn cut(&mut self, name: &str, lines: Range<usize>) {
        if self.made.len() >= MOST {
            return;
        }
        let mut text = self.example.to_owned();
        text.replace_range(lines, "");
        self.add(left_out(name), text);
    }

    fn line_start(&self, at: usize) -> usize {
        self.example[..at].rfind('\n').map_or(0, |it| it + 1)
    }

    fn line_end(&self, at: usize) -> usize {
        let rest = &self.example[at..];
        rest.find('\n').map_or(self.example.len(), |it| at + it + 1)
    }

    fn things(&self) -> Vec<NamedLines> {
        let mut things = Vec::new();
        let end = self.document.place.map_or(self.example.len(), |it| it.end);
        self.collect(self.document, 0, end, &mut things);
        things
    }

    /// Adds the names of a text, each with its lines up to the next one.
    fn collect(&self, body: &PlacedValue<'_>, depth: usize, end: usize, all: &mut Vec<NamedLines>) {
        let mut own = Vec::new();
        for group in ["front_matter", "labels", "tags", "sections"] {
            let object = body.member(group).and_then(PlacedValue::object);
            for (name, value) in object.map(|it| &*it.members).unwrap_or_default() {
                let value = match &value.content {
                    Content::Several(values) => values.first().unwrap_or(value),
                    _ => value,
                };
                if let Some(place) = value.place {
                    own.push((self.line_start(place.start), group, &**name, value));
                }
            }
        }
        own.sort_by_key(|it| it.0);
        for (index, (start, group, name, value)) in own.iter().enumerate() {
            let mut later = own[index..].iter().map(|it| it.0).filter(|it| it > start);
            let next = later.next().unwrap_or(end).max(*start);
            let closing = || Some(*start + self.example[*start..next].find(&format!("</{name}>"))?);
            let end = match *group {
                "front_matter" => self.line_end(*start),
                "tags" => closing().map_or(next, |it| self.line_end(it)),
                _ => next,
            };
            all.push(NamedLines {
                name: (*name).to_owned(),
                depth,
                lines: *start..end,
            });
            self.collect(value, depth + 1, end, all);
        }
    }
}

/// A name of a text, and its lines.
struct NamedLines {
    name: String,
    depth: usize,
    lines: Range<usize>,
}

fn left_out(name: &str) -> String {
    format!("`{}` left out", truncated(name))
}
