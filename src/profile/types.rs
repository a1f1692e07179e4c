//! What a profile is made of: fields, status words and agents, and what only some profiles ask for.

use std::borrow::Cow;

use crate::profile::fields::{self, Type};
use crate::text::names;

/// Declares a type with a constant `BASE`, in which each field has the value behind it: constants name what differs.
macro_rules! with_base {
    ($(#[$about:meta])* $visible:vis struct $name:ident {
        $($(#[$about_field:meta])* $field_visible:vis $field:ident: $type:ty = $value:expr,)+
    }) => {
        $(#[$about])*
        $visible struct $name {
            $($(#[$about_field])* $field_visible $field: $type,)+
        }

        impl $name {
            /// One with nothing. The others name what they have.
            pub(crate) const BASE: Self = Self { $($field: $value),+ };
        }
    };
}
pub(super) use with_base;

/// What sort of document a return is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// A console return, a metadata file, or the compact protocol's final message.
    Return,
    Handoff,
    /// Any text. It is not read.
    Message,
    /// A document whose fields the profile itself names.
    Own,
}

impl Shape {
    /// The type of such documents: the members that they can have.
    pub(crate) fn form(self) -> Type {
        match self {
            Self::Return => fields::RETURN,
            Self::Handoff => fields::HANDOFF,
            Self::Message | Self::Own => Type::Record(&[]),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FieldSpec {
    /// Its path, dotted; `[]` means every item, as in `artifacts[].path`.
    pub path: Cow<'static, str>,
    pub need: Need,
    /// The agents whose documents have this field; empty if the documents of all agents have it. A path
    /// that some agents need more than others occurs once for each need.
    pub agents: Cow<'static, [Cow<'static, str>]>,
}

impl FieldSpec {
    pub(crate) fn new(path: impl Into<Cow<'static, str>>, need: Need) -> Self {
        Self { path: path.into(), need, agents: Cow::Borrowed(&[]) }
    }

    /// Whether the documents of an agent have this field. None is an agent that the profile does not
    /// know. Its documents may have every field.
    pub(crate) fn is_of(&self, agent: Option<&Agent>) -> bool {
        let mut agents = self.agents.iter();
        agents.len() == 0 || agent.is_none_or(|agent| agents.any(|name| *name == agent.name))
    }
}

/// How much a field is needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Need {
    /// A return without it fails.
    Required,
    /// A return without it is incomplete, which is reported as a warning.
    Recommended,
    /// A return may have it.
    Optional,
}

with_base! {
    /// A status word.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub(crate) struct Status {
        pub word: Cow<'static, str> = Cow::Borrowed(""),
        pub meaning: Meaning = Meaning::Other,
        /// What a return with this status must contain.
        pub(crate) companions: Cow<'static, [Companion]> = Cow::Borrowed(&[]),
        /// The agents that may continue after it, the usual one first; empty if it names none.
        pub next: Cow<'static, [Cow<'static, str>]> = Cow::Borrowed(&[]),
        /// What an orchestrator does after it. If none, it proceeds with the next agent or, if there is none,
        /// the meaning decides.
        pub(crate) own_action: Option<Action> = None,
    }
}

impl Status {
    /// Returns what an orchestrator does after a valid return of this status.
    pub(crate) fn action(&self) -> Action {
        match self.own_action {
            Some(own) => own,
            None if self.next.is_empty() => self.meaning.action(),
            None => Action::Proceed,
        }
    }

    /// Returns the agent that usually continues. None unless the action is to proceed.
    pub(crate) fn next_agent(&self) -> Option<&str> {
        let next = self.next.first().map(AsRef::as_ref);
        next.filter(|_| self.action() == Action::Proceed)
    }
}

names! {
    /// What a status claims about the work.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) enum Meaning: "meaning" {
        /// The work is done: its artifacts must exist.
        Success = "success",
        /// The work still goes on.
        Unfinished = "unfinished",
        /// The work ended without full success.
        Other = "other",
    }
}

impl Meaning {
    /// Returns the action for a status that has none of its own and names no one who continues.
    fn action(self) -> Action {
        match self {
            Self::Success => Action::Proceed,
            Self::Unfinished => Action::Resume,
            Self::Other => Action::Stop,
        }
    }
}

names! {
    /// What an orchestrator does after a return.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum Action: "action" {
        /// Go on: the work is done, or it is another agent's turn.
        Proceed = "proceed",
        /// Call the agent again to finish what it began.
        Resume = "resume",
        /// Call the agent again from the start, once.
        Retry = "retry",
        /// Ask a person: the agent waits for something outside.
        Ask = "ask",
        /// End the task, because trying again does not help.
        Stop = "stop",
        /// Nothing: the whole work is complete.
        End = "end",
        /// What the orchestrator's own rules say, because the profile leaves open what follows.
        Open = "open",
    }
}

/// A member that is required with certain statuses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Companion {
    /// `errors`, at least one.
    Errors,
    StartedAt,
    Progress,
    CompletionData,
    /// `artifacts`, at least one.
    Artifacts,
}

with_base! {
    /// An agent with status words of its own.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub(crate) struct Agent {
        pub name: Cow<'static, str> = Cow::Borrowed(""),
        /// Its name in the names of some handoff files. Empty if it has none.
        pub short: Cow<'static, str> = Cow::Borrowed(""),
        pub statuses: Cow<'static, [Status]> = Cow::Borrowed(&[]),
        /// The agents whose handoff files it starts from: one of them works before it.
        pub reads_from: Cow<'static, [Cow<'static, str>]> = Cow::Borrowed(&[]),
        /// The agents whose handoff files it starts from if none of the others left one.
        pub reads_otherwise: Cow<'static, [Cow<'static, str>]> = Cow::Borrowed(&[]),
        /// Whether it writes a handoff file. The last agent of the chain keeps its state elsewhere.
        pub writes_handoff: bool = true,
        /// Whether its handoff fails if the summary is too long. If not, a warning is reported.
        pub limits_summary: bool = false,
        /// The files with the details of its work, which its handoff names.
        pub(crate) details: Cow<'static, [DetailFile]> = Cow::Borrowed(&[]),
    }
}

/// A file with details, which a handoff names in `artifacts`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DetailFile {
    pub name: Cow<'static, str>,
    /// Its path below the root, with the placeholders of a handoff file's.
    pub path: Cow<'static, str>,
}

with_base! {
    /// Limits of texts other than those of [`LengthLimit`](crate::profile::LengthLimit), in characters
    /// (Unicode scalar values). None means unlimited.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) struct Limits {
        pub summary_at_least: Option<usize> = None,
        pub artifact_summary_at_most: Option<usize> = None,
        pub error_message_at_most: Option<usize> = None,
        pub next_steps_at_most: Option<usize> = None,
    }
}

/// A requirement of only some profiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Requirement {
    NoEmoji,
    NoMarkup,
    OneSentenceArtifacts,
    /// Session ids in the form of return format 1.0.
    SessionForm,
    UniqueArtifacts,
    UpperSnakeErrorCodes,
    DurationNotNegative,
    /// The file is in the folder of its task.
    TaskFolder,
    PathFromOrchestrator,
    PathEndsWithAgent,
    /// No fields other than those of the profile.
    NothingElse,
}

names! {
    /// How much a rule counts.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Level: "level" {
        /// The rule is not checked.
        Off = "off",
        /// It is reported, and the return can be valid.
        Warning = "warning",
        /// The return is not valid.
        Error = "error",
    }
}
