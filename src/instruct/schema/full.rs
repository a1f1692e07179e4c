//! Complete schemas: they reject exactly what `check` fails, as far as a schema can express it.

use std::str::FromStr as _;

use serde_json::Value;

use crate::check::rules::{
    ARTIFACT_SUMMARY_LONG, ARTIFACT_TYPE, COMPACT_EXTRA, DELEGATION_DEPTH, DURATION_NEGATIVE,
    ERROR_MESSAGE_LONG, ERROR_TYPE, FIELD_EMPTY, FIELD_MISSING, FIELD_TYPE, FIELD_UNKNOWN,
    HANDOFF_AGENT, HANDOFF_DECISION, HANDOFF_SESSION, Level, METADATA, NEXT_STEPS_LONG, Rule,
    SCHEMA_MEMBER, SESSION_MISMATCH, STATUS_UNKNOWN, SUMMARY_TOO_LONG,
};
use crate::instruct::Instruction;
use crate::instruct::view::{ValueView, What, Whose, words};
use crate::json_schema::{NodeMembers, Others, SchemaNode, Types};
use crate::profile::fields::Type;
use crate::profile::words::ANY;
use crate::profile::{Agent, Measured, Need, Shape, Unit};
use crate::text::escape::truncated;

/// The characters that `text::is_invisible` accepts, for a character class. `\s` is not used because it
/// differs between dialects of regular expressions. Characters above U+FFFF are left out, because an
/// engine that works with UTF-16 units would reject the whole pattern.
const INVISIBLE: &str = concat!(
    r"\u0000\t\n\u000b\f\r \u0085\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5",
    r"\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\u3164\ufe00-\ufe0f\ufeff",
    r"\uffa0\ufff0-\ufff8",
);

/// Every type but null.
const NOT_NULL: [&str; 5] = ["boolean", "number", "string", "array", "object"];
/// Every type but a string.
const NO_TEXT: [&str; 5] = ["null", "boolean", "number", "array", "object"];

/// The rules about members that can only be some words.
static LISTED: [(&str, &Rule); 4] = [
    ("status", &STATUS_UNKNOWN),
    ("artifacts[].type", &ARTIFACT_TYPE),
    ("errors[].type", &ERROR_TYPE),
    ("decision", &HANDOFF_DECISION),
];

pub(super) fn schema(instruction: &Instruction<'_>, draft: &'static str) -> SchemaNode {
    let profile = instruction.profile;
    // The schema is for the documents of this agent only, whichever agent they name.
    let is_told = profile.roles.agent.is_none() || profile.shape == Shape::Handoff;
    let mut writer = FullWriter {
        instruction,
        fixed: Instruction {
            agent: instruction.agent.filter(|_| is_told),
            ..*instruction
        },
        depends_on_agent: false,
    };
    let mut fields = profile.fields.iter();
    writer.depends_on_agent =
        writer.fixed.agent.is_none() && fields.any(|field| !field.agents.is_empty());
    let agent = writer.fixed.agent.and_then(|name| profile.agent(name));
    let whose = match agent {
        _ if writer.depends_on_agent => Whose::Common,
        None => Whose::All,
        Some(agent) => Whose::Of(agent),
    };
    let schema = writer.value(&writer.fixed.view(whose));
    let schema = SchemaNode {
        draft: Some(draft),
        title: Some(format!("retval: {}", truncated(&profile.id))),
        ..schema
    };
    if profile.is_own() {
        return schema;
    }
    SchemaNode {
        description: Some(instruction.description()),
        types: Types(vec!["object"]),
        all_of: writer.by_agent(),
        ..schema
    }
}

struct FullWriter<'s, 'i> {
    instruction: &'s Instruction<'i>,
    /// The same with the agent that the documents are fixed to, if they are.
    fixed: Instruction<'i>,
    /// Whether the members of a document depend on the agent that it names.
    depends_on_agent: bool,
}

impl FullWriter<'_, '_> {
    /// Whether a violation of the rule makes a document invalid.
    fn fails(&self, rule: &'static Rule) -> bool {
        let profile = self.instruction.profile;
        profile.has_rule(rule) && profile.level(rule) == Level::Error
    }

    /// Whether only places and words of the documents are known.
    fn is_own(&self) -> bool {
        self.instruction.profile.is_own()
    }

    /// Returns the schema of a value that is not null.
    fn value(&self, node: &ValueView<'_>) -> SchemaNode {
        let is_typed = self.is_own() || self.fails(&FIELD_TYPE) || self.holds_session(node);
        let types: &[_] = match &node.what {
            What::Leaf(Type::Anything) | What::Unread => &[],
            _ if !is_typed => &[],
            What::Leaf(Type::Amount) => &["string", "number"],
            What::Leaf(expected) => &[type_of(*expected)],
            What::List(_) => &["array"],
            What::Map(_) | What::Record(_) => &["object"],
        };
        let mut schema = SchemaNode {
            types: Types(types.to_vec()),
            ..SchemaNode::default()
        };
        match &node.what {
            What::List(item) => {
                schema.items = Some(Others::like(self.narrowed(item)));
                // A place that ends with every item requires that there is one.
                let is_filled = item.need == Need::Required && matches!(item.what, What::Unread);
                schema.fewest = is_filled.then_some(1);
            }
            What::Map(value) => schema.others = Some(Others::like(self.narrowed(value))),
            What::Record(members) => self.record(&mut schema, members, &node.path),
            What::Leaf(_) | What::Unread => {}
        }
        schema
    }

    /// The schema with all constraints, but that the value must be there.
    fn narrowed(&self, node: &ValueView<'_>) -> SchemaNode {
        let mut schema = self.value(node);
        schema.description = node.about.map(str::to_owned);
        self.narrow(&mut schema, node);
        schema
    }

    fn record(&self, schema: &mut SchemaNode, members: &[(&str, ValueView<'_>)], path: &str) {
        self.members(schema, members);
        // If the members depend on the agent, the rules for each agent say which others are allowed.
        let is_open = path.is_empty() && self.depends_on_agent;
        let is_strict = self.fails(&COMPACT_EXTRA);
        // Agents may add members of their own to the metadata.
        if !is_open && (is_strict || self.fails(&FIELD_UNKNOWN) && path != METADATA) {
            schema.others = Some(Others::Allowed(false));
            if path.is_empty() && !is_strict {
                schema.properties.add(SCHEMA_MEMBER);
            }
        }
    }

    fn members(&self, schema: &mut SchemaNode, members: &[(&str, ValueView<'_>)]) {
        // Places of one's own without demands need not be there, nor have a type.
        let demanded = members
            .iter()
            .filter(|(_, node)| !self.is_own() || is_demanding(node));
        for (name, node) in demanded {
            if self.is_required(node) {
                schema.required.push((*name).to_owned());
            }
            let member = ((*name).to_owned(), self.member(node));
            schema.properties.0.push(member);
        }
    }

    fn is_required(&self, node: &ValueView<'_>) -> bool {
        node.need == Need::Required && self.fails(&FIELD_MISSING) || self.holds_session(node)
    }

    /// Whether the expected session stands in this value. Without it the session would be another one.
    fn holds_session(&self, node: &ValueView<'_>) -> bool {
        let Instruction {
            profile, session, ..
        } = self.instruction;
        let place = profile.session_member();
        let rest = place.as_deref().filter(|_| session.is_some());
        let rest = rest.and_then(|path| path.strip_prefix(&*node.path));
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
            && (self.fails(&SESSION_MISMATCH) || self.fails(&HANDOFF_SESSION))
    }

    fn member(&self, node: &ValueView<'_>) -> SchemaNode {
        let mut schema = self.narrowed(node);
        let is_anything = matches!(node.what, What::Leaf(Type::Anything));
        if is_anything || !schema.words.is_empty() && self.is_own() {
            return schema;
        }
        match (self.is_required(node), schema.types.0.is_empty()) {
            (true, true) => schema.types = Types(NOT_NULL.to_vec()),
            (false, false) => schema.types.0.push("null"),
            (true, false) | (false, true) => {}
        }
        schema
    }

    /// Adds the constraints of a value beyond its type.
    fn narrow(&self, schema: &mut SchemaNode, node: &ValueView<'_>) {
        let (instruction, profile) = (self.instruction, self.instruction.profile);
        let path = node.path.as_str();
        let is_text = matches!(node.what, What::Leaf(Type::Text) | What::Unread);
        if node.need == Need::Required && self.fails(&FIELD_EMPTY) && is_text {
            schema.pattern = Some(format!("[^{INVISIBLE}]"));
        }
        if self.is_own() {
            // Words that are no text in JSON stand for any value.
            let is_text = |word: &&str| **word != *ANY && Value::from_str(word).is_err();
            if !node.words.is_empty() && node.words.iter().all(is_text) {
                schema.words = SchemaNode::one_of(node.words.iter().copied()).words;
                schema.pattern = None;
            }
            return;
        }
        let listed = LISTED.iter().find(|(known, _)| *known == path);
        if listed.is_some_and(|(_, rule)| self.fails(rule)) && !node.words.is_empty() {
            self.list(schema, node.need, &node.words);
        }
        let not_negative = match path {
            "metadata.duration_seconds" => self.fails(&DURATION_NEGATIVE),
            "metadata.delegation_depth" => self.fails(&DELEGATION_DEPTH),
            _ => false,
        };
        schema.minimum = not_negative.then_some(0);
        if let Some(session) = instruction.session
            && profile.session_member().as_deref() == Some(path)
            && self.holds_session(node)
        {
            self.expect(schema, node, session);
        }
        if let Some(agent) = instruction.agent
            && profile.agent_member().as_deref() == Some(path)
            && self.fails(&HANDOFF_AGENT)
        {
            self.expect(schema, node, agent);
        }
        let limits = &profile.limits;
        let (rule, most) = match path {
            "summary" => (&SUMMARY_TOO_LONG, self.longest_summary(node)),
            "next_steps" => (&NEXT_STEPS_LONG, limits.next_steps_at_most),
            "artifacts[].summary" => (&ARTIFACT_SUMMARY_LONG, limits.artifact_summary_at_most),
            "errors[].message" => (&ERROR_MESSAGE_LONG, limits.error_message_at_most),
            _ => return,
        };
        schema.longest = most.filter(|_| self.fails(rule));
    }

    /// Allows only this text. Other rules determine whether the text is required.
    fn expect(&self, schema: &mut SchemaNode, node: &ValueView<'_>, text: &str) {
        let is_typed = self.fails(&FIELD_TYPE) || self.holds_session(node);
        let no_text = SchemaNode {
            types: Types(NO_TEXT.to_vec()),
            ..SchemaNode::default()
        };
        schema.pattern = None;
        only(schema, &[text], no_text, self.is_required(node) && is_typed);
    }

    /// Allows only these texts. Other rules determine whether the value is required.
    fn list(&self, schema: &mut SchemaNode, need: Need, words: &[&str]) {
        let presence = [&FIELD_MISSING, &FIELD_TYPE, &FIELD_EMPTY];
        let is_certain = need == Need::Required && presence.iter().all(|rule| self.fails(rule));
        let unfilled = SchemaNode {
            pattern: Some(format!("^[{INVISIBLE}]*$")),
            ..SchemaNode::default()
        };
        only(schema, words, unfilled, is_certain);
    }

    /// Returns the maximum length of the summary in characters. None if there is no such limit: a schema
    /// cannot count words, and the limit does not apply to a blank summary, so the summary must be
    /// required and must not be blank.
    fn longest_summary(&self, node: &ValueView<'_>) -> Option<usize> {
        let limit = self.instruction.profile.length?;
        let has_limit = limit.of == Measured::Summary
            && limit.unit != Unit::Words
            && node.need == Need::Required
            && self.fails(&FIELD_EMPTY);
        has_limit.then(|| limit.longest())
    }
}

/// The parts that depend on the agent that a document names: its status words, and its own members.
impl<'i> FullWriter<'_, 'i> {
    /// Returns the rules for each agent. If the agent is fixed, only those about its decisions are left.
    fn by_agent(&self) -> Vec<SchemaNode> {
        let profile = self.instruction.profile;
        let Some(place) = profile.agent_member() else {
            return Vec::new();
        };
        if self.fixed.agent.is_some() {
            return self.decisions(self.fixed.agent);
        }
        if !self.fails(&STATUS_UNKNOWN) && !self.depends_on_agent {
            return Vec::new();
        }
        let written_by = |names: &[&str]| {
            let name = SchemaNode::one_of(names.iter().copied());
            Some(Box::new(SchemaNode::having(&place, name)))
        };
        let agents = profile.agents.iter();
        let rules = agents.map(|agent| SchemaNode {
            condition: written_by(&[&agent.name]),
            consequence: Some(Box::new(self.own(Some(agent)))),
            ..SchemaNode::default()
        });
        let mut rules: Vec<_> = rules.collect();
        let requested = self.instruction.agent.and_then(|name| profile.agent(name));
        if requested.is_some() || self.depends_on_agent {
            let names: Vec<_> = profile.agents.iter().map(|agent| &*agent.name).collect();
            rules.push(SchemaNode {
                condition: written_by(&names),
                alternative: Some(Box::new(self.own(requested))),
                ..SchemaNode::default()
            });
        }
        rules
    }

    /// Returns the schema of what only the documents of one agent must satisfy. None is an agent that
    /// the profile does not know.
    fn own(&self, agent: Option<&'i Agent>) -> SchemaNode {
        let profile = self.instruction.profile;
        let mut schema = SchemaNode::default();
        if let Some(agent) = agent.filter(|_| self.fails(&STATUS_UNKNOWN)) {
            let mut fields = profile.fields.iter();
            let status = fields.find(|field| field.path == "status");
            let need = status.map_or(Need::Optional, |status| status.need);
            let mut status = SchemaNode::default();
            let words = words(profile.statuses_of(Some(&agent.name)));
            self.list(&mut status, need, &words);
            schema.properties.0.push(("status".to_owned(), status));
        }
        if self.depends_on_agent {
            let document = self.fixed.view(Whose::Own(agent));
            if let What::Record(members) = &document.what {
                self.members(&mut schema, members);
            }
            if self.fails(&FIELD_UNKNOWN) {
                self.close(&mut schema);
            }
            schema.all_of = self.decisions(agent.map(|agent| &*agent.name));
        }
        schema
    }

    /// Allows only the members of the schema and those that all documents have.
    fn close(&self, schema: &mut SchemaNode) {
        let common = self.instruction.profile.fields.iter();
        let common = common.filter(|field| field.agents.is_empty());
        let names = common.map(|field| &*field.path).chain([SCHEMA_MEMBER]);
        let names = names.filter(|name| !name.contains('.'));
        names.for_each(|name| schema.properties.add(name));
        schema.others = Some(Others::Allowed(false));
    }

    /// Returns rules that forbid a decision other than the status, if the status is a decision.
    fn decisions(&self, agent: Option<&str>) -> Vec<SchemaNode> {
        let profile = self.instruction.profile;
        if !self.fails(&HANDOFF_DECISION) || !profile.has_field_of("decision", agent) {
            return Vec::new();
        }
        let rule = |word: &str| {
            let mut decision = SchemaNode::default();
            self.list(&mut decision, Need::Optional, &[word]);
            let status = SchemaNode::having("status", SchemaNode::one_of([word]));
            SchemaNode {
                condition: Some(Box::new(status)),
                consequence: Some(Box::new(SchemaNode {
                    properties: NodeMembers(vec![("decision".to_owned(), decision)]),
                    ..SchemaNode::default()
                })),
                ..SchemaNode::default()
            }
        };
        profile.decisions.iter().map(|word| rule(word)).collect()
    }
}

/// Allows only these texts or, unless it is certain that one must be there, another value.
fn only(schema: &mut SchemaNode, words: &[&str], other: SchemaNode, is_certain: bool) {
    let listed = SchemaNode::one_of(words.iter().copied());
    if is_certain {
        schema.words = listed.words;
        schema.pattern = None;
    } else {
        schema.any_of = vec![listed, other];
    }
}

/// Whether something must stand in a value, or only some words can.
fn is_demanding(node: &ValueView<'_>) -> bool {
    let inside = match &node.what {
        What::List(item) => is_demanding(item),
        What::Record(members) => members.iter().any(|(_, member)| is_demanding(member)),
        What::Map(_) | What::Leaf(_) | What::Unread => false,
    };
    inside || node.need == Need::Required || !node.words.is_empty()
}

pub(super) fn type_of(expected: Type) -> &'static str {
    match expected {
        Type::Boolean => "boolean",
        Type::Integer => "integer",
        Type::Number => "number",
        Type::Anything | Type::Amount | Type::Text => "string",
        Type::List(_) => "array",
        Type::Map(_) | Type::Record(_) => "object",
    }
}
