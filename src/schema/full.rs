//! Complete schemas: they reject exactly what `check` fails, as far as a schema can express it.

use crate::check::rules::{
    ARTIFACT_SUMMARY_LONG, ARTIFACT_TYPE, COMPACT_EXTRA, DELEGATION_DEPTH, DURATION_NEGATIVE,
    ERROR_MESSAGE_LONG, ERROR_TYPE, FIELD_EMPTY, FIELD_MISSING, FIELD_TYPE, FIELD_UNKNOWN,
    HANDOFF_AGENT, HANDOFF_DECISION, HANDOFF_SESSION, Level, METADATA, NEXT_STEPS_LONG, Rule,
    SCHEMA_MEMBER, SESSION_MISMATCH, STATUS_UNKNOWN, SUMMARY_TOO_LONG,
};
use crate::json_schema::{Others, SchemaNode, Types};
use crate::profile::fields::Type;
use crate::profile::{Measured, Need, Status, Unit};
use crate::schema::survey::{SchemaPlace, What, document};
use crate::schema::{Request, escape};

pub(crate) const DRAFT_2020_12: &str = "https://json-schema.org/draft/2020-12/schema";
pub(super) const DRAFT_07: &str = "http://json-schema.org/draft-07/schema#";

/// The characters that `text::is_invisible` accepts, for a character class. `\s` is not used because it
/// differs between dialects of regular expressions. Characters above U+FFFF are left out, because an
/// engine that works with UTF-16 units would reject the whole pattern.
const INVISIBLE: &str = concat!(
    r"\u0000\t\n\u000b\f\r \u0085\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5",
    r"\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\u3164\ufe00-\ufe0f\ufeff",
    r"\uffa0\ufff0-\ufff8",
);

pub(super) fn schema(request: &Request<'_>, draft: &'static str) -> SchemaNode {
    let writer = FullWriter { request };
    let place = document(request.profile, writer.whose());
    SchemaNode {
        draft: Some(draft),
        title: Some(format!(
            "retval: {}",
            escape::truncated(&request.profile.id)
        )),
        description: Some(request.description()),
        types: Types(vec!["object"]),
        all_of: writer.by_agent(),
        ..writer.value(&place)
    }
}

/// Every type but null.
const NOT_NULL: [&str; 5] = ["boolean", "number", "string", "array", "object"];
/// Every type but a string.
const NO_TEXT: [&str; 5] = ["null", "boolean", "number", "array", "object"];

pub(super) struct FullWriter<'s> {
    pub(super) request: &'s Request<'s>,
}

impl FullWriter<'_> {
    /// Whether a violation of the rule makes a document invalid.
    pub(super) fn fails(&self, rule: &'static Rule) -> bool {
        let profile = self.request.profile;
        profile.has_rule(rule) && profile.level(rule) == Level::Error
    }

    /// Returns the schema of a value that is not null.
    fn value(&self, place: &SchemaPlace<'_>) -> SchemaNode {
        let types: &[_] = match &place.what {
            What::Leaf(Type::Anything) | What::Unread => &[],
            _ if !self.fails(&FIELD_TYPE) && !self.holds_session(place) => &[],
            What::Leaf(Type::Amount) => &["string", "number"],
            What::Leaf(expected) => &[type_of(*expected)],
            What::List(_) => &["array"],
            What::Map(_) | What::Record(_) => &["object"],
        };
        let mut schema = SchemaNode {
            types: Types(types.to_vec()),
            ..SchemaNode::default()
        };
        match &place.what {
            What::List(item) => schema.items = Some(self.inside(item)),
            What::Map(value) => schema.others = Some(self.inside(value)),
            What::Record(members) => self.record(&mut schema, members, &place.path),
            What::Leaf(_) | What::Unread => {}
        }
        schema
    }

    fn inside(&self, place: &SchemaPlace<'_>) -> Others {
        let mut schema = self.value(place);
        schema.description = place.about.map(str::to_owned);
        self.narrow(&mut schema, place);
        Others::Like(Box::new(schema))
    }

    fn record(&self, schema: &mut SchemaNode, members: &[(&str, SchemaPlace<'_>)], path: &str) {
        self.members(schema, members);
        // If the members depend on the agent, the rules for each agent say which others are allowed.
        if path.is_empty() && self.depends_on_agent() {
            return;
        }
        // Agents may add members of their own to the metadata.
        let is_closed = self.fails(&FIELD_UNKNOWN) && path != METADATA;
        if self.fails(&COMPACT_EXTRA) || is_closed {
            schema.others = Some(Others::Allowed(false));
            if path.is_empty() && !self.fails(&COMPACT_EXTRA) {
                let member = (SCHEMA_MEMBER.to_owned(), SchemaNode::default());
                schema.properties.0.push(member);
            }
        }
    }

    pub(super) fn members(&self, schema: &mut SchemaNode, members: &[(&str, SchemaPlace<'_>)]) {
        for (name, place) in members {
            if self.is_required(place) {
                schema.required.push((*name).to_owned());
            }
            let member = ((*name).to_owned(), self.member(place));
            schema.properties.0.push(member);
        }
    }

    fn is_required(&self, place: &SchemaPlace<'_>) -> bool {
        place.need == Need::Required && self.fails(&FIELD_MISSING) || self.holds_session(place)
    }

    /// Whether the expected session stands in this value. Without it the session would be another one.
    fn holds_session(&self, place: &SchemaPlace<'_>) -> bool {
        let Request {
            profile, session, ..
        } = self.request;
        let rest = profile.session.as_deref().filter(|_| session.is_some());
        let rest = rest.and_then(|path| path.strip_prefix(&*place.path));
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
            && (self.fails(&SESSION_MISMATCH) || self.fails(&HANDOFF_SESSION))
    }

    fn member(&self, place: &SchemaPlace<'_>) -> SchemaNode {
        let mut schema = self.value(place);
        schema.description = place.about.map(str::to_owned);
        let is_anything = matches!(place.what, What::Leaf(Type::Anything));
        self.narrow(&mut schema, place);
        if is_anything {
            return schema;
        }
        match (self.is_required(place), schema.types.0.is_empty()) {
            (true, true) => schema.types = Types(NOT_NULL.to_vec()),
            (false, false) => schema.types.0.push("null"),
            (true, false) | (false, true) => {}
        }
        schema
    }

    /// Adds the constraints of a value beyond its type.
    fn narrow(&self, schema: &mut SchemaNode, place: &SchemaPlace<'_>) {
        let (request, profile) = (self.request, self.request.profile);
        let path = place.path.as_str();
        let limits = &profile.limits;
        if place.need == Need::Required && self.fails(&FIELD_EMPTY) && is_text(place) {
            schema.pattern = Some(format!("[^{INVISIBLE}]"));
        }
        match path {
            "status" if self.fails(&STATUS_UNKNOWN) => {
                let statuses = words(profile.statuses_of(self.agent_of_request()));
                self.list(schema, place.need, &statuses);
            }
            "artifacts[].type" if self.fails(&ARTIFACT_TYPE) => {
                self.list(schema, place.need, &profile.artifact_types);
            }
            "errors[].type" if self.fails(&ERROR_TYPE) => {
                self.list(schema, place.need, &profile.error_types);
            }
            "decision" if self.fails(&HANDOFF_DECISION) && !profile.decisions.is_empty() => {
                self.list(schema, place.need, &profile.decisions);
            }
            "metadata.duration_seconds" if self.fails(&DURATION_NEGATIVE) => {
                schema.minimum = Some(0);
            }
            "metadata.delegation_depth" if self.fails(&DELEGATION_DEPTH) => {
                schema.minimum = Some(0);
            }
            _ => {}
        }
        if let Some(session) = request.session
            && profile.session.as_deref() == Some(path)
            && self.holds_session(place)
        {
            self.expect(schema, place, session);
        }
        if let Some(agent) = request.agent
            && profile.agent.as_deref() == Some(path)
            && self.fails(&HANDOFF_AGENT)
        {
            self.expect(schema, place, agent);
        }
        let (rule, most) = match path {
            "summary" => (&SUMMARY_TOO_LONG, self.longest_summary(place)),
            "next_steps" => (&NEXT_STEPS_LONG, limits.next_steps_at_most),
            "artifacts[].summary" => (&ARTIFACT_SUMMARY_LONG, limits.artifact_summary_at_most),
            "errors[].message" => (&ERROR_MESSAGE_LONG, limits.error_message_at_most),
            _ => return,
        };
        schema.longest = most.filter(|_| self.fails(rule));
    }

    /// Allows only this text. Other rules determine whether the text is required.
    fn expect(&self, schema: &mut SchemaNode, place: &SchemaPlace<'_>, text: &str) {
        let listed = SchemaNode::one_of([text]);
        schema.pattern = None;
        let is_typed = self.fails(&FIELD_TYPE) || self.holds_session(place);
        if self.is_required(place) && is_typed {
            schema.words = listed.words;
        } else {
            let no_text = SchemaNode {
                types: Types(NO_TEXT.to_vec()),
                ..SchemaNode::default()
            };
            schema.any_of = vec![listed, no_text];
        }
    }

    /// Allows only these texts. Other rules determine whether the value is required.
    pub(super) fn list(&self, schema: &mut SchemaNode, need: Need, words: &[impl AsRef<str>]) {
        let listed = SchemaNode::one_of(words.iter().map(AsRef::as_ref));
        let presence = [&FIELD_MISSING, &FIELD_TYPE, &FIELD_EMPTY];
        if need == Need::Required && presence.iter().all(|rule| self.fails(rule)) {
            schema.words = listed.words;
            schema.pattern = None;
        } else {
            let unfilled = SchemaNode {
                pattern: Some(format!("^[{INVISIBLE}]*$")),
                ..SchemaNode::default()
            };
            schema.any_of = vec![listed, unfilled];
        }
    }

    /// Returns the maximum length of the summary in characters. None if there is no such limit: a schema
    /// cannot count words, and the limit does not apply to a blank summary, so the summary must be
    /// required and must not be blank.
    fn longest_summary(&self, place: &SchemaPlace<'_>) -> Option<usize> {
        let limit = self.request.profile.length?;
        let has_limit = limit.of == Measured::Summary
            && limit.unit != Unit::Words
            && place.need == Need::Required
            && self.fails(&FIELD_EMPTY);
        has_limit.then(|| limit.longest())
    }
}

fn is_text(place: &SchemaPlace<'_>) -> bool {
    matches!(place.what, What::Leaf(Type::Text) | What::Unread)
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

/// Returns the words of the statuses, without duplicates.
pub(super) fn words<'p>(statuses: impl Iterator<Item = &'p Status>) -> Vec<&'p str> {
    let mut words = Vec::new();
    for status in statuses {
        if !words.contains(&&*status.word) {
            words.push(&*status.word);
        }
    }
    words
}
