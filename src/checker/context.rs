//! One return on its way through the steps.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::fmt::{Display, Write as _};

use crate::checker::Checker;
use crate::document::Returned;
use crate::finding::Finding;
use crate::json::locate::{Location, locate};
use crate::json::pointer::Pointer;
use crate::level::Level;
use crate::profile::{LengthLimit, Profile, Status};
use crate::report::{ArtifactReport, Report, StepOutcome};
use crate::rule::Rule;
use crate::rule::template::{fill, to_nobody};
use crate::text::escape;
use crate::text::{Base, Position, Positions, Span, is_blank};

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

/// Where a finding stands, before anyone has looked for it.
pub(crate) enum At {
    /// A value.
    Value(Pointer),
    /// The key of a member.
    Key(Pointer),
    /// Bytes known already, and the pointer if there is one.
    Bytes(Span, Option<Pointer>),
}

/// What a rule found.
pub(crate) struct Found<'f> {
    pub(crate) rule: &'static Rule,
    pub(crate) at: At,
    /// Fills the message's `{words}`; untrusted text must come escaped.
    pub(crate) words: &'f [(&'static str, &'f dyn Display)],
    pub(crate) notes: Vec<String>,
    /// Goes after the rule's own recommendation.
    pub(crate) advice: Option<String>,
}

impl<'f> Found<'f> {
    pub(crate) fn new(
        rule: &'static Rule,
        at: At,
        words: &'f [(&'static str, &'f dyn Display)],
    ) -> Self {
        Self {
            rule,
            at,
            words,
            notes: Vec::new(),
            advice: None,
        }
    }
}

/// One return, what is known of it, and what was found so far.
pub(crate) struct Case<'c, 't> {
    pub(crate) checker: &'c Checker<'t>,
    /// The return's own text, which is JSON if a step after the first runs.
    pub(crate) text: &'t str,
    /// The same with whatever stands around it.
    pub(crate) whole: &'t str,
    pub(crate) returned: Option<Returned<'c, 't>>,
    /// Whether some field of it is of another type than its record asks.
    pub(crate) has_wrong_type: bool,
    /// The meaning of its status word.
    pub(crate) status: Option<&'t Status>,
    pub(crate) summary_characters: Option<usize>,
    pub(crate) measured: Option<(LengthLimit, usize)>,
    pub(crate) artifacts: Vec<ArtifactReport<'t>>,
    findings: Vec<(Finding, At)>,
    pointer_bytes: usize,
    addressee: OnceCell<String>,
    /// Findings by rule.
    pub(crate) counts: Vec<(&'static Rule, Level, usize)>,
    failures: usize,
    warnings: usize,
    ignored: Option<&'static str>,
    steps_failures: usize,
}

impl<'c, 't> Case<'c, 't> {
    pub(crate) fn new(checker: &'c Checker<'t>, whole: &'t str, text: &'t str) -> Self {
        Self {
            checker,
            text,
            whole,
            returned: None,
            has_wrong_type: false,
            status: None,
            summary_characters: None,
            measured: None,
            artifacts: Vec::new(),
            findings: Vec::new(),
            pointer_bytes: 0,
            addressee: OnceCell::new(),
            counts: Vec::new(),
            failures: 0,
            warnings: 0,
            ignored: None,
            steps_failures: 0,
        }
    }

    pub(crate) fn profile(&self) -> &'t Profile {
        self.checker.profile
    }

    /// The agent to blame: the caller knows best, then the return itself.
    pub(crate) fn subagent(&self) -> Cow<'t, str> {
        let own = || self.own_name().cloned();
        self.checker
            .agent
            .map(Cow::Borrowed)
            .or_else(own)
            .unwrap_or(Cow::Borrowed("subagent"))
    }

    fn knows_subagent(&self) -> bool {
        self.checker.agent.is_some() || self.own_name().is_some()
    }

    fn own_name(&self) -> Option<&'c Cow<'t, str>> {
        self.returned
            .and_then(Returned::agent)
            .filter(|agent| !is_blank(agent))
    }

    /// The agent whose status words count: the return says who wrote it, where the profile has a
    /// place for that, else the caller.
    pub(crate) fn acting_agent(&self) -> Option<&'c str> {
        let own = self
            .returned
            .filter(|_| self.profile().agent.is_some())
            .and_then(Returned::agent)
            .map(AsRef::as_ref);
        let is_known = |agent: &&str| self.profile().agent(agent).is_some();
        own.filter(is_known).or(self.checker.agent).or(own)
    }

    /// Whether a rule is looked at in this check.
    pub(crate) fn wants(&self, rule: &'static Rule) -> bool {
        self.profile().has_rule(rule) && self.checker.level(rule) != Level::Off
    }

    /// Takes a finding in, unless its rule does not apply or is off.
    pub(crate) fn find(&mut self, found: Found<'_>) {
        let Some(level) = self.find_more(found.rule, 1) else {
            return;
        };
        if !self.is_full() {
            self.pointer_bytes += found.at.pointer_bytes();
            let finding = self.finding(level, &found);
            self.findings.push((finding, found.at));
        }
    }

    /// Counts findings of a rule that are not taken in one by one. Their level, unless the rule
    /// does not apply or is off.
    pub(crate) fn find_more(&mut self, rule: &'static Rule, more: usize) -> Option<Level> {
        if !self.profile().has_rule(rule) {
            return None;
        }
        let level = self.checker.level(rule);
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
        self.count(rule, level, more);
        Some(level)
    }

    /// Whether findings are only counted from here on, so that their texts need not be made.
    pub(crate) fn is_full(&self) -> bool {
        self.findings.len() >= Report::FINDINGS_KEPT || self.pointer_bytes >= POINTER_BYTES_KEPT
    }

    fn finding(&self, level: Level, found: &Found<'_>) -> Finding {
        let agent = self.addressee();
        let words: Vec<(&str, &dyn Display)> = found
            .words
            .iter()
            .copied()
            .chain([("agent", &agent as _)])
            .collect();
        let mut help = if self.knows_subagent() {
            fill(found.rule.help, &words)
        } else {
            fill(&to_nobody(found.rule.help), &words)
        };
        if let Some(advice) = &found.advice {
            let _ = write!(help, ": {advice}");
        }
        Finding {
            rule: found.rule,
            level,
            head: fill(found.rule.message, &words),
            notes: found.notes.clone(),
            help,
            pointer: None,
            position: Position::START,
            end: Position::START,
            length: 0,
        }
    }

    /// The agent's name as recommendations show it. A name can be as long as the return: it is
    /// gone over once, not for each finding.
    fn addressee(&self) -> &str {
        self.addressee
            .get_or_init(|| escape::truncated(&self.subagent()).to_string())
    }

    /// Closes a step: how it ended, from what was found since the step before.
    pub(crate) fn close(&mut self, ran: Ran) -> StepOutcome {
        let failed = self.failures > self.steps_failures;
        self.steps_failures = self.failures;
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

    pub(crate) fn counts(&self) -> (usize, usize) {
        (self.failures, self.warnings)
    }

    fn count(&mut self, rule: &'static Rule, level: Level, findings: usize) {
        let known = self
            .counts
            .iter_mut()
            .find(|(known, ..)| std::ptr::eq(*known, rule));
        match known {
            Some((.., count)) => *count += findings,
            None => self.counts.push((rule, level, findings)),
        }
    }

    /// The findings with their locate in `bytes`, of which the return's text is the part that
    /// begins at `text_start`.
    pub(crate) fn located(self, bytes: &[u8], text_start: usize, base: Base) -> Vec<Finding> {
        let wanted: Vec<&Pointer> = self
            .findings
            .iter()
            .filter_map(|(_, at)| at.wanted())
            .collect();
        // A text that is no JSON has no values to look for.
        let mut found = if wanted.is_empty() {
            Vec::new()
        } else {
            locate(self.text, &wanted)
        }
        .into_iter();
        let mut edges = Vec::with_capacity(self.findings.len() * 2);
        let mut findings = Vec::with_capacity(self.findings.len());
        for (mut finding, at) in self.findings {
            let place = if at.wanted().is_some() {
                found.next().flatten().unwrap_or_default()
            } else {
                Location::default()
            };
            let (span, pointer) = match at {
                At::Value(pointer) => (place.value, Some(pointer)),
                At::Key(pointer) => (place.key.unwrap_or(place.value), Some(pointer)),
                At::Bytes(span, pointer) => (span, pointer),
            };
            finding.pointer = pointer.map(|pointer| pointer.to_string());
            finding.length = span.end - span.start;
            for (edge, is_end) in [(span.start, false), (span.end, true)] {
                edges.push((text_start + edge, findings.len(), is_end));
            }
            findings.push(finding);
        }
        edges.sort_unstable();
        let mut positions = Positions::new(bytes, base);
        for (edge, index, is_end) in edges {
            let finding: &mut Finding = &mut findings[index];
            let place = if is_end {
                &mut finding.end
            } else {
                &mut finding.position
            };
            *place = positions.of(edge);
        }
        findings
    }
}

impl At {
    fn pointer_bytes(&self) -> usize {
        match self {
            Self::Value(pointer) | Self::Key(pointer) | Self::Bytes(_, Some(pointer)) => {
                pointer.bytes()
            }
            Self::Bytes(_, None) => 0,
        }
    }

    /// The pointer whose place is not known yet.
    fn wanted(&self) -> Option<&Pointer> {
        match self {
            Self::Value(pointer) | Self::Key(pointer) => Some(pointer),
            Self::Bytes(..) => None,
        }
    }
}
