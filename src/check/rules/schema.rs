//! Step 2: the document is as its schema says.

use crate::check::rules::agreement::UNKNOWN;
use crate::check::rules::members::{EMPTY, MISSING};
use crate::check::rules::places::Places;
use crate::check::rules::taken::pieces;
use crate::check::{Collector, values};
use crate::document::pointer::{Pointer, Segment};
use crate::profile::place::PlaceValue;
use crate::profile::schema::Violation;
use crate::rule::{Rule, Step};

pub(crate) static SCHEMA: Rule = Rule {
    id: "schema",
    message: "Value does not fit the schema: {name}: {why} ({key})",
    help: "Fix {agent} subagent to return what the schema asks for",
    advice_to_agent: "Write it as the schema asks",
    ..Rule::of_own_profile(Step::Fields)
};

impl Places<'_, '_, '_, '_> {
    /// Holds the document, or a value in it, to the schema of the standard, and the document to the one that
    /// the caller adds.
    pub(super) fn schema(&mut self) {
        if let Some(rule) = &self.taken.profile.schema {
            let found = match &rule.place {
                None => vec![PlaceValue::whole(self.taken.document)],
                Some(place) => self.find(place).unwrap_or_default(),
            };
            for value in found {
                rule.schema.check(&value, |it| self.violation(&it));
            }
        }
        if let Some(schema) = self.context.expected.schema {
            let document = PlaceValue::whole(self.taken.document);
            schema.check(&document, |it| self.violation(&it));
        }
    }

    fn violation(&mut self, violation: &Violation<'_>) {
        if !self.is_reported(&violation.at.pointer(), violation.missing) {
            report(self.collector, violation);
        }
    }

    /// Whether another rule reports the same: the one about the status, or about what must be there.
    fn is_reported(&self, pointer: &Pointer<'_>, missing: Option<&str>) -> bool {
        let mut status = pieces(&self.taken.status).into_iter().flatten();
        if missing.is_none() && status.any(|piece| piece.at.pointer() == *pointer) {
            return true;
        }
        let name = match missing {
            Some(name) => pointer.clone().step(Segment::Key(name.into())).to_string(),
            None => pointer.to_string(),
        };
        let mut found = self.collector.findings.iter();
        let is_known = self.taken.profile.is_own() || missing.is_some();
        [&MISSING, &EMPTY, &UNKNOWN]
            .iter()
            .any(|rule| self.seen.contains(&(rule.id, name.clone())))
            || !is_known && found.any(|it| it.pointer() == Some(&*name))
    }
}

fn report(collector: &mut Collector<'_, '_>, violation: &Violation<'_>) {
    if collector.count_if_full(&SCHEMA) {
        return;
    }
    let why = (violation.why)();
    let pointer = violation.at.pointer();
    let name = pointer.to_string();
    let name = if name.is_empty() {
        "the document"
    } else {
        &*name
    };
    let values = values![name = name, why = &*why, key = violation.keyword];
    collector.report(&SCHEMA, pointer, &values);
}
