//! Places: how a standard says where in a document a value stands, and what stands there.

use std::borrow::Cow;
use std::fmt;

use serde::ser::{Serialize, Serializer};

use crate::document::lookup::{NamedThing, nearest};
use crate::document::pointer::{PointerPattern, PointerStep, unescaped};
use crate::document::tree::{Content, Value};
use crate::document::{Form, in_item, is_hollow};
use crate::profile::Expression;
use crate::profile::types::with_base;
use crate::profile::words::{Quantity, counts_none, in_text, is_none, quantity};
use crate::text::is_blank;

with_base! {
    /// Where values stand, and what is taken there.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub(crate) struct Place {
        /// The ways to them; the values of all of them count. There is at least one.
        pub(crate) paths: Cow<'static, [PlacePath]> = Cow::Borrowed(&[]),
        pub(crate) members: Cow<'static, [(RoleMember, PlacePath)]> = Cow::Borrowed(&[]),
        /// The part of each text that counts.
        pub(crate) expression: Option<Expression> = None,
        pub(crate) default: Option<String> = None,
        pub(crate) is_optional: bool = false,
        /// Whether nothing but a text counts, as in the built-in formats, whose members have types.
        pub(crate) is_of_texts: bool = false,
    }
}

/// What a member of a value is for a role.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RoleMember {
    /// The text itself, where no member is named.
    Whole,
    Path,
    Line,
    Quote,
    Commit,
    Kind,
    Summary,
}

impl Place {
    /// The whole values at the end of one way.
    pub(crate) fn at(path: PlacePath) -> Self {
        Self { paths: vec![path].into(), ..Self::BASE }
    }

    /// The first of its paths. It stands for the place in messages, and where one is enough.
    pub(crate) fn path(&self) -> &PlacePath {
        &self.paths[0]
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.path().text
    }

    /// Its path, if it is no more than that.
    pub(crate) fn only_path(&self) -> Option<&PlacePath> {
        let takes_all = self.members.is_empty() && self.expression.is_none();
        let is_needed = self.default.is_none() && !self.is_optional;
        (takes_all && is_needed && self.paths.len() == 1).then(|| self.path())
    }

    /// The path of the member that it leads to, with dots: `metadata.session_id`.
    pub(crate) fn dotted(&self) -> String {
        let text = self.as_str();
        text.trim_start_matches('/').replace('/', ".")
    }

    /// Whether it leads to each of several values.
    pub(crate) fn is_of_each(&self) -> bool {
        let is_each = |path: &PlacePath| path.steps().contains(&PointerStep::Every);
        !self.members.is_empty() || self.paths.iter().any(is_each)
    }
}

/// What stands at a place: a value, or the part of its text that counts.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PlaceValue<'v, 't> {
    /// The value. The whole document if it is the default of the place.
    pub(crate) at: Value<'v, 't>,
    /// None if the whole value counts.
    part: Option<Cow<'t, str>>,
}

impl<'v, 't> PlaceValue<'v, 't> {
    pub(crate) fn whole(at: Value<'v, 't>) -> Self {
        Self { at, part: None }
    }

    pub(crate) fn part(at: Value<'v, 't>, text: Cow<'t, str>) -> Self {
        let part = Some(text);
        Self { at, part }
    }

    pub(crate) fn content(&self) -> Content<'_> {
        let part = self.part.as_deref().map(Content::Text);
        part.unwrap_or_else(|| self.at.content())
    }

    pub(crate) fn scalar(&self) -> Option<Cow<'t, str>> {
        self.part.clone().or_else(|| self.at.scalar())
    }

    pub(crate) fn text(&self) -> Option<&str> {
        self.part.as_deref().or_else(|| self.at.text())
    }

    pub(crate) fn is_null(&self) -> bool {
        self.part.is_none() && self.at.is_null()
    }

    pub(crate) fn is_empty(&self) -> bool {
        let part = self.part.as_deref();
        part.map_or_else(|| is_empty(self.at), is_blank)
    }

    pub(crate) fn is_nothing(&self, own: &[String]) -> bool {
        let part = self.part.as_deref();
        part.map_or_else(|| is_nothing(self.at, own), |it| is_none(it, own))
    }

    pub(crate) fn counts_nothing(&self, own: &[String]) -> bool {
        let part = self.part.as_deref();
        part.map_or_else(|| counts_nothing(self.at, own), |it| counts_none(it, own))
    }

    pub(crate) fn quantity(&self) -> Option<Quantity<'_>> {
        let part = self.part.as_deref();
        part.map_or_else(|| quantity(self.at), in_text)
    }
}

impl Serialize for PlaceValue<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.part {
            Some(text) => serializer.serialize_str(text),
            None => self.at.serialize(serializer),
        }
    }
}

/// The way to values: a JSON Pointer, or a name in a text and the steps below it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PlacePath {
    text: Cow<'static, str>,
    /// The name that is looked for. None for a pointer.
    name: Option<String>,
    /// The steps from the document, or from what stands under the name.
    steps: PointerPattern,
}

/// The members of the document of a text.
const OF_TEXT: [&str; 11] = [
    "first",
    "last",
    "lines",
    "text",
    "front_matter",
    "labels",
    "list",
    "table",
    "sections",
    "tags",
    "blocks",
];

impl PlacePath {
    /// A pointer, as a text and as its steps.
    pub(crate) const fn fixed(text: &'static str, steps: &'static [PointerStep]) -> Self {
        Self { text: Cow::Borrowed(text), name: None, steps: PointerPattern::of(steps) }
    }

    /// Reads a place of a document in this form. The error says why it is none.
    pub(crate) fn read(text: &str, form: Form) -> Result<Self, String> {
        let at = text.find('/').unwrap_or(text.len());
        let (name, steps) = match (text, form) {
            _ if at == 0 => (None, text),
            (_, Form::Json | Form::Yaml) => {
                return Err("must begin with `/`, unless `form` is \"text\"".to_owned());
            }
            _ if is_blank(&text[..at]) => return Err("has an empty name".to_owned()),
            _ => (Some(unescaped(&text[..at]).ok_or(ESCAPE)?), &text[at..]),
        };
        let steps = PointerPattern::read(steps).ok_or(ESCAPE)?;
        if let Some(PointerStep::Name(member)) = steps.steps().first()
            && (form == Form::Text && name.is_none())
            && !OF_TEXT.contains(&&**member)
        {
            let known = OF_TEXT.join(", ");
            return Err(format!(
                "can match nothing in a text: a document has {known}, no `{member}`"
            ));
        }
        Ok(Self { text: text.to_owned().into(), name, steps })
    }

    /// Reads the name of a member, or a pointer below a value.
    pub(crate) fn read_member(text: &str) -> Result<Self, String> {
        if text.starts_with('/') {
            return Self::read(text, Form::Json);
        }
        let pointer = format!("/{}", text.replace('~', "~0").replace('/', "~1"));
        Ok(Self { text: text.to_owned().into(), ..Self::read(&pointer, Form::Json)? })
    }

    pub(crate) fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// All names in it.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        let steps = self.steps().iter().filter_map(|step| match step {
            PointerStep::Name(name) => Some(&**name),
            PointerStep::Every => None,
        });
        self.name().into_iter().chain(steps)
    }

    pub(crate) fn steps(&self) -> &[PointerStep] {
        self.steps.steps()
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }
}

const ESCAPE: &str = "has a `~` that must be written `~0`, or `~1` for a slash";

impl fmt::Display for PlacePath {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.text)
    }
}

/// Two values where one is meant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Twice<'v, 't>(pub(crate) [Value<'v, 't>; 2]);

pub(crate) type FoundValues<'v, 't> = Result<Vec<Value<'v, 't>>, Twice<'v, 't>>;

/// Where the steps of a place begin: what stands under its name, or the value that a pointer begins with.
impl<'v, 't> NamedThing<'v, 't> {
    /// The values at the end of these steps.
    pub(crate) fn find(self, steps: &[PointerStep]) -> FoundValues<'v, 't> {
        if steps.is_empty() { Ok(self.values()) } else { once(self.below(steps)) }
    }

    /// Whether it is there, and says that there is nothing under it.
    pub(crate) fn says_none(self, own: &[String]) -> bool {
        let values = self.values();
        let says = |it: &Value<'_, '_>| !is_empty(*it) && counts_nothing(*it, own);
        !values.is_empty() && values.iter().all(says)
    }

    /// The last value on the way to what is missing. None if there is none.
    pub(crate) fn nearest_to(self, way: &[PointerStep]) -> Option<Value<'v, 't>> {
        let mut lengths = (0..way.len()).rev();
        lengths.find_map(|length| self.find(&way[..length]).ok()?.into_iter().next())
    }
}

impl PlacePath {
    /// Where its steps begin. None if nothing has its name.
    pub(crate) fn origin<'v, 't>(
        &self,
        document: Value<'v, 't>,
    ) -> Result<Option<NamedThing<'v, 't>>, Twice<'v, 't>> {
        let Some(name) = self.name() else {
            return Ok(Some(NamedThing::of(document)));
        };
        let things = nearest(document, name);
        let mut values = things.iter().filter_map(|it| it.value());
        match (values.next(), values.next()) {
            (Some(one), Some(other)) => Err(Twice([one, other])),
            _ => Ok(things.first().copied()),
        }
    }

    /// The value that a way of nothing but names leads to.
    pub(crate) fn member<'v, 't>(&self, value: Value<'v, 't>) -> Option<Value<'v, 't>> {
        let mut steps = self.steps().iter();
        steps.try_fold(value, |value, step| match step {
            PointerStep::Name(name) => value.member(name),
            PointerStep::Every => None,
        })
    }

    pub(crate) fn find<'v, 't>(&self, document: Value<'v, 't>) -> FoundValues<'v, 't> {
        match self.origin(document)? {
            Some(origin) => origin.find(self.steps()),
            None => Ok(Vec::new()),
        }
    }

    /// The same for files, which may stand in several tags of one name.
    pub(crate) fn find_files<'v, 't>(&self, document: Value<'v, 't>) -> FoundValues<'v, 't> {
        match (self.steps(), self.origin(document)?) {
            ([.., PointerStep::Name(tags), _], Some(origin)) if tags == "tags" => {
                Ok(origin.below(self.steps()))
            }
            _ => self.find(document),
        }
    }

    /// Whether a list or object that it goes through is there and has nothing in it.
    pub(crate) fn ends_in_nothing(&self, document: Value<'_, '_>) -> bool {
        let every = self.steps().iter().position(|it| *it == PointerStep::Every);
        let (Some(every), Ok(Some(origin))) = (every, self.origin(document)) else {
            return false;
        };
        let found = origin.find(&self.steps()[..every]).unwrap_or_default();
        found.iter().any(|it| is_nothing(*it, &[]))
    }

    /// Whether a section begins with a text that there is nothing, and what was found in it stands below
    /// the first of its labels.
    pub(crate) fn is_of_label(
        &self,
        document: Value<'_, '_>,
        found: Value<'_, '_>,
        none: &[String],
    ) -> bool {
        let Ok(Some(thing)) = self.origin(document) else {
            return false;
        };
        let text = thing.section.and_then(|it| it.member("text")?.text());
        let first = text.and_then(|it| it.lines().next()).unwrap_or_default();
        let labels = thing.section.and_then(|it| it.member("labels"));
        let label = labels.and_then(|it| it.members().next()?.place());
        let item = found.items().next().and_then(Value::place);
        let is_below = label.zip(item).is_some_and(|(label, item)| label.end <= item.start);
        is_below && is_none(first, none)
    }

    /// The last value on the way to it that is there, or the whole.
    pub(crate) fn nearest_to<'v, 't>(&self, document: Value<'v, 't>) -> Value<'v, 't> {
        let origin = self.origin(document).ok().flatten();
        let found = origin.and_then(|it| it.nearest_to(self.steps()));
        found.unwrap_or(document)
    }
}

/// The values, unless two of them have the same pointer: a text states them twice.
fn once<'v, 't>(found: Vec<Value<'v, 't>>) -> FoundValues<'v, 't> {
    let has_several = |it: &[Value<'_, '_>]| it[0].tree().has_several();
    let mut pairs = found.windows(2).take_while(|it| has_several(it));
    match pairs.find(|it| it[0].pointer() == it[1].pointer()) {
        Some(twice) => Err(Twice([twice[0], twice[1]])),
        None => Ok(found),
    }
}

/// Whether a value is a text without anything on its lines, or a list of nothing but such texts.
pub(crate) fn is_empty(value: Value<'_, '_>) -> bool {
    match value.content() {
        Content::Text(text) => is_blank(text) || value.source().is_some() && is_hollow(text),
        Content::List => value.items().next().is_some() && value.items().all(is_empty),
        _ => false,
    }
}

/// Whether a value says that there is nothing. `own` are words for nothing besides the usual ones.
pub(crate) fn is_nothing(value: Value<'_, '_>, own: &[String]) -> bool {
    match value.content() {
        Content::Null => true,
        Content::Text(text) if value.source().is_some() => {
            is_empty(value) || text.lines().all(|line| is_none(in_item(line), own))
        }
        Content::Text(text) => is_blank(text) || is_none(text, own),
        Content::List => value.items().all(|item| is_nothing(item, own)),
        Content::Object => value.members().next().is_none(),
        Content::Bool(_) | Content::Number(_) | Content::Several => false,
    }
}

/// Whether a value says that there is nothing, also behind labels, in rows and as 0. Each of several items
/// must say it.
pub(crate) fn counts_nothing(value: Value<'_, '_>, own: &[String]) -> bool {
    let says = |value: Value<'_, '_>| match value.content() {
        Content::Text(text) => counts_none(text, own),
        Content::Number(_) => value.number() == Some(0.0),
        Content::Object if value.is_alike() => {
            let mut cells = value.members().skip(1).peekable();
            let counts = |it: Value<'_, '_>| it.text().is_some_and(|it| counts_none(it, own));
            cells.peek().is_some() && cells.all(counts)
        }
        _ => false,
    };
    is_nothing(value, own)
        || match value.content() {
            Content::List | Content::Object => value.children().all(says),
            _ => says(value),
        }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_a_pointer_or_a_name_with_steps() {
        let place = PlacePath::read("/findings/*/file", Form::Json).expect("a place");
        assert!(place.name().is_none() && place.steps().contains(&PointerStep::Every));
        let place = PlacePath::read("STEPS/*", Form::Text).expect("a place");
        assert_eq!(place.name(), Some("STEPS"));
        let place = PlacePath::read("Pass~1Fail", Form::Text).expect("a place");
        assert_eq!((place.name(), place.steps().len()), (Some("Pass/Fail"), 0));
    }

    #[test]
    fn a_place_that_can_match_nothing_is_refused() {
        let error = |text, form| PlacePath::read(text, form).expect_err("an error");
        assert!(error("status", Form::Json).starts_with("must begin with `/`"));
        assert!(error("/a~b", Form::Yaml).starts_with("has a `~`"));
        assert_eq!(error(" /x", Form::Text), "has an empty name");
        assert!(error("labels~2x", Form::Text).starts_with("has a `~`"));
        assert!(error("/status", Form::Text).ends_with("no `status`"));
        assert!(PlacePath::read("A/B", Form::Text).is_ok());
        assert!(PlacePath::read("/sections/*/labels/severity", Form::Text).is_ok());
    }
}
