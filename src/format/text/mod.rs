//! `text`: a line for each passed check and, under each finding, recommendation, location and rule.

mod evidence;

use std::borrow::Cow;
use std::fmt::Arguments;
use std::io::Write as _;

use anstyle::{AnsiColor, Style};

use crate::check::finding::Finding;
use crate::check::report::{ArtifactState, Report, StepOutcome};
use crate::check::rules::{Level, Step};
use crate::form::Form;
use crate::format::common::{self, INDENT};
use crate::format::excerpt::excerpt;
use crate::format::options::Paint;
use crate::format::{Checked, Detail, ReportOptions, Reporter, RunSummary, Source};
use crate::profile::Measured;
use crate::text::count;
use crate::text::escape::{full, path, truncated};

impl Reporter for ReportOptions {
    fn report(&self, source: &Source<'_>, checked: Checked<'_>, out: &mut Vec<u8>) {
        let report = match checked {
            Checked::Report(report) => report,
            Checked::Unreadable(why) => return self.unread(source, why, out),
        };
        if report.findings.is_empty() && self.hides_clean() {
            return;
        }
        if self.detail == Detail::Quiet && report.is_valid() {
            return;
        }
        TextPage::new(self, source, out).write(report);
    }

    fn between(&self) -> &'static [u8] {
        b"\n"
    }

    fn finish(&self, end: &RunSummary<'_>, out: &mut Vec<u8>) {
        if self.many && self.shows_any(end.totals) {
            out.push(b'\n');
        }
        common::finish(end, self.many, out);
    }
}

impl ReportOptions {
    /// Reports a source that could not be read, so that no one takes it for valid.
    fn unread(&self, source: &Source<'_>, why: &str, out: &mut Vec<u8>) {
        if self.many && self.detail != Detail::Quiet {
            let mut page = TextPage::new(self, source, out);
            page.heading();
            page.mark(Tag::Skip, format_args!("Not checked: {why}"));
        }
    }
}

/// The tag at the beginning of a line.
#[derive(Clone, Copy)]
enum Tag {
    Pass,
    Fail,
    Warn,
    Info,
    Skip,
}

impl Tag {
    /// Its text, with the space after it, and its style.
    fn text_and_style(self) -> (&'static str, Style) {
        match self {
            Self::Pass => ("[PASS] ", AnsiColor::Green.on_default()),
            Self::Fail => (
                common::tag(Level::Error),
                AnsiColor::Red.on_default().bold(),
            ),
            Self::Warn => (common::tag(Level::Warning), AnsiColor::Yellow.on_default()),
            Self::Info => ("[INFO] ", AnsiColor::Cyan.on_default()),
            Self::Skip => ("[SKIP] ", Style::new().dimmed()),
        }
    }
}

impl ReportOptions {
    fn hides(&self, tag: Tag) -> bool {
        match self.detail {
            Detail::Quiet => !matches!(tag, Tag::Fail),
            Detail::Findings => !matches!(tag, Tag::Fail | Tag::Warn),
            Detail::Normal | Detail::Verbose => false,
        }
    }
}

/// The line after the one that says that artifacts are not checked.
const SKIPPED: &str = "Note: Partial/failed/blocked status may have empty or incomplete artifacts";

/// A newline and the beginning of the line that says where a finding is.
const PLACE: &str = "\n       at ";

/// The text of one report.
struct TextPage<'p> {
    text: &'p mut Vec<u8>,
    options: &'p ReportOptions,
    source: &'p Source<'p>,
    /// The name of the source, safe to print.
    name: Cow<'p, str>,
}

impl<'p> TextPage<'p> {
    fn new(options: &'p ReportOptions, source: &'p Source<'p>, text: &'p mut Vec<u8>) -> Self {
        Self {
            text,
            options,
            source,
            name: full(source.name).shown(),
        }
    }

    fn write(&mut self, report: &Report<'_>) {
        let status = truncated(report.status.as_deref().unwrap_or_default()).shown();
        if self.options.many {
            self.heading();
        }
        if self.options.is_verbose() {
            let profile = truncated(&report.profile);
            self.tagged(Tag::Info, format_args!("Profile: {profile}"));
        }
        if let Some(envelope) = &report.envelope {
            // A client that failed leaves no return at that place.
            if report.failure.is_some() {
                self.tagged(Tag::Info, format_args!("Read {}", envelope.kind.title));
            } else {
                self.tagged(Tag::Info, format_args!("Return read from {envelope}"));
            }
        }
        for step in Step::ALL {
            self.step(report, step, &status);
        }
        if let Some(evidence) = &report.evidence {
            self.evidence(report, evidence);
        }
        if let Some(omitted) = common::omitted(report) {
            self.tagged(Tag::Info, format_args!("{omitted}"));
        }
        if report.accepted > 0 {
            let accepted = count(report.accepted, "finding");
            self.tagged(
                Tag::Info,
                format_args!("Accepted by the baseline: {accepted}"),
            );
        }
        if !self.options.is_quiet() {
            self.verdict(report, &status);
        } else if self.options.detail == Detail::Findings {
            self.root(report);
        }
        if self.options.is_verbose() {
            self.text.extend_from_slice(common::next(report).as_bytes());
        }
    }

    fn heading(&mut self) {
        let line = self.source.line;
        let line = line.map_or_else(String::new, |line| format!(":{line}"));
        let heading = format!("== {}{line}", self.name);
        self.styled(Paint::new(self.options.colored).strong(), &heading);
    }

    fn styled(&mut self, style: Style, line: &str) {
        let _ = writeln!(self.text, "{style}{line}{style:#}");
    }

    /// Writes a line, unless lines with the tag are hidden.
    fn tagged(&mut self, tag: Tag, line: Arguments<'_>) {
        if !self.options.hides(tag) {
            self.mark(tag, line);
        }
    }

    fn mark(&mut self, tag: Tag, line: Arguments<'_>) {
        let (name, style) = tag.text_and_style();
        let _ = if self.options.colored {
            writeln!(self.text, "{style}{}{style:#} {line}", name.trim_end())
        } else {
            writeln!(self.text, "{name}{line}")
        };
    }

    fn step(&mut self, report: &Report<'_>, step: Step, status: &str) {
        let findings = || {
            report
                .findings
                .iter()
                .filter(|finding| finding.rule.step == step)
        };
        // A step whose errors are only reported as warnings passes, but without a [PASS] line.
        let is_clean = findings().all(|finding| finding.rule.level < Level::Error);
        match report.outcome(step) {
            StepOutcome::Pass if step == Step::Artifacts => self.artifacts(report, is_clean),
            StepOutcome::Fail if step == Step::Artifacts => self.artifacts(report, false),
            StepOutcome::Pass if is_clean => self.pass(report, step, status),
            StepOutcome::Pass | StepOutcome::Fail => {}
            StepOutcome::NotApplicable => {
                let skipping =
                    format_args!("Skipping artifact validation (status={status})\n{SKIPPED}");
                self.tagged(Tag::Info, skipping);
            }
            StepOutcome::Skip(why) => {
                self.tagged(Tag::Skip, format_args!("{}: {why}", step.title()));
                if step == Step::Artifacts {
                    self.unusable(report);
                }
            }
        }
        for finding in findings() {
            self.finding(finding);
        }
    }

    /// What will be wrong with the artifacts once the status is right.
    fn unusable(&mut self, report: &Report<'_>) {
        for (path, why) in common::unusable(report) {
            self.tagged(Tag::Info, format_args!("Artifact {why}: {path}"));
        }
    }

    fn pass(&mut self, report: &Report<'_>, step: Step, status: &str) {
        if self.options.is_quiet() {
            return;
        }
        match step {
            Step::Json => {
                let what = match report.form {
                    Form::Json => "Return is valid JSON",
                    Form::Yaml => "Return is valid YAML",
                    Form::Text => "Return is a text",
                };
                self.tagged(Tag::Pass, format_args!("{what}"));
            }
            Step::Fields => {
                self.tagged(Tag::Pass, format_args!("All required fields present"));
            }
            Step::Status => {
                self.tagged(Tag::Pass, format_args!("Status is valid: {status}"));
            }
            Step::Session if report.session_id.is_some() => {
                self.tagged(Tag::Pass, format_args!("Session ID matches"));
            }
            Step::Session => self.tagged(Tag::Pass, format_args!("Given values match")),
            Step::Summary => {
                let measured = report.measured;
                // No [PASS] line for a length outside the limit that only causes a warning.
                let Some((limit, length)) = measured.filter(|(it, length)| it.allows(*length))
                else {
                    return;
                };
                let (what, length) = (Measured::as_str(limit.of), limit.describe(length));
                self.tagged(Tag::Pass, format_args!("{what} length is valid: {length}"));
            }
            Step::Artifacts => {}
        }
    }

    fn artifacts(&mut self, report: &Report<'_>, validated: bool) {
        let artifacts = &report.artifacts;
        if artifacts.is_empty() || self.options.is_quiet() {
            return;
        }
        let count = report.claimed.max(artifacts.len());
        self.tagged(Tag::Info, format_args!("Artifact count: {count}"));
        for artifact in artifacts
            .iter()
            .filter(|it| matches!(it.state, ArtifactState::Ok | ArtifactState::Empty))
        {
            let path = truncated(&artifact.path);
            self.tagged(Tag::Pass, format_args!("Artifact exists: {path}"));
        }
        for artifact in artifacts.iter().filter(|it| it.state == ArtifactState::Ok) {
            let path = truncated(&artifact.path);
            let bytes = artifact.bytes.unwrap_or_default();
            let line = format_args!("Artifact is non-empty: {path} ({bytes} bytes)");
            self.tagged(Tag::Pass, line);
        }
        if validated {
            let line = format_args!("{} artifacts validated", artifacts.len());
            self.tagged(Tag::Pass, line);
        }
    }

    fn finding(&mut self, finding: &Finding) {
        let tag = if finding.level == Level::Error {
            Tag::Fail
        } else {
            Tag::Warn
        };
        if self.options.hides(tag) {
            return;
        }
        self.tagged(tag, format_args!("{}", finding.head()));
        let is_verbose = self.options.is_verbose();
        let below = common::below((&self.name, self.source), finding, is_verbose);
        if self.options.colored || self.options.excerpts.is_some() || self.options.hyperlinks {
            self.decorated(finding, &below);
        } else {
            self.text.extend_from_slice(below.as_bytes());
        }
    }

    /// Writes the lines below a finding with colours, hyperlinks and, after the line that says where it
    /// is, the excerpt.
    fn decorated(&mut self, finding: &Finding, below: &str) {
        let place = below.find(PLACE).map(|at| at + 1);
        let end = place.and_then(|at| Some(at + below[at..].find('\n')? + 1));
        let (before, after) = below.split_at(end.unwrap_or(below.len()));
        let paint = Paint::new(self.options.colored);
        let columns = self.options.excerpts;
        let excerpt =
            columns.and_then(|columns| excerpt(self.source, finding, (INDENT, columns), paint));
        let (before, after) = (paint.below(before, INDENT), paint.below(after, INDENT));
        self.text.extend_from_slice(before.as_bytes());
        self.text
            .extend_from_slice(excerpt.unwrap_or_default().as_bytes());
        let rule = finding.rule.id;
        let link = self.options.rule_link(rule);
        // Only the first occurrence is linked. The reasons after it may name rules, too.
        self.text
            .extend_from_slice(after.replacen(rule, &link, 1).as_bytes());
    }

    /// Names the folder in which a claimed file is missing.
    fn root(&mut self, report: &Report<'_>) {
        if let Some(root) = &report.root {
            let _ = writeln!(self.text, "Root: {}", path(root));
        }
    }

    fn verdict(&mut self, report: &Report<'_>, status: &str) {
        if report.is_valid() {
            self.tagged(Tag::Pass, format_args!("Return validation succeeded"));
            if report.status.is_some() {
                let _ = writeln!(self.text, "Status: {status}");
            }
            if report.claims_success && *report.outcome(Step::Artifacts) == StepOutcome::Pass {
                let artifacts = report.artifacts.iter();
                let ok = artifacts.filter(|artifact| artifact.state == ArtifactState::Ok);
                let _ = writeln!(self.text, "Artifacts: {} validated", ok.count());
            }
            if report.warnings > 0 {
                let _ = writeln!(self.text, "Warnings: {}", report.warnings);
            }
            return;
        }
        let paint = Paint::new(self.options.colored);
        let error = "Error: Subagent return validation failed";
        self.styled(paint.mark(Level::Error), error);
        if let Some(agent) = common::named_subagent(report) {
            let _ = writeln!(self.text, "Subagent: {}", truncated(agent));
        }
        let session = report.session.as_deref().map_or(full("unknown"), truncated);
        let _ = writeln!(self.text, "Session: {session}");
        self.root(report);
        let failures = count(report.failures, "failure");
        let warnings = count(report.warnings, "warning");
        let _ = writeln!(self.text, "{failures}, {warnings}");
    }
}
