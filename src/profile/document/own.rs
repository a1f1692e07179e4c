//! A return of a standard of one's own: the values of its roles.

use std::borrow::Cow;

use crate::document::tree::Value;
use crate::json::field::{Expected, Field, Node};
use crate::json::pointer::Pointer;

/// The values that the roles of a standard take out of a return.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct OwnReturn<'v, 't> {
    /// How the work ended: one of the words of the profile, or else the text that stands there.
    pub status: Field<Cow<'t, str>>,
    /// What was done.
    pub summary: Field<Cow<'t, str>>,
    /// The id of the delegation that it answers.
    pub session: Option<Cow<'t, str>>,
    /// The agent that it names as its author.
    pub agent: Option<Cow<'t, str>>,
    /// The paths of the files that it says it wrote.
    pub artifacts: Vec<OwnPath<'v, 't>>,
    /// The number of files that it names in a way that cannot be looked up.
    pub unreadable: usize,
    /// The tests that it says passed.
    pub(crate) tests: Option<PassedTests>,
    /// Whether it names commits.
    pub(crate) has_commits: bool,
    /// Where the roles stand, by name.
    pub(crate) places: Vec<(&'static str, Value<'v, 't>)>,
}

/// Tests that are claimed to have passed.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PassedTests {
    pub(crate) pointer: Pointer<'static>,
    /// Whether no failed tests are claimed.
    pub(crate) all_passed: bool,
}

/// A path and its place.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct OwnPath<'v, 't> {
    /// The path, as the return has it.
    pub path: Cow<'t, str>,
    /// What it stands in.
    pub(crate) at: Value<'v, 't>,
    /// Why nothing is known of the file if it is not there. None if it must be there.
    pub(crate) doubt: Option<&'static str>,
}

impl OwnReturn<'_, '_> {
    /// Where a role stands: at its value, or at what should contain it.
    pub(crate) fn place(&self, role: &str) -> Pointer<'static> {
        let place = self.places.iter().find(|(known, _)| *known == role);
        place.map_or_else(Pointer::root, |(_, value)| value.pointer())
    }
}

/// Its roles are looked at one by one: as a tree it has no members.
impl Node for OwnReturn<'_, '_> {
    fn expected(&self) -> Expected {
        Expected::Anything
    }
}
