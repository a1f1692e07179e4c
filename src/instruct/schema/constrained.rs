//! Schemas for the structured output of models, which supports few keywords. Optional members that a
//! target cannot express are left out. Only models write documents by these schemas, so the schemas are
//! stricter than necessary: only strings are allowed where any value is valid, and recommended members
//! are required.

use crate::instruct::schema::full::type_of;
use crate::instruct::schema::{Request, SchemaError, escape};
use crate::instruct::view::{Node, What, Whose, document};
use crate::json_schema::{Others, SchemaKeyword, SchemaNode};
use crate::profile::Need;
use crate::profile::fields::Type;

/// The limits of a target.
pub(super) struct TargetLimits {
    /// Optional members in total.
    optional: usize,
    /// Nullable members in total.
    nullable: usize,
    /// Members in total.
    properties: usize,
    /// Levels of nesting, including the leaves.
    levels: usize,
    /// Values of enums in total.
    words: usize,
    /// Characters of member names and of values of enums.
    characters: usize,
}

/// The limits of the Claude API: closed objects, few optional members, few unions; no lengths, no
/// number bounds, no conditions.
///
/// From Anthropic's documentation of structured outputs: at most 24 optional parameters and 16
/// parameters with a union of types in one schema.
pub(super) const CLAUDE_API: TargetLimits = TargetLimits {
    optional: 24,
    nullable: 16,
    properties: usize::MAX,
    levels: usize::MAX,
    words: usize::MAX,
    characters: usize::MAX,
};

/// The limits of `OpenAI`'s strict mode: objects are closed, and every member is required. Optional
/// members are a union with null. There are no conditions and no free-form objects.
///
/// From `OpenAI`'s guide to structured outputs, section "Supported schemas": 5,000 properties, 10
/// levels of nesting, 1,000 values of enums, and 120,000 characters of names and of these values.
pub(super) const OPENAI_STRICT: TargetLimits = TargetLimits {
    optional: 0,
    nullable: usize::MAX,
    properties: 5_000,
    levels: 10,
    words: 1_000,
    characters: 120_000,
};

/// Matches text that is not blank, in every dialect of regular expressions.
const FILLED: &str = r"[^\s]";

/// The schema, and what it cannot express.
pub(super) fn schema(
    request: &Request<'_>,
    limits: &TargetLimits,
) -> Result<(SchemaNode, Vec<String>), SchemaError> {
    let mut writer = ConstrainedWriter {
        request,
        optional: limits.optional,
        nullable: limits.nullable,
        losses: Vec::new(),
    };
    let agent = request.agent.and_then(|name| request.profile.agent(name));
    let whose = agent.map_or(Whose::All, Whose::Of);
    let schema = writer.value(&document(&request.instruction(), whose), true)?;
    writer.lose_decisions();
    let mut description = request.description();
    for loss in &writer.losses {
        description.push_str("\n- ");
        description.push_str(loss);
    }
    writer.lose_statuses_of_agents();
    let schema = schema.unwrap_or_default().described(description);
    measure(&schema, request, limits)?;
    Ok((schema, writer.losses))
}

struct ConstrainedWriter<'s> {
    request: &'s Request<'s>,
    /// How many more members may be optional.
    optional: usize,
    /// How many more members may be nullable.
    nullable: usize,
    losses: Vec<String>,
}

/// How a member may be absent.
#[derive(Clone, Copy)]
enum Presence {
    Required,
    Optional,
    Nullable,
}

impl ConstrainedWriter<'_> {
    /// Returns the schema of a value. None if the target cannot express it. If `filled`, a text must not
    /// be blank.
    fn value(&mut self, node: &Node<'_>, filled: bool) -> Result<Option<SchemaNode>, SchemaError> {
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

    fn leaf(&mut self, node: &Node<'_>, expected: Type, filled: bool) -> SchemaNode {
        let schema = SchemaNode::of_type(type_of(expected));
        if expected == Type::Anything {
            self.losses.push(format!(
                "{} may be any value, but this schema requires a string",
                escape::truncated(&node.path)
            ));
        }
        if schema.types.0 != ["string"] {
            return schema;
        }
        let given = self.given(&node.path).map(|word| vec![word]);
        let words = given.as_ref().unwrap_or(&node.words);
        if words.is_empty() {
            let pattern = filled.then(|| FILLED.to_owned());
            return SchemaNode { pattern, ..schema };
        }
        SchemaNode {
            types: schema.types,
            ..SchemaNode::one_of(words.iter().copied())
        }
    }

    /// Returns the session id or agent set by the caller, if `path` is that of its field.
    fn given(&self, path: &str) -> Option<&str> {
        let (request, profile) = (self.request, self.request.profile);
        let is_at = |place: &Option<_>| place.as_deref() == Some(path);
        let session = request.session.filter(|_| is_at(&profile.session));
        session.or(request.agent.filter(|_| is_at(&profile.agent)))
    }

    fn record(&mut self, members: &[(&str, Node<'_>)]) -> Result<SchemaNode, SchemaError> {
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
            if !matches!(presence, Presence::Optional) {
                schema.required.push((*name).to_owned());
            }
            schema.properties.0.push(((*name).to_owned(), member));
        }
        Ok(schema)
    }

    fn member(&mut self, node: &Node<'_>) -> Result<Option<(Presence, SchemaNode)>, SchemaError> {
        let before = (self.optional, self.nullable);
        let Some(presence) = self.presence(node) else {
            let most = "the target allows no more optional members";
            return self.left_out(node, most).map(|()| None);
        };
        let filled = matches!(presence, Presence::Required);
        if let Some(schema) = self.value(node, filled)? {
            return Ok(Some((presence, schema)));
        }
        (self.optional, self.nullable) = before;
        let why = "it is an object with arbitrary keys";
        self.left_out(node, why).map(|()| None)
    }

    /// Returns how a member may be absent. None if the target allows no more optional members.
    fn presence(&mut self, node: &Node<'_>) -> Option<Presence> {
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

    fn left_out(&mut self, node: &Node<'_>, why: &'static str) -> Result<(), SchemaError> {
        let place = escape::truncated(&node.path).to_string();
        if node.need == Need::Required {
            return Err(SchemaError::Member {
                profile: escape::truncated(&self.request.profile.id).to_string(),
                target: self.request.target.as_str(),
                place,
                why,
            });
        }
        self.losses
            .push(format!("{place} is not in this schema: {why}"));
        Ok(())
    }

    /// Adds the loss that the schema allows a decision that contradicts the status.
    fn lose_decisions(&mut self) {
        let profile = self.request.profile;
        if !profile.decisions.is_empty() && profile.has_field_of("decision", self.request.agent) {
            let words = escape::list(profile.decisions.iter());
            self.losses.push(format!(
                "decision must be the same as the status if that is {words}, which this schema cannot require"
            ));
        }
    }

    fn lose_statuses_of_agents(&mut self) {
        let profile = self.request.profile;
        let agent = self.request.agent.and_then(|name| profile.agent(name));
        if profile.agents.len() > 1 && agent.is_none() {
            let names: Vec<_> = profile.agents.iter().map(|agent| &*agent.name).collect();
            self.losses.push(format!(
                "status may be a status of any agent; --agent allows only those of one agent ({})",
                escape::truncated(&names.join(", "))
            ));
        }
    }
}

/// Checks a schema against the limits of the target.
fn measure(
    schema: &SchemaNode,
    request: &Request<'_>,
    limits: &TargetLimits,
) -> Result<(), SchemaError> {
    let (mut properties, mut levels, mut words, mut characters) = (0, 0, 0, 0);
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
    let names = "characters of names and enum values";
    let measures = [
        ("properties", properties, limits.properties),
        ("levels", levels, limits.levels),
        ("enum values", words, limits.words),
        (names, characters, limits.characters),
    ];
    let too_large = measures.into_iter().find(|(_, found, most)| found > most);
    too_large.map_or(Ok(()), |(what, found, most)| {
        Err(SchemaError::Size {
            profile: escape::truncated(&request.profile.id).to_string(),
            target: request.target.as_str(),
            what,
            found,
            most,
        })
    })
}
