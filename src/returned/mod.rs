//! The typed return: one record per object of the five standards.
//!
//! A record holds every member that any of the standards names for that object; which of them a
//! standard asks for is the [profile](crate::profile)'s business.

mod console;
mod handoff;

use std::borrow::Cow;

pub use console::{Artifact, CompletionData, Metadata, PartialProgress, ReportedError, Return};
pub use handoff::{Handoff, Suite, TestCounts, TotalTests};

use crate::json::field::{Field, Node};

/// A return of any standard.
#[allow(
    clippy::large_enum_variant,
    reason = "the console return is the hot path, and few are held at once"
)]
#[derive(Debug, Clone, PartialEq)]
pub enum Returned<'t> {
    /// A console return, a metadata file, or the compact protocol's final message.
    Return(Return<'t>),
    /// A handoff file.
    Handoff(Box<Handoff<'t>>),
}

impl<'t> Returned<'t> {
    /// The return as a tree of members.
    #[must_use]
    pub fn node(&self) -> &dyn Node {
        match self {
            Self::Return(returned) => returned,
            Self::Handoff(handoff) => handoff.as_ref(),
        }
    }

    /// How the work ended.
    #[must_use]
    pub fn status(&self) -> &Field<Cow<'t, str>> {
        match self {
            Self::Return(returned) => &returned.status,
            Self::Handoff(handoff) => &handoff.status,
        }
    }

    /// What was done, in a few sentences.
    #[must_use]
    pub fn summary(&self) -> &Field<Cow<'t, str>> {
        match self {
            Self::Return(returned) => &returned.summary,
            Self::Handoff(handoff) => &handoff.summary,
        }
    }

    /// The delegation that the return answers.
    #[must_use]
    pub fn session_id(&self) -> Option<&Cow<'t, str>> {
        match self {
            Self::Return(returned) => returned.metadata.present()?.session_id.present(),
            Self::Handoff(handoff) => handoff.session_id.present(),
        }
    }

    /// The agent that says it wrote the return.
    #[must_use]
    pub fn agent(&self) -> Option<&Cow<'t, str>> {
        match self {
            Self::Return(returned) => returned.metadata.present()?.agent_type.present(),
            Self::Handoff(handoff) => handoff.from_agent.present(),
        }
    }
}
