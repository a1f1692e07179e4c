//! The number of findings that a return has of each rule.

use crate::rule::{Level, Rule};

/// The number of findings of one rule.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RuleFindings {
    /// The rule.
    pub rule: &'static Rule,
    /// Its level in this check.
    pub level: Level,
    /// The number of findings, including those not kept.
    pub findings: usize,
}

/// The number of findings of each rule that was broken, in the order in which they were found.
#[derive(Debug, Clone, Default)]
pub(crate) struct RuleCounts(Vec<RuleFindings>);

impl RuleCounts {
    /// Returns the rules with findings.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &RuleFindings> {
        self.0.iter()
    }

    pub(crate) fn add(&mut self, rule: &'static Rule, level: Level, findings: usize) {
        if let Some(known) = self.0.iter_mut().find(|it| std::ptr::eq(it.rule, rule)) {
            known.findings += findings;
            return;
        }
        self.0.push(RuleFindings {
            rule,
            level,
            findings,
        });
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

    pub(crate) fn retain(&mut self, is_kept: impl FnMut(&mut RuleFindings) -> bool) {
        self.0.retain_mut(is_kept);
    }
}
