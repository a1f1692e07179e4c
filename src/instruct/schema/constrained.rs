//! Schemas for the structured output of models, which supports few keywords. Optional members that a
//! target cannot express are left out. Only models write documents by these schemas, so the schemas are
//! stricter than necessary: only strings are allowed where any value is valid, and recommended members
//! are required.

use crate::instruct::Instruction;
use crate::instruct::schema::full::type_of;
use crate::instruct::schema::{SchemaError, Target};
use crate::instruct::view::{ValueView, What, Whose};
use crate::json_schema::{Others, SchemaKeyword, SchemaNode};
use crate::profile::Need;
use crate::profile::fields::Type;
use crate::text::escape::{list, truncated};

/// The limits of a target.
pub(super) struct TargetLimits {
    /// Optional members in total.
    optional: usize,
    /// Nullable members in total.
    nullable: usize,
    /// The largest of [`SIZES`].
    sizes: [usize; 4],
}

/// What is measured of a schema. Levels of nesting include the leaves.
const SIZES: [&str; 4] = [
    "properties",
    "levels",
    "enum values",
    "characters of names and enum values",
];

/// The limits of the Claude API: closed objects, few optional members, few unions; no lengths, no
/// number bounds, no conditions.
///
/// From Anthropic's documentation of structured outputs: at most 24 optional parameters and 16
/// parameters with a union of types in one schema.
pub(super) const CLAUDE_API: TargetLimits = TargetLimits {
    optional: 24,
    nullable: 16,
    sizes: [usize::MAX; 4],
};

/// The limits of `OpenAI`'s strict mode: objects are closed, and every member is required. Optional
/// members are a union with null. There are no conditions and no free-form objects.
///
/// From `OpenAI`'s guide to structured outputs, section "Supported schemas".
pub(super) const OPENAI_STRICT: TargetLimits = TargetLimits {
    optional: 0,
    nullable: usize::MAX,
    sizes: [5_000, 10, 1_000, 120_000],
};

/// Matches text that is not blank, in every dialect of regular expressions.
const FILLED: &str = r"[^\s]";

/// The schema, and what it cannot express.
pub(super) fn schema(
    instruction: &Instruction<'_>,
    target: Target,
    limits: &TargetLimits,
) -> Result<(SchemaNode, Vec<String>), SchemaError> {
    let mut writer = ConstrainedWriter {
        instruction,
        target,
        optional: limits.optional,
        nullable: limits.nullable,
        losses: Vec::new(),
    };
    let profile = instruction.profile;
    let agent = instruction.agent.and_then(|name| profile.agent(name));
    let whose = agent.map_or(Whose::All, Whose::Of);
    let schema = writer.value(&instruction.view(whose), true)?;
    let mut losses = writer.losses;
    if !profile.decisions.is_empty() && profile.has_field_of("decision", instruction.agent) {
        let words = list(profile.decisions.iter());
        losses.push(format!(
            "decision must be the same as the status if that is {words}, which this schema cannot require"
        ));
    }
    let mut description = instruction.description();
    for loss in &losses {
        description.push_str("\n- ");
        description.push_str(loss);
    }
    // The requirements say it, too.
    if profile.agents.len() > 1 && agent.is_none() {
        let names: Vec<_> = profile.agents.iter().map(|agent| &*agent.name).collect();
        losses.push(format!(
            "status may be a status of any agent; --agent allows only those of one agent ({})",
            truncated(&names.join(", "))
        ));
    }
    let schema = schema.unwrap_or_default().described(description);
    let sizes = SIZES.into_iter().zip(measure(&schema)).zip(limits.sizes);
    match sizes.into_iter().find(|((_, found), most)| found > most) {
        None => Ok((schema, losses)),
        Some(((what, found), most)) => Err(SchemaError(format!(
            "the profile {} is too large for --target {}: {found} {what} (limit {most}); use --target full or claude-cli",
            truncated(&profile.id),
            target.as_str()
        ))),
    }
}

struct ConstrainedWriter<'s, 'i> {
    instruction: &'s Instruction<'i>,
    target: Target,
    /// How many more members may be optional.
    optional: usize,
    /// How many more members may be nullable.
    nullable: usize,
    losses: Vec<String>,
}

/// How a member may be absent.
#[derive(Clone, Copy, PartialEq)]
enum Presence {
    Required,
    Optional,
    Nullable,
}

impl ConstrainedWriter<'_, '_> {
    /// Returns the schema of a value. None if the target cannot express it. If `filled`, a text must not
    /// be blank.
    fn value(
        &mut self,
        node: &ValueView<'_>,
        filled: bool,
    ) -> Result<Option<SchemaNode>, SchemaError> {
        let schema = match &node.what {
            What::Leaf(expected) => self.leaf(node, *expected, filled),
            What::Unread => self.leaf(node, Type::Anything, filled),
            What::Map(_) => return Ok(None),
            What::List(item) => match self.value(item, true)? {
                Some(item) => SchemaNode::array(item),
                None => return Ok(None),
            },
            What::Record(members) => self.record(members)?,
        };
        let about = node.about.map(str::to_owned);
        Ok(Some(SchemaNode {
            description: schema.description.or(about),
            ..schema
        }))
    }

    fn leaf(&mut self, node: &ValueView<'_>, expected: Type, filled: bool) -> SchemaNode {
        let schema = SchemaNode::of_type(type_of(expected));
        if expected == Type::Anything {
            self.losses.push(format!(
                "{} may be any value, but this schema requires a string",
                truncated(&node.path)
            ));
        }
        if schema.types.0 != ["string"] {
            return schema;
        }
        let given = self.given(&node.path).map(|word| vec![word]);
        let words = given.as_ref().unwrap_or(&node.words).iter().copied();
        SchemaNode {
            pattern: (filled && words.len() == 0).then(|| FILLED.to_owned()),
            words: SchemaNode::one_of(words).words,
            ..schema
        }
    }

    /// Returns the session id or agent set by the caller, if `path` is that of its field.
    fn given(&self, path: &str) -> Option<&str> {
        let (instruction, profile) = (self.instruction, self.instruction.profile);
        let session = instruction.session;
        let session = session.filter(|_| profile.session_member().as_deref() == Some(path));
        let agent = instruction.agent;
        session.or(agent.filter(|_| profile.agent_member().as_deref() == Some(path)))
    }

    fn record(&mut self, members: &[(&str, ValueView<'_>)]) -> Result<SchemaNode, SchemaError> {
        let mut schema = SchemaNode {
            others: Some(Others::Allowed(false)),
            ..SchemaNode::of_type("object")
        };
        for (name, node) in members {
            let Some((presence, member)) = self.member(node)? else {
                continue;
            };
            let member = match presence {
                Presence::Nullable => member.or_null(),
                Presence::Required | Presence::Optional => member,
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
        let before = (self.optional, self.nullable);
        let why = if let Some(presence) = self.presence(node) {
            if let Some(schema) = self.value(node, presence == Presence::Required)? {
                return Ok(Some((presence, schema)));
            }
            (self.optional, self.nullable) = before;
            "it is an object with arbitrary keys"
        } else {
            "the target allows no more optional members"
        };
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

    /// Returns how a member may be absent. None if the target allows no more optional members.
    fn presence(&mut self, node: &ValueView<'_>) -> Option<Presence> {
        if node.need != Need::Optional || self.given(&node.path).is_some() {
            return Some(Presence::Required);
        }
        if let Some(left) = self.optional.checked_sub(1) {
            self.optional = left;
            return Some(Presence::Optional);
        }
        self.nullable = self.nullable.checked_sub(1)?;
        Some(Presence::Nullable)
    }
}

/// Returns the [`SIZES`] of a schema.
fn measure(schema: &SchemaNode) -> [usize; 4] {
    let [mut properties, mut levels, mut words, mut characters] = [0; 4];
    schema.each(1, &mut |depth, schema| {
        levels = levels.max(depth);
        properties += schema.properties.0.len();
        words += schema.words.len();
        let names = schema.properties.0.iter().map(|(name, _)| name);
        let texts = schema.words.iter().filter_map(|word| match word {
            SchemaKeyword::Text(text) => Some(text),
            SchemaKeyword::Number(_) | SchemaKeyword::Null => None,
        });
        let lengths = names.chain(texts).map(|text| text.chars().count());
        characters += lengths.sum::<usize>();
    });
    [properties, levels, words, characters]
}
