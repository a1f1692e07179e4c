//! Step 2: the document is as its schema says.

use crate::check::finding::Finding;
use crate::check::rules::members::{EMPTY, MISSING};
use crate::check::rules::own::fields::Fields;
use crate::check::rules::own::pieces;
use crate::check::rules::own::values::UNKNOWN;
use crate::check::{Collector, values};
use crate::document::pointer::{Pointer, Segment};
use crate::document::{self, Form, ReadOptions};
use crate::profile::standard::place::PlaceValue;
use crate::profile::standard::schema::Violation;
use crate::rule::{Rule, Step};

pub(crate) static SCHEMA: Rule = Rule {
    id: "schema",
    message: "Value does not fit the schema: {name}: {why} ({key})",
    help: "Fix {agent} subagent to return what the schema asks for",
    advice_to_agent: "Write it as the schema asks",
    ..Rule::of_standard(Step::Fields)
};

impl Fields<'_, '_, '_, '_> {
    /// Holds the document, or a value in it, to the schema of the standard, and the document to the one that
    /// the caller adds.
    pub(super) fn schema(&mut self) {
        if let Some(rule) = &self.own.standard.schema {
            let found = match &rule.place {
                None => vec![PlaceValue::whole(self.own.document)],
                Some(place) => self.find(place).unwrap_or_default(),
            };
            for value in found {
                rule.schema.check(&value, |it| self.violation(&it));
            }
        }
        if let Some(schema) = self.context.expected.schema {
            schema.check(&PlaceValue::whole(self.own.document), |it| {
                self.violation(&it);
            });
        }
    }

    fn violation(&mut self, violation: &Violation<'_>) {
        if !self.is_reported(&violation.at.pointer(), violation.missing) {
            report(self.collector, violation);
        }
    }

    /// Whether another rule reports the same: the one about the status, or about what must be there.
    fn is_reported(&self, pointer: &Pointer<'_>, missing: Option<&str>) -> bool {
        let mut status = pieces(&self.own.status).into_iter().flatten();
        if missing.is_none() && status.any(|piece| piece.at.pointer() == *pointer) {
            return true;
        }
        let name = match missing {
            Some(name) => pointer.clone().step(Segment::Key(name.into())).to_string(),
            None => pointer.to_string(),
        };
        [&MISSING, &EMPTY, &UNKNOWN]
            .iter()
            .any(|rule| self.seen.contains(&(rule.id, name.clone())))
    }
}

/// The rule about a document that is no return at all.
const NOT_A_RETURN: &str = "not-a-return";

/// Holds the document of a return of a built-in profile to the schema that the caller adds. What another rule
/// has found in a value is not reported again.
pub(crate) fn check_added(collector: &mut Collector<'_, '_>) {
    let context = collector.context;
    let Some(schema) = context.expected.schema else {
        return;
    };
    if context.returned.is_none()
        || collector
            .findings
            .iter()
            .any(|it| it.rule.id == NOT_A_RETURN)
    {
        return;
    }
    let Ok(document) = document::read(Form::Json, context.input.text, &ReadOptions::default())
    else {
        return;
    };
    schema.check(&PlaceValue::whole(document.root()), |violation| {
        let name = violation.at.pointer().to_string();
        let is_it = |finding: &Finding| finding.pointer() == Some(&*name);
        if violation.missing.is_some() || !collector.findings.iter().any(is_it) {
            report(collector, &violation);
        }
    });
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
