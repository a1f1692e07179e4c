//! The parts of a schema that depend on the agent that wrote a document: its status words, and its own
//! members.

use crate::check::rules::{FIELD_UNKNOWN, HANDOFF_DECISION, SCHEMA_MEMBER, STATUS_UNKNOWN};
use crate::json_schema::{NodeMembers, Others, SchemaNode};
use crate::profile::{Agent, Need, Profile, Shape};
use crate::schema::full::{FullWriter, words};
use crate::schema::survey::{What, Whose, document};

impl<'s> FullWriter<'s> {
    /// Returns the agent of the request if the schema is for its documents only, whichever agent they
    /// name.
    pub(super) fn agent_of_request(&self) -> Option<&'s str> {
        let profile = self.request.profile;
        let is_told = profile.agent.is_none() || profile.shape == Shape::Handoff;
        self.request.agent.filter(|_| is_told)
    }

    /// Returns which members are described at the top of the schema.
    pub(super) fn whose(&self) -> Whose<'s> {
        let profile = self.request.profile;
        if self.depends_on_agent() {
            return Whose::Common;
        }
        let agent = self.agent_of_request();
        let agent = agent.and_then(|name| profile.agent(name));
        agent.map_or(Whose::All, Whose::Of)
    }

    /// Whether the members of a document depend on the agent that it names.
    pub(super) fn depends_on_agent(&self) -> bool {
        let mut fields = self.request.profile.fields.iter();
        self.agent_of_request().is_none() && fields.any(|field| !field.agents.is_empty())
    }

    /// Returns the rules that depend on the agent that a document names. If the request fixes the agent,
    /// only the rules about its decisions are left.
    pub(super) fn by_agent(&self) -> Vec<SchemaNode> {
        let profile = self.request.profile;
        let Some(place) = profile.agent.as_deref() else {
            return Vec::new();
        };
        if self.agent_of_request().is_some() {
            return self.decisions(self.request.agent);
        }
        if !self.fails(&STATUS_UNKNOWN) && !self.depends_on_agent() {
            return Vec::new();
        }
        let written_by = |names: &[&str]| {
            let name = SchemaNode::one_of(names.iter().copied());
            Box::new(SchemaNode::having(place, name))
        };
        let mut rules: Vec<_> = profile
            .agents
            .iter()
            .map(|agent| SchemaNode {
                condition: Some(written_by(&[&agent.name])),
                consequence: Some(Box::new(self.own(Some(agent)))),
                ..SchemaNode::default()
            })
            .collect();
        let requested = self.request.agent.and_then(|name| profile.agent(name));
        if requested.is_some() || self.depends_on_agent() {
            let names: Vec<_> = profile.agents.iter().map(|agent| &*agent.name).collect();
            rules.push(SchemaNode {
                condition: Some(written_by(&names)),
                alternative: Some(Box::new(self.own(requested))),
                ..SchemaNode::default()
            });
        }
        rules
    }

    /// Returns the schema of what only the documents of one agent must satisfy. None is an agent that
    /// the profile does not know.
    fn own(&self, agent: Option<&Agent>) -> SchemaNode {
        let profile = self.request.profile;
        let mut schema = SchemaNode::default();
        if let Some(agent) = agent.filter(|_| self.fails(&STATUS_UNKNOWN)) {
            let mut status = SchemaNode::default();
            let statuses = words(profile.statuses_of(Some(&agent.name)));
            self.list(&mut status, need_of_status(profile), &statuses);
            schema.properties.0.push(("status".to_owned(), status));
        }
        if self.depends_on_agent() {
            let place = document(profile, Whose::Own(agent));
            if let What::Record(members) = &place.what {
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
        let common = self.request.profile.fields.iter();
        let common = common.filter(|field| field.agents.is_empty());
        let names = common.map(|field| &*field.path).chain([SCHEMA_MEMBER]);
        for name in names.filter(|name| !name.contains('.')) {
            let known = &mut schema.properties.0;
            if known.iter().all(|(other, _)| other != name) {
                known.push((name.to_owned(), SchemaNode::default()));
            }
        }
        schema.others = Some(Others::Allowed(false));
    }

    /// Returns rules that forbid a decision other than the status, if the status is a decision.
    fn decisions(&self, agent: Option<&str>) -> Vec<SchemaNode> {
        let profile = self.request.profile;
        if !self.fails(&HANDOFF_DECISION) || !profile.has_field_of("decision", agent) {
            return Vec::new();
        }
        let rule = |word: &str| {
            let mut decision = SchemaNode::default();
            self.list(&mut decision, Need::Optional, &[word]);
            SchemaNode {
                condition: Some(Box::new(SchemaNode::having(
                    "status",
                    SchemaNode::one_of([word]),
                ))),
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

fn need_of_status(profile: &Profile) -> Need {
    let status = profile.fields.iter().find(|field| field.path == "status");
    status.map_or(Need::Optional, |status| status.need)
}
