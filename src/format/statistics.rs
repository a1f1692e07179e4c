//! Statistics: rules, agents and statuses, counted over all returns of a run.

use std::collections::HashMap;
use std::hash::Hash;

use serde::Serialize;

use crate::check::rules::Level;
use crate::format::Checked;
use crate::text::cut;

/// The most names of agents and statuses that are counted separately. Later names count as "(other)".
/// This bounds the memory that a hostile stream can use.
const NAMES: usize = 1_000;

/// The most characters of a name; the rest is cut.
const NAME: usize = 100;

/// Counts over returns. Rows keep the order of first appearance, so merging parts in order gives
/// the same result as counting everything at once.
#[derive(Debug, Default, Clone)]
pub(crate) struct Statistics {
    rules: Rows<&'static str, RuleCount>,
    agents: Rows<Name, AgentCount>,
    statuses: Rows<Name, usize>,
}

/// A name, or `None` for returns without one.
type Name = Option<String>;

/// How often a rule was broken.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct RuleCount {
    findings: usize,
    returns: usize,
}

#[derive(Debug, Default, Clone)]
struct AgentCount {
    returns: usize,
    valid: usize,
    failures: Rows<&'static str, usize>,
}

/// A map that keeps the order of first appearance.
#[derive(Debug, Clone)]
struct Rows<K, V> {
    rows: Vec<(K, V)>,
    places: HashMap<K, usize>,
}

impl<K, V> Default for Rows<K, V> {
    fn default() -> Self {
        Self {
            rows: Vec::new(),
            places: HashMap::new(),
        }
    }
}

impl<K: Clone + Eq + Hash, V: Default> Rows<K, V> {
    fn at(&mut self, key: &K) -> &mut V {
        let place = self.places.get(key).copied().unwrap_or_else(|| {
            self.places.insert(key.clone(), self.rows.len());
            self.rows.push((key.clone(), V::default()));
            self.rows.len() - 1
        });
        &mut self.rows[place].1
    }
}

impl<V: Default> Rows<Name, V> {
    /// Returns the row of a name, or that of all other names if there are already too many rows.
    fn named(&mut self, name: &Name) -> &mut V {
        if self.rows.len() < NAMES || self.places.contains_key(name) {
            self.at(name)
        } else {
            self.at(&Some("(other)".to_owned()))
        }
    }
}

impl Statistics {
    /// Counts one outcome. Every name has its own row; [`merge`](Self::merge) limits their number.
    pub(crate) fn add(&mut self, checked: Checked<'_>) {
        let Checked::Report(report) = checked else {
            return;
        };
        let name = |name: Option<&str>| name.map(|name| cut(name, NAME).to_owned());
        let agent = name(report.agent_type.as_deref());
        let agent = self.agents.at(&agent);
        agent.returns += 1;
        agent.valid += usize::from(report.is_valid());
        for of_rule in report.counts.iter() {
            let id = of_rule.rule.id;
            let count = self.rules.at(&id);
            count.findings += of_rule.findings;
            count.returns += 1;
            if of_rule.level == Level::Error {
                *agent.failures.at(&id) += 1;
            }
        }
        let status = name(report.status.as_deref());
        *self.statuses.at(&status) += 1;
    }

    /// Adds the counts of later outcomes.
    pub(crate) fn merge(&mut self, later: &Self) {
        for (rule, count) in &later.rules.rows {
            let own = self.rules.at(rule);
            own.findings += count.findings;
            own.returns += count.returns;
        }
        for (name, count) in &later.agents.rows {
            let own = self.agents.named(name);
            own.returns += count.returns;
            own.valid += count.valid;
            for (rule, findings) in &count.failures.rows {
                *own.failures.at(rule) += findings;
            }
        }
        for (name, returns) in &later.statuses.rows {
            *self.statuses.named(name) += returns;
        }
    }

    /// Returns the counts, the largest first.
    pub(crate) fn tables(&self) -> Tables {
        let rules = self.rules.rows.iter();
        let mut rules: Vec<_> = rules
            .map(|(rule, count)| RuleRow {
                rule,
                findings: count.findings,
                returns: count.returns,
            })
            .collect();
        rules.sort_by_key(|row| std::cmp::Reverse(row.findings));
        let mut agents: Vec<_> = self.agents.rows.iter().map(agent_row).collect();
        agents.sort_by_key(|row| std::cmp::Reverse(row.returns));
        let statuses = self.statuses.rows.iter();
        let mut statuses: Vec<_> = statuses
            .map(|(status, returns)| StatusRow {
                status: status.clone(),
                returns: *returns,
            })
            .collect();
        statuses.sort_by_key(|row| std::cmp::Reverse(row.returns));
        Tables {
            rules,
            agents,
            statuses,
        }
    }
}

fn agent_row((agent, count): &(Name, AgentCount)) -> AgentRow {
    let most = count
        .failures
        .rows
        .iter()
        .rev()
        .max_by_key(|(_, returns)| *returns);
    AgentRow {
        agent_type: agent.clone(),
        returns: count.returns,
        valid: count.valid,
        commonest_failure: most.map(|(rule, _)| *rule),
    }
}

/// The counts as rows. Names are exactly as in the returns: not safe to print.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Tables {
    /// By rule, the most findings first.
    pub rules: Vec<RuleRow>,
    /// By agent, the most returns first.
    pub agents: Vec<AgentRow>,
    /// By status, the most returns first.
    pub statuses: Vec<StatusRow>,
}

/// One rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(crate) struct RuleRow {
    /// Its id.
    pub rule: &'static str,
    /// Its findings.
    pub findings: usize,
    /// Returns with at least one.
    pub returns: usize,
}

/// One agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct AgentRow {
    /// Its name; `None` for returns without one.
    pub agent_type: Option<String>,
    /// Its returns.
    pub returns: usize,
    /// How many of these are valid.
    pub valid: usize,
    /// The rule that most of its invalid returns fail.
    pub commonest_failure: Option<&'static str>,
}

/// One status word.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct StatusRow {
    /// The word; `None` for returns without one.
    pub status: Option<String>,
    /// Returns with it.
    pub returns: usize,
}
