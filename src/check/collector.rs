//! Collects the diagnostics of one check, at the levels that their rules have in it.

use std::borrow::Cow;

use crate::check::diagnostic::Diagnostic;
use crate::check::finding::Finding;
use crate::check::fingerprint::Fingerprinter;
use crate::check::report::{ArtifactReport, ClaimReport, Report, StepOutcome};
use crate::check::{Context, Input, Location, RuleCounts, Values};
use crate::clients::FailureKind;
use crate::document::pointer::Pointer;
use crate::evidence::Assessment;
use crate::profile::{LengthLimit, Profile};
use crate::rule::{Level, Rule, Step, Strictness};
use crate::text::{Position, Positions, Span, escape};

/// The most bytes of keys in the pointers that are kept for one return. A key can be as long as the
/// return, and every finding below it would repeat it.
pub(super) const POINTER_BYTES_KEPT: usize = 1024 * 1024;

/// Whether a step ran.
pub(crate) enum Ran {
    Checked,
    /// It had nothing to check: the status does not claim success.
    NotApplicable,
    /// It could not run, for this reason.
    Skipped(Cow<'static, str>),
}

/// What the steps learned about a return besides the diagnostics.
#[derive(Default)]
pub(crate) struct Facts {
    pub(crate) summary_characters: Option<usize>,
    /// The length limit of the profile, and the length of the text that it limits: in words if the
    /// limit is in words, otherwise in characters.
    pub(crate) measured: Option<(LengthLimit, usize)>,
    pub(crate) artifacts: Vec<ArtifactReport>,
    /// How many claimed files do not exist, as far as another file was looked for in their place.
    pub(crate) missing_files: usize,
    /// Claims that evidence was looked for.
    pub(crate) claims: Vec<ClaimReport>,
    /// Why the client failed, if that is in place of a return.
    pub(crate) failure: Option<FailureKind>,
}

/// Collects and counts the diagnostics of one return, and determines the outcome of each step.
///
/// The counts have every diagnostic whose rule applies and is not off. `findings` has only the first ones,
/// so it may be shorter; their bytes are in `spans`. `closed_failures` is never more than `failures`, and
/// their difference is what fails the current step.
pub(crate) struct Collector<'c, 't> {
    pub(crate) facts: Facts,
    pub(crate) context: &'c Context<'c, 't>,
    levels: &'c Levels<'t>,
    pub(super) findings: Vec<Finding>,
    /// The bytes of each finding.
    spans: Vec<Span>,
    /// How many of them are warnings.
    warnings_kept: usize,
    pointer_bytes: usize,
    pub(super) counts: RuleCounts,
    pub(super) failures: usize,
    pub(super) warnings: usize,
    /// Failures of the steps that have ended.
    closed_failures: usize,
    /// The steps of findings about another file, and whether they fail their step.
    imported: Vec<(Step, bool)>,
    /// A rule of the current step that was broken but is off.
    ignored: Option<&'static str>,
}

impl<'c, 't> Collector<'c, 't> {
    pub(crate) fn new(context: &'c Context<'c, 't>, levels: &'c Levels<'t>) -> Self {
        Self {
            facts: Facts::default(),
            context,
            levels,
            findings: Vec::new(),
            spans: Vec::new(),
            warnings_kept: 0,
            pointer_bytes: 0,
            counts: RuleCounts::default(),
            failures: 0,
            warnings: 0,
            closed_failures: 0,
            imported: Vec::new(),
            ignored: None,
        }
    }

    /// Whether a rule applies and is not off.
    pub(crate) fn is_enabled(&self, rule: &Rule) -> bool {
        self.context.has_rule(rule) && self.levels.level(rule) != Level::Off
    }

    pub(crate) fn fails(&self, rule: &Rule) -> bool {
        self.context.has_rule(rule) && self.levels.level(rule) == Level::Error
    }

    /// Adds a diagnostic of a rule, with the values of the placeholders in its texts.
    pub(crate) fn report<'d>(
        &mut self,
        rule: &'static Rule,
        location: impl Into<Location<'d>>,
        values: &'d Values<'d>,
    ) {
        self.add(Diagnostic::new(rule, location, values));
    }

    /// Adds a claim to the report, without a finding. `path` is that of the claimed file.
    pub(crate) fn claim(
        &mut self,
        rule: &'static Rule,
        pointer: &Pointer<'_>,
        path: Option<&str>,
        assessment: &Assessment,
    ) {
        if self.facts.claims.len() < Report::FINDINGS_KEPT {
            self.facts.claims.push(ClaimReport {
                rule,
                file: None,
                pointer: pointer.to_string(),
                path: path.map(str::to_owned),
                value: assessment.value,
                reason: assessment.reason.text().to_owned(),
                line: assessment.line,
            });
        }
    }

    /// Adds a diagnostic, unless its rule does not apply or is off.
    pub(crate) fn add(&mut self, diagnostic: Diagnostic<'_>) {
        self.add_at(self.levels.level(diagnostic.rule), diagnostic);
    }

    /// The same where the standard of the profile does not lower the level of the rule.
    pub(crate) fn add_at_default_level(&mut self, diagnostic: Diagnostic<'_>) {
        self.add_at(self.levels.default_level(diagnostic.rule), diagnostic);
    }

    fn add_at(&mut self, level: Level, diagnostic: Diagnostic<'_>) {
        let Some(level) = self.count_at(level, diagnostic.rule, 1) else {
            return;
        };
        if !self.is_full(level) {
            let mut diagnostic = diagnostic;
            diagnostic.location = diagnostic.location.resolved(self.context);
            self.pointer_bytes += diagnostic.location.pointer_bytes();
            let (finding, span) = diagnostic.render(level, self.context);
            self.keep(finding, span);
        }
    }

    /// Adds a finding about another file, at a place of this return. It counts for the step of its rule,
    /// even if that step has ended.
    pub(crate) fn import(&mut self, finding: &Finding, file: &str, location: Location<'_>) {
        self.count_as(finding.rule, finding.level, 1);
        let fails = finding.level == Level::Error;
        self.closed_failures += usize::from(fails);
        self.imported.push((finding.rule.step, fails));
        if !self.is_full(finding.level) {
            let location = location.resolved(self.context);
            let (file, at) = (escape::truncated(file), finding.position);
            let mut finding = finding.clone();
            finding.texts.pointer = location.pointer();
            let note = format!("in {file}:{}:{}", at.line, at.column);
            finding.texts.notes.push(note);
            self.keep(finding, location.span(self.context));
        }
    }

    fn keep(&mut self, mut finding: Finding, span: Span) {
        if self.findings.len() >= Report::FINDINGS_KEPT {
            self.drop_warning();
        }
        self.warnings_kept += usize::from(finding.level == Level::Warning);
        let value = self.context.input.text.get(span.start..span.end);
        finding.texts.fingerprint = fingerprint(&finding, value);
        self.findings.push(finding);
        self.spans.push(span);
    }

    /// Makes room for an error by the last warning.
    fn drop_warning(&mut self) {
        let is_warning = |finding: &Finding| finding.level == Level::Warning;
        if let Some(at) = self.findings.iter().rposition(is_warning) {
            self.findings.remove(at);
            self.spans.remove(at);
        }
        self.warnings_kept -= 1;
    }

    /// Counts diagnostics of a rule without adding them. Returns their level, or `None` if the rule
    /// does not apply or is off.
    pub(crate) fn count(&mut self, rule: &'static Rule, more: usize) -> Option<Level> {
        self.count_at(self.levels.level(rule), rule, more)
    }

    fn count_at(&mut self, level: Level, rule: &'static Rule, more: usize) -> Option<Level> {
        if !self.context.has_rule(rule) {
            return None;
        }
        if level == Level::Off {
            if rule.level == Level::Error {
                self.ignored = Some(rule.id);
            }
            return None;
        }
        self.count_as(rule, level, more);
        Some(level)
    }

    fn count_as(&mut self, rule: &'static Rule, level: Level, more: usize) {
        match level {
            Level::Off => return,
            Level::Warning => self.warnings += more,
            Level::Error => self.failures += more,
        }
        self.counts.add(rule, level, more);
    }

    /// Returns whether no more diagnostics are kept, and counts this one if so. The caller then need not
    /// make its location and message, whose keys can be as long as the return.
    pub(crate) fn count_if_full(&mut self, rule: &'static Rule) -> bool {
        let is_full = self.is_full(self.levels.level(rule));
        if is_full {
            self.count(rule, 1);
        }
        is_full
    }

    /// Whether a diagnostic of this level is not kept. An error takes the place of a warning.
    fn is_full(&self, level: Level) -> bool {
        let has_room = level == Level::Error && self.warnings_kept > 0;
        let is_full = self.findings.len() >= Report::FINDINGS_KEPT && !has_room;
        is_full || self.pointer_bytes >= POINTER_BYTES_KEPT
    }

    /// Ends the current step. Returns its outcome, from the diagnostics since the previous step.
    pub(crate) fn close_step(&mut self, ran: Ran) -> StepOutcome {
        let failed = self.failures > self.closed_failures;
        self.closed_failures = self.failures;
        match (failed, self.ignored.take(), ran) {
            (true, _, _) => StepOutcome::Fail,
            (false, _, Ran::Skipped(why)) => StepOutcome::Skip(why),
            (false, _, Ran::NotApplicable) => StepOutcome::NotApplicable,
            // A broken rule that is off does not fail the step, but the step has not passed either.
            (false, Some(rule), Ran::Checked) => StepOutcome::Skip(format!("{rule} is off").into()),
            (false, None, Ran::Checked) => StepOutcome::Pass,
        }
    }

    /// The steps that fail by a finding about another file.
    pub(crate) fn failed_by_import(&self) -> impl Iterator<Item = Step> {
        self.imported
            .iter()
            .filter_map(|(step, fails)| fails.then_some(*step))
    }

    pub(crate) fn has_failed(&self) -> bool {
        self.failures > 0
    }

    /// Sets the positions of the findings. Called after all steps.
    pub(super) fn locate(&mut self) {
        locate(&mut self.findings, &self.spans, &self.context.input);
        if !self.imported.is_empty() {
            self.findings.sort_by_key(|finding| finding.rule.step);
        }
    }
}

/// Sets the positions of findings, by their bytes in the return. One pass over the text finds all of them.
fn locate(findings: &mut [Finding], spans: &[Span], input: &Input<'_>) {
    let ends = spans.iter().flat_map(|it| [it.start, it.end]);
    let mut table: Vec<_> = ends.map(|offset| (offset, Position::START)).collect();
    table.sort_unstable_by_key(|(offset, _)| *offset);
    let mut positions = Positions::new(input.bytes, input.base);
    for (offset, position) in &mut table {
        *position = positions.of(input.start + *offset);
    }
    let at = |offset: usize| table[table.partition_point(|(known, _)| *known < offset)].1;
    for (finding, span) in findings.iter_mut().zip(spans) {
        (finding.position, finding.end) = (at(span.start), at(span.end));
    }
}

/// The fingerprint of a finding about a value. It has none if the text is not UTF-8.
fn fingerprint(finding: &Finding, value: Option<&str>) -> u128 {
    let pointer = finding.pointer();
    let mut fingerprint = Fingerprinter::default();
    fingerprint.piece(finding.rule.id);
    fingerprint.end_part();
    for key in pointer.iter().flat_map(|pointer| pointer.split('/')) {
        let is_index = !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_digit());
        fingerprint.piece("/");
        fingerprint.piece(if is_index { "*" } else { key });
    }
    fingerprint.end_part();
    let value = value.filter(|value| pointer.is_some() && !value.starts_with(['{', '[']));
    if let Some(value) = value {
        fingerprint.piece(value);
    } else {
        fingerprint.piece(finding.head());
        for note in finding.notes() {
            fingerprint.end_part();
            fingerprint.piece(note);
        }
    }
    fingerprint.end_part();
    fingerprint.finish()
}

/// The levels of the profile, the levels that the caller sets, and strictness. They are combined
/// only when the level of a rule is needed, so the order of the calls does not matter.
#[derive(Debug, Clone)]
pub(crate) struct Levels<'p> {
    profile: &'p Profile,
    explicit: Vec<(&'static str, Level)>,
    pub(super) strictness: Strictness,
    /// Whether errors of evidence are warnings unless the caller says otherwise.
    pub(super) evidence_warns: bool,
}

impl<'p> Levels<'p> {
    pub(crate) fn of(profile: &'p Profile) -> Self {
        Self {
            profile,
            explicit: Vec::new(),
            strictness: Strictness::Off,
            evidence_warns: false,
        }
    }

    pub(crate) fn with_profile<'q>(&self, profile: &'q Profile) -> Levels<'q> {
        Levels {
            profile,
            explicit: self.explicit.clone(),
            strictness: self.strictness,
            evidence_warns: self.evidence_warns,
        }
    }

    /// Sets the level of one rule. It takes precedence over the profile.
    pub(crate) fn set(&mut self, rule: &Rule, level: Level) {
        match self.explicit.iter_mut().find(|(id, _)| *id == rule.id) {
            Some((_, current)) => *current = level,
            None => self.explicit.push((rule.id, level)),
        }
    }

    fn level_of_profile(&self, rule: &Rule) -> Level {
        match self.profile.level(rule) {
            Level::Error if self.evidence_warns && rule.is_error_of_evidence() => Level::Warning,
            level => level,
        }
    }

    fn makes_error(&self, rule: &Rule) -> bool {
        match self.strictness {
            Strictness::Off => false,
            Strictness::Required => rule.is_required_by(&self.profile.sources),
            Strictness::All => true,
        }
    }

    /// The level of a rule, whether or not it applies to the profile.
    pub(crate) fn level(&self, rule: &Rule) -> Level {
        let explicit = self.explicit.iter().find(|(id, _)| *id == rule.id);
        match explicit.map_or_else(|| self.level_of_profile(rule), |(_, level)| *level) {
            Level::Warning if self.makes_error(rule) => Level::Error,
            level => level,
        }
    }

    /// The level of a rule where the standard of the profile does not lower it: only the caller does,
    /// and a profile that turns it off.
    fn default_level(&self, rule: &Rule) -> Level {
        let is_explicit = self.explicit.iter().any(|(id, _)| *id == rule.id);
        match self.level(rule) {
            Level::Warning if !is_explicit => rule.level,
            level => level,
        }
    }
}
