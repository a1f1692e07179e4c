//! The formats of returns as data. Checks, instructions, schemas and documentation read from here
//! what a format requires.

mod action;
mod applies;
mod builder;
mod builtin;
mod error;
mod file_pattern;
mod length;
pub(crate) mod required;
#[cfg(test)]
mod tests;
mod types;

use std::borrow::Cow;
use std::ffi::OsStr;
use std::path::Path;

use crate::json::field::Form;
use crate::level::Level;
use crate::rule::Rule;
use crate::text::suggest::is_alike;
use action::ActionOf;

pub use action::Action;
pub(crate) use builder::check_id;
pub use builder::{AgentBuilder, ProfileBuilder};
pub use builtin::{COMPACT, HANDOFF, PROFILES, RETURN, RETURN_META, RETURN_V1};
pub use error::ProfileError;
pub use file_pattern::FilePattern;
pub use length::{CHARACTERS_PER_TOKEN, LengthLimit, Measured, Unit, tokens};
pub use types::{Agent, DetailFile, FieldSpec, Limits, Meaning, Need, Shape, Status};

pub use crate::rule::{Companion, Requirement};

/// One format of return and its rules. [`extend`](Profile::extend) makes custom ones.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Profile {
    /// The name that `--profile` takes.
    pub id: Cow<'static, str>,
    /// What sort of document it describes.
    pub document: Cow<'static, str>,
    /// The documents that define it, by their short names.
    pub sources: Cow<'static, str>,
    /// The record that its documents are read into.
    pub shape: Shape,
    /// The fields of the document, in the order of its definition.
    pub fields: Cow<'static, [FieldSpec]>,
    /// The path of the session id, dotted; none if documents have no session id.
    pub session: Option<Cow<'static, str>>,
    /// The path of the agent's name, dotted; none if documents do not name the agent.
    pub agent: Option<Cow<'static, str>>,
    /// The status words, whatever the agent; empty where each agent has its own.
    pub statuses: Cow<'static, [Status]>,
    /// The agents with status words of their own.
    pub agents: Cow<'static, [Agent]>,
    /// The status word of work that failed; empty where each agent has its own.
    pub failure: Cow<'static, str>,
    /// Status words and the action of an orchestrator after each; the meaning of a word decides where
    /// it is not among them.
    pub actions: Cow<'static, [ActionOf]>,
    /// Status words that are forbidden by name, and why.
    pub forbidden: Cow<'static, [(Cow<'static, str>, Cow<'static, str>)]>,
    /// The types that artifacts may have; empty if any.
    pub artifact_types: Cow<'static, [Cow<'static, str>]>,
    /// The types that errors may have; empty if any.
    pub error_types: Cow<'static, [Cow<'static, str>]>,
    /// How long a summary, or the whole return, may be.
    pub length: Option<LengthLimit>,
    /// How long it should be: more is a warning.
    pub soft_length: Option<LengthLimit>,
    /// How many sentences a summary should have, both ends allowed.
    pub sentences: Option<(usize, usize)>,
    /// How long smaller texts may be.
    pub limits: Limits,
    /// What else is required.
    pub requirements: Cow<'static, [Requirement]>,
    /// Levels of rules that differ from the defaults of the rules.
    pub levels: Cow<'static, [(&'static str, Level)]>,
    /// The name of the file that agents write, with `*` for what varies; none if the document is the
    /// agent's final message.
    pub file: Option<Cow<'static, str>>,
    /// The files that choose this profile by their name; none of the default profile, and of those
    /// that must be named.
    pub files: Cow<'static, [FilePattern]>,
    /// Where an agent's handoff file is, below the root: `{session}`, `{group}` and `{agent}` are
    /// replaced. None if agents leave no handoff file beside the document.
    pub handoff_path: Option<Cow<'static, str>>,
    /// Members that belong together: a document that has one of them, beside the session id, should
    /// have all.
    pub routing: Cow<'static, [Cow<'static, str>]>,
    /// The words of a reviewer's `decision`, which are also statuses; empty if any word will do.
    pub decisions: Cow<'static, [Cow<'static, str>]>,
}

impl Profile {
    /// The built-in profile of that name.
    #[must_use]
    pub fn named(id: &str) -> Option<&'static Self> {
        PROFILES.iter().copied().find(|profile| profile.id == id)
    }

    /// The built-in profile that a file's name chooses.
    #[must_use]
    pub fn for_path(path: &Path) -> &'static Self {
        Self::first_for_path(PROFILES.iter().copied(), path).unwrap_or(PROFILES[0])
    }

    /// The first of several profiles that [match](Self::matches_path) a path.
    pub fn first_for_path<'p>(
        mut profiles: impl Iterator<Item = &'p Self>,
        path: &Path,
    ) -> Option<&'p Self> {
        let name = file_pattern::file_name(path)?;
        profiles.find(|profile| profile.matches_name(path, name))
    }

    /// Whether one of its [file patterns](Self::files) matches.
    #[must_use]
    pub fn matches_path(&self, path: &Path) -> bool {
        file_pattern::file_name(path).is_some_and(|name| self.matches_name(path, name))
    }

    /// The same for a path with that file name.
    fn matches_name(&self, path: &Path, name: &OsStr) -> bool {
        let mut patterns = self.files.iter();
        patterns.any(|pattern| pattern.is_match_of(path, name))
    }

    /// Where the handoff file of an agent is, below the root; none if the profile has none.
    #[must_use]
    pub fn handoff_file(&self, session: &str, group: &str, agent: &str) -> Option<String> {
        let template = self.handoff_path.as_deref()?;
        Some(fill_placeholders(template, session, group, agent))
    }

    /// The profile of the handoff files beside its documents. It has the same agents with the same
    /// status words, and the same levels of rules. None if there are no such files.
    pub(crate) fn handoff(&self) -> Option<Self> {
        self.handoff_path.as_ref()?;
        Some(Self {
            agents: self.agents.clone(),
            levels: self.levels.clone(),
            ..HANDOFF.clone()
        })
    }

    /// Every status word that `agent` may use; of an agent that the profile does not know, every
    /// word of the table. A word may come more than once.
    pub fn statuses_of(&self, agent: Option<&str>) -> impl Iterator<Item = &Status> {
        let known = agent.and_then(|name| self.agent(name));
        let own = known.map_or(&*self.agents, std::slice::from_ref);
        self.statuses
            .iter()
            .chain(own.iter().flat_map(|agent| agent.statuses.iter()))
    }

    /// The status of that word. If the agent is unknown and agents disagree on the meaning of the
    /// word, it means success, which is checked most strictly.
    #[must_use]
    pub fn status(&self, word: &str, agent: Option<&str>) -> Option<&Status> {
        let mut meanings = self.statuses_of(agent).filter(|status| status.word == word);
        let first = meanings.next()?;
        Some(
            meanings
                .find(|status| status.meaning == Meaning::Success)
                .unwrap_or(first),
        )
    }

    /// The status that agents mean by a word in its place, ignoring case and separators.
    pub(crate) fn status_by_alias(&self, word: &str, agent: Option<&str>) -> Option<&Status> {
        let means = |status: &&Status| status.aliases.iter().any(|alias| is_alike(alias, word));
        self.statuses_of(agent).find(means)
    }

    /// The agent of that name, if it has status words of its own.
    #[must_use]
    pub fn agent(&self, name: &str) -> Option<&Agent> {
        self.agents.iter().find(|agent| agent.name == name)
    }

    /// The status word of `agent`, or of any agent, for work that failed.
    #[must_use]
    pub fn failure_of(&self, agent: Option<&str>) -> &str {
        let known = agent.and_then(|name| self.agent(name));
        known
            .or(self.agents.first())
            .map_or(&self.failure, |agent| &agent.failure)
    }

    /// The level of a rule in this profile, unless options change it.
    #[must_use]
    pub fn level(&self, rule: &Rule) -> Level {
        let own = self.levels.iter().find(|(id, _)| *id == rule.id);
        own.map_or(rule.level, |(_, level)| *level)
    }

    /// Whether the profile has this field, written as in [`FieldSpec::path`].
    #[must_use]
    pub fn has_field(&self, path: &str) -> bool {
        self.fields.iter().any(|field| field.path == path)
    }

    /// Whether it is one of [`PROFILES`], whose every member has its place in a record.
    #[must_use]
    pub fn is_built_in(&self) -> bool {
        PROFILES.iter().any(|known| std::ptr::eq(self, *known))
    }

    /// The fields of an agent's documents; of an agent that the profile does not know, the fields of
    /// all.
    pub fn fields_of(&self, agent: Option<&str>) -> impl Iterator<Item = &FieldSpec> {
        let known = agent.and_then(|name| self.agent(name));
        self.fields.iter().filter(move |field| field.is_of(known))
    }

    /// Whether an agent's documents have this field, written as in [`FieldSpec::path`].
    #[must_use]
    pub fn has_field_of(&self, path: &str, agent: Option<&str>) -> bool {
        self.fields_of(agent).any(|field| field.path == path)
    }

    /// Whether the profile says which fields the documents of this agent have, and not only those of
    /// every agent.
    pub(crate) fn has_fields_of(&self, agent: Option<&str>) -> bool {
        let names =
            |field: &FieldSpec| agent.is_some_and(|it| field.agents.iter().any(|name| name == it));
        self.fields.iter().any(names)
    }

    /// The agent that continues after this status of `agent`; none if that is open.
    #[must_use]
    pub fn next_agent(&self, agent: Option<&str>, status: &str) -> Option<&str> {
        let next = &self.status(status, agent)?.next;
        next.first().map(AsRef::as_ref)
    }

    /// The paths of the fields with this need.
    pub fn fields_with(&self, need: Need) -> impl Iterator<Item = &str> {
        self.fields
            .iter()
            .filter(move |field| field.need == need)
            .map(|field| &*field.path)
    }

    /// The level of a rule; none if the rule does not apply to this profile.
    #[must_use]
    pub fn applicable_level(&self, rule: &Rule) -> Option<Level> {
        self.has_rule(rule).then(|| self.level(rule))
    }

    /// The members that the profile has in the object at `path` (as in [`FieldSpec::path`], empty
    /// for the return itself) and that are not among the `members` of its record.
    pub fn custom_members<'p>(
        &'p self,
        members: &[(&'static str, Form)],
        path: &str,
    ) -> impl Iterator<Item = &'p str> {
        let names = self.fields.iter().filter_map(move |field| {
            let name = if path.is_empty() {
                &*field.path
            } else {
                field.path.strip_prefix(path)?.strip_prefix('.')?
            };
            (!name.contains(['.', '['])).then_some(name)
        });
        names.filter(move |name| members.iter().all(|(known, _)| known != name))
    }

    /// Whether the profile has this requirement.
    #[must_use]
    pub fn requires(&self, requirement: Requirement) -> bool {
        self.requirements.contains(&requirement)
    }

    /// Whether any of its statuses requires `companion`.
    #[must_use]
    pub fn requires_companion(&self, companion: Companion) -> bool {
        self.statuses
            .iter()
            .any(|status| status.companions.contains(&companion))
    }
}

/// A path with `{session}`, `{group}` and `{agent}` filled in.
pub(crate) fn fill_placeholders(template: &str, session: &str, group: &str, agent: &str) -> String {
    template
        .replace("{session}", session)
        .replace("{group}", group)
        .replace("{agent}", agent)
}
