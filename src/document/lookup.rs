//! Finds values of a document: by pointer, by name, or all with their places.

use crate::document::pointer::PointerStep;
use crate::document::tree::{Content, Tree, Value};
use crate::text::{Base, Position, Positions, Span, is_blank};

/// All values at the end of `steps` below a value, in their order; never several under one name. Names are
/// compared as the objects on the way say. Two with the same pointer are what a message states twice.
pub(crate) fn find_below<'v, 't>(from: Value<'v, 't>, steps: &[PointerStep]) -> Vec<Value<'v, 't>> {
    let mut found = Vec::new();
    gather(from, steps, &mut found);
    found
}

fn gather<'v, 't>(from: Value<'v, 't>, steps: &[PointerStep], found: &mut Vec<Value<'v, 't>>) {
    for value in from.each() {
        match steps.split_first() {
            None => found.push(value),
            Some((PointerStep::Every, rest)) => {
                value.children().for_each(|it| gather(it, rest, found));
            }
            Some((PointerStep::Name(name), rest)) => {
                let item = || value.items().nth(index(name)?);
                if let Some(inner) = value.member(name).or_else(item) {
                    gather(inner, rest, found);
                }
            }
        }
    }
}

/// An index of an array as RFC 6901 writes it: without zeros in front.
fn index(text: &str) -> Option<usize> {
    let is_plain = text == "0" || !text.starts_with(['0', '+']);
    is_plain.then(|| text.parse().ok()).flatten()
}

/// What stands in a text under one name. A heading with a value is both.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NamedThing<'v, 't> {
    /// A label, or a member of the front matter.
    pub label: Option<Value<'v, 't>>,
    /// A section or a tag: the object with its text, labels, list.
    pub section: Option<Value<'v, 't>>,
}

impl<'v, 't> NamedThing<'v, 't> {
    /// A value that has no name.
    pub(crate) fn of(value: Value<'v, 't>) -> Self {
        Self { label: Some(value), section: None }
    }

    pub(crate) fn value(self) -> Option<Value<'v, 't>> {
        self.label.or(self.section)
    }

    /// Where it stands: the line of the label, the heading, the opening tag.
    pub(crate) fn place(self) -> Option<Span> {
        self.value()?.place()
    }

    /// Its value: the label's value if it has one, else the section's list, else its table, else its
    /// text, and if that is blank, the texts of its subsections and tags. Only these are more than one.
    pub(crate) fn values(self) -> Vec<Value<'v, 't>> {
        let filled = self.label.filter(|it| !is_empty(*it));
        match (filled, self.section) {
            (None, Some(section)) => of_section(section),
            (filled, _) => filled.or(self.label).into_iter().collect(),
        }
    }

    /// The values at the end of these steps below it. `*` first stands for the items or members of its
    /// value, not for those of the section, which are its text, its list, its labels. Where there are none,
    /// the labels of the section count, and then its sections: `STEPS/build` is found below a heading, too.
    pub(crate) fn below(self, steps: &[PointerStep]) -> Vec<Value<'v, 't>> {
        let inside = ["labels", "sections"].into_iter();
        let inside = inside.filter_map(|it| self.section?.member(it));
        let inside = inside.map(|it| find_below(it, steps));
        let mut all = [self.below_value(steps)].into_iter().chain(inside);
        all.find(|it| !it.is_empty()).unwrap_or_default()
    }

    fn below_value(self, steps: &[PointerStep]) -> Vec<Value<'v, 't>> {
        if steps.first() == Some(&PointerStep::Every) {
            let values = self.values().into_iter();
            return values.flat_map(|it| find_below(it, steps)).collect();
        }
        let below = |it: Value<'v, 't>| {
            let is_table = it.items().any(Value::is_object);
            match steps.split_first() {
                // The list or table of a label is its value.
                Some((PointerStep::Name(member), rest))
                    if it.is_list() && member == if is_table { "table" } else { "list" } =>
                {
                    find_below(it, rest)
                }
                _ => find_below(it, steps),
            }
        };
        let things = [self.label, self.section].into_iter().flatten();
        things.flat_map(below).collect()
    }
}

/// What stands under `name` directly in the text or, if nothing does, on the nearest level of sections
/// and tags below where something does. More than one is ambiguous.
pub(crate) fn nearest<'v, 't>(document: Value<'v, 't>, name: &str) -> Vec<NamedThing<'v, 't>> {
    let mut level = vec![document];
    while !level.is_empty() {
        let found: Vec<_> = level.iter().flat_map(|it| directly(*it, name)).collect();
        if !found.is_empty() {
            return found;
        }
        level = level.into_iter().flat_map(inner).collect();
    }
    Vec::new()
}

/// What stands under `name` directly in a text, a section or a tag.
fn directly<'v, 't>(text: Value<'v, 't>, name: &str) -> Vec<NamedThing<'v, 't>> {
    let below = |member: &str| {
        let found = text.member(member).and_then(|it| it.member(name));
        found.into_iter().flat_map(Value::each)
    };
    let thing = |label, section| NamedThing { label, section };
    let labels = below("front_matter").chain(below("labels"));
    let mut things: Vec<_> = labels.map(|it| thing(Some(it), None)).collect();
    let own = things.len();
    for section in below("sections").chain(below("tags")) {
        let place = section.place();
        let at = things[..own].partition_point(|it| start(it.place()) < start(place));
        match things[..own].get_mut(at) {
            Some(thing) if thing.place() == place => thing.section = Some(section),
            _ => things.push(thing(None, Some(section))),
        }
    }
    things
}

fn start(place: Option<Span>) -> Option<usize> {
    place.map(|it| it.start)
}

fn inner<'v, 't>(text: Value<'v, 't>) -> impl Iterator<Item = Value<'v, 't>> {
    let groups = ["sections", "tags"].into_iter();
    let groups = groups.filter_map(move |it| text.member(it));
    groups.flat_map(Value::members).flat_map(Value::each)
}

fn of_section<'v, 't>(section: Value<'v, 't>) -> Vec<Value<'v, 't>> {
    let own = ["list", "table", "text"].map(|it| section.member(it));
    if let Some(found) = own.into_iter().flatten().find(|it| !is_empty(*it)) {
        return vec![found];
    }
    let mut texts = Vec::new();
    inner(section).for_each(|it| of_section_text(it, &mut texts));
    if texts.is_empty() {
        texts.extend(section.member("text"));
    }
    texts
}

/// Adds the text of a section, and of those below it. Blank ones are left out.
fn of_section_text<'v, 't>(section: Value<'v, 't>, texts: &mut Vec<Value<'v, 't>>) {
    texts.extend(section.member("text").filter(|it| !is_empty(*it)));
    inner(section).for_each(|it| of_section_text(it, texts));
}

fn is_empty(value: Value<'_, '_>) -> bool {
    match value.content() {
        Content::Null => true,
        Content::Text(text) => is_blank(text),
        Content::List | Content::Object => value.children().next().is_none(),
        Content::Bool(_) | Content::Number(_) | Content::Several => false,
    }
}

/// The values of a document in their order, and where they begin: all but the lists and objects without a place,
/// of which the values inside follow. None where a value has no place of its own. `message` must be the text that
/// the document was read from.
pub(crate) fn places<'v, 't>(
    message: &str,
    document: &'v Tree<'t>,
) -> Vec<(Value<'v, 't>, Option<Position>)> {
    let is_shown = |it: &Value<'_, '_>| match it.place() {
        Some(_) => !it.is_several(),
        None => !(it.is_several() || it.is_list() || it.is_object()),
    };
    let values = document.values().filter(is_shown);
    let mut found: Vec<_> = values.map(|it| (it, None)).collect();
    let mut positions = Positions::new(message.as_bytes(), Base::default());
    let mut in_order: Vec<_> = found.iter_mut().collect();
    in_order.sort_by_key(|(value, _)| start(value.place()));
    for (value, position) in in_order {
        *position = start(value.place()).map(|offset| positions.of(offset));
    }
    found
}

pub(crate) fn position(message: &[u8], place: Span) -> Position {
    Positions::new(message, Base::default()).of(place.start)
}
