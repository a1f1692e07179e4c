//! JSON Schemas: of a profile's documents, for each of the readers that take one, and of the
//! machine report.
//!
//! `place` gathers what a profile says of each place of its documents. `full` writes all of it that
//! a schema can say: such a schema accepts what the steps json, fields and status accept. `strict`
//! writes it for readers that know few keywords: what fits such a schema passes these steps, but
//! not all that passes them fits. Warnings never make a document invalid; they stand, with all that
//! no keyword can say, in the schema's description.

mod claude_api;
mod constrained;
mod full;
mod json_schema;
mod openai_strict;
mod report;
mod survey;

use crate::instruction::Instruction;
use crate::profile::Profile;
use crate::text::escape;

pub use json_schema::SchemaNode;

/// A reader of schemas, or what is described.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// Any validator of draft 2020-12; editors.
    Full,
    /// `claude --json-schema` and the Agent SDK, which take draft-07.
    ClaudeCli,
    /// The Claude API's structured output and strict tools.
    ClaudeApi,
    /// Strict structured output of `OpenAI`, and `codex --output-schema`.
    OpenAiStrict,
    /// No profile: the machine report, in draft 2020-12.
    Report,
}

impl Target {
    /// Every target, with the name that `--target` takes.
    pub const NAMES: [(&'static str, Self); 5] = [
        ("full", Self::Full),
        ("claude-cli", Self::ClaudeCli),
        ("claude-api", Self::ClaudeApi),
        ("openai-strict", Self::OpenAiStrict),
        ("report", Self::Report),
    ];

    /// The target of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let found = Self::NAMES.iter().find(|(known, _)| *known == name);
        found.map(|(_, target)| *target)
    }

    fn name(self) -> &'static str {
        let found = Self::NAMES.iter().find(|(_, target)| *target == self);
        found.map_or("", |(name, _)| name)
    }
}

/// The schema that is wanted.
#[derive(Debug, Clone, Copy)]
pub struct Request<'r> {
    /// The standard; of no matter to [`Target::Report`].
    pub profile: &'r Profile,
    /// The reader.
    pub target: Target,
    /// The session id that documents must bear.
    pub session: Option<&'r str>,
    /// The agent that writes them.
    pub agent: Option<&'r str>,
}

/// A schema, and what was lost on the way to it.
#[derive(Debug, Clone, PartialEq)]
pub struct Made {
    /// The schema.
    pub schema: SchemaNode,
    /// What the target cannot express and the profile can do without, a line each, safe to print.
    pub losses: Vec<String>,
}

/// The target cannot express what the profile cannot do without. Displays safe to print.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CannotExpress {
    /// A required member has no schema there.
    #[error(
        "--target {target} cannot express {place}, which the profile {profile} requires: {why}; use --target full, or claude-cli"
    )]
    Member {
        /// The profile's id.
        profile: String,
        /// The target's name.
        target: &'static str,
        /// The member, as in [`FieldSpec::path`](crate::profile::FieldSpec::path).
        place: String,
        /// What it is that the target does not know.
        why: &'static str,
    },
    /// The schema is larger than the target takes.
    #[error(
        "the profile {profile} is too large for --target {target}: {found} {what}, at most {most}; use --target full, or claude-cli"
    )]
    Size {
        /// The profile's id.
        profile: String,
        /// The target's name.
        target: &'static str,
        /// What there is too much of.
        what: &'static str,
        /// How much of it there is.
        found: usize,
        /// How much of it the target takes.
        most: usize,
    },
}

impl Request<'_> {
    /// Makes the schema.
    ///
    /// # Errors
    ///
    /// [`CannotExpress`] if the target has no means for what the profile requires.
    pub fn make(&self) -> Result<Made, CannotExpress> {
        let limits = match self.target {
            Target::Full => return Ok(Made::whole(full::schema(self, full::DRAFT_2020_12))),
            Target::ClaudeCli => return Ok(Made::whole(full::schema(self, full::DRAFT_07))),
            Target::Report => return Ok(Made::whole(report::schema())),
            Target::ClaudeApi => &claude_api::LIMITS,
            Target::OpenAiStrict => &openai_strict::LIMITS,
        };
        constrained::make(self, limits)
    }

    /// What the document is, and all that is asked of it, in the words of the instruction.
    fn description(&self) -> String {
        let mut text = format!(
            "{} ({}). `retval check --profile {}` asks for this:\n",
            escape::truncated(&self.profile.document),
            escape::truncated(&self.profile.sources),
            escape::truncated(&self.profile.id),
        );
        let instruction = Instruction {
            profile: self.profile,
            session: self.session,
            agent: self.agent,
            group: None,
        };
        instruction.demands(&mut text);
        text.truncate(text.trim_end().len());
        text
    }
}

impl Made {
    fn whole(schema: SchemaNode) -> Self {
        Self {
            schema,
            losses: Vec::new(),
        }
    }
}
