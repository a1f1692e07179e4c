//! JSON Schemas of the documents of a profile, for several consumers.
//!
//! `full` writes everything that a schema can express: the schema accepts the same documents as the steps
//! json, fields and status. `constrained` writes for consumers that support few keywords. Every document that
//! matches such a schema passes these steps, except for what is listed as a loss. Some documents that pass
//! them do not match.

mod constrained;
mod full;
#[cfg(test)]
mod tests;

use crate::document::Form;
use crate::instruct::Instruction;
use crate::json_schema::{DRAFT_07, DRAFT_2020_12};
use crate::profile::Profile;
use crate::text::{escape, names};

names! {
    /// A consumer of schemas.
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
    }
}

/// A request for a schema.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Request<'r> {
    /// The profile.
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
    /// The schema as indented JSON, safe to print, without a final line feed.
    pub text: String,
    /// The requirements of the profile that are not in the schema, one line each, safe to print.
    pub losses: Vec<String>,
}

/// Why there is no schema. What it displays is safe to print.
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
    /// A standard of one's own has no such schema.
    #[error("there is no schema of the profile {profile}: it {why}")]
    Own {
        /// The profile's id.
        profile: String,
        /// The reason.
        why: &'static str,
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
    ///
    /// # Errors
    ///
    /// If the target cannot express what the profile requires.
    pub(crate) fn make(&self) -> Result<Made, SchemaError> {
        let (draft, limits) = match self.target {
            Target::Full => (DRAFT_2020_12, None),
            Target::ClaudeCli => (DRAFT_07, None),
            Target::ClaudeApi => ("", Some(&constrained::CLAUDE_API)),
            Target::OpenAiStrict => ("", Some(&constrained::OPENAI_STRICT)),
        };
        if let Some(standard) = &self.profile.standard {
            let whole = standard.schema.as_ref().filter(|it| it.place.is_none());
            let text = match whole {
                _ if limits.is_some() => {
                    Err("extends no built-in profile; use --target full or claude-cli")
                }
                Some(rule) => Ok(escape::json(rule.schema.text().trim()).into_owned()),
                None if standard.form == Form::Text => Err("describes texts, which have no schema"),
                None => Ok(full::schema(self, draft).to_string()),
            };
            let loss = "only the places and words of the profile are in the schema, or the schema that it names";
            return text
                .map(|text| Made {
                    text,
                    losses: vec![loss.to_owned()],
                })
                .map_err(|why| SchemaError::Own {
                    profile: escape::full(&self.profile.id).to_string(),
                    why,
                });
        }
        let (schema, losses) = match limits {
            None => (full::schema(self, draft), Vec::new()),
            Some(limits) => constrained::schema(self, limits)?,
        };
        Ok(Made {
            text: schema.to_string(),
            losses,
        })
    }

    /// The instruction for the same documents.
    fn instruction(&self) -> Instruction<'r> {
        Instruction {
            session: self.session,
            agent: self.agent,
            ..Instruction::new(self.profile)
        }
    }

    fn description(&self) -> String {
        let mut text = format!(
            "{} (source: {}). Requirements of `retval check --profile {}`:\n",
            escape::truncated(&self.profile.document),
            escape::truncated(&self.profile.sources),
            escape::truncated(&self.profile.id),
        );
        self.instruction().requirements(&mut text);
        text.truncate(text.trim_end().len());
        text
    }
}
