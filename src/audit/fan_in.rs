//! What callers got back from the agents that they called.

use std::collections::HashMap;
use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use crate::audit::schema::described;
use crate::audit::{AuditedRun, RunOutcome};

/// The most callers that a report lists.
const LISTED: usize = 10;

described! {
    #[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
    /// What callers got back from the agents that they called.
    pub struct FanIn {
        /// Agents, in all sessions, that called others.
        pub parents: u64,
        /// Of these, the ones that called at least two.
        pub of_several: u64,
        /// Those of several to which at least one agent brought no usable return.
        pub incomplete: u64,
        /// Those in `incomplete` whose agents brought the least, at most 10.
        pub listed: Vec<Parent>,
    }
}

described! {
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    /// One caller, and what its agents brought.
    pub struct Parent {
        /// The client's session: not safe to print.
        pub session: Option<String>,
        /// The id of the caller. None for the main agent. Not safe to print.
        pub agent: Option<String>,
        /// Agents that it called.
        pub dispatched: u64,
        /// Agents that returned.
        pub returned: u64,
        /// Agents whose return the caller can use.
        pub usable: u64,
        /// Returns that are the same as an earlier one of the same caller.
        pub identical: u64,
        /// Agents that a hook asked again.
        pub asked_again: u64,
        /// Agents that certainly brought nothing, by their place in the order of the calls, from 1.
        pub brought_nothing: Vec<u64>,
        /// Agents with no end recorded, in the same way.
        pub no_end: Vec<u64>,
    }
}

impl FanIn {
    /// Counts runs by their callers. Members of teams answer by messages, and do not count.
    pub(super) fn new(runs: &[AuditedRun]) -> Self {
        let mut parents: HashMap<_, Vec<&AuditedRun>> = HashMap::new();
        for run in runs
            .iter()
            .filter(|run| run.outcome != RunOutcome::Teammate)
        {
            if run.session.is_some() {
                let place = (run.client, &run.session, &run.parent);
                parents.entry(place).or_default().push(run);
            }
        }
        let all = parents.len() as u64;
        let several = parents.into_values().filter(|runs| runs.len() > 1);
        let several = several.map(|mut runs| {
            runs.sort_by_key(|run| run.called.or(run.started));
            Parent::new(&runs)
        });
        let several: Vec<_> = several.collect();
        let of_several = several.len() as u64;
        let is_short = |it: &Parent| it.usable < it.dispatched;
        let mut listed: Vec<_> = several.into_iter().filter(is_short).collect();
        let incomplete = listed.len() as u64;
        listed.retain(|it| !it.brought_nothing.is_empty());
        let missing = |it: &Parent| std::cmp::Reverse(it.brought_nothing.len());
        listed.sort_by_cached_key(|it| (missing(it), it.session.clone(), it.agent.clone()));
        listed.truncate(LISTED);
        Self {
            parents: all,
            of_several,
            incomplete,
            listed,
        }
    }
}

impl Parent {
    fn new(runs: &[&AuditedRun]) -> Self {
        let count =
            |is: &dyn Fn(&AuditedRun) -> bool| runs.iter().filter(|run| is(run)).count() as u64;
        let places = |is: &dyn Fn(&AuditedRun) -> bool| {
            let places = (1..).zip(runs).filter(|(_, run)| is(run));
            places.map(|(place, _)| place).collect()
        };
        let returns = runs
            .iter()
            .filter(|run| run.outcome == RunOutcome::Returned);
        let returns: Vec<_> = returns.filter_map(|run| run.returned).collect();
        let distinct: HashSet<u64> = returns.iter().map(|it| it.hash).collect();
        let owned = |text: &Option<std::sync::Arc<str>>| text.as_deref().map(str::to_owned);
        let first = runs[0];
        Self {
            session: owned(&first.session),
            agent: owned(&first.parent),
            dispatched: runs.len() as u64,
            returned: count(&|run| run.outcome == RunOutcome::Returned),
            usable: count(&AuditedRun::is_usable),
            identical: (returns.len() - distinct.len()) as u64,
            asked_again: count(&|run| run.asked_again > 0),
            brought_nothing: places(&|run| run.outcome.is_lost()),
            no_end: places(&|run| run.outcome == RunOutcome::NoEnd),
        }
    }
}
