//! The fields that the built-in formats define: names, types, and what each is for; and which of them a profile wants.
//!
//! Each record has every member that any format names for that object. The profile says which of them a
//! format has and requires.

use std::fmt;

use crate::document::tree::{Kind, Value};
use crate::profile::{Need, Profile};
use crate::text::is_blank;

/// The type of a value that a format defines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Type {
    Anything,
    /// What no format defines.
    Unknown,
    Boolean,
    /// A number without a fraction, such as `1` and `1.0`.
    Integer,
    Number,
    Text,
    /// A string with a number and its unit, such as `92%`, or the number alone.
    Amount,
    List(&'static Type),
    /// An object with arbitrary keys.
    Map(&'static Type),
    /// An object with these members, in order.
    Record(&'static [Member]),
}

/// A member of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Member {
    pub(crate) name: &'static str,
    pub(crate) of: Type,
    /// A sentence about it.
    pub(crate) about: &'static str,
}

/// What stands in place of a value, for the rules about required fields and types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    Missing,
    Null,
    Wrong(Kind),
    /// A string without a visible character.
    Blank,
    /// A value of the type.
    Present,
}

impl Type {
    /// What stands in place of a value of this type.
    pub(crate) fn state(self, value: Option<Value<'_, '_>>) -> State {
        let Some(value) = value else {
            return State::Missing;
        };
        let is_text = matches!(self, Self::Text | Self::Unknown);
        match value.kind() {
            _ if self == Self::Anything => State::Present,
            Kind::Null => State::Null,
            kind if !self.takes(kind) => State::Wrong(kind),
            _ if is_text && value.text().is_some_and(is_blank) => State::Blank,
            _ => State::Present,
        }
    }

    /// Whether values of this kind have this type, and nothing inside of them can be wrong.
    pub(crate) fn is_plain(self, kind: Kind) -> bool {
        let has_more = matches!(self, Self::List(_) | Self::Map(_) | Self::Record(_));
        !has_more && self != Self::Unknown && self.takes(kind)
    }

    fn takes(self, kind: Kind) -> bool {
        match self {
            Self::Anything | Self::Unknown => true,
            Self::Boolean => kind == Kind::Boolean,
            Self::Integer => kind == Kind::Integer,
            Self::Number => matches!(kind, Kind::Integer | Kind::Fraction),
            Self::Text => kind == Kind::String,
            Self::Amount => matches!(kind, Kind::String | Kind::Integer | Kind::Fraction),
            Self::List(_) => kind == Kind::Array,
            Self::Map(_) | Self::Record(_) => kind == Kind::Object,
        }
    }

    pub(crate) fn members(self) -> &'static [Member] {
        match self {
            Self::Record(members) => members,
            _ => &[],
        }
    }

    /// Whether a field at this path can be checked: it must be a member of an object whose members are known.
    pub(crate) fn has_place(self, path: &str) -> bool {
        let Self::Record(members) = self else {
            return false;
        };
        let Some((name, rest)) = path.split_once('.') else {
            return !path.is_empty() && !path.ends_with("[]");
        };
        let plain = name.trim_end_matches("[]");
        match member(members, plain).map(|it| it.of) {
            Some(Self::List(item)) => name.ends_with("[]") && item.has_place(rest),
            Some(of) => name == plain && of.has_place(rest),
            None => false,
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Anything | Self::Unknown => "any value",
            Self::Boolean => "a boolean",
            Self::Integer => "an integer",
            Self::Number => "a number",
            Self::Text => "a string",
            Self::Amount => "a string or a number",
            Self::List(_) => "an array",
            Self::Map(_) | Self::Record(_) => "an object",
        })
    }
}

pub(crate) fn member(members: &'static [Member], name: &str) -> Option<&'static Member> {
    members.iter().find(|it| it.name == name)
}

const fn field(name: &'static str, of: Type, about: &'static str) -> Member {
    Member { name, of, about }
}

/// The type of objects with these members.
macro_rules! record {
    ($($name:literal: $of:expr, $about:literal;)*) => {
        Type::Record(&[$(field($name, $of, $about)),*])
    };
}

/// A console return, a metadata file, or the compact protocol's final message.
pub(super) const RETURN: Type = record! {
    "status": Type::Text, "How the work ended.";
    "summary": Type::Text, "What was done, in a few sentences.";
    "artifacts": Type::List(&ARTIFACT), "The files that the agent says it wrote.";
    "metadata": METADATA, "The delegation, and the agent that answers it.";
    "errors": Type::List(&ERROR), "The errors that occurred.";
    "next_steps": Type::Text, "What the caller should do next.";
    "started_at": Type::Text, "The start of the agent, in ISO 8601 (return-meta).";
    "partial_progress": PROGRESS, "How far interrupted work got (return-meta).";
    "completion_data": COMPLETION, "The data to close the task (return-meta).";
};

const ARTIFACT: Type = record! {
    "type": Type::Text, "The type of the file.";
    "path": Type::Text, "The path, relative to the project's root.";
    "summary": Type::Text, "The content, in one sentence.";
};

const METADATA: Type = record! {
    "session_id": Type::Text, "The delegation that this return answers.";
    "agent_type": Type::Text, "The agent's name.";
    "delegation_depth": Type::Integer, "The depth in the chain of delegations.";
    "delegation_path": TEXTS, "The agents from the orchestrator down to this one.";
    "duration_seconds": Type::Number, "Seconds from invocation to return.";
    "phase_count": Type::Number, "The number of phases of a plan.";
    "estimated_hours": Type::Number, "The estimated hours for a plan.";
    "findings_count": Type::Number, "The number of findings of a research task.";
    "phases_completed": Type::Number, "The number of completed phases (return-meta).";
    "phases_total": Type::Number, "The total number of phases (return-meta).";
    "retries": Type::Number, "The number of retries (return-v1).";
    "warnings": VALUES, "Problems that did not affect the result (return-v1).";
};

const ERROR: Type = record! {
    "type": Type::Text, "The type of the error.";
    "message": Type::Text, "What happened.";
    "code": Type::Text, "An `UPPERCASE_SNAKE_CASE` code (return-v1).";
    "recoverable": Type::Boolean, "Whether a retry may help.";
    "recommendation": Type::Text, "What to do about it.";
};

const PROGRESS: Type = record! {
    "stage": Type::Text, "The stage reached.";
    "details": Type::Text, "A description of the progress.";
    "phases_completed": Type::Number, "The number of completed phases.";
    "phases_total": Type::Number, "The total number of phases.";
};

const COMPLETION: Type = record! {
    "completion_summary": Type::Text, "What was accomplished, in one to three sentences.";
    "roadmap_items": TEXTS, "The roadmap's items that this task addresses.";
    "claudemd_suggestions": Type::Text, "What changed in the agents' own configuration.";
};

const TEXTS: Type = Type::List(&Type::Text);
const VALUES: Type = Type::List(&Type::Anything);

/// The handoff file of the compact protocol, which one agent writes for the next. The members of the
/// developer, the QA expert and the tech lead are in one record, as in the standard.
pub(super) const HANDOFF: Type = record! {
    "from_agent": Type::Text, "The agent that wrote it.";
    "to_agent": Type::Text, "The agent that reads it.";
    "timestamp": Type::Text, "When it was written.";
    "session_id": Type::Text, "The session that it belongs to.";
    "group_id": Type::Text, "The work group that it belongs to.";
    "status": Type::Text, "How the work ended.";
    "summary": Type::Text, "What was done.";
    "files_modified": TEXTS, "Files changed.";
    "files_created": TEXTS, "Files created.";
    "artifacts": Type::Map(&Type::Text), "Files with the details, by name.";
    "tests": TESTS, "The developer's test run.";
    "branch": Type::Text, "The branch with the work.";
    "concerns": VALUES, "Questions for the reviewer.";
    "tech_debt_logged": Type::Boolean, "Whether technical debt was logged.";
    "tests_run": Type::Map(&SUITE), "The QA expert's test suites, by name.";
    "total_tests": TOTALS, "The QA expert's totals.";
    "challenge_level_reached": Type::Number, "The hardest level of challenge reached.";
    "quality_assessment": Type::Text, "The QA expert's assessment, as text.";
    "failures": VALUES, "Tests that failed.";
    "decision": Type::Text, "The tech lead's decision.";
    "code_quality_score": Type::Number, "The tech lead's score.";
    "security_issues": Type::Number, "The number of security issues.";
    "lint_issues": Type::Number, "The number of lint issues.";
    "coverage_acceptable": Type::Boolean, "Whether the tests cover enough.";
    "what_was_done_well": VALUES, "What was done well.";
    "required_changes": VALUES, "Changes that are required for acceptance.";
    "suggestions": VALUES, "Optional changes.";
};

const TESTS: Type = record! {
    "total": Type::Number, "The total number of tests.";
    "passing": Type::Number, "The number of passing tests.";
    "failing": Type::Number, "The number of failing tests.";
    "coverage": Type::Amount, "The coverage, such as `92%`.";
};

const SUITE: Type = record! {
    "passed": Type::Number, "Tests passed.";
    "failed": Type::Number, "Tests failed.";
    "duration": Type::Amount, "The duration, such as `1m45s`.";
};

const TOTALS: Type = record! {
    "passed": Type::Number, "Tests passed.";
    "failed": Type::Number, "Tests failed.";
};

/// The members that a return can have and must have, and those that its artifacts and errors should have.
#[derive(Debug)]
pub(crate) struct RequiredPaths<'p> {
    pub(crate) members: Vec<WantedMember<'p>>,
    pub(crate) recommended_of_artifacts: Vec<&'p str>,
    pub(crate) recommended_of_errors: Vec<&'p str>,
}

/// A member that the format defines, or that the profile requires.
#[derive(Debug)]
pub(crate) struct WantedMember<'p> {
    pub(crate) name: &'p str,
    pub(crate) of: Type,
    pub(crate) is_required: bool,
    /// The members of the object, or of each object in the list.
    pub(crate) inside: Vec<WantedMember<'p>>,
}

impl<'p> RequiredPaths<'p> {
    pub(crate) fn of(profile: &'p Profile) -> Self {
        let recommended = |list| {
            profile.fields_with(Need::Recommended).filter_map(move |path| path.strip_prefix(list))
        };
        let mut members = defined(profile.shape.form());
        for path in profile.fields_with(Need::Required) {
            require(&mut members, path);
        }
        Self {
            members,
            recommended_of_artifacts: recommended("artifacts[].").collect(),
            recommended_of_errors: recommended("errors[].").collect(),
        }
    }
}

/// The members of an object, or of each object in a list.
fn defined<'p>(of: Type) -> Vec<WantedMember<'p>> {
    let members = match of {
        Type::List(item) => item.members(),
        of => of.members(),
    };
    let wanted = |it: &'static Member| WantedMember {
        name: it.name,
        of: it.of,
        is_required: false,
        inside: defined(it.of),
    };
    members.iter().map(wanted).collect()
}

fn require<'p>(members: &mut Vec<WantedMember<'p>>, path: &'p str) {
    let (name, rest) = path.split_once('.').unwrap_or((path, ""));
    let name = name.trim_end_matches("[]");
    let known = members.iter().position(|it| it.name == name);
    let at = known.unwrap_or_else(|| {
        members.push(WantedMember {
            name,
            of: Type::Unknown,
            is_required: false,
            inside: Vec::new(),
        });
        members.len() - 1
    });
    match rest {
        "" => members[at].is_required = true,
        rest => require(&mut members[at].inside, rest),
    }
}
