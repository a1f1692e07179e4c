//! JSON Schemas of the documents of a profile, for several consumers.
//!
//! `full` and `claude-cli` accept every document that the first steps of a check accept by default: they say
//! types, required members, the words of the status and the length of the summary, and leave the rest to the
//! check. The other two are for models, which write by them and support few keywords: objects are closed,
//! recommended members are required, and where any value is valid it is a text. What they cannot say is listed as
//! a loss.

#[cfg(test)]
mod tests;

use std::str::FromStr as _;

use serde_json::Value;

use crate::document::Form;
use crate::instruct::Instruction;
use crate::instruct::view::{ValueView, What};
use crate::json_schema::{DRAFT_07, DRAFT_2020_12, Others, SchemaKeyword, SchemaNode, Types};
use crate::profile::fields::Type;
use crate::profile::words::ANY;
use crate::profile::{Measured, Need, Shape, Unit};
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

impl Target {
    /// How many members may be optional, and how many may be null in place of that. None if models do not write by
    /// the schema.
    ///
    /// From Anthropic's documentation of structured outputs, at most 24 optional parameters and 16 parameters with
    /// a union of types; and from `OpenAI`'s guide to structured outputs, section "Supported schemas".
    fn absent_at_most(self) -> Option<[usize; 2]> {
        match self {
            Self::Full | Self::ClaudeCli => None,
            Self::ClaudeApi => Some([24, 16]),
            Self::OpenAiStrict => Some([0, usize::MAX]),
        }
    }

    fn draft(self) -> Option<&'static str> {
        match self {
            Self::Full => Some(DRAFT_2020_12),
            Self::ClaudeCli => Some(DRAFT_07),
            Self::ClaudeApi | Self::OpenAiStrict => None,
        }
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
    /// The schema of the documents that it asks for, with its session id and agent. An error if the target cannot
    /// express what the profile requires.
    pub(crate) fn schema(&self, target: Target) -> Result<Made, SchemaError> {
        if self.profile.is_own() {
            return self.schema_of_own(target);
        }
        let profile = self.profile;
        let mut writer = SchemaWriter::new(self, target);
        let schema = writer.document()?;
        let mut losses = writer.losses;
        let mut description = format!(
            "{} (source: {}). Requirements of `retval check --profile {}`:\n",
            truncated(&profile.document),
            truncated(&profile.sources),
            truncated(&profile.id),
        );
        self.requirements(&mut description);
        description.truncate(description.trim_end().len());
        for loss in &losses {
            description.extend(["\n- ", loss]);
        }
        // The requirements say it, too.
        let agents = &profile.agents;
        if writer.absent.is_some() && agents.len() > 1 && !self.knows_agent() {
            let names: Vec<_> = agents.iter().map(|agent| &*agent.name).collect();
            losses.push(format!(
                "status may be a status of any agent; --agent allows only those of one agent ({})",
                truncated(&names.join(", "))
            ));
        }
        Ok(Made { text: schema.described(description).to_string(), losses })
    }

    /// The schema that a profile of one's own names for the whole document, or else that of its places.
    fn schema_of_own(&self, target: Target) -> Result<Made, SchemaError> {
        let whole = self.profile.schema.as_ref().filter(|it| it.place.is_none());
        let text = match whole {
            _ if target.absent_at_most().is_some() => {
                Err("extends no built-in profile; use --target full or claude-cli")
            }
            Some(rule) => Ok(json(rule.schema.as_str().trim()).into_owned()),
            None if self.profile.form == Form::Text => Err("describes texts, which have no schema"),
            None => Ok(SchemaWriter::new(self, target).document()?.to_string()),
        };
        let id = full(&self.profile.id);
        let error = |why| SchemaError(format!("there is no schema of the profile {id}: it {why}"));
        let loss = "only the fields and words of the profile are in the schema, or the schema that it names";
        Ok(Made { text: text.map_err(error)?, losses: vec![loss.to_owned()] })
    }
}

/// Matches text that is not blank, in every dialect of regular expressions.
const FILLED: &str = r"[^\s]";

/// Every type but null.
const NOT_NULL: [&str; 5] = ["boolean", "number", "string", "array", "object"];

struct SchemaWriter<'s, 'i> {
    instruction: &'s Instruction<'i>,
    target: Target,
    /// How many more members may be optional, and null. None if models do not write by the schema.
    absent: Option<[usize; 2]>,
    losses: Vec<String>,
}

/// How a member may be absent.
#[derive(Clone, Copy, PartialEq)]
enum Presence {
    Required,
    Optional,
    Nullable,
}

impl<'s, 'i> SchemaWriter<'s, 'i> {
    fn new(instruction: &'s Instruction<'i>, target: Target) -> Self {
        Self { instruction, target, absent: target.absent_at_most(), losses: Vec::new() }
    }

    fn document(&mut self) -> Result<SchemaNode, SchemaError> {
        let instruction = *self.instruction;
        let profile = instruction.profile;
        // A document of any agent may have the members of others, which no rule reads.
        let is_of_any = self.absent.is_none() && instruction.agent.is_none();
        let made = self.value(&instruction.view(is_of_any))?;
        let title = self.absent.is_none();
        Ok(SchemaNode {
            draft: self.target.draft(),
            title: title.then(|| format!("retval: {}", truncated(&profile.id))),
            ..made.unwrap_or_default()
        })
    }

    /// The schema of a value that is not null. None if the target cannot express it.
    fn value(&mut self, node: &ValueView<'_>) -> Result<Option<SchemaNode>, SchemaError> {
        let schema = match &node.what {
            What::Leaf(of) => self.leaf(node, *of),
            What::Map(_) if self.absent.is_some() => return Ok(None),
            What::Map(value) => SchemaNode {
                others: self.value(value)?.map(Others::like),
                ..SchemaNode::of_type("object")
            },
            What::List(item) => {
                let Some(schema) = self.value(item)? else {
                    return Ok(None);
                };
                // A place that ends with every item requires that there is one.
                let is_filled = self.instruction.profile.is_own()
                    && item.need == Need::Required
                    && matches!(item.what, What::Leaf(_));
                SchemaNode { fewest: is_filled.then_some(1), ..SchemaNode::array(schema) }
            }
            What::Record(members) => self.record(members)?,
        };
        Ok(Some(SchemaNode { description: node.about.map(str::to_owned), ..schema }))
    }

    fn leaf(&mut self, node: &ValueView<'_>, of: Type) -> SchemaNode {
        let is_strict = self.absent.is_some();
        if is_strict && of == Type::Anything {
            self.losses.push(format!(
                "{} may be any value, but this schema requires a string",
                truncated(&node.path)
            ));
        }
        let types = match of {
            Type::Anything if !is_strict => Vec::new(),
            Type::Amount if !is_strict => vec!["string", "number"],
            Type::Anything | Type::Unknown | Type::Amount | Type::Text => vec!["string"],
            Type::Boolean => vec!["boolean"],
            Type::Integer => vec!["integer"],
            Type::Number => vec!["number"],
            Type::List(_) => vec!["array"],
            Type::Map(_) | Type::Record(_) => vec!["object"],
        };
        let is_text = types == ["string"] || of == Type::Anything;
        let is_filled = node.need == Need::Required
            || is_strict && (node.need == Need::Recommended || node.path.ends_with("[]"));
        let words = self.words(node);
        let profile = self.instruction.profile;
        // A schema cannot count words.
        let longest = profile.length.filter(|limit| {
            let is_told = limit.of == Measured::Summary && limit.unit != Unit::Words;
            node.path == "summary" && is_told && !is_strict && !profile.is_own()
        });
        SchemaNode {
            pattern: (is_text && is_filled && words.is_empty()).then(|| FILLED.to_owned()),
            words: SchemaNode::one_of(words.into_iter().filter(|_| is_text)).words,
            longest: longest.map(|limit| limit.longest()),
            types: Types(types),
            ..SchemaNode::default()
        }
    }

    /// The words that a value must be. Where no model writes them, only those of the status are held.
    fn words<'w>(&self, node: &'w ValueView<'_>) -> Vec<&'w str>
    where
        'i: 'w,
    {
        if let Some(given) = self.given(&node.path) {
            return vec![given];
        }
        // Words that are no text in JSON stand for any value.
        let is_text = |word: &&str| **word != *ANY && Value::from_str(word).is_err();
        let is_held = if self.instruction.profile.is_own() {
            node.words.iter().all(is_text)
        } else {
            self.absent.is_some() || node.path == "status"
        };
        node.words.iter().copied().filter(|_| is_held).collect()
    }

    /// The session id or agent that a value must have.
    fn given(&self, path: &str) -> Option<&'i str> {
        let profile = self.instruction.profile;
        // Another agent is only warned of.
        let is_held = self.absent.is_some() || profile.shape == Shape::Handoff;
        let agent = self.instruction.agent.filter(|_| is_held);
        let is = |member: Option<String>| member.as_deref() == Some(path);
        let session = self.instruction.session;
        let session = session.filter(|_| is(profile.session_member()));
        session.or(agent.filter(|_| is(profile.agent_member())))
    }

    fn record(&mut self, members: &[(&str, ValueView<'_>)]) -> Result<SchemaNode, SchemaError> {
        let mut schema = SchemaNode {
            others: self.absent.map(|_| Others::Allowed(false)),
            ..SchemaNode::of_type("object")
        };
        let is_own = self.instruction.profile.is_own();
        // Places of one's own without demands need not be there, nor have a type.
        for (name, node) in members.iter().filter(|it| !is_own || is_demanding(&it.1)) {
            let Some((presence, member)) = self.member(node)? else {
                continue;
            };
            if presence != Presence::Optional {
                schema.required.push((*name).to_owned());
            }
            schema.properties.0.push(((*name).to_owned(), member));
        }
        Ok(schema)
    }

    /// Returns None, and notes the loss, if the target cannot express a member that is not required.
    fn member(
        &mut self,
        node: &ValueView<'_>,
    ) -> Result<Option<(Presence, SchemaNode)>, SchemaError> {
        let before = self.absent;
        let mut why = "the target allows no more optional members";
        if let Some(presence) = self.presence(node) {
            if let Some(mut schema) = self.value(node)? {
                let is_any = schema.types.0.is_empty() && schema.words.is_empty();
                match presence {
                    Presence::Required if is_any => schema.types = Types(NOT_NULL.to_vec()),
                    // Null is as good as missing.
                    Presence::Optional if self.absent.is_none() && !is_any => {
                        if !schema.types.0.is_empty() {
                            schema.types.0.push("null");
                        }
                        if !schema.words.is_empty() {
                            schema.words.push(SchemaKeyword::Null);
                        }
                    }
                    Presence::Nullable => schema = schema.or_null(),
                    _ => {}
                }
                return Ok(Some((presence, schema)));
            }
            self.absent = before;
            why = "it is an object with arbitrary keys";
        }
        let place = truncated(&node.path);
        if node.need == Need::Required {
            let id = truncated(&self.instruction.profile.id);
            let target = self.target.as_str();
            return Err(SchemaError(format!(
                "--target {target} cannot express {place}, which the profile {id} requires: {why}; use --target full or claude-cli"
            )));
        }
        let loss = format!("{place} is not in this schema: {why}");
        self.losses.push(loss);
        Ok(None)
    }

    /// How a member may be absent. None if the target allows no more optional members.
    fn presence(&mut self, node: &ValueView<'_>) -> Option<Presence> {
        let profile = self.instruction.profile;
        // A handoff need not have the session id.
        let is_free = self.absent.is_none()
            && profile.shape == Shape::Handoff
            && profile.session_member().as_deref() == Some(&*node.path);
        let is_given = !is_free
            && (self.instruction.holds_session(&node.path) || self.given(&node.path).is_some());
        let is_wanted = self.absent.is_some() && node.need == Need::Recommended;
        if is_given || is_wanted || node.need == Need::Required {
            return Some(Presence::Required);
        }
        if let Some([optional, nullable]) = &mut self.absent {
            let Some(left) = optional.checked_sub(1) else {
                *nullable = nullable.checked_sub(1)?;
                return Some(Presence::Nullable);
            };
            *optional = left;
        }
        Some(Presence::Optional)
    }
}

/// Whether something must stand in a value, or only some words can.
fn is_demanding(node: &ValueView<'_>) -> bool {
    let inside = match &node.what {
        What::List(item) => is_demanding(item),
        What::Record(members) => members.iter().any(|(_, member)| is_demanding(member)),
        What::Map(_) | What::Leaf(_) => false,
    };
    inside || node.need == Need::Required || !node.words.is_empty()
}
