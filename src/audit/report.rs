//! The report of an audit: runs counted by what came back, by profile, and by agent.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::audit::run::{VERSION, written};
use crate::audit::{AuditedRun, RunOutcome};

/// What came back from the agents that were called in a history.
#[derive(Debug, Serialize)]
pub(crate) struct AuditReport {
    version: u64,
    pub(crate) sources: AuditSources,
    /// When the first run began, in RFC 3339.
    pub(crate) first: Option<String>,
    pub(crate) last: Option<String>,
    /// The delegations: runs of agents that another agent called, each once.
    pub(crate) runs: u64,
    /// Each outcome that there is, in a fixed order.
    pub(crate) outcomes: Vec<OutcomeCount>,
    /// Delegations whose caller certainly got no answer.
    pub(crate) lost: Rate,
    /// Returns that their profile refuses, of those that a profile covers.
    pub(crate) invalid: Rate,
    pub(crate) held: Vec<HeldProfile>,
    /// The runs of each type of agent, the largest first.
    pub(crate) agents: Vec<AuditGroup>,
}

/// What was read.
#[derive(Debug, Default, Serialize)]
pub(crate) struct AuditSources {
    /// The clients whose transcripts were read.
    pub(crate) clients: BTreeSet<&'static str>,
    pub(crate) transcripts: u64,
    pub(crate) bytes: u64,
    /// Files that are not transcripts.
    pub(crate) other_files: u64,
    /// Files that could not be read.
    pub(crate) unread: u64,
    /// Records of agents, by file, of which `runs` are left because many files have the same.
    pub(crate) records: u64,
    /// Agents that the client started for itself: to fill its cache, to summarise, to review.
    pub(crate) of_client: u64,
    /// Runs that the options leave out.
    pub(crate) left_out: u64,
}

/// The runs with one outcome. Next to each sum stands of how many runs it is known.
#[derive(Debug, Serialize)]
pub(crate) struct OutcomeCount {
    pub(crate) outcome: RunOutcome,
    /// How many of all.
    pub(crate) rate: Rate,
    /// The tokens of their messages.
    pub(crate) tokens: u64,
    pub(crate) tokens_of: u64,
    pub(crate) seconds: u64,
    pub(crate) seconds_of: u64,
}

/// The returns that were checked with one profile.
#[derive(Debug, Serialize)]
pub(crate) struct HeldProfile {
    pub(crate) profile: String,
    pub(crate) invalid: Rate,
    /// The rules that refuse returns, the most frequent first.
    pub(crate) rules: Vec<RefusingRule>,
}

#[derive(Debug, Serialize)]
pub(crate) struct RefusingRule {
    pub(crate) rule: &'static str,
    /// The returns that it refuses.
    pub(crate) returns: u64,
}

/// The runs of agents of one type.
#[derive(Debug, Serialize)]
pub(crate) struct AuditGroup {
    /// The type, as it is recorded: not safe to print. None if it is not recorded.
    pub(crate) name: Option<String>,
    pub(crate) runs: u64,
    pub(crate) returned: Rate,
    pub(crate) lost: Rate,
    pub(crate) no_end: Rate,
    pub(crate) invalid: Rate,
}

impl AuditReport {
    /// Counts runs, which are in the order in which they began.
    pub(crate) fn new(runs: &[AuditedRun], sources: AuditSources) -> Self {
        let times = || runs.iter().filter_map(AuditedRun::began);
        let all = AuditGroup::new(None, runs.iter());
        let outcomes = RunOutcome::ALL.into_iter();
        let outcomes = outcomes.filter_map(|it| OutcomeCount::new(it, runs));
        Self {
            version: VERSION,
            sources,
            first: times().next().and_then(written),
            last: times().next_back().and_then(written),
            runs: all.runs,
            outcomes: outcomes.collect(),
            lost: all.lost,
            invalid: all.invalid,
            held: held(runs),
            agents: agents(runs),
        }
    }

    /// The number of runs with an outcome.
    pub(crate) fn count(&self, outcome: RunOutcome) -> u64 {
        let mut outcomes = self.outcomes.iter();
        let found = outcomes.find(|it| it.outcome == outcome);
        found.map_or(0, |it| it.rate.count)
    }
}

impl OutcomeCount {
    fn new(outcome: RunOutcome, all: &[AuditedRun]) -> Option<Self> {
        let runs: Vec<_> = all.iter().filter(|run| run.outcome == outcome).collect();
        let sum = |of: fn(&AuditedRun) -> Option<u64>| {
            let known: Vec<u64> = runs.iter().filter_map(|run| of(run)).collect();
            (known.iter().sum(), known.len() as u64)
        };
        let (tokens, tokens_of) = sum(|run| run.tokens);
        let (milliseconds, seconds_of) = sum(|run| run.milliseconds);
        (!runs.is_empty()).then(|| Self {
            outcome,
            rate: Rate::new(runs.len() as u64, all.len() as u64),
            tokens,
            tokens_of,
            seconds: milliseconds / 1000,
            seconds_of,
        })
    }
}

fn held(runs: &[AuditedRun]) -> Vec<HeldProfile> {
    let mut profiles: BTreeMap<&str, Vec<_>> = BTreeMap::new();
    for check in runs.iter().filter_map(|run| run.check.as_deref()) {
        profiles.entry(&check.profile).or_default().push(check);
    }
    let profiles = profiles.into_iter().map(|(profile, checks)| {
        let invalid = checks.iter().filter(|check| !check.is_valid).count() as u64;
        let mut rules: BTreeMap<&'static str, u64> = BTreeMap::new();
        for rule in checks.iter().flat_map(|check| &check.failed) {
            *rules.entry(rule).or_default() += 1;
        }
        let rules = rules.into_iter();
        let rules = rules.map(|(rule, returns)| RefusingRule { rule, returns });
        let mut rules: Vec<_> = rules.collect();
        rules.sort_by_key(|it| std::cmp::Reverse(it.returns));
        HeldProfile {
            profile: profile.to_owned(),
            invalid: Rate::new(invalid, checks.len() as u64),
            rules,
        }
    });
    profiles.collect()
}

fn agents(runs: &[AuditedRun]) -> Vec<AuditGroup> {
    let mut agents: BTreeMap<Option<&str>, Vec<&AuditedRun>> = BTreeMap::new();
    for run in runs {
        agents.entry(run.agent.as_deref()).or_default().push(run);
    }
    let agents = agents.into_iter();
    let mut rows: Vec<_> =
        agents.map(|(name, runs)| AuditGroup::new(name, runs.into_iter())).collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.runs));
    rows
}

impl AuditGroup {
    fn new<'r>(name: Option<&str>, runs: impl Iterator<Item = &'r AuditedRun>) -> Self {
        let runs: Vec<_> = runs.collect();
        let all = runs.len() as u64;
        let count = |is_counted: fn(&AuditedRun) -> bool| {
            runs.iter().filter(|run| is_counted(run)).count() as u64
        };
        let is_invalid = |run: &AuditedRun| run.check.as_ref().is_some_and(|it| !it.is_valid);
        Self {
            name: name.map(str::to_owned),
            runs: all,
            returned: Rate::new(count(|run| run.outcome == RunOutcome::Returned), all),
            lost: Rate::new(count(|run| run.outcome.is_lost()), all),
            no_end: Rate::new(count(|run| run.outcome == RunOutcome::NoEnd), all),
            invalid: Rate::new(count(is_invalid), count(|run| run.check.is_some())),
        }
    }
}

/// How many of a number of runs.
#[derive(Debug, Clone, Copy, Serialize)]
pub(crate) struct Rate {
    pub(crate) count: u64,
    pub(crate) of: u64,
    /// The share, from 0 to 1, rounded to four decimals. 0 of none.
    pub(crate) share: f64,
}

impl Rate {
    #[allow(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
    pub(crate) fn new(count: u64, of: u64) -> Self {
        let share = count as f64 / of.max(1) as f64;
        Self { count, of, share: (share * 10_000.0).round() / 10_000.0 }
    }
}
