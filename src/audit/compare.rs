//! What got worse than in an earlier report.

use crate::audit::rate::Z;
use crate::audit::{AuditReport, GroupBy, Rate, RunOutcome};

/// The quantile of the normal distribution for an interval of 99 %. Groups are compared with it: there are
/// many of them, and each would differ by chance in one of twenty reports.
const Z_OF_GROUPS: f64 = 2.575_829_303_548_901;

/// A rate that differs from that of an earlier report by more than chance.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Change {
    /// What is counted.
    pub what: &'static str,
    /// The group whose rate it is, and its name: not safe to print. None for the rate of all runs.
    pub group: Option<(GroupBy, String)>,
    /// Whether more of it is worse.
    pub is_worse: bool,
    /// The rate of the earlier report.
    pub before: Rate,
    /// The rate now.
    pub now: Rate,
}

impl Change {
    /// None if the interval of the difference includes 0, or if one of the rates is of nothing.
    fn new(what: &'static str, is_bad: bool, [before, now]: [Rate; 2], z: f64) -> Option<Self> {
        let (low, high) = before.difference_to(now, z);
        (before.of > 0 && now.of > 0 && (low > 0.0 || high < 0.0)).then_some(Self {
            what,
            group: None,
            is_worse: is_bad == (low > 0.0),
            before,
            now,
        })
    }
}

/// The rates that differ by more than chance: of all runs by the 95 % interval of the difference, of the
/// groups that both reports have by that of 99 %.
pub(crate) fn changes(before: &AuditReport, now: &AuditReport) -> Vec<Change> {
    let of_all = |what, is_bad, rates| Change::new(what, is_bad, rates, Z);
    let outcomes = RunOutcome::ALL.into_iter();
    let outcomes = outcomes.filter(|outcome| *outcome != RunOutcome::Teammate);
    let outcomes = outcomes.filter_map(|outcome| {
        let is_bad = outcome != RunOutcome::Returned;
        let rates = [before, now].map(|report| report.rate(outcome));
        of_all(outcome.as_str(), is_bad, rates)
    });
    let lost = of_all("lost", true, [before.lost, now.lost]);
    let invalid = of_all("invalid", true, [before.invalid, now.invalid]);
    let all = lost.into_iter().chain(invalid).chain(outcomes);
    all.chain(of_groups(before, now)).collect()
}

fn of_groups(before: &AuditReport, now: &AuditReport) -> Vec<Change> {
    let by = now.groups.by;
    if before.groups.by != by {
        return Vec::new();
    }
    let pairs = now.groups.rows.iter().filter_map(|now| {
        let mut earlier = before.groups.rows.iter();
        Some((earlier.find(|it| it.name == now.name)?, now))
    });
    let changes = pairs.flat_map(|(before, now)| {
        let name = now.name.clone().unwrap_or_default();
        let rates = [
            ("lost", [before.lost, now.lost]),
            ("invalid", [before.invalid, now.invalid]),
        ];
        rates.into_iter().filter_map(move |(what, rates)| {
            let change = Change::new(what, true, rates, Z_OF_GROUPS)?;
            Some(Change {
                group: Some((by, name.clone())),
                ..change
            })
        })
    });
    changes.collect()
}

impl AuditReport {
    /// The share of an outcome.
    pub(crate) fn rate(&self, outcome: RunOutcome) -> Rate {
        let mut outcomes = self.outcomes.iter();
        let found = outcomes.find(|it| it.outcome == outcome);
        found.map_or_else(|| Rate::new(0, self.runs), |it| it.rate)
    }
}
