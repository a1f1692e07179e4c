//! The typed return: one record for each object of the five standards.
//!
//! A record has every member that any standard names for that object. The [profile](crate::profile)
//! determines which of them a standard requires.

mod console;
mod handoff;
mod own;

use std::borrow::Cow;

pub(crate) use console::{
    Artifact, CompletionData, Metadata, PartialProgress, ReportedError, Return,
};
pub(crate) use handoff::{Handoff, Suite};
pub(crate) use own::PassedTests;
pub(crate) use own::{OwnPath, OwnReturn};

use crate::json::field::{Field, Node};

/// A return of any standard.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Returned<'r, 't> {
    /// A console return, a metadata file, or the compact protocol's final message.
    Return(&'r Return<'t>),
    /// A handoff file.
    Handoff(&'r Handoff<'t>),
    /// A return of a standard of one's own.
    Own(&'r OwnReturn<'r, 't>),
}

impl<'r, 't> Returned<'r, 't> {
    /// The return as a tree of members.
    pub(crate) fn node(self) -> &'r dyn Node {
        match self {
            Self::Return(returned) => returned,
            Self::Handoff(handoff) => handoff,
            Self::Own(own) => own,
        }
    }

    /// How the work ended.
    pub(crate) fn status(self) -> &'r Field<Cow<'t, str>> {
        match self {
            Self::Return(returned) => &returned.status,
            Self::Handoff(handoff) => &handoff.status,
            Self::Own(own) => &own.status,
        }
    }

    /// What was done, in a few sentences.
    pub(crate) fn summary(self) -> &'r Field<Cow<'t, str>> {
        match self {
            Self::Return(returned) => &returned.summary,
            Self::Handoff(handoff) => &handoff.summary,
            Self::Own(own) => &own.summary,
        }
    }

    /// The id of the delegation that the return answers. None if it is missing or not a string.
    pub(crate) fn session_id(self) -> Option<&'r Cow<'t, str>> {
        match self {
            Self::Return(returned) => returned.metadata.present()?.session_id.present(),
            Self::Handoff(handoff) => handoff.session_id.present(),
            Self::Own(own) => own.session.as_ref(),
        }
    }

    /// The agent that the return names as its author. None if it is missing or not a string.
    pub(crate) fn agent(self) -> Option<&'r Cow<'t, str>> {
        match self {
            Self::Return(returned) => returned.metadata.present()?.agent_type.present(),
            Self::Handoff(handoff) => handoff.from_agent.present(),
            Self::Own(own) => own.agent.as_ref(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::field::{Kind, Number};

    #[test]
    fn a_typed_return_keeps_all_values() {
        let text = r#"{
            "tech_debt_logged": true,
            "coverage_acceptable": false,
            "lint_issues": 2.5,
            "concerns": [null, true, 1, 1.5, "x", ["y"], {"z": 0}]
        }"#;
        let handoff: Handoff<'_> = serde_json::from_str(text).expect("a record");
        assert_eq!(handoff.tech_debt_logged, Field::Present(true));
        assert_eq!(handoff.coverage_acceptable, Field::Present(false));
        assert_eq!(handoff.lint_issues, Field::Present(Number(2.5)));
        let concerns = handoff.concerns.present().expect("a list").iter();
        let kinds: Vec<_> = concerns
            .map(|it| it.present().expect("any value will do").0)
            .collect();
        assert_eq!(
            kinds,
            [
                Kind::Null,
                Kind::Boolean,
                Kind::Integer,
                Kind::Fraction,
                Kind::String,
                Kind::Array,
                Kind::Object
            ]
        );
    }
}
