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
use crate::text::escape::{full, json, truncated};
use crate::text::names;

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

/// A schema, and what it cannot express.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Made {
    /// The schema as indented JSON, safe to print, without a final line feed.
    pub text: String,
    /// The requirements of the profile that are not in the schema, one line each, safe to print.
    pub losses: Vec<String>,
}

/// Why there is no schema: the target cannot express what the profile requires. Safe to print.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(crate) struct SchemaError(String);

impl Instruction<'_> {
    /// The schema of the documents that it asks for, with its session id and agent.
    ///
    /// # Errors
    ///
    /// If the target cannot express what the profile requires.
    pub(crate) fn schema(&self, target: Target) -> Result<Made, SchemaError> {
        let (draft, limits) = match target {
            Target::Full => (DRAFT_2020_12, None),
            Target::ClaudeCli => (DRAFT_07, None),
            Target::ClaudeApi => ("", Some(&constrained::CLAUDE_API)),
            Target::OpenAiStrict => ("", Some(&constrained::OPENAI_STRICT)),
        };
        let (schema, losses) = match limits {
            _ if self.profile.is_own() => return self.schema_of_own(target, draft),
            None => (full::schema(self, draft), Vec::new()),
            Some(limits) => constrained::schema(self, target, limits)?,
        };
        Ok(Made {
            text: schema.to_string(),
            losses,
        })
    }

    /// The schema that a standard of one's own names for the whole document, or else one that is made from its
    /// places.
    fn schema_of_own(&self, target: Target, draft: &'static str) -> Result<Made, SchemaError> {
        let whole = self.profile.schema.as_ref().filter(|it| it.place.is_none());
        let text = match whole {
            _ if !matches!(target, Target::Full | Target::ClaudeCli) => {
                Err("extends no built-in profile; use --target full or claude-cli")
            }
            Some(rule) => Ok(json(rule.schema.text().trim()).into_owned()),
            None if self.profile.form == Form::Text => Err("describes texts, which have no schema"),
            None => Ok(full::schema(self, draft).to_string()),
        };
        let id = full(&self.profile.id);
        let error = |why| SchemaError(format!("there is no schema of the profile {id}: it {why}"));
        let loss = "only the places and words of the profile are in the schema, or the schema that it names";
        Ok(Made {
            text: text.map_err(error)?,
            losses: vec![loss.to_owned()],
        })
    }

    fn description(&self) -> String {
        let mut text = format!(
            "{} (source: {}). Requirements of `retval check --profile {}`:\n",
            truncated(&self.profile.document),
            truncated(&self.profile.sources),
            truncated(&self.profile.id),
        );
        self.requirements(&mut text);
        text.truncate(text.trim_end().len());
        text
    }
}
