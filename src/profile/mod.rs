//! The standards as data: what each asks for, in one place. Checks, instructions, schemas and
//! documentation all read it from here.

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
use std::path::Path;

use crate::json::field::Form;
use crate::level::Level;
use crate::rule::Rule;

pub use builder::{AgentBuilder, ProfileBuilder};
pub use builtin::{COMPACT, HANDOFF, PROFILES, RETURN, RETURN_META, RETURN_V1};
pub use error::ProfileError;
pub use file_pattern::FilePattern;
pub use length::{CHARACTERS_PER_TOKEN, LengthLimit, Measured, Unit, tokens};
pub use types::{Agent, FieldSpec, Limits, Meaning, Need, Shape, Status};

pub use crate::rule::{Companion, Requirement};

/// One standard that a return can be held to.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Profile {
    /// The name that `--profile` takes.
    pub id: Cow<'static, str>,
    /// What sort of document it describes.
    pub document: Cow<'static, str>,
    /// The seeds that define it.
    pub seeds: Cow<'static, str>,
    /// The record that its documents are read into.
    pub shape: Shape,
    /// Members of the document, in the standard's order.
    pub fields: Cow<'static, [FieldSpec]>,
    /// Where the session id stands, dotted; none where documents carry none.
    pub session: Option<Cow<'static, str>>,
    /// Where the agent's name stands, dotted; none where documents carry none.
    pub agent: Option<Cow<'static, str>>,
    /// The status words, whatever the agent; empty where each agent has its own.
    pub statuses: Cow<'static, [Status]>,
    /// The agents with status words of their own.
    pub agents: Cow<'static, [Agent]>,
    /// The status word of work that failed; empty where each agent has its own.
    pub failure: Cow<'static, str>,
    /// Words that the standard forbids by name, and why.
    pub forbidden: Cow<'static, [(Cow<'static, str>, Cow<'static, str>)]>,
    /// Sorts of artifact; empty where the standard lists none.
    pub artifact_types: Cow<'static, [Cow<'static, str>]>,
    /// Sorts of error; empty where the standard leaves them open.
    pub error_types: Cow<'static, [Cow<'static, str>]>,
    /// How long a summary, or the whole return, may be.
    pub length: Option<LengthLimit>,
    /// How many sentences a summary should have, both ends allowed.
    pub sentences: Option<(usize, usize)>,
    /// How long smaller texts may be.
    pub limits: Limits,
    /// What else the standard asks for.
    pub requirements: Cow<'static, [Requirement]>,
    /// Rules whose level differs from their own default.
    pub levels: Cow<'static, [(&'static str, Level)]>,
    /// The name of the file that a document stands in, `*` for what varies; none where it is the
    /// agent's final message.
    pub file: Option<Cow<'static, str>>,
    /// The files that choose this profile by their name; none of the default profile, and of those
    /// that must be named.
    pub files: Cow<'static, [FilePattern]>,
    /// Where an agent's handoff file is, below the root: `{session}`, `{group}` and `{agent}` are
    /// replaced. None where documents have no handoff behind them.
    pub handoff_path: Option<Cow<'static, str>>,
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
        let mut profiles = PROFILES.iter().copied();
        profiles
            .find(|profile| profile.matches_path(path))
            .unwrap_or(PROFILES[0])
    }

    /// Whether one of its [file patterns](Self::files) matches.
    #[must_use]
    pub fn matches_path(&self, path: &Path) -> bool {
        self.files.iter().any(|pattern| pattern.is_match(path))
    }

    /// Where the handoff file of an agent is, below the root; none if the profile has none.
    #[must_use]
    pub fn handoff_file(&self, session: &str, group: &str, agent: &str) -> Option<String> {
        let template = self.handoff_path.as_deref()?;
        Some(
            template
                .replace("{session}", session)
                .replace("{group}", group)
                .replace("{agent}", agent),
        )
    }

    /// What the handoff files behind its documents are held to: the agents and their words are the
    /// pipeline's, whichever of its documents they stand in. None if the profile has no such files.
    pub(crate) fn handoff(&self) -> Option<Self> {
        self.handoff_path.as_ref()?;
        Some(Self {
            agents: self.agents.clone(),
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

    /// The meaning of a status word. Where agents disagree on it and the agent is not known, the
    /// strictest reading counts: success, which must be shown.
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

    /// The agent of that name, if it has status words of its own.
    #[must_use]
    pub fn agent(&self, name: &str) -> Option<&Agent> {
        self.agents.iter().find(|agent| agent.name == name)
    }

    /// The status word by which `agent`, or any agent, says that its work failed.
    #[must_use]
    pub fn failure_of(&self, agent: Option<&str>) -> &str {
        let known = agent.and_then(|name| self.agent(name));
        known
            .or(self.agents.first())
            .map_or(&self.failure, |agent| &agent.failure)
    }

    /// What a rule weighs in this profile, unless options say otherwise.
    #[must_use]
    pub fn level(&self, rule: &Rule) -> Level {
        let own = self.levels.iter().find(|(id, _)| *id == rule.id);
        own.map_or(rule.level, |(_, level)| *level)
    }

    /// Whether the standard names this member, written as in [`FieldSpec::path`].
    #[must_use]
    pub fn has_field(&self, path: &str) -> bool {
        self.fields.iter().any(|field| field.path == path)
    }

    /// Whether it is one of [`PROFILES`], whose every member has its place in a record.
    #[must_use]
    pub fn is_built_in(&self) -> bool {
        PROFILES.iter().any(|known| std::ptr::eq(self, *known))
    }

    /// Members of the given need, as in [`FieldSpec::path`].
    pub fn fields_with(&self, need: Need) -> impl Iterator<Item = &str> {
        self.fields
            .iter()
            .filter(move |field| field.need == need)
            .map(|field| &*field.path)
    }

    /// How much a rule weighs here; none if the standard does not ask for it.
    #[must_use]
    pub fn applicable_level(&self, rule: &Rule) -> Option<Level> {
        self.has_rule(rule).then(|| self.level(rule))
    }

    /// Names that the standard asks for in the object at `path` (as in [`FieldSpec::path`], empty for the
    /// return itself) and that the record, which has `members`, does not have.
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

    /// Whether the standard asks for that.
    #[must_use]
    pub fn requires(&self, wish: Requirement) -> bool {
        self.requirements.contains(&wish)
    }

    /// Whether any of its statuses asks for `companion`.
    #[must_use]
    pub fn requires_companion(&self, companion: Companion) -> bool {
        self.statuses
            .iter()
            .any(|status| status.companions.contains(&companion))
    }
}
