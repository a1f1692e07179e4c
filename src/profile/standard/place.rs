//! Places: how a standard says where in a document a value stands, and what stands there.

use std::borrow::Cow;
use std::fmt;

use crate::form::document::{Content, Names, PlacedValue};
use crate::form::lookup::{FoundValue, PointerPattern, PointerStep, find_below, unescaped};
use crate::form::nearest::{NamedThing, nearest};
use crate::form::{Form, in_item, is_hollow};
use crate::json::pointer::{Pointer, Segment};
use crate::profile::standard::words::{counts_none, is_none};
use crate::text::{Span, is_blank};

/// Where in a document values stand: a JSON Pointer, or a name in a text and the steps below it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ValuePlace {
    /// As the configuration writes it.
    text: String,
    /// The name that is looked for. None for a pointer.
    name: Option<String>,
    /// The steps from the document, or from what stands under the name.
    steps: PointerPattern,
}

/// Why a text is no place.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum PlaceError {
    #[error("must begin with `/`")]
    NoPointer,
    #[error("has a `~` that must be written `~0`, or `~1` for a slash")]
    Escape,
    #[error("has an empty name")]
    EmptyName,
    #[error("can match nothing in a text: {0}")]
    Nothing(String),
}

/// The members of the document of a text that are no objects and have no members.
const PLAIN: [&str; 4] = ["first", "last", "lines", "text"];

/// The other members. They are those of each section, too, apart from the front matter.
const WITH_MEMBERS: [&str; 7] = [
    "front_matter",
    "labels",
    "list",
    "table",
    "sections",
    "tags",
    "blocks",
];

impl ValuePlace {
    /// Reads a place of a document in this form.
    pub(crate) fn read(text: &str, form: Form) -> Result<Self, PlaceError> {
        let is_pointer = text.is_empty() || text.starts_with('/');
        if is_pointer {
            let steps = PointerPattern::read(text).ok_or(PlaceError::Escape)?;
            if form == Form::Text {
                can_match(steps.steps())?;
            }
            return Ok(Self {
                text: text.to_owned(),
                name: None,
                steps,
            });
        }
        if form != Form::Text {
            return Err(PlaceError::NoPointer);
        }
        Self::read_name(text)
    }

    /// Reads the name of a member, or a pointer below a value.
    pub(crate) fn read_member(text: &str) -> Result<Self, PlaceError> {
        if text.starts_with('/') {
            return Self::read(text, Form::Json);
        }
        let pointer = format!("/{}", text.replace('~', "~0").replace('/', "~1"));
        let steps = PointerPattern::read(&pointer).ok_or(PlaceError::Escape)?;
        Ok(Self {
            text: text.to_owned(),
            name: None,
            steps,
        })
    }

    fn read_name(text: &str) -> Result<Self, PlaceError> {
        let (name, rest) = match text.find('/') {
            Some(at) => text.split_at(at),
            None => (text, ""),
        };
        if name.trim().is_empty() {
            return Err(PlaceError::EmptyName);
        }
        Ok(Self {
            text: text.to_owned(),
            name: Some(unescaped(name).ok_or(PlaceError::Escape)?),
            steps: PointerPattern::read(rest).ok_or(PlaceError::Escape)?,
        })
    }

    /// The name that is looked for. None for a pointer.
    pub(crate) fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The steps from the document, or from what stands under the name.
    pub(crate) fn steps(&self) -> &[PointerStep] {
        self.steps.steps()
    }

    /// As the configuration writes it.
    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for ValuePlace {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.text)
    }
}

/// Refuses steps that lead to nothing in the document of any text.
fn can_match(steps: &[PointerStep]) -> Result<(), PlaceError> {
    let mut steps = steps.iter();
    let Some(PointerStep::Name(member)) = steps.next() else {
        return Ok(());
    };
    let member = member.as_str();
    if PLAIN.contains(&member) {
        return match steps.next() {
            None => Ok(()),
            Some(_) => Err(PlaceError::Nothing(format!("`{member}` has no members"))),
        };
    }
    if !WITH_MEMBERS.contains(&member) {
        let known = PLAIN.iter().chain(&WITH_MEMBERS).copied();
        let known: Vec<_> = known.collect();
        let known = known.join(", ");
        return Err(PlaceError::Nothing(format!(
            "a document has {known}, no `{member}`"
        )));
    }
    match (member, steps.next()) {
        ("list" | "table", Some(PointerStep::Name(index))) if index.parse::<usize>().is_err() => {
            Err(PlaceError::Nothing(format!(
                "`{member}` has items, no `{index}`"
            )))
        }
        _ => Ok(()),
    }
}

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
        is_below && is_none(first, none)
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
            is_empty(value) || text.lines().all(|line| is_none(in_item(line), own))
        }
        Content::Text(text) => is_blank(text) || is_none(text, own),
        Content::List(items) => items.iter().all(|item| is_nothing(item, own)),
        Content::Object(object) => object.members.is_empty(),
        Content::Bool(_) | Content::Number(..) | Content::Several(_) => false,
    }
}

/// Whether a value says that there is nothing, also behind labels, in rows and as 0. Each of several items
/// must say it.
pub(crate) fn counts_nothing(value: &PlacedValue<'_>, own: &[String]) -> bool {
    let says = |value: &PlacedValue<'_>| match &value.content {
        Content::Text(text) => counts_none(text, own),
        Content::Number(number, _) => number.as_f64() == Some(0.0),
        Content::Object(row) if row.names == Names::Alike && row.members.len() > 1 => {
            let mut cells = row.members[1..].iter();
            cells.all(|(_, cell)| cell.text().is_some_and(|it| counts_none(it, own)))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_a_pointer_or_a_name_with_steps() {
        let place = ValuePlace::read("/findings/*/file", Form::Json).expect("a place");
        assert!(place.name().is_none() && place.steps().contains(&PointerStep::Every));
        let place = ValuePlace::read("STEPS/*", Form::Text).expect("a place");
        assert_eq!(place.name(), Some("STEPS"));
        let place = ValuePlace::read("Pass~1Fail", Form::Text).expect("a place");
        assert_eq!((place.name(), place.steps().len()), (Some("Pass/Fail"), 0));
    }

    #[test]
    fn a_place_that_can_match_nothing_is_refused() {
        let error = |text, form| {
            ValuePlace::read(text, form)
                .expect_err("an error")
                .to_string()
        };
        assert_eq!(error("status", Form::Json), "must begin with `/`");
        assert!(error("/a~b", Form::Yaml).starts_with("has a `~`"));
        assert_eq!(error(" /x", Form::Text), "has an empty name");
        assert!(error("labels~2x", Form::Text).starts_with("has a `~`"));
        assert_eq!(
            error("/first/0", Form::Text),
            "can match nothing in a text: `first` has no members"
        );
        assert!(error("/status", Form::Text).ends_with("no `status`"));
        assert!(error("/list/a", Form::Text).ends_with("has items, no `a`"));
        assert!(ValuePlace::read("/sections/*/labels/severity", Form::Text).is_ok());
    }
}
