//! Standards of one's own: where in a document the values stand that matter, and what must hold there.

pub(crate) mod claims;
pub(crate) mod commits;
pub(crate) mod expression;
pub(crate) mod paths;
pub(crate) mod place;
pub(crate) mod read;
pub(crate) mod role;
pub(crate) mod schema;
pub(crate) mod words;

pub(crate) use claims::Claims;
pub(crate) use expression::Expression;
pub(crate) use place::{PlaceError, ValuePlace};
pub(crate) use read::ReturnPart;
pub(crate) use schema::{Schema, SchemaRule};

use std::path::PathBuf;

use crate::form::Form;

/// What a profile without a base holds a return to. Its status words, limits of the summary and names of
/// files are those of the profile.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Standard {
    /// How a return is written.
    pub(crate) form: Form,
    /// The part of a message that is the return. None if it is all of it.
    pub(crate) part: Option<ReturnPart>,
    /// The names in its places. Elements of HTML with such a name count as tags.
    pub(crate) elements: Vec<String>,
    /// Where the values stand that steps look at.
    pub(crate) roles: Roles,
    /// Places that must hold something, be it an empty list.
    pub(crate) required: Vec<ValuePlace>,
    /// Places that must hold something with a status.
    pub(crate) required_if: Vec<Condition>,
    /// Places that must hold nothing with a status.
    pub(crate) empty_if: Vec<Condition>,
    /// Whether a success without artifacts is an error.
    pub(crate) requires_artifacts: bool,
    /// Limits of the whole message.
    pub(crate) limits: MessageLimits,
    /// Folders besides the root in which artifacts and files may lie.
    pub(crate) extra_roots: Vec<PathBuf>,
    /// A return that keeps it, for the instruction.
    pub(crate) example: Option<String>,
    /// Whether retval tells the agent how to return. If not, its own prompt does.
    pub(crate) is_instructed: bool,
    /// Words for nothing, besides the usual ones.
    pub(crate) none: Vec<String>,
    /// Words for a file that is gone, besides the usual ones.
    pub(crate) gone: Vec<String>,
    /// The schema of the document, or of a value in it.
    pub(crate) schema: Option<SchemaRule>,
    /// What else must hold of the values.
    pub(crate) claims: Claims,
}

/// The places of the values that steps look at.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Roles {
    pub(crate) status: Option<Role>,
    pub(crate) session: Option<Role>,
    pub(crate) agent: Option<Role>,
    pub(crate) summary: Option<Role>,
    /// Files that the agent wrote.
    pub(crate) artifacts: Option<Role>,
    /// Files that must be there, whoever wrote them.
    pub(crate) files: Option<Role>,
    /// Values that must be those of `--given`, by name.
    pub(crate) given: Vec<(String, Role)>,
    /// Lines of files that the agent cites.
    pub(crate) cites: Option<Role>,
    pub(crate) commits: Option<Role>,
    pub(crate) tests: Option<Role>,
    /// Files that the agent changed, all of them.
    pub(crate) changed: Option<Role>,
}

impl Roles {
    pub(crate) fn all(&self) -> impl Iterator<Item = &Role> {
        let named = [
            &self.status,
            &self.session,
            &self.agent,
            &self.summary,
            &self.artifacts,
            &self.files,
        ];
        let named = named.into_iter().chain(self.claims()).flatten();
        named.chain(self.given.iter().map(|(_, role)| role))
    }

    /// Claims that are compared with more than the return itself.
    fn claims(&self) -> [&Option<Role>; 4] {
        [&self.cites, &self.commits, &self.tests, &self.changed]
    }

    /// Whether the standard declares such claims.
    pub(crate) fn has_claims(&self) -> bool {
        self.claims().into_iter().any(Option::is_some)
    }
}

/// Where the values of a role stand, and what is taken of them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Role {
    /// The places; the values of all of them count.
    pub(crate) places: Vec<ValuePlace>,
    /// The members of each value that count.
    pub(crate) members: Vec<(RoleMember, ValuePlace)>,
    /// The part of each text that counts.
    pub(crate) expression: Option<Expression>,
    /// The value if there is none.
    pub(crate) default: Option<String>,
    /// Whether the value may be missing.
    pub(crate) is_optional: bool,
}

/// What a member of a value is for a role.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RoleMember {
    /// The text itself, where no member is named.
    Whole,
    Path,
    Line,
    Quote,
    Commit,
}

/// Places to which something applies with some statuses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Condition {
    pub(crate) words: Vec<String>,
    pub(crate) places: Vec<ValuePlace>,
}

/// The most that a whole message may have.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct MessageLimits {
    /// Lines with something on them.
    pub(crate) lines: Option<usize>,
    pub(crate) characters: Option<usize>,
    pub(crate) tokens: Option<usize>,
}

impl Standard {
    /// All places of values.
    pub(crate) fn places(&self) -> impl Iterator<Item = &ValuePlace> {
        let roles = self.roles.all();
        let conditions = self.required_if.iter().chain(&self.empty_if);
        let schema = self.schema.iter().filter_map(|it| it.place.as_ref());
        roles
            .flat_map(|role| &role.places)
            .chain(&self.required)
            .chain(conditions.flat_map(|condition| &condition.places))
            .chain(schema)
            .chain(self.claims.places())
    }
}
