//! Finds what stands in a text under a name.

use super::document::{Content, PlacedValue};
use super::lookup::{FoundValue, PointerStep, find_below};
use crate::text::{Span, is_blank};

/// What stands in a text under one name: a label, a section, both if they are one heading with a value,
/// a tag, or a member of the front matter.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct NamedThing<'v, 't> {
    /// A label, or a member of the front matter.
    pub label: Option<FoundValue<'v, 't>>,
    /// A section or a tag: the object with its text, labels, list.
    pub section: Option<FoundValue<'v, 't>>,
}

impl<'v, 't> NamedThing<'v, 't> {
    /// Where it stands: the line of the label, the heading, the opening tag.
    pub(crate) fn place(&self) -> Option<Span> {
        let it = self.label.as_ref().or(self.section.as_ref());
        it?.value.place
    }

    /// Its value: the label's value if it has one, else the section's list, else its table, else its
    /// text, and if that is blank, the texts of its subsections and tags. Only these are more than one.
    pub(crate) fn values(&self) -> Vec<FoundValue<'v, 't>> {
        let filled = self.label.as_ref().filter(|it| !is_empty(it.value));
        match (filled, &self.section) {
            (None, Some(section)) => of_section(section),
            (Some(label), _) => vec![label.clone()],
            (None, None) => self.label.iter().cloned().collect(),
        }
    }

    /// The values at the end of these steps below it. `*` first stands for the items or members of its
    /// value, not for those of the section, which are its text, its list, its labels. Where there are none,
    /// the labels of the section count: `STEPS/build` is found below a heading, too.
    pub(crate) fn below(&self, steps: &[PointerStep]) -> Vec<FoundValue<'v, 't>> {
        let of_labels = || {
            let labels = [PointerStep::Name("labels".to_owned())];
            let section = self.section.iter().cloned();
            let labels = section.flat_map(|it| find_below(it, &labels));
            labels.flat_map(|it| find_below(it, steps)).collect()
        };
        let found = self.below_value(steps);
        if found.is_empty() { of_labels() } else { found }
    }

    /// The same without the labels of the section.
    fn below_value(&self, steps: &[PointerStep]) -> Vec<FoundValue<'v, 't>> {
        if steps.first() == Some(&PointerStep::Every) {
            let values = self.values().into_iter();
            return values.flat_map(|it| find_below(it, steps)).collect();
        }
        let things = [&self.label, &self.section].into_iter().flatten();
        let below = |it: &FoundValue<'v, 't>| match (&it.value.content, steps.split_first()) {
            // The list or table of a label is its value.
            (Content::List(items), Some((PointerStep::Name(member), rest)))
                if member == if is_table(items) { "table" } else { "list" } =>
            {
                find_below(it.clone(), rest)
            }
            _ => find_below(it.clone(), steps),
        };
        things.flat_map(below).collect()
    }
}

/// What stands under `name` directly in the text or, if nothing does, on the nearest level of sections
/// and tags below where something does. More than one is ambiguous.
pub(crate) fn nearest<'v, 't>(
    document: &'v PlacedValue<'t>,
    name: &str,
) -> Vec<NamedThing<'v, 't>> {
    let mut level = vec![FoundValue::whole(document)];
    while !level.is_empty() {
        let found: Vec<_> = level.iter().flat_map(|it| directly(it, name)).collect();
        if !found.is_empty() {
            return found;
        }
        level = level.iter().flat_map(inner).collect();
    }
    Vec::new()
}

/// What stands under `name` directly in a text, a section or a tag.
fn directly<'v, 't>(text: &FoundValue<'v, 't>, name: &str) -> Vec<NamedThing<'v, 't>> {
    let below = |member: &str| {
        let steps = [member, name].map(|it| PointerStep::Name(it.to_owned()));
        find_below(text.clone(), &steps)
    };
    let labels = below("front_matter").into_iter().chain(below("labels"));
    let mut things: Vec<_> = labels
        .map(|label| NamedThing {
            label: Some(label),
            section: None,
        })
        .collect();
    let own = things.len();
    for section in below("sections").into_iter().chain(below("tags")) {
        let place = section.value.place;
        let at = things[..own].partition_point(|it| start(it.place()) < start(place));
        match things[..own].get_mut(at) {
            Some(thing) if thing.place() == place => thing.section = Some(section),
            _ => things.push(NamedThing {
                label: None,
                section: Some(section),
            }),
        }
    }
    things
}

/// Whether a list is the rows of a table.
fn is_table(items: &[PlacedValue<'_>]) -> bool {
    items.iter().any(|it| it.object().is_some())
}

fn start(place: Option<Span>) -> Option<usize> {
    place.map(|it| it.start)
}

/// The sections and tags directly in a text, a section or a tag.
fn inner<'v, 't>(text: &FoundValue<'v, 't>) -> Vec<FoundValue<'v, 't>> {
    let members = ["sections", "tags"].into_iter();
    members
        .flat_map(|member| {
            let steps = [PointerStep::Name(member.to_owned()), PointerStep::Every];
            find_below(text.clone(), &steps)
        })
        .collect()
}

fn of_section<'v, 't>(section: &FoundValue<'v, 't>) -> Vec<FoundValue<'v, 't>> {
    let own = |name: &str| find_below(section.clone(), &[PointerStep::Name(name.to_owned())]);
    for member in ["list", "table", "text"] {
        let found = own(member);
        if found.iter().any(|it| !is_empty(it.value)) {
            return found;
        }
    }
    let texts = inner(section);
    let texts: Vec<_> = texts.iter().flat_map(of_section_text).collect();
    if texts.is_empty() { own("text") } else { texts }
}

/// The text of a section, and of those below it. Blank ones are left out.
fn of_section_text<'v, 't>(section: &FoundValue<'v, 't>) -> Vec<FoundValue<'v, 't>> {
    let mut texts = find_below(section.clone(), &[PointerStep::Name("text".to_owned())]);
    texts.retain(|it| !is_empty(it.value));
    texts.extend(inner(section).iter().flat_map(of_section_text));
    texts
}

/// Whether a value says nothing.
fn is_empty(value: &PlacedValue<'_>) -> bool {
    match &value.content {
        Content::Null => true,
        Content::Text(text) => is_blank(text),
        Content::List(items) => items.is_empty(),
        Content::Object(object) => object.members.is_empty(),
        Content::Bool(_) | Content::Number(..) | Content::Several(_) => false,
    }
}
