//! The formats of returns as data. Checks, instructions, schemas and documentation derive from it what a
//! format requires.

mod builtin;
pub(crate) mod commits;
pub(crate) mod fields;
mod file_pattern;
mod length;
pub(crate) mod paths;
pub(crate) mod place;
pub(crate) mod read;
pub(crate) mod role;
mod roles;
pub(crate) mod sample;
pub(crate) mod schema;
#[cfg(test)]
mod tests;
pub(crate) mod told;
mod types;
pub(crate) mod words;

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use crate::document::Form;
use crate::document::part::PartError;
use crate::document::tree::Tree;
use crate::profile::read::Unreadable;
use crate::text::Span;

pub use builtin::{COMPACT, HANDOFF, PROFILES, RETURN, RETURN_META, RETURN_V1};
use types::with_base;
pub use types::{Action, Level};
pub(crate) use types::{Agent, Meaning, Status};

// What the fields of a profile are made of.
pub(crate) use self::{
    builtin::{ANY, claims_files},
    file_pattern::FilePattern,
    length::{LengthLimit, Measured, Unit, tokens},
    place::{Place, PlacePath, RoleMember},
    read::ReturnPart,
    roles::{
        AllowedWords, Claims, Condition, CountRule, CountedThings, Expression, MessageLimits,
        PathGlob, Roles, WantedText,
    },
    schema::{Schema, SchemaRule},
    types::{Companion, DetailFile, FieldSpec, Limits, Need, Requirement, Shape},
};

with_base! {
    /// One format of return and its rules. A [configuration](crate::Config) can have custom ones.
    ///
    /// ```
    /// use retval::Profile;
    ///
    /// let profile = Profile::for_path("specs/12_tides/.return-meta.json".as_ref());
    /// assert_eq!(profile.id, "return-meta");
    /// assert!(Profile::named("return-v1").is_some());
    /// ```
    #[derive(Debug, Clone, PartialEq, Eq)]
    #[non_exhaustive]
    pub struct Profile {
        /// The name that `--profile` takes.
        pub id: Cow<'static, str> = Cow::Borrowed(""),
        /// What sort of document it describes.
        pub document: Cow<'static, str> = Cow::Borrowed(""),
        /// The documents that define it, by their short names.
        pub sources: Cow<'static, str> = Cow::Borrowed(""),
        pub(crate) shape: Shape = Shape::Return,
        /// The fields of the document, in the order of its definition.
        pub(crate) fields: Cow<'static, [FieldSpec]> = Cow::Borrowed(&[]),
        /// The status words that all agents share; empty if each agent has its own.
        pub(crate) statuses: Cow<'static, [Status]> = Cow::Borrowed(&[]),
        pub(crate) agents: Cow<'static, [Agent]> = Cow::Borrowed(&[]),
        /// Status words that are forbidden by name, and why.
        pub(crate) forbidden: Cow<'static, [(Cow<'static, str>, Cow<'static, str>)]> = Cow::Borrowed(&[]),
        /// The types that artifacts may have; empty if any.
        pub(crate) artifact_types: Cow<'static, [Cow<'static, str>]> = Cow::Borrowed(&[]),
        /// The types that errors may have; empty if any.
        pub(crate) error_types: Cow<'static, [Cow<'static, str>]> = Cow::Borrowed(&[]),
        /// How long a summary, or the whole return, may be.
        pub(crate) length: Option<LengthLimit> = None,
        /// The length above which a warning is reported.
        pub(crate) soft_length: Option<LengthLimit> = None,
        pub(crate) sentences: Option<(usize, usize)> = None,
        pub(crate) limits: Limits = Limits::BASE,
        pub(crate) requirements: Cow<'static, [Requirement]> = Cow::Borrowed(&[]),
        /// Levels of rules that differ from the defaults of the rules.
        pub(crate) levels: Cow<'static, [(&'static str, Level)]> = Cow::Borrowed(&[]),
        /// The name of the file that agents write, with `*` for the part that varies; none if the document
        /// is the agent's final message.
        pub(crate) file: Option<Cow<'static, str>> = None,
        /// Patterns of the file names that choose this profile. Empty for the default profile and for
        /// profiles that must be named.
        pub(crate) files: Cow<'static, [FilePattern]> = Cow::Borrowed(&[]),
        /// The paths below the root at which an agent's handoff file may be; agents are told the first. `{session}`,
        /// `{group}`, `{agent}` and `{short}`, the agent's short name, are replaced. Empty if agents write no handoff
        /// file next to the document.
        pub(crate) handoff_paths: Cow<'static, [Cow<'static, str>]> = Cow::Borrowed(&[]),
        /// Members that belong together: a document that has one of them, other than the session id, should
        /// have all.
        pub(crate) routing: Cow<'static, [Cow<'static, str>]> = Cow::Borrowed(&[]),
        /// The allowed words of a reviewer's `decision`, which are also status words; empty if any word is
        /// allowed.
        pub(crate) decisions: Cow<'static, [Cow<'static, str>]> = Cow::Borrowed(&[]),
        pub(crate) form: Form = Form::Json,
        /// The part of a message that is the return. None if it is all of it.
        pub(crate) part: Option<ReturnPart> = None,
        /// The fields that steps look at.
        pub(crate) roles: Roles = Roles::BASE,
        /// Fields that must be there; an empty list is enough.
        pub(crate) required: Cow<'static, [Place]> = Cow::Borrowed(&[]),
        /// Fields that must not be empty with a status.
        pub(crate) required_if: Cow<'static, [Condition]> = Cow::Borrowed(&[]),
        /// Fields that must be empty with a status.
        pub(crate) empty_if: Cow<'static, [Condition]> = Cow::Borrowed(&[]),
        /// Whether a success without artifacts is an error.
        pub(crate) requires_artifacts: bool = false,
        pub(crate) message_limits: MessageLimits = MessageLimits::BASE,
        /// Folders besides the root in which artifacts and files may lie.
        pub(crate) extra_roots: Cow<'static, [PathBuf]> = Cow::Borrowed(&[]),
        /// The files that the agent may write. None if any.
        pub(crate) writes: Option<Vec<PathGlob>> = None,
        /// A return that keeps it, for the instruction.
        pub(crate) example: Option<String> = None,
        /// Whether an agent is told how to return. If not, its own prompt does.
        pub(crate) is_instructed: bool = true,
        /// Words for nothing, besides the usual ones.
        pub(crate) none: Cow<'static, [String]> = Cow::Borrowed(&[]),
        /// Words for a file that is gone, besides the usual ones.
        pub(crate) gone: Cow<'static, [String]> = Cow::Borrowed(&[]),
        /// The schema of the document, or of a value in it.
        pub(crate) schema: Option<SchemaRule> = None,
        /// Other conditions on the values.
        pub(crate) claims: Claims = Claims::BASE,
    }
}

impl Profile {
    /// A profile of any JSON document, for one that only a schema is for.
    #[cfg(feature = "cli")]
    pub(crate) fn of_any_json() -> Self {
        Self {
            id: Cow::Borrowed("schema"),
            document: Cow::Borrowed("return"),
            shape: Shape::Own,
            ..Self::BASE
        }
    }

    /// Returns the built-in profile with this name.
    #[must_use]
    pub fn named(id: &str) -> Option<&'static Self> {
        let mut all = PROFILES.into_iter().chain([&ANY]);
        all.find(|profile| profile.id == id)
    }

    /// Returns the built-in profile that the file name chooses, or the default profile.
    #[must_use]
    pub fn for_path(path: &Path) -> &'static Self {
        let mut all = PROFILES.into_iter();
        all.find(|it| it.matches_path(path)).unwrap_or(PROFILES[0])
    }

    pub(crate) fn matches_path(&self, path: &Path) -> bool {
        self.files.iter().any(|pattern| pattern.is_match(path))
    }

    /// Returns the path below the root of an agent's handoff file: the first of its paths at which something
    /// is, else the first. None if the profile has no handoff files.
    pub(crate) fn handoff_file(
        &self,
        [session, group, agent]: [&str; 3],
        is_there: impl Fn(&str) -> bool,
    ) -> Option<String> {
        let short = self.agent(agent).map_or("", |it| &it.short);
        let places = self.handoff_paths.iter();
        let places = places.filter(|it| !short.is_empty() || !it.contains("{short}"));
        let paths = places
            .map(|it| fill_placeholders(&it.replace("{short}", short), session, group, agent));
        let paths: Vec<_> = paths.collect();
        let found = paths.iter().find(|it| is_there(it));
        found.or(paths.first()).cloned()
    }

    /// Returns the profile of the handoff files next to this profile's documents. It has the same agents
    /// with the same status words, and the same levels of rules. None if there are no such files.
    pub(crate) fn handoff(&self) -> Option<Self> {
        self.has_handoff_file().then(|| Self {
            agents: self.agents.clone(),
            levels: self.levels.clone(),
            ..HANDOFF.clone()
        })
    }

    /// Every status word that `agent` may use; of an agent that the profile does not know, those of all agents. A
    /// word may occur more than once.
    pub(crate) fn statuses_of(&self, agent: Option<&str>) -> impl Iterator<Item = &Status> {
        let known = agent.and_then(|name| self.agent(name));
        let own = known.map_or(&*self.agents, std::slice::from_ref).iter();
        let own = own.flat_map(|agent| agent.statuses.iter());
        self.statuses.iter().chain(own)
    }

    /// The status with this word. If several agents use it with different meanings, and the agent is unknown, one
    /// that means success is preferred, because it is checked most strictly.
    pub(crate) fn status(&self, word: &str, agent: Option<&str>) -> Option<&Status> {
        let meanings = || self.statuses_of(agent).filter(|it| it.word == word);
        let success = meanings().find(|it| it.meaning == Meaning::Success);
        success.or_else(|| meanings().next())
    }

    /// Returns the agent that usually continues after this status of `agent`. None if that is open.
    pub(crate) fn next_agent(&self, agent: Option<&str>, status: &str) -> Option<&str> {
        self.status(status, agent)?.next_agent()
    }

    /// The agent with this name, if it has status words of its own.
    pub(crate) fn agent(&self, name: &str) -> Option<&Agent> {
        self.agents.iter().find(|agent| agent.name == name)
    }

    /// Whether the profile has this field, written as in [`FieldSpec::path`].
    pub(crate) fn has_field(&self, path: &str) -> bool {
        self.fields.iter().any(|field| field.path == path)
    }

    /// The fields of an agent's documents; all fields of one that the profile does not know.
    pub(crate) fn fields_of(&self, agent: Option<&str>) -> impl Iterator<Item = &FieldSpec> {
        let known = agent.and_then(|name| self.agent(name));
        self.fields.iter().filter(move |field| field.is_of(known))
    }

    pub(crate) fn has_field_of(&self, path: &str, agent: Option<&str>) -> bool {
        self.fields_of(agent).any(|field| field.path == path)
    }

    pub(crate) fn has_fields_of(&self, agent: Option<&str>) -> bool {
        let mut named = self.fields.iter().flat_map(|field| &*field.agents);
        agent.is_some_and(|agent| named.any(|name| name == agent))
    }

    pub(crate) fn fields_with(&self, need: Need) -> impl Iterator<Item = &str> {
        let fields = self.fields.iter().filter(move |it| it.need == need);
        fields.map(|field| &*field.path)
    }

    /// The path of the member with the session id, with dots. None if returns have none.
    pub(crate) fn session_member(&self) -> Option<String> {
        self.roles.session.as_ref().map(Place::dotted)
    }

    pub(crate) fn agent_member(&self) -> Option<String> {
        self.roles.agent.as_ref().map(Place::dotted)
    }

    /// Whether it extends none of the built-in profiles, but names its fields itself.
    pub(crate) fn is_own(&self) -> bool {
        self.shape == Shape::Own
    }

    /// The document that a return of this profile is read into. The error is in words, with its position.
    pub(crate) fn read_or_say<'t>(&self, text: &'t str) -> Result<Tree<'t>, (String, Span)> {
        self.read(text).map_err(|unreadable| match unreadable {
            Unreadable::Form(error) => (format!("{}: {}", error.what, error.fix), error.place),
            Unreadable::Part(error) => {
                let name = self.part.as_ref().map(ReturnPart::name).unwrap_or_default();
                let (what, place) = match error {
                    PartError::Missing => ("has no".to_owned(), None),
                    PartError::Ambiguous(all) => {
                        (format!("has {} of", all.len()), all.get(1).copied())
                    }
                    PartError::NotLast(rest) => ("goes on after".to_owned(), Some(rest)),
                };
                (format!("{what} {name}"), place.unwrap_or_default())
            }
        })
    }
}

/// What rules ask of a profile.
impl Profile {
    pub(crate) fn is_handoff(&self) -> bool {
        self.shape == Shape::Handoff
    }

    /// Whether a return refers to a handoff file.
    pub(crate) fn has_handoff_file(&self) -> bool {
        !self.handoff_paths.is_empty()
    }

    /// Whether the return itself lists artifacts; those of a handoff file do not count.
    pub(crate) fn lists_artifacts(&self) -> bool {
        self.handoff_paths.is_empty()
    }

    pub(crate) fn returns_session(&self) -> bool {
        self.roles.session.is_some() && self.shape != Shape::Handoff
    }

    pub(crate) fn can_claim_tests(&self) -> bool {
        self.is_handoff() || self.roles.tests.is_some()
    }

    /// Whether a field below this path, such as `errors[].`, is recommended.
    pub(crate) fn recommends_below(&self, place: &str) -> bool {
        let mut recommended = self.fields_with(Need::Recommended);
        recommended.any(|path| path.starts_with(place))
    }

    pub(crate) fn requires(&self, requirement: Requirement) -> bool {
        self.requirements.contains(&requirement)
    }

    pub(crate) fn requires_companion(&self, companion: Companion) -> bool {
        let mut statuses = self.statuses.iter();
        statuses.any(|status| status.companions.contains(&companion))
    }
}

pub(crate) fn fill_placeholders(template: &str, session: &str, group: &str, agent: &str) -> String {
    template.replace("{session}", session).replace("{group}", group).replace("{agent}", agent)
}
