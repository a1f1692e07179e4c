//! Runs by agent, model, client, week or project.

use std::collections::BTreeMap;
use std::time::SystemTime;

use jiff::civil::Weekday;
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};

use crate::audit::schema::described;
use crate::audit::{AuditedRun, Rate, RunOutcome};
use crate::text::names;

/// Groups with fewer runs are folded into one: their shares would say little.
pub(crate) const SMALL: u64 = 20;

names! {
    /// What runs are grouped by.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
    pub(crate) enum GroupBy: "grouping" {
        /// The type of the agent.
        #[default]
        Agent = "agent",
        /// The model of the first answer.
        Model = "model",
        /// The client.
        Client = "client",
        /// The week in which the run began, by its Monday (UTC).
        Week = "week",
        /// The folder of the session, by its last part.
        Project = "project",
    }
}

described! {
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    /// The runs of each group.
    pub struct Groups {
        /// What they are grouped by.
        pub by: GroupBy,
        /// The groups with at least [`SMALL`] runs, the largest first; weeks in their order.
        pub rows: Vec<AuditGroup>,
        /// The runs of all other groups together.
        pub folded: Option<AuditGroup>,
        /// How many groups are in `folded`.
        pub folded_groups: u64,
    }
}

described! {
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    /// The runs of a group.
    pub struct AuditGroup {
        /// Its name, as it is recorded: not safe to print. None if it is not recorded.
        pub name: Option<String>,
        /// Its runs.
        pub runs: u64,
        /// Returns.
        pub returned: Rate,
        /// Runs whose caller certainly got no answer.
        pub lost: Rate,
        /// Runs with no end recorded.
        pub no_end: Rate,
        /// Returns that their profile refuses, of those that a profile covers.
        pub invalid: Rate,
    }
}

impl Groups {
    pub(super) fn new(runs: &[AuditedRun], by: GroupBy) -> Self {
        let mut groups: BTreeMap<Option<String>, Vec<&AuditedRun>> = BTreeMap::new();
        for run in runs {
            groups.entry(name(run, by)).or_default().push(run);
        }
        let (large, small): (Vec<_>, Vec<_>) = groups
            .into_iter()
            .partition(|(_, runs)| runs.len() as u64 >= SMALL);
        let folded_groups = small.len() as u64;
        let folded: Vec<_> = small.into_iter().flat_map(|(_, runs)| runs).collect();
        let rows = large
            .into_iter()
            .map(|(name, runs)| AuditGroup::new(name, &runs));
        let mut rows: Vec<_> = rows.collect();
        if by != GroupBy::Week {
            rows.sort_by_key(|row| std::cmp::Reverse(row.runs));
        }
        Self {
            by,
            rows,
            folded: (!folded.is_empty()).then(|| AuditGroup::new(None, &folded)),
            folded_groups,
        }
    }
}

impl AuditGroup {
    fn new(name: Option<String>, runs: &[&AuditedRun]) -> Self {
        let all = runs.len() as u64;
        let count =
            |is: &dyn Fn(&AuditedRun) -> bool| runs.iter().filter(|run| is(run)).count() as u64;
        let rate = |is: &dyn Fn(&AuditedRun) -> bool| Rate::new(count(is), all);
        Self {
            name,
            runs: all,
            returned: rate(&|run| run.outcome == RunOutcome::Returned),
            lost: rate(&|run| run.outcome.is_lost()),
            no_end: rate(&|run| run.outcome == RunOutcome::NoEnd),
            invalid: Rate::new(count(&is_invalid), count(&AuditedRun::is_held)),
        }
    }
}

impl AuditedRun {
    /// Whether a profile covers its return.
    pub(super) fn is_held(&self) -> bool {
        self.check.is_some()
    }
}

pub(super) fn is_invalid(run: &AuditedRun) -> bool {
    run.check.as_ref().is_some_and(|check| !check.is_valid)
}

fn name(run: &AuditedRun, by: GroupBy) -> Option<String> {
    match by {
        GroupBy::Agent => run.agent.as_deref().map(str::to_owned),
        GroupBy::Model => run.model.as_deref().map(str::to_owned),
        GroupBy::Client => Some(run.client.as_str().to_owned()),
        GroupBy::Week => run.began().and_then(week_of),
        GroupBy::Project => run.folder.as_deref().map(project),
    }
}

/// The last part of a folder, also of one on Windows that is read elsewhere. The path around it is not the
/// project's.
pub(super) fn project(folder: &str) -> String {
    let separators = ['/', '\\'];
    let mut parts = folder.rsplit(separators);
    let name = parts.find(|part| !part.is_empty());
    name.unwrap_or(folder).to_owned()
}

/// The Monday (UTC) of the week of a time, as `2026-11-16`.
pub(crate) fn week_of(time: SystemTime) -> Option<String> {
    let time = jiff::Timestamp::try_from(time).ok()?;
    let day = time.to_zoned(TimeZone::UTC).date();
    let after = day.weekday().since(Weekday::Monday);
    let monday = day.checked_sub(jiff::Span::new().days(after)).ok()?;
    Some(monday.to_string())
}
