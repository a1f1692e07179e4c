//! What a profile is made of.

use std::borrow::Cow;

use crate::document::{Handoff, Return};
use crate::json::field::{ExpectedType as _, Form};
use crate::rule::Companion;
use crate::text::names;

/// The record that a document is read into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// [`Return`]
    Return,
    /// [`Handoff`]
    Handoff,
}

impl Shape {
    /// What documents of this shape may look like.
    #[must_use]
    pub fn form(self) -> Form {
        match self {
            Self::Return => Return::form(),
            Self::Handoff => Handoff::form(),
        }
    }

    /// Describes each field of such documents in a sentence; paths are written as in
    /// [`FieldSpec::path`], below an object with keys of the agent's own as `tests_run.*.passed`.
    pub fn about(self, mut say: impl FnMut(&str, &'static str)) {
        match self {
            Self::Return => Return::about("", &mut say),
            Self::Handoff => Handoff::about("", &mut say),
        }
    }

    /// Whether a field, written as in [`FieldSpec::path`], can be checked in such documents: it is
    /// a member of an object whose members are read.
    pub(super) fn has_place(self, path: &str) -> bool {
        has_place(&self.form(), path)
    }
}

fn has_place(form: &Form, path: &str) -> bool {
    let (name, rest) = path
        .split_once('.')
        .map_or((path, None), |(name, rest)| (name, Some(rest)));
    let plain = name.trim_end_matches("[]");
    let Form::Record(members) = form else {
        return false;
    };
    let Some(rest) = rest else {
        return !plain.is_empty() && plain == name;
    };
    let member = members.iter().find(|(known, _)| *known == plain);
    match member.map(|(_, form)| form) {
        Some(Form::List(item)) => name.ends_with("[]") && has_place(item, rest),
        Some(form) => name == plain && has_place(form, rest),
        None => false,
    }
}

/// A field of a profile.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct FieldSpec {
    /// Its path, dotted; `[]` is every item: `artifacts[].path`.
    pub path: Cow<'static, str>,
    /// How much it is needed.
    pub need: Need,
    /// The agents whose documents have it; empty if those of all do. A path that some agents need
    /// more than others comes once for each need.
    pub agents: Cow<'static, [Cow<'static, str>]>,
}

impl FieldSpec {
    /// A field of the documents of all agents, and how much it is needed.
    #[must_use]
    pub fn new(path: impl Into<Cow<'static, str>>, need: Need) -> Self {
        Self {
            path: path.into(),
            need,
            agents: Cow::Borrowed(&[]),
        }
    }

    /// Whether the documents of an agent have it; none is an agent that the profile does not know,
    /// whose documents may have every field.
    pub(crate) fn is_of(&self, agent: Option<&Agent>) -> bool {
        let mut agents = self.agents.iter();
        agents.len() == 0 || agent.is_none_or(|agent| agents.any(|name| *name == agent.name))
    }
}

/// How much a field is needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Need {
    /// A return without it fails.
    Required,
    /// A return without it is incomplete: a warning.
    Recommended,
    /// It may be there.
    Optional,
}

/// A status word.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Status {
    /// The word, exactly as it must be written.
    pub word: Cow<'static, str>,
    /// What it claims about the work.
    pub meaning: Meaning,
    /// What must come with it.
    pub companions: Cow<'static, [Companion]>,
    /// Words that agents use in its place by mistake.
    pub aliases: Cow<'static, [Cow<'static, str>]>,
    /// The agents that may continue after it, the usual one first; empty if that is open.
    pub next: Cow<'static, [Cow<'static, str>]>,
}

/// What a status claims about the work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Meaning {
    /// It is done: its artifacts must exist.
    Success,
    /// It still goes on.
    Unfinished,
    /// It ended without full success.
    Other,
}

names! { pub Meaning, "meaning" {
    Success = "success",
    Unfinished = "unfinished",
    Other = "other",
} }

/// An agent with status words of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Agent {
    /// Its name.
    pub name: Cow<'static, str>,
    /// Its status words.
    pub statuses: Cow<'static, [Status]>,
    /// Its status word for work that failed, or that comes nearest to that.
    pub failure: Cow<'static, str>,
    /// The agents whose handoff file it starts from; one of them comes before it.
    pub reads_from: Cow<'static, [Cow<'static, str>]>,
    /// The agents whose handoff file it starts from if none of those left one.
    pub reads_otherwise: Cow<'static, [Cow<'static, str>]>,
    /// Whether it leaves a handoff file; the last of the chain keeps its state elsewhere.
    pub writes_handoff: bool,
    /// Whether a summary of its handoff that is too long fails; else that is a warning.
    pub limits_summary: bool,
    /// The files with the details of its work, which its handoff names.
    pub details: Cow<'static, [DetailFile]>,
}

/// A file with details, which a handoff names in `artifacts`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct DetailFile {
    /// Its name in `artifacts`.
    pub name: Cow<'static, str>,
    /// Its path below the root, with the placeholders of [`Profile::handoff_path`].
    ///
    /// [`Profile::handoff_path`]: crate::Profile::handoff_path
    pub path: Cow<'static, str>,
}

/// Limits of smaller texts, in characters (Unicode scalar values).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// The shortest sensible summary.
    pub summary_at_least: Option<usize>,
    /// The longest artifact summary.
    pub artifact_summary_at_most: Option<usize>,
    /// The longest error message.
    pub error_message_at_most: Option<usize>,
    /// The longest `next_steps`.
    pub next_steps_at_most: Option<usize>,
}
