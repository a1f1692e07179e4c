//! `text`: a line for each passed check and, under each finding, recommendation, location and rule.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::io::Write as _;

use anstyle::{AnsiColor, Style};

use crate::check::finding::Finding;
use crate::check::report::{ArtifactState, ClaimReport, Report, StepOutcome};
use crate::check::rules::{Level, Step};
use crate::document::Form;
use crate::evidence::EvidenceValue;
use crate::report::{Checked, Detail, ReportOptions, Source, Totals, omitted};
use crate::text::count;
use crate::text::escape::{Untrusted, full, path, truncated};

/// The tag at the beginning of a line: its word, its style, and the least detail at which it is shown.
#[derive(Clone, Copy)]
struct Tag(&'static str, Style, Detail);

const PASS: Tag = Tag("[PASS]", AnsiColor::Green.on_default(), Detail::Normal);
const INFO: Tag = Tag("[INFO]", AnsiColor::Cyan.on_default(), Detail::Normal);
const SKIP: Tag = Tag("[SKIP]", Style::new().dimmed(), Detail::Normal);
const UNREAD: Tag = Tag("[SKIP]", Style::new().dimmed(), Detail::Findings);
const WARN: Tag = Tag("[WARN]", AnsiColor::Yellow.on_default(), Detail::Findings);
const FAIL: Tag = Tag("[FAIL]", AnsiColor::Red.on_default().bold(), Detail::Quiet);

/// The indentation of lines below a tagged line. It is as wide as a tag.
pub(super) const INDENT: &str = "       ";

const SKIPPED: &str = "Note: Partial/failed/blocked status may have empty or incomplete artifacts";

impl ReportOptions {
    pub(super) fn shows_any(&self, totals: &Totals) -> bool {
        let others = match self.detail {
            Detail::Reason | Detail::Quiet => 0,
            Detail::Findings | Detail::Normal => totals.warnings + totals.unchecked,
            Detail::Verbose => totals.returns,
        };
        totals.refused() + others > 0
    }

    pub(super) fn text(&self, source: &Source<'_>, checked: Checked<'_>, out: &mut Vec<u8>) {
        let mut page = TextPage { options: self, source, out };
        match checked {
            Checked::Report(report) => {
                let is_clean = report.findings.is_empty();
                let hides_clean = self.many && self.detail < Detail::Verbose;
                let hides_valid = self.detail <= Detail::Quiet;
                if !(is_clean && hides_clean || report.failures == 0 && hides_valid) {
                    page.report(report);
                }
            }
            // So that no one takes it for valid.
            Checked::Unreadable(why) if self.many && self.detail > Detail::Quiet => {
                page.heading();
                page.tagged(UNREAD, format_args!("Not checked: {why}"));
            }
            Checked::Unreadable(_) => {}
        }
    }

    /// Writes the lines under a head: not indented those of the document Subagent return validation.
    pub(super) fn below(&self, source: &Source<'_>, finding: &Finding, out: &mut Vec<u8>) {
        let (strong, faint) = (Style::new().bold(), Style::new().dimmed());
        let (strong, faint) = (self.style(strong), self.style(faint));
        let mut labelled = |line: &str| match line.split_once(": ") {
            Some((label, rest)) => writeln!(out, "{strong}{label}:{strong:#} {rest}"),
            None => writeln!(out, "{line}"),
        };
        for note in &finding.notes {
            let _ = labelled(note);
        }
        let error = finding.error.iter();
        for error in error.filter(|_| finding.level == Level::Error) {
            let _ = labelled(&format!("Error: {error}"));
        }
        if let Some(detail) = &finding.detail {
            let _ = writeln!(out, "{INDENT}{detail}");
        }
        let recommendation = finding.recommendation();
        let _ = writeln!(out, "{strong}Recommendation:{strong:#} {recommendation}");
        if let Some(suggestion) = &finding.suggestion {
            let _ = writeln!(out, "{INDENT}{suggestion}");
        }
        let (name, [at, _]) = (full(source.name), source.place(finding));
        let _ = write!(out, "{INDENT}{faint}at {name}:{}:{}", at.line, at.column);
        if let Some(pointer) = finding.pointer.as_deref().filter(|it| !it.is_empty()) {
            let _ = write!(out, " ({})", truncated(pointer));
        }
        let _ = writeln!(out, "{faint:#}");
        self.excerpt(source, finding, out);
        let _ = writeln!(out, "{INDENT}{faint}rule: {}{faint:#}", finding.rule.id);
    }
}

struct TextPage<'p> {
    options: &'p ReportOptions,
    source: &'p Source<'p>,
    out: &'p mut Vec<u8>,
}

impl TextPage<'_> {
    fn report(&mut self, report: &Report) {
        let detail = self.options.detail;
        if self.options.many {
            self.heading();
        }
        if detail == Detail::Verbose {
            let profile = truncated(&report.profile);
            self.tagged(INFO, format_args!("Profile: {profile}"));
        }
        if let Some(envelope) = &report.envelope {
            // A client that failed leaves no return at that place.
            match report.failure {
                Some(_) => self.tagged(INFO, format_args!("Read {}", envelope.kind.title)),
                None => self.tagged(INFO, format_args!("Return read from {envelope}")),
            }
        }
        for step in Step::ALL {
            self.step(report, step);
        }
        if let Some(evidence) = &report.evidence {
            self.evidence(evidence);
        }
        if let Some(receipt) = &report.receipt {
            let recorded = receipt.agent.as_deref().filter(|_| !report.is_named_by_caller);
            let line = receipt.line(recorded.unwrap_or(&report.subagent), true);
            if let Some(line) = line {
                self.tagged(INFO, line);
            }
        }
        if let Some(omitted) = omitted(report) {
            self.tagged(INFO, omitted);
        }
        if !report.accepted.is_empty() {
            let accepted = count(report.accepted.len(), "finding");
            self.tagged(INFO, format_args!("Accepted by the baseline: {accepted}"));
        }
        match detail {
            Detail::Reason | Detail::Quiet => {}
            Detail::Findings => self.root(report),
            Detail::Normal | Detail::Verbose => self.verdict(report),
        }
    }

    fn line(&mut self, line: impl Display) {
        // Writing to memory does not fail.
        let _ = writeln!(self.out, "{line}");
    }

    fn heading(&mut self) {
        let style = self.options.style(Style::new().bold());
        let name = self.source.shown();
        self.line(format_args!("{style}== {name}{style:#}"));
    }

    /// Writes a line, unless lines with the tag are hidden.
    fn tagged(&mut self, Tag(tag, style, least): Tag, line: impl Display) {
        if self.options.detail >= least {
            let style = self.options.style(style);
            self.line(format_args!("{style}{tag}{style:#} {line}"));
        }
    }

    fn step(&mut self, report: &Report, step: Step) {
        let findings = || report.findings.iter().filter(|it| it.rule.step == step);
        // A step whose errors are only reported as warnings passes, but without a [PASS] line.
        let is_clean = findings().all(|finding| finding.rule.level < Level::Error);
        match report.outcome(step) {
            StepOutcome::Pass if step == Step::Artifacts => self.artifacts(report, is_clean),
            StepOutcome::Fail if step == Step::Artifacts => self.artifacts(report, false),
            StepOutcome::Pass if is_clean => {
                if let Some(passed) = passed(report, step) {
                    self.tagged(PASS, passed);
                }
            }
            StepOutcome::Pass | StepOutcome::Fail => {}
            StepOutcome::NotApplicable => {
                let skipping = format!("Skipping artifact validation (status={})", status(report));
                self.tagged(INFO, format_args!("{skipping}\n{SKIPPED}"));
            }
            StepOutcome::Skip(why) => {
                self.tagged(SKIP, format_args!("{}: {why}", step.title()));
            }
        }
        for finding in findings() {
            let is_error = finding.level == Level::Error;
            let tag = if is_error { FAIL } else { WARN };
            if self.options.detail >= tag.2 {
                self.tagged(tag, &finding.head);
                self.options.below(self.source, finding, self.out);
            }
        }
    }

    fn artifacts(&mut self, report: &Report, is_validated: bool) {
        let artifacts = &report.artifacts;
        if artifacts.is_empty() {
            return;
        }
        let count = report.claimed.max(artifacts.len());
        self.tagged(INFO, format_args!("Artifact count: {count}"));
        let in_state = |states: &'static [ArtifactState]| {
            let artifacts = artifacts.iter().filter(|it| states.contains(&it.state));
            artifacts.map(|it| (truncated(&it.path), it.bytes.unwrap_or_default()))
        };
        for (path, _) in in_state(&[ArtifactState::Ok, ArtifactState::Empty]) {
            self.tagged(PASS, format_args!("Artifact exists: {path}"));
        }
        for (path, bytes) in in_state(&[ArtifactState::Ok]) {
            let line = format_args!("Artifact is non-empty: {path} ({bytes} bytes)");
            self.tagged(PASS, line);
        }
        if is_validated {
            let count = artifacts.len();
            self.tagged(PASS, format_args!("{count} artifacts validated"));
        }
    }

    /// How many claims the evidence shows, and why it does not know of the others. Several rules may ask about a
    /// claim: none of them may contradict it, and one must show it.
    fn evidence(&mut self, claims: &[ClaimReport]) {
        let (mut shown, mut all, mut doubts) = (0, 0, BTreeMap::new());
        for of_one in claims.chunk_by(|one, next| one.pointer == next.pointer) {
            let has = |value| of_one.iter().any(|it| it.value == value);
            all += 1;
            match (has(EvidenceValue::Contradicted), has(EvidenceValue::Shown)) {
                (false, true) => shown += 1,
                (false, false) => *doubts.entry(&of_one[0].reason).or_insert(0) += 1,
                (true, _) => {}
            }
        }
        if all > 0 {
            let tag = if shown == all { PASS } else { INFO };
            self.tagged(tag, format_args!("Claims are shown: {shown} of {all}"));
        }
        for (reason, number) in doubts {
            let claims = count(number, "claim");
            self.tagged(SKIP, format_args!("{claims} unknown: {reason}"));
        }
    }

    fn root(&mut self, report: &Report) {
        if let Some(root) = &report.root {
            self.line(format_args!("Root: {}", path(root)));
        }
    }

    fn verdict(&mut self, report: &Report) {
        let failures = count(report.failures, "failure");
        let warnings = count(report.warnings, "warning");
        if report.is_accepted() {
            self.line("Return is invalid, and accepted by the baseline");
            return self.line(format_args!("{failures}, {warnings}"));
        }
        if !report.is_valid() {
            let style = self.options.style_of(Level::Error);
            let error = "Error: Subagent return validation failed";
            self.line(format_args!("{style}{error}{style:#}\n"));
            if let Some(agent) = named_subagent(report) {
                self.line(format_args!("Subagent: {}", truncated(agent)));
            }
            let session = report.session.as_deref().unwrap_or("unknown");
            let session = truncated(session);
            self.line(format_args!("Session: {session}\n\nValidation errors:"));
            for error in report.errors() {
                self.line(format_args!("- {}", error.reason()));
            }
            self.line(format_args!("\nRecommendation: {}", recommendation(report)));
            self.root(report);
            return self.line(format_args!("{failures}, {warnings}"));
        }
        self.tagged(PASS, "Return validation succeeded");
        if report.returned.status.is_some() {
            self.line(format_args!("Status: {}", status(report)));
        }
        if report.claims_success && *report.outcome(Step::Artifacts) == StepOutcome::Pass {
            let artifacts = report.artifacts.iter();
            let ok = artifacts.filter(|artifact| artifact.state == ArtifactState::Ok);
            self.line(format_args!("Artifacts: {} validated", ok.count()));
        }
        if report.warnings > 0 {
            self.line(format_args!("Warnings: {}", report.warnings));
        }
    }
}

/// What the document Subagent return format recommends.
fn recommendation(report: &Report) -> String {
    match named_subagent(report) {
        Some(agent) => format!("Fix {} subagent return format", truncated(agent)),
        None => "Fix the subagent return format".to_owned(),
    }
}

fn passed(report: &Report, step: Step) -> Option<String> {
    let passed = match step {
        Step::Json if report.form == Form::Text => "Return is a text",
        Step::Json if report.form == Form::Yaml => "Return is valid YAML",
        Step::Json => "Return is valid JSON",
        Step::Fields => "All required fields present",
        Step::Status => return Some(format!("Status is valid: {}", status(report))),
        Step::Session if report.returned.session_id.is_some() => "Session ID matches",
        Step::Session => "Given values match",
        Step::Summary => {
            // Not for a length outside the limit that only causes a warning.
            let (limit, length) = report.measured.filter(|(it, length)| it.allows(*length))?;
            let (what, length) = (limit.of.as_str(), limit.describe(length));
            return Some(format!("{what} length is valid: {length}"));
        }
        Step::Artifacts => return None,
    };
    Some(passed.to_owned())
}

fn status(report: &Report) -> Untrusted<'_> {
    truncated(report.returned.status.as_deref().unwrap_or_default())
}

/// The name of the agent. None if neither the caller nor the return names one.
pub(super) fn named_subagent(report: &Report) -> Option<&str> {
    Some(&*report.subagent).filter(|name| *name != "subagent")
}
