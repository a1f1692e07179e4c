//! The typed return: what the steps read of a return, whatever its form and its profile.

use std::borrow::Cow;

use crate::document::pointer::Pointer;
use crate::document::tree::Value;
use crate::profile::Shape;
use crate::text::is_blank;

/// A value of a return that the steps know by name.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) enum Field<T> {
    /// It is not there.
    #[default]
    Missing,
    /// It is `null`.
    Null,
    /// It is of another type.
    Wrong,
    Present(T),
}

impl<T> Field<T> {
    /// The value, if it is there and has its type.
    pub(crate) fn present(&self) -> Option<&T> {
        match self {
            Self::Present(value) => Some(value),
            _ => None,
        }
    }
}

/// The values that the steps take out of a return.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Return<'v, 't> {
    /// How the work ended: one of the words of the profile, or else the text that stands there.
    pub(crate) status: Field<Cow<'t, str>>,
    /// What was done.
    pub(crate) summary: Field<Cow<'t, str>>,
    /// The id of the delegation that it answers.
    pub(crate) session: Option<Cow<'t, str>>,
    /// The agent that it names as its author.
    pub(crate) agent: Option<Cow<'t, str>>,
    /// The files that it says it wrote.
    pub(crate) artifacts: Vec<Artifact<'v, 't>>,
    /// The number of files that it names, also in a way that cannot be looked up. None if there is no list.
    pub(crate) claimed: Option<usize>,
    /// The tests that it says passed.
    pub(crate) tests: Option<PassedTests>,
    /// Whether it names commits.
    pub(crate) has_commits: bool,
    /// The delegation that a return of a built-in format answers.
    pub(crate) metadata: Option<Value<'v, 't>>,
    /// Where its values stand, by name, if they are no members of the whole.
    pub(crate) places: Vec<(&'static str, Value<'v, 't>)>,
}

/// A file that the agent says it wrote.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Artifact<'v, 't> {
    /// The path, as the return has it.
    pub(crate) path: Cow<'t, str>,
    pub(crate) kind: Option<Cow<'t, str>>,
    /// What it contains.
    pub(crate) summary: Option<Cow<'t, str>>,
    /// The value that has the path.
    pub(crate) at: Value<'v, 't>,
    /// Why nothing is known of the file if it is not there. None if it must be there.
    pub(crate) doubt: Option<&'static str>,
}

/// Tests that are claimed to have passed.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PassedTests {
    pub(crate) pointer: Pointer<'static>,
    /// Whether no failed tests are claimed.
    pub(crate) all_passed: bool,
}

impl<'v, 't> Artifact<'v, 't> {
    pub(crate) fn new(path: Cow<'t, str>, at: Value<'v, 't>) -> Self {
        Self {
            path,
            kind: None,
            summary: None,
            at,
            doubt: None,
        }
    }
}

impl<'v, 't> Return<'v, 't> {
    /// The return that an object is. None for a message that is not read.
    pub(crate) fn of(shape: Shape, object: Value<'v, 't>) -> Self {
        let common = Self {
            status: text(object.member("status")),
            summary: text(object.member("summary")),
            ..Self::default()
        };
        match shape {
            Shape::Handoff => common.of_handoff(object),
            Shape::Return | Shape::Message => common.of_return(object),
        }
    }

    fn of_return(self, object: Value<'v, 't>) -> Self {
        let metadata = object.object_of("metadata");
        let of_metadata = |name| metadata?.member(name)?.text_of_message();
        let list = object.list_of("artifacts");
        let artifacts = list.clone().into_iter().flatten();
        let artifact = |it: Value<'v, 't>| {
            let text = |name| it.member(name)?.text_of_message();
            let path = it.member("path")?;
            Some(Artifact {
                kind: text("type"),
                summary: text("summary"),
                ..Artifact::new(path.text_of_message()?, path)
            })
        };
        Self {
            session: of_metadata("session_id"),
            agent: of_metadata("agent_type"),
            artifacts: artifacts.filter_map(artifact).collect(),
            claimed: list.map(Iterator::count),
            metadata,
            ..self
        }
    }

    fn of_handoff(self, object: Value<'v, 't>) -> Self {
        let text = |name| object.member(name)?.text_of_message();
        let lists = ["files_created", "files_modified"].map(|name| object.list_of(name));
        let items = lists.into_iter().flatten().flatten();
        let named = object.object_of("artifacts").into_iter();
        let entries = items.chain(named.flat_map(Value::members));
        let artifact = |it: Value<'v, 't>| Some(Artifact::new(it.text_of_message()?, it));
        Self {
            session: text("session_id"),
            agent: text("from_agent"),
            artifacts: entries.clone().filter_map(artifact).collect(),
            claimed: Some(entries.count()),
            tests: passing_tests(object),
            ..self
        }
    }

    /// Where a value stands, or what should contain it: a member of the whole, unless the profile says otherwise.
    pub(crate) fn place(&self, name: &'static str) -> Pointer<'static> {
        let place = self.places.iter().find(|(known, _)| *known == name);
        match place {
            Some((_, value)) => value.pointer(),
            None if self.places.is_empty() => Pointer::root().key(name),
            None => Pointer::root(),
        }
    }

    /// The agent, if that is a name.
    pub(crate) fn name(&self) -> Option<&Cow<'t, str>> {
        self.agent.as_ref().filter(|agent| !is_blank(agent))
    }
}

fn text<'t>(value: Option<Value<'_, 't>>) -> Field<Cow<'t, str>> {
    match value {
        None => Field::Missing,
        Some(value) if value.is_null() => Field::Null,
        Some(value) => value.text_of_message().map_or(Field::Wrong, Field::Present),
    }
}

/// The passing tests that a handoff claims, and whether it counts no failed ones.
fn passing_tests(handoff: Value<'_, '_>) -> Option<PassedTests> {
    let of = |name: &'static str, [passed, failed]: [&str; 2]| {
        let counts = handoff.object_of(name)?;
        let is_some = |name| counts.number_of(name).is_some_and(|it| it > 0.0);
        is_some(passed).then(|| PassedTests {
            pointer: Pointer::root().key(name),
            all_passed: !is_some(failed),
        })
    };
    of("tests", ["passing", "failing"]).or_else(|| of("total_tests", ["passed", "failed"]))
}
