//! Claims that were compared with the evidence. Each is kept for the report, and a contradicted one
//! becomes a finding.

use crate::check::{Collector, Location, Value, values};
use crate::evidence::{Assessment, EvidenceValue};
use crate::json::pointer::Pointer;
use crate::rule::Rule;
use crate::text::Span;

/// A claim of a return, and the rule that checks it.
#[derive(Clone, Copy)]
pub(super) struct AssessedClaim<'c> {
    /// Its texts can have the reason, the path and the other value.
    pub(super) rule: &'static Rule,
    pub(super) pointer: &'c Pointer<'c>,
    /// The claimed file, as the return spells its path.
    pub(super) path: Option<&'c str>,
    /// Another value of the return that the message shows.
    pub(super) found: Option<&'c str>,
}

impl<'c> AssessedClaim<'c> {
    pub(super) fn new(rule: &'static Rule, pointer: &'c Pointer<'c>) -> Self {
        Self {
            rule,
            pointer,
            path: None,
            found: None,
        }
    }

    pub(super) fn path(self, path: &'c str) -> Self {
        let path = Some(path);
        Self { path, ..self }
    }

    pub(super) fn found(self, found: &'c str) -> Self {
        let found = Some(found);
        Self { found, ..self }
    }

    /// Adds the claim to the report, and a finding if it is contradicted.
    pub(super) fn collect(&self, collector: &mut Collector<'_, '_>, assessment: &Assessment) {
        if assessment.value == EvidenceValue::Contradicted {
            self.report(collector, assessment);
        }
        collector.claim(self.rule, self.pointer, self.path, assessment);
    }

    /// Adds a finding with the reason for the assessment.
    pub(super) fn report(&self, collector: &mut Collector<'_, '_>, assessment: &Assessment) {
        let values = values![
            why = Value::Reason(&assessment.reason),
            path = self.path.unwrap_or_default(),
            found = self.found.unwrap_or_default(),
        ];
        let location = if self.pointer.steps().is_empty() {
            // A text that is not JSON has no values to point at.
            Location::Bytes(Span::default(), None)
        } else {
            Location::Value(self.pointer.clone())
        };
        collector.report(self.rule, location, &values);
    }
}
