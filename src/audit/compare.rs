//! What got worse than in an earlier report.

use crate::audit::{AuditReport, Rate, RunOutcome};

/// A rate that differs from that of an earlier report by more than chance.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// What is counted.
    pub what: String,
    /// Whether more of it is worse.
    pub is_worse: bool,
    /// The rate of the earlier report.
    pub before: Rate,
    /// The rate now.
    pub now: Rate,
}

/// The rates that differ by more than chance: the 95 % interval of the difference does not include 0.
#[must_use]
pub fn changes(before: &AuditReport, now: &AuditReport) -> Vec<Change> {
    let mut changes = Vec::new();
    let mut compare = |what: &str, is_bad: bool, before: Rate, now: Rate| {
        let (low, high) = before.difference_to(now);
        if before.of > 0 && now.of > 0 && (low > 0.0 || high < 0.0) {
            changes.push(Change {
                what: what.to_owned(),
                is_worse: is_bad == (low > 0.0),
                before,
                now,
            });
        }
    };
    compare("lost", true, before.lost, now.lost);
    compare("invalid", true, before.invalid, now.invalid);
    for outcome in RunOutcome::ALL {
        let is_bad = outcome != RunOutcome::Returned;
        if outcome != RunOutcome::Teammate {
            compare(
                outcome.as_str(),
                is_bad,
                before.rate(outcome),
                now.rate(outcome),
            );
        }
    }
    changes
}

impl AuditReport {
    /// The share of an outcome.
    #[must_use]
    pub fn rate(&self, outcome: RunOutcome) -> Rate {
        let mut outcomes = self.outcomes.iter();
        let found = outcomes.find(|it| it.outcome == outcome);
        found.map_or_else(|| Rate::new(0, self.runs), |it| it.rate)
    }
}
