//! The report of an audit.

use std::collections::BTreeMap;
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use crate::audit::groups::is_invalid;
use crate::audit::schema::described;
use crate::audit::{AuditWeight, AuditedRun, ClaimCount, FanIn, GroupBy, Groups, Rate, RunOutcome};
use crate::clients::run::{ClientStatus, Tokens};

/// The version of the report.
pub(crate) const VERSION: u64 = 1;

described! {
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    /// What came back from the agents that were called in a history.
    pub struct AuditReport {
        /// The version of this format: 1.
        pub version: u64,
        /// What was read.
        pub sources: AuditSources,
        /// When the first run began, in RFC 3339.
        pub first: Option<String>,
        /// When the last run began.
        pub last: Option<String>,
        /// The delegations: runs of agents that another agent called, each once.
        pub runs: u64,
        /// How much is recorded of them.
        pub coverage: Coverage,
        /// Each outcome that there is, in a fixed order.
        pub outcomes: Vec<OutcomeCount>,
        /// Delegations whose caller certainly got no answer.
        pub lost: Rate,
        /// Returns that their profile refuses, of those that a profile covers.
        pub invalid: Rate,
        /// How returns were checked, by profile.
        pub held: Vec<HeldProfile>,
        /// What callers got back.
        pub fan_in: FanIn,
        /// Sizes and writes.
        pub weight: AuditWeight,
        /// The runs of each group.
        pub groups: Groups,
        /// The runs of each week.
        pub weeks: Groups,
    }
}

described! {
    #[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
    /// What was read.
    pub struct AuditSources {
        /// The clients whose transcripts were read.
        pub clients: Vec<String>,
        /// Transcripts that were read.
        pub transcripts: u64,
        /// Their size in bytes.
        pub bytes: u64,
        /// Files that are not transcripts.
        pub other_files: u64,
        /// Files that could not be read, by the reason.
        pub unread: BTreeMap<String, u64>,
        /// Records of agents, by file, of which `runs` are left because many files have the same.
        pub records: u64,
        /// Agents that the client started to fill its cache.
        pub prewarming: u64,
        /// Agents that summarised a conversation for the client.
        pub compaction: u64,
        /// Runs that the options leave out.
        pub left_out: u64,
        /// Of these, runs without a time, which `--since` and `--until` leave out.
        pub undated: u64,
    }
}

described! {
    #[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
    /// How much is recorded of runs: the calls in records of their own, and the client's count of calls.
    pub struct Coverage {
        /// A record with as many calls as the client counted.
        pub equal: u64,
        /// A record with another number of calls.
        pub different: u64,
        /// A count, and no record.
        pub count_only: u64,
        /// A record, and no count.
        pub record_only: u64,
        /// Neither.
        pub neither: u64,
        /// The outcomes of those with neither.
        pub neither_by: BTreeMap<RunOutcome, u64>,
    }
}

described! {
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    /// The runs with one outcome.
    pub struct OutcomeCount {
        /// The outcome.
        pub outcome: RunOutcome,
        /// How many of all.
        pub rate: Rate,
        /// How many of them the client called completed.
        pub called_completed: u64,
        /// The tokens of their messages, and of how many runs they are recorded.
        pub tokens: u64,
        /// Runs whose messages have tokens.
        pub tokens_of: u64,
        /// The tokens in their contexts at the end.
        pub context_tokens: u64,
        /// Runs of which the client counted these.
        pub context_tokens_of: u64,
        /// The seconds that they took together.
        pub seconds: u64,
        /// Runs whose time is recorded.
        pub seconds_of: u64,
    }
}

described! {
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    /// The returns that were checked with one profile.
    pub struct HeldProfile {
        /// The profile.
        pub profile: String,
        /// The returns that it refuses, of those checked.
        pub invalid: Rate,
        /// The rules that refuse returns, the most frequent first.
        pub rules: Vec<RefusingRule>,
        /// Typed claims, by the rule that a false one breaks.
        pub claims: BTreeMap<String, ClaimCount>,
    }
}

described! {
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    /// A rule that refuses returns.
    pub struct RefusingRule {
        /// The rule.
        pub rule: String,
        /// The returns that it refuses.
        pub returns: u64,
    }
}

impl AuditReport {
    /// Counts runs, which are in the order in which they began.
    pub(crate) fn new(runs: &[AuditedRun], sources: AuditSources, by: GroupBy) -> Self {
        let all = runs.len() as u64;
        let count =
            |is: &dyn Fn(&AuditedRun) -> bool| runs.iter().filter(|run| is(run)).count() as u64;
        let times = || runs.iter().filter_map(AuditedRun::began);
        let outcomes = RunOutcome::ALL.into_iter();
        Self {
            version: VERSION,
            sources,
            first: times().next().and_then(written),
            last: times().next_back().and_then(written),
            runs: all,
            coverage: Coverage::new(runs),
            outcomes: outcomes
                .filter_map(|it| OutcomeCount::new(it, runs))
                .collect(),
            lost: Rate::new(count(&|run| run.outcome.is_lost()), all),
            invalid: Rate::new(count(&is_invalid), count(&AuditedRun::is_held)),
            held: held(runs),
            fan_in: FanIn::new(runs),
            weight: AuditWeight::new(runs),
            groups: Groups::new(runs, by),
            weeks: Groups::new(runs, GroupBy::Week),
        }
    }
}

pub(super) fn written(time: SystemTime) -> Option<String> {
    let time = jiff::Timestamp::try_from(time).ok()?;
    Some(time.round(jiff::Unit::Second).ok()?.to_string())
}

impl Coverage {
    fn new(runs: &[AuditedRun]) -> Self {
        let mut coverage = Self::default();
        for run in runs {
            let place = match (run.is_recorded, run.reported_calls) {
                (true, Some(count)) if count == run.calls => &mut coverage.equal,
                (true, Some(_)) => &mut coverage.different,
                (false, Some(_)) => &mut coverage.count_only,
                (true, None) => &mut coverage.record_only,
                (false, None) => {
                    *coverage.neither_by.entry(run.outcome).or_default() += 1;
                    &mut coverage.neither
                }
            };
            *place += 1;
        }
        coverage
    }
}

impl OutcomeCount {
    fn new(outcome: RunOutcome, all: &[AuditedRun]) -> Option<Self> {
        let runs: Vec<_> = all.iter().filter(|run| run.outcome == outcome).collect();
        let sum = |of: &dyn Fn(&AuditedRun) -> Option<u64>| {
            let known: Vec<u64> = runs.iter().filter_map(|run| of(run)).collect();
            (known.iter().sum(), known.len() as u64)
        };
        let completed = |run: &&&AuditedRun| run.status == Some(ClientStatus::Completed);
        let used = |run: &AuditedRun| (run.tokens != Tokens::default()).then_some(run.tokens.total);
        let (tokens, tokens_of) = sum(&used);
        let (context_tokens, context_tokens_of) = sum(&|run| run.context_tokens);
        let (milliseconds, seconds_of) = sum(&|run| u64::try_from(run.took()?.as_millis()).ok());
        (!runs.is_empty()).then(|| Self {
            outcome,
            rate: Rate::new(runs.len() as u64, all.len() as u64),
            called_completed: runs.iter().filter(completed).count() as u64,
            tokens,
            tokens_of,
            context_tokens,
            context_tokens_of,
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
        let mut rules: BTreeMap<&str, u64> = BTreeMap::new();
        let mut claims: BTreeMap<String, ClaimCount> = BTreeMap::new();
        for check in &checks {
            for rule in &check.failed {
                *rules.entry(rule).or_default() += 1;
            }
            for (rule, count) in &check.claims {
                claims.entry((*rule).to_owned()).or_default().add(*count);
            }
        }
        let rules = rules.into_iter().map(|(rule, returns)| RefusingRule {
            rule: rule.to_owned(),
            returns,
        });
        let mut rules: Vec<_> = rules.collect();
        rules.sort_by_key(|it| std::cmp::Reverse(it.returns));
        HeldProfile {
            profile: profile.to_owned(),
            invalid: Rate::new(invalid, checks.len() as u64),
            rules,
            claims,
        }
    });
    profiles.collect()
}
