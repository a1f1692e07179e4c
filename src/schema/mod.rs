//! JSON Schemas of the documents of a profile, for several consumers, and of the `json` report. Also the
//! columns of the report's records for Apache Spark.
//!
//! `survey` collects the requirements of a profile for each value of its documents. `full` writes
//! everything that a schema can express: the schema accepts the same documents as the steps json, fields
//! and status. `constrained` writes for consumers that support few keywords. Every document that matches
//! such a schema passes these steps, except for what is listed as a loss. Some documents that pass them
//! do not match.

mod by_agent;
mod constrained;
mod full;
mod own;
mod report;
mod survey;
#[cfg(test)]
mod tests;

use crate::instruction::Instruction;
use crate::json_schema::SchemaNode;
use crate::profile::Profile;
use crate::text::{escape, names};

pub(crate) use full::DRAFT_2020_12;

pub(crate) use report::spark_columns;

names! {
    /// A consumer of schemas, or the report.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) enum Target: "target" {
        /// Validators of draft 2020-12, and editors.
        Full = "full",
        /// `claude --json-schema` and the Agent SDK, which take draft-07.
        ClaudeCli = "claude-cli",
        /// The Claude API's structured output and strict tools.
        ClaudeApi = "claude-api",
        /// Strict structured output of `OpenAI`, and `codex --output-schema`.
        OpenAiStrict = "openai-strict",
        /// The schema of the `json` and `jsonl` reports, in draft 2020-12.
        Report = "report",
    }
}

/// A request for a schema.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Request<'r> {
    /// The profile; ignored by [`Target::Report`].
    pub profile: &'r Profile,
    /// The consumer.
    pub target: Target,
    /// The session id that documents must have.
    pub session: Option<&'r str>,
    /// The agent that writes them.
    pub agent: Option<&'r str>,
}

/// A schema, and what it cannot express.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Made {
    /// The schema.
    pub schema: SchemaNode,
    /// The requirements of the profile that the target cannot express, one line each, safe to print.
    pub losses: Vec<String>,
}

/// Why there is no schema: the target cannot express what the profile requires. What it displays is safe
/// to print.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum SchemaError {
    /// The target cannot express a required member.
    #[error(
        "--target {target} cannot express {place}, which the profile {profile} requires: {why}; use --target full or claude-cli"
    )]
    Member {
        /// The profile's id.
        profile: String,
        /// The target's name.
        target: &'static str,
        /// The member, as in [`FieldSpec::path`](crate::profile::FieldSpec::path).
        place: String,
        /// The reason.
        why: &'static str,
    },
    /// The schema is larger than the target allows.
    #[error(
        "the profile {profile} is too large for --target {target}: {found} {what} (limit {most}); use --target full or claude-cli"
    )]
    Size {
        /// The profile's id.
        profile: String,
        /// The target's name.
        target: &'static str,
        /// What is measured.
        what: &'static str,
        /// The measured size.
        found: usize,
        /// The limit of the target.
        most: usize,
    },
}

impl<'r> Request<'r> {
    /// Creates a request without session id and agent.
    pub(crate) fn new(profile: &'r Profile, target: Target) -> Self {
        Self {
            profile,
            target,
            session: None,
            agent: None,
        }
    }

    /// Sets the session id that documents must have.
    pub(crate) fn session(mut self, session: impl Into<Option<&'r str>>) -> Self {
        self.session = session.into();
        self
    }

    /// Sets the agent that writes the documents.
    pub(crate) fn agent(mut self, agent: impl Into<Option<&'r str>>) -> Self {
        self.agent = agent.into();
        self
    }

    /// Makes the schema.
    pub(crate) fn make(&self) -> Result<Made, SchemaError> {
        let limits = match self.target {
            Target::Full => return Ok(Made::whole(full::schema(self, full::DRAFT_2020_12))),
            Target::ClaudeCli => return Ok(Made::whole(full::schema(self, full::DRAFT_07))),
            Target::Report => return Ok(Made::whole(report::schema())),
            Target::ClaudeApi => &constrained::CLAUDE_API,
            Target::OpenAiStrict => &constrained::OPENAI_STRICT,
        };
        constrained::make(self, limits)
    }

    /// The schema of a standard of one's own, as JSON that is safe to print: the one that it names for the
    /// whole document, or else one that is made from its places.
    pub(crate) fn make_own(&self) -> Result<String, &'static str> {
        let draft = match self.target {
            Target::Full => full::DRAFT_2020_12,
            Target::ClaudeCli => full::DRAFT_07,
            _ => return Err("extends no built-in profile; use --target full or claude-cli"),
        };
        if !self.profile.is_own_standard() {
            return Err("extends a built-in profile");
        }
        let whole = self.profile.schema.as_ref().filter(|it| it.place.is_none());
        if let Some(rule) = whole {
            return Ok(escape::json(rule.schema.text().trim()).into_owned());
        }
        let schema = own::schema(self.profile);
        let schema = schema.ok_or("describes texts, which have no schema")?;
        let title = format!("retval: {}", escape::truncated(&self.profile.id));
        let node = SchemaNode {
            draft: Some(draft),
            title: Some(title),
            ..schema
        };
        Ok(node.to_string())
    }

    fn description(&self) -> String {
        let mut text = format!(
            "{} (source: {}). Requirements of `retval check --profile {}`:\n",
            escape::truncated(&self.profile.document),
            escape::truncated(&self.profile.sources),
            escape::truncated(&self.profile.id),
        );
        let instruction = Instruction {
            session: self.session,
            agent: self.agent,
            ..Instruction::new(self.profile)
        };
        instruction.requirements(&mut text);
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
