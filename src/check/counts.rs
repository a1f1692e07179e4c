//! The number of findings that a return has of each rule.

use crate::rule::{Level, Rule};

/// The number of findings of one rule.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct RuleFindings {
    /// The rule.
    pub rule: &'static Rule,
    /// Its level in this check.
    pub level: Level,
    /// The number of findings, including those not kept.
    pub findings: usize,
}

/// The number of findings of each rule that was broken, in the order in which they were found.
#[derive(Debug, Clone, Default)]
pub struct RuleCounts {
    /// The first rule, which is kept without allocating memory. Most returns with findings break only
    /// one.
    first: Option<RuleFindings>,
    others: Vec<RuleFindings>,
}

impl RuleCounts {
    /// Returns the rules with findings.
    pub fn iter(&self) -> impl Iterator<Item = &RuleFindings> {
        self.first.iter().chain(&self.others)
    }

    pub(crate) fn add(&mut self, rule: &'static Rule, level: Level, findings: usize) {
        let mut all = self.first.iter_mut().chain(&mut self.others);
        if let Some(known) = all.find(|it| std::ptr::eq(it.rule, rule)) {
            known.findings += findings;
            return;
        }
        let new = RuleFindings {
            rule,
            level,
            findings,
        };
        if self.first.is_none() && self.others.is_empty() {
            self.first = Some(new);
        } else {
            self.others.push(new);
        }
    }

    /// Subtracts from the number of findings of a rule. A rule with no findings left is removed.
    pub(crate) fn subtract(&mut self, rule: &Rule, findings: usize) {
        self.retain(|it| {
            if it.rule.id == rule.id {
                it.findings -= findings;
            }
            it.findings > 0
        });
    }

    pub(crate) fn retain(&mut self, mut is_kept: impl FnMut(&mut RuleFindings) -> bool) {
        if self.first.as_mut().is_some_and(|first| !is_kept(first)) {
            self.first = None;
        }
        self.others.retain_mut(is_kept);
    }
}
