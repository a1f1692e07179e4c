//! What the steps found.

use std::borrow::Cow;

use crate::diagnostics::diagnostic::{Diagnostic, Rendered};
use crate::diagnostics::{Context, Levels, locate};
use crate::finding::Finding;
use crate::json::pointer::Pointer;
use crate::level::Level;
use crate::profile::LengthLimit;
use crate::report::{ArtifactReport, Report, StepOutcome};
use crate::rule::Rule;

/// Bytes of keys in the pointers that are kept of one return. Keys can be as long as the return,
/// and every finding below one would repeat it.
pub(crate) const POINTER_BYTES_KEPT: usize = 1024 * 1024;

/// Whether a step did its work.
pub(crate) enum Ran {
    Checked,
    /// It had nothing to do: the status claims no success.
    Idle,
    /// It could not, and why.
    Skipped(Cow<'static, str>),
}

/// What the steps learned of a return beside its diagnostics.
#[derive(Default)]
pub(crate) struct Facts<'t> {
    pub(crate) summary_characters: Option<usize>,
    /// The limit of the profile, and the length of what it bounds.
    pub(crate) measured: Option<(LengthLimit, usize)>,
    pub(crate) artifacts: Vec<ArtifactReport<'t>>,
}

/// All that the steps found.
pub(crate) struct Collected<'t> {
    pub(crate) facts: Facts<'t>,
    pub(crate) findings: Vec<Finding>,
    pub(crate) counts: Vec<(&'static Rule, Level, usize)>,
    pub(crate) failures: usize,
    pub(crate) warnings: usize,
}

/// Takes in the diagnostics of one return, counts them, and says how each step ended.
pub(crate) struct Collector<'c, 't> {
    pub(crate) facts: Facts<'t>,
    context: &'c Context<'c, 't>,
    levels: &'c Levels<'t>,
    diagnostics: Vec<Rendered>,
    pointer_bytes: usize,
    counts: Vec<(&'static Rule, Level, usize)>,
    failures: usize,
    warnings: usize,
    /// Failures of the steps that are closed.
    closed_failures: usize,
    /// A rule of this step that was broken and is off.
    ignored: Option<&'static str>,
}

impl<'c, 't> Collector<'c, 't> {
    pub(crate) fn new(context: &'c Context<'c, 't>, levels: &'c Levels<'t>) -> Self {
        Self {
            facts: Facts::default(),
            context,
            levels,
            diagnostics: Vec::new(),
            pointer_bytes: 0,
            counts: Vec::new(),
            failures: 0,
            warnings: 0,
            closed_failures: 0,
            ignored: None,
        }
    }

    /// Whether a rule applies and is not off.
    pub(crate) fn is_enabled(&self, rule: &Rule) -> bool {
        self.context.profile.has_rule(rule) && self.levels.level(rule) != Level::Off
    }

    /// Takes in a diagnostic, unless its rule does not apply or is off.
    pub(crate) fn add(&mut self, diagnostic: Diagnostic<'_>) {
        let Some(level) = self.count(diagnostic.rule, 1) else {
            return;
        };
        if !self.is_full() {
            let pointer = diagnostic.location.pointer();
            self.pointer_bytes += pointer.map_or(0, Pointer::bytes);
            self.diagnostics
                .push(diagnostic.render(level, self.context));
        }
    }

    /// Counts diagnostics of a rule that are not taken in one by one. Their level, unless the rule
    /// does not apply or is off.
    pub(crate) fn count(&mut self, rule: &'static Rule, more: usize) -> Option<Level> {
        if !self.context.profile.has_rule(rule) {
            return None;
        }
        let level = self.levels.level(rule);
        match level {
            Level::Off => {
                if rule.level == Level::Error {
                    self.ignored = Some(rule.id);
                }
                return None;
            }
            Level::Warning => self.warnings += more,
            Level::Error => self.failures += more,
        }
        let mut counts = self.counts.iter_mut();
        match counts.find(|(known, ..)| std::ptr::eq(*known, rule)) {
            Some((.., count)) => *count += more,
            None => self.counts.push((rule, level, more)),
        }
        Some(level)
    }

    /// Counts a diagnostic where no more are kept, so that its location and its words need not be
    /// made: the keys that lead to it can be as long as the return.
    pub(crate) fn count_if_full(&mut self, rule: &'static Rule) -> bool {
        let is_full = self.is_full();
        if is_full {
            self.count(rule, 1);
        }
        is_full
    }

    fn is_full(&self) -> bool {
        self.diagnostics.len() >= Report::FINDINGS_KEPT || self.pointer_bytes >= POINTER_BYTES_KEPT
    }

    /// Closes a step: how it ended, from what was found since the step before.
    pub(crate) fn close_step(&mut self, ran: Ran) -> StepOutcome {
        let failed = self.failures > self.closed_failures;
        self.closed_failures = self.failures;
        match (failed, self.ignored.take(), ran) {
            (true, _, _) => StepOutcome::Fail,
            (false, _, Ran::Skipped(why)) => StepOutcome::Skip(why),
            (false, _, Ran::Idle) => StepOutcome::Idle,
            // What is ignored was broken all the same: that is no pass.
            (false, Some(rule), Ran::Checked) => {
                StepOutcome::Skip(format!("{rule} is ignored").into())
            }
            (false, None, Ran::Checked) => StepOutcome::Pass,
        }
    }

    pub(crate) fn has_failed(&self) -> bool {
        self.failures > 0
    }

    /// All that was found, with its places.
    pub(crate) fn finish(self) -> Collected<'t> {
        Collected {
            facts: self.facts,
            findings: locate::findings(self.diagnostics, &self.context.input),
            counts: self.counts,
            failures: self.failures,
            warnings: self.warnings,
        }
    }
}
