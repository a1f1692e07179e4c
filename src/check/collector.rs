//! Collects the diagnostics of one check, at the levels that their rules have in it.

use crate::check::Context;
use crate::check::diagnostic::{Diagnostic, Location, Placeholder, Values, values};
use crate::check::finding::{Finding, RuleCount};
use crate::check::report::{ArtifactReport, ClaimReport, Report, StepOutcome, StepReport};
use crate::clients::FailureKind;
use crate::evidence::Assessment;
use crate::profile::{LengthLimit, Profile};
use crate::rule::{Level, Rule, Strictness};
use crate::text::{Positions, escape};

/// The most bytes of pointers that are kept: a key can be as long as the return, and every finding below repeats it.
pub(super) const POINTER_BYTES_KEPT: usize = 1024 * 1024;

/// What the steps learned about a return besides the diagnostics.
#[derive(Default)]
pub(crate) struct Facts {
    pub(crate) summary_characters: Option<usize>,
    /// The length limit of the profile, and the length of the text that it limits, in its unit.
    pub(crate) measured: Option<(LengthLimit, usize)>,
    pub(crate) artifacts: Vec<ArtifactReport>,
    /// How many claimed files do not exist, as far as another file was looked for in their place.
    pub(crate) missing_files: usize,
    pub(crate) claims: Vec<ClaimReport>,
    /// Why the client failed, if that is in place of a return.
    pub(crate) failure: Option<FailureKind>,
}

/// Collects and counts the diagnostics of one return. The counts have every diagnostic whose rule applies and is
/// not off. `findings` has only the first ones, so it may be shorter.
pub(crate) struct Collector<'c, 't> {
    pub(crate) facts: Facts,
    pub(crate) context: &'c Context<'c, 't>,
    levels: &'c Levels<'t>,
    pub(super) findings: Vec<Finding>,
    warnings_kept: usize,
    pointer_bytes: usize,
    /// The bytes of those of errors alone: long pointers of warnings push out no error.
    pointer_bytes_of_errors: usize,
    pub(super) counts: Vec<RuleCount>,
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
            warnings_kept: 0,
            pointer_bytes: 0,
            pointer_bytes_of_errors: 0,
            counts: Vec::new(),
            ignored: None,
        }
    }

    /// The level of a rule, unless it does not apply or is off.
    fn level(&self, rule: &Rule) -> Option<Level> {
        let level = self.levels.level(rule);
        (level > Level::Off && self.context.has_rule(rule)).then_some(level)
    }

    pub(crate) fn is_enabled(&self, rule: &Rule) -> bool {
        self.level(rule).is_some()
    }

    pub(crate) fn fails(&self, rule: &Rule) -> bool {
        self.level(rule) == Some(Level::Error)
    }

    pub(crate) fn report<'d>(
        &mut self,
        rule: &'static Rule,
        location: impl Into<Location<'d>>,
        values: &'d Values<'d>,
    ) {
        self.add(Diagnostic::new(rule, location, values));
    }

    /// Adds a diagnostic, unless its rule does not apply or is off.
    pub(crate) fn add(&mut self, diagnostic: Diagnostic<'_>) {
        self.add_at(self.level(diagnostic.rule), diagnostic);
    }

    /// The same where the profile does not lower the level of the rule. It may turn it off, and the caller do both.
    pub(crate) fn add_unlowered(&mut self, diagnostic: Diagnostic<'_>) {
        let rule = diagnostic.rule;
        let is_explicit = self.levels.explicit.iter().any(|(id, _)| *id == rule.id);
        let level = self.level(rule);
        self.add_at(level.map(|level| if is_explicit { level } else { rule.level }), diagnostic);
    }

    fn add_at(&mut self, level: Option<Level>, diagnostic: Diagnostic<'_>) {
        if let Some(level) = self.count(diagnostic.rule, level) {
            let finding = diagnostic.render(level, self.context);
            self.keep(finding);
        }
    }

    /// Adds a finding about another file, at a place of this return.
    pub(crate) fn import(&mut self, finding: &Finding, file: &str, location: Location<'_>) {
        if self.count(finding.rule, Some(finding.level)).is_some() {
            let (file, at) = (escape::truncated(file), finding.position);
            let mut finding = finding.clone();
            let note = format!("in {file}:{}:{}", at.line, at.column);
            finding.notes.push(note);
            let (pointer, span) = location.of(self.context);
            finding.pointer = pointer;
            (finding.position.offset, finding.end.offset) = (span.start, span.end);
            finding.identify(self.context.input.text.get(span.start..span.end));
            self.keep(finding);
        }
    }

    /// Keeps a finding. An error takes the place of the last warning where there is no room.
    fn keep(&mut self, finding: Finding) {
        let is_warning = |finding: &Finding| finding.level == Level::Warning;
        if self.findings.len() >= Report::FINDINGS_KEPT
            && let Some(at) = self.findings.iter().rposition(is_warning)
        {
            self.findings.remove(at);
            self.warnings_kept -= 1;
        }
        let bytes = finding.pointer.as_ref().map_or(0, String::len);
        self.pointer_bytes += bytes;
        if is_warning(&finding) {
            self.warnings_kept += 1;
        } else {
            self.pointer_bytes_of_errors += bytes;
        }
        self.findings.push(finding);
    }

    /// Counts a diagnostic. None if its rule does not apply or is off, or there is no room for the finding.
    fn count(&mut self, rule: &'static Rule, level: Option<Level>) -> Option<Level> {
        if level.is_none() && rule.level == Level::Error && self.context.has_rule(rule) {
            self.ignored = Some(rule.id);
        }
        let level = level?;
        let mut known = self.counts.iter_mut();
        match known.find(|it| std::ptr::eq(it.rule, rule) && it.level == level) {
            Some(known) => known.findings += 1,
            None => self.counts.push(RuleCount { rule, level, findings: 1 }),
        }
        (!self.is_full(level)).then_some(level)
    }

    /// Returns whether a diagnostic of this rule is not kept, and counts it if so. The caller then need not
    /// make its location and message, whose keys can be as long as the return.
    pub(crate) fn count_if_full(&mut self, rule: &'static Rule) -> bool {
        let level = self.level(rule);
        let is_full = level.is_none_or(|level| self.is_full(level));
        is_full && self.count(rule, level).is_none()
    }

    /// Whether a diagnostic of this level is not kept. An error takes the place of a warning.
    fn is_full(&self, level: Level) -> bool {
        let has_room = level == Level::Error && self.warnings_kept > 0;
        let is_full = self.findings.len() >= Report::FINDINGS_KEPT && !has_room;
        is_full
            || match level {
                Level::Error => self.pointer_bytes_of_errors >= 2 * POINTER_BYTES_KEPT,
                _ => self.pointer_bytes >= POINTER_BYTES_KEPT,
            }
    }

    /// Adds a claim that evidence was looked for to the report, without a finding.
    pub(crate) fn claim(&mut self, rule: &'static Rule, at: Location<'_>, assessment: &Assessment) {
        if self.facts.claims.len() < Report::FINDINGS_KEPT {
            self.facts.claims.push(ClaimReport {
                rule,
                file: None,
                pointer: at.of(self.context).0.unwrap_or_default(),
                value: assessment.value,
                reason: assessment.reason.text().to_owned(),
            });
        }
    }

    /// Adds a claim to the report, and a finding if it is contradicted. `found` is another value that its message shows.
    pub(crate) fn assess(
        &mut self,
        rule: &'static Rule,
        at: Location<'_>,
        (path, found): (Option<&str>, &str),
        assessment: &Assessment,
    ) {
        if assessment.is_contradicted() {
            self.doubt(rule, at, (path, found), assessment);
        }
        self.claim(rule, at, assessment);
    }

    pub(crate) fn doubt(
        &mut self,
        rule: &'static Rule,
        at: Location<'_>,
        (path, found): (Option<&str>, &str),
        assessment: &Assessment,
    ) {
        let values = values![
            why = Placeholder::Text(assessment.reason.text()),
            path = path.unwrap_or_default(),
            found = found,
        ];
        self.report(rule, at, &values);
    }

    /// Ends a step. A broken rule that is off does not fail it, but it has not passed either.
    pub(crate) fn close_step(&mut self, outcome: StepOutcome) -> StepOutcome {
        match (self.ignored.take(), outcome) {
            (Some(rule), StepOutcome::Pass) => StepOutcome::Skip(format!("{rule} is off").into()),
            (_, outcome) => outcome,
        }
    }

    pub(crate) fn has_failed(&self) -> bool {
        self.counts.iter().any(|it| it.level == Level::Error)
    }

    pub(crate) fn has_failed_by(&self, rules: &[&Rule]) -> bool {
        let mut failed = self.counts.iter().filter(|it| it.level == Level::Error);
        failed.any(|it| rules.iter().any(|rule| rule.id == it.rule.id))
    }

    /// Sets the positions of the findings, puts them into the order of the steps, and fails the steps of their rules.
    pub(super) fn finish(&mut self, steps: &mut [StepReport; 6]) {
        let input = &self.context.input;
        let places = self.findings.iter_mut();
        let places = places.flat_map(|it| [&mut it.position, &mut it.end]);
        let mut places: Vec<_> = places.collect();
        // In their order, one pass over the text finds all of them.
        places.sort_unstable_by_key(|it| it.offset);
        let mut positions = Positions::new(input.bytes, input.base);
        for place in places {
            *place = positions.of(input.start + place.offset);
        }
        self.findings.sort_by_key(|finding| finding.rule.step);
        for count in self.counts.iter().filter(|it| it.level == Level::Error) {
            steps[count.rule.step as usize].outcome = StepOutcome::Fail;
        }
    }
}

/// The levels of the profile, the levels that the caller sets, and strictness. They are combined
/// only when the level of a rule is needed, so the order of the calls does not matter.
#[derive(Debug, Clone)]
pub(crate) struct Levels<'p> {
    pub(super) profile: &'p Profile,
    explicit: Vec<(&'static str, Level)>,
    pub(super) strictness: Strictness,
    /// Whether errors of evidence are warnings unless the caller says otherwise.
    pub(super) evidence_warns: bool,
}

impl<'p> Levels<'p> {
    pub(crate) fn of(profile: &'p Profile) -> Self {
        Self { profile, explicit: Vec::new(), strictness: Strictness::Off, evidence_warns: false }
    }

    pub(crate) fn set(&mut self, rule: &Rule, level: Level) {
        self.explicit.retain(|(id, _)| *id != rule.id);
        self.explicit.push((rule.id, level));
    }

    /// The level of a rule, whether or not it applies to the profile.
    pub(crate) fn level(&self, rule: &Rule) -> Level {
        let explicit = self.explicit.iter().find(|(id, _)| *id == rule.id);
        let level = match explicit.map_or_else(|| self.profile.level(rule), |(_, level)| *level) {
            Level::Error
                if explicit.is_none() && self.evidence_warns && rule.is_error_of_evidence() =>
            {
                Level::Warning
            }
            level => level,
        };
        match self.strictness {
            Strictness::All if level == Level::Warning => Level::Error,
            Strictness::Required
                if level == Level::Warning && rule.is_required_by(&self.profile.sources) =>
            {
                Level::Error
            }
            _ => level,
        }
    }
}
