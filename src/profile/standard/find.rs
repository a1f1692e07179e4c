//! What stands at a place of a document.

use std::borrow::Cow;

use crate::form::document::{Content, Names, PlacedValue};
use crate::form::lookup::{FoundValue, PointerStep, find_below};
use crate::form::nearest::{NamedThing, nearest};
use crate::form::{in_item, is_hollow};
use crate::json::pointer::{Pointer, Segment};
use crate::profile::standard::{ValuePlace, nothing};
use crate::text::{Span, is_blank};

/// Two values where one is meant.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Twice {
    pub(crate) pointer: Pointer<'static>,
    pub(crate) spans: [Span; 2],
}

/// Where the steps of a place begin.
pub(crate) enum PlaceOrigin<'v, 't> {
    Value(FoundValue<'v, 't>),
    Named(NamedThing<'v, 't>),
}

impl<'v, 't> PlaceOrigin<'v, 't> {
    /// The values at the end of these steps.
    pub(crate) fn below(&self, steps: &[PointerStep]) -> Result<Vec<FoundValue<'v, 't>>, Twice> {
        match self {
            Self::Named(thing) if steps.is_empty() => Ok(thing.values()),
            _ => once(self.each_below(steps)),
        }
    }

    /// The same, also of what is there twice.
    fn each_below(&self, steps: &[PointerStep]) -> Vec<FoundValue<'v, 't>> {
        match self {
            Self::Value(value) => find_below(value.clone(), steps),
            Self::Named(thing) => thing.below(steps),
        }
    }

    /// Whether a name is there, and says that there is nothing under it.
    pub(crate) fn says_none(&self, own: &[String]) -> bool {
        let Self::Named(thing) = self else {
            return false;
        };
        let values = thing.values();
        let says = |it: &FoundValue<'_, '_>| !is_empty(it.value) && counts_nothing(it.value, own);
        !values.is_empty() && values.iter().all(says)
    }

    /// The last value on the way to what is missing.
    pub(crate) fn nearest_to(&self, way: &[PointerStep]) -> Pointer<'static> {
        let mut lengths = (0..way.len()).rev();
        let found = lengths.find_map(|length| self.below(&way[..length]).ok()?.into_iter().next());
        found.map_or_else(Pointer::root, |it| it.pointer.into_owned())
    }
}

impl ValuePlace {
    /// Where its steps begin. None if nothing has its name.
    pub(crate) fn origin<'v, 't>(
        &self,
        document: &'v PlacedValue<'t>,
    ) -> Result<Option<PlaceOrigin<'v, 't>>, Twice> {
        let Some(name) = self.name() else {
            return Ok(Some(PlaceOrigin::Value(FoundValue::whole(document))));
        };
        let mut things = nearest(document, name).into_iter();
        match (things.next(), things.next()) {
            (Some(one), Some(other)) => Err(Twice {
                pointer: pointer_of(&one),
                spans: [&one, &other].map(|it| it.place().unwrap_or_default()),
            }),
            (first, _) => Ok(first.map(PlaceOrigin::Named)),
        }
    }

    /// All values that it leads to.
    pub(crate) fn find<'v, 't>(
        &self,
        document: &'v PlacedValue<'t>,
    ) -> Result<Vec<FoundValue<'v, 't>>, Twice> {
        match self.origin(document)? {
            Some(origin) => origin.below(self.steps()),
            None => Ok(Vec::new()),
        }
    }

    /// The same for files, which may stand in several tags of one name.
    pub(crate) fn find_files<'v, 't>(
        &self,
        document: &'v PlacedValue<'t>,
    ) -> Result<Vec<FoundValue<'v, 't>>, Twice> {
        match (self.steps(), self.origin(document)?) {
            ([.., PointerStep::Name(tags), _], Some(origin)) if tags == "tags" => {
                Ok(origin.each_below(self.steps()))
            }
            _ => self.find(document),
        }
    }

    /// Whether a list or object that it goes through is there and has nothing in it.
    pub(crate) fn ends_in_nothing(&self, document: &PlacedValue<'_>) -> bool {
        let every = self.steps().iter().position(|it| *it == PointerStep::Every);
        let (Some(every), Ok(Some(origin))) = (every, self.origin(document)) else {
            return false;
        };
        let found = origin.below(&self.steps()[..every]).unwrap_or_default();
        found.iter().any(|it| is_nothing(it.value, &[]))
    }

    /// Whether a section begins with a text that there is nothing, and what was found in it stands below
    /// the first of its labels.
    pub(crate) fn is_of_label(
        &self,
        document: &PlacedValue<'_>,
        found: &FoundValue<'_, '_>,
        none: &[String],
    ) -> bool {
        let Ok(Some(PlaceOrigin::Named(thing))) = self.origin(document) else {
            return false;
        };
        let section = thing.section.as_ref().map(|it| it.value);
        let text = section.and_then(|it| it.member("text")?.text());
        let first = text.and_then(|it| it.lines().next()).unwrap_or_default();
        let labels = section.and_then(|it| it.member("labels")?.object());
        let label = labels.and_then(|it| it.members.first()?.1.place);
        let item = found.value.list().and_then(|it| it.first()?.place);
        let is_below = label
            .zip(item)
            .is_some_and(|(label, item)| label.end <= item.start);
        is_below && nothing::is_none(first, none)
    }

    /// The last value on the way to it that is there.
    pub(crate) fn nearest_to(&self, document: &PlacedValue<'_>) -> Pointer<'static> {
        match self.origin(document) {
            Ok(Some(origin)) => origin.nearest_to(self.steps()),
            _ => Pointer::root(),
        }
    }
}

fn pointer_of(thing: &NamedThing<'_, '_>) -> Pointer<'static> {
    let it = thing.label.as_ref().or(thing.section.as_ref());
    it.map_or_else(Pointer::root, |it| it.pointer.clone().into_owned())
}

/// The values, unless two of them have the same pointer: a text states them twice.
fn once<'v, 't>(found: Vec<FoundValue<'v, 't>>) -> Result<Vec<FoundValue<'v, 't>>, Twice> {
    let twice = found.windows(2).find(|it| it[0].pointer == it[1].pointer);
    match twice {
        Some(twice) => Err(Twice {
            pointer: twice[0].pointer.clone().into_owned(),
            spans: [0, 1].map(|index: usize| span(twice[index].value).unwrap_or_default()),
        }),
        None => Ok(found),
    }
}

fn span(value: &PlacedValue<'_>) -> Option<Span> {
    value.place.or(value.source)
}

/// The bytes of the value at a pointer, or of the nearest value around it that has a place.
pub(crate) fn span_at(document: &PlacedValue<'_>, pointer: &Pointer<'_>) -> Span {
    let mut value = document;
    let mut best = span(value);
    for segment in pointer.steps() {
        let next = match (&value.content, segment) {
            (Content::Object(object), Segment::Key(key)) => {
                let mut members = object.members.iter();
                members.find(|(name, _)| name == key).map(|it| &it.1)
            }
            (Content::List(items), Segment::Index(index)) => items.get(*index),
            _ => None,
        };
        let Some(next) = next else { break };
        value = match &next.content {
            Content::Several(values) => values.first().unwrap_or(next),
            _ => next,
        };
        best = span(value).or(best);
    }
    best.unwrap_or_default()
}

/// Whether a value is a text without anything on its lines, or a list of nothing but such texts.
pub(crate) fn is_empty(value: &PlacedValue<'_>) -> bool {
    match &value.content {
        Content::Text(text) => is_blank(text) || value.source.is_some() && is_hollow(text),
        Content::List(items) => !items.is_empty() && items.iter().all(is_empty),
        _ => false,
    }
}

/// Whether a value says that there is nothing. `own` are words for nothing besides the usual ones.
pub(crate) fn is_nothing(value: &PlacedValue<'_>, own: &[String]) -> bool {
    match &value.content {
        Content::Null => true,
        Content::Text(text) if value.source.is_some() => {
            is_empty(value)
                || text
                    .lines()
                    .all(|line| nothing::is_none(in_item(line), own))
        }
        Content::Text(text) => is_blank(text) || nothing::is_none(text, own),
        Content::List(items) => items.iter().all(|item| is_nothing(item, own)),
        Content::Object(object) => object.members.is_empty(),
        Content::Bool(_) | Content::Number(..) | Content::Several(_) => false,
    }
}

/// Whether a value says that there is nothing, also behind labels, in rows and as 0. Each of several items
/// must say it.
pub(crate) fn counts_nothing(value: &PlacedValue<'_>, own: &[String]) -> bool {
    let says = |value: &PlacedValue<'_>| match &value.content {
        Content::Text(text) => nothing::counts_none(text, own),
        Content::Number(number, _) => number.as_f64() == Some(0.0),
        Content::Object(row) if row.names == Names::Alike && row.members.len() > 1 => {
            let mut cells = row.members[1..].iter();
            cells.all(|(_, cell)| cell.text().is_some_and(|it| nothing::counts_none(it, own)))
        }
        _ => false,
    };
    is_nothing(value, own)
        || match &value.content {
            Content::List(items) => items.iter().all(says),
            Content::Object(object) => object.members.iter().all(|(_, it)| says(it)),
            _ => says(value),
        }
}

/// A value that is no list and no object, as text: a number as it was written, because an id may look like
/// one. None for null.
pub(crate) fn scalar<'t>(value: &PlacedValue<'t>) -> Option<Cow<'t, str>> {
    match &value.content {
        Content::Text(text) => Some(text.clone()),
        Content::Bool(value) => Some(Cow::Borrowed(if *value { "true" } else { "false" })),
        Content::Number(_, written) => Some(written.clone()),
        _ => None,
    }
}
