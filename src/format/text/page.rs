//! The lines of one report.

use std::borrow::Cow;

use anstyle::Style;

use crate::check::finding::Finding;
use crate::check::report::{ArtifactState, Report, StepOutcome};
use crate::check::rules::{Level, Step};
use crate::form::Form;
use crate::format::ReportOptions;
use crate::format::common::INDENT;
use crate::format::excerpt::excerpt;
use crate::format::paint::Paint;
use crate::format::pieces::{CountPiece, push, push_line};
use crate::format::text::tag::Tag;
use crate::format::{Detail, Source, common};
use crate::profile::Measured;
use crate::text::escape::{full, path, truncated};

/// The line after the one that says that artifacts are not checked.
const SKIPPED: &str = "Note: Partial/failed/blocked status may have empty or incomplete artifacts";

/// A newline and the beginning of the line that says where a finding is.
const PLACE: &str = "\n       at ";

/// Writes a line of these pieces, unless lines with the tag are hidden.
macro_rules! say {
    ($page:expr, $tag:expr, $($piece:tt)+) => {
        $page.tagged($tag, |line| $crate::format::pieces::push!(line, $($piece)+))
    };
}
pub(super) use say;

/// The text of one report.
pub(super) struct TextPage<'p> {
    text: &'p mut Vec<u8>,
    options: &'p ReportOptions,
    source: &'p Source<'p>,
    /// The name of the source, safe to print.
    name: Cow<'p, str>,
}

impl<'p> TextPage<'p> {
    pub(super) fn new(
        options: &'p ReportOptions,
        source: &'p Source<'p>,
        text: &'p mut Vec<u8>,
    ) -> Self {
        Self {
            text,
            options,
            source,
            name: full(source.name).shown(),
        }
    }

    pub(super) fn write(&mut self, report: &Report<'_>) {
        let status = truncated(report.status.as_deref().unwrap_or_default()).shown();
        if self.options.many {
            self.heading();
        }
        if self.options.is_verbose() {
            say!(self, Tag::Info, "Profile: ", truncated(&report.profile));
        }
        if let Some(envelope) = &report.envelope {
            self.tagged(Tag::Info, |line| {
                // A client that failed leaves no return at that place.
                if report.failure.is_some() {
                    push!(line, "Read ", envelope.kind.title);
                } else {
                    push!(line, "Return read from ", envelope.to_string());
                }
            });
        }
        for step in Step::ALL {
            self.step(report, step, &status);
        }
        if let Some(evidence) = &report.evidence {
            self.evidence(report, evidence);
        }
        if let Some(omitted) = common::omitted(report) {
            say!(self, Tag::Info, omitted);
        }
        if report.accepted > 0 {
            let accepted = CountPiece(report.accepted, "finding");
            say!(self, Tag::Info, "Accepted by the baseline: ", accepted);
        }
        if !self.options.is_quiet() {
            self.verdict(report, &status);
        } else if self.options.detail == Detail::Findings {
            self.root(report);
        }
        if self.options.is_verbose() {
            push!(self.text, common::next(report));
        }
    }

    pub(super) fn heading(&mut self) {
        let paint = Paint::new(self.options.colored);
        self.paint(paint.strong(), |text, name, line| {
            push!(text, "== ", name);
            if let Some(line) = line {
                push!(text, ":", line);
            }
        });
    }

    /// Writes a line in a style. `write` gets the name of the source, which is safe to print, and its
    /// line.
    fn paint(&mut self, style: Style, write: impl FnOnce(&mut Vec<u8>, &str, Option<usize>)) {
        let is_plain = style == Style::new();
        if !is_plain {
            push!(self.text, style.render().to_string());
        }
        write(self.text, &self.name, self.source.line);
        if !is_plain {
            push!(self.text, style.render_reset().to_string());
        }
        self.text.push(b'\n');
    }

    pub(super) fn tagged(&mut self, tag: Tag, write: impl FnOnce(&mut Vec<u8>)) {
        if !self.options.hides(tag) {
            self.mark(tag, write);
        }
    }

    pub(super) fn mark(&mut self, tag: Tag, write: impl FnOnce(&mut Vec<u8>)) {
        let (name, style) = tag.text_and_style();
        if self.options.colored {
            let (on, off) = (style.render().to_string(), style.render_reset().to_string());
            push!(self.text, on, name.trim_end(), off, " ");
        } else {
            push!(self.text, name);
        }
        write(self.text);
        self.text.push(b'\n');
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
                say!(
                    self,
                    Tag::Info,
                    "Skipping artifact validation (status=",
                    status,
                    ")"
                );
                if !self.options.hides(Tag::Info) {
                    push_line!(self.text, SKIPPED);
                }
            }
            StepOutcome::Skip(why) => {
                say!(self, Tag::Skip, step.title(), ": ", why.as_ref());
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
            say!(self, Tag::Info, "Artifact ", why, ": ", path);
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
                say!(self, Tag::Pass, what);
            }
            Step::Fields => {
                say!(self, Tag::Pass, "All required fields present");
            }
            Step::Status => {
                say!(self, Tag::Pass, "Status is valid: ", status);
            }
            Step::Session if report.session_id.is_some() => {
                say!(self, Tag::Pass, "Session ID matches");
            }
            Step::Session => say!(self, Tag::Pass, "Given values match"),
            Step::Summary => {
                let measured = report.measured;
                // No [PASS] line for a length outside the limit that only causes a warning.
                let Some((limit, length)) = measured.filter(|(it, length)| it.allows(*length))
                else {
                    return;
                };
                let what = Measured::as_str(limit.of);
                self.tagged(Tag::Pass, |line| {
                    push!(line, what, " length is valid: ");
                    limit.describe_in_pieces(length, |piece| push!(line, piece));
                });
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
        say!(self, Tag::Info, "Artifact count: ", count);
        for artifact in artifacts
            .iter()
            .filter(|it| matches!(it.state, ArtifactState::Ok | ArtifactState::Empty))
        {
            let path = truncated(&artifact.path);
            say!(self, Tag::Pass, "Artifact exists: ", path);
        }
        for artifact in artifacts.iter().filter(|it| it.state == ArtifactState::Ok) {
            let path = truncated(&artifact.path);
            let bytes = artifact.bytes.unwrap_or_default();
            say!(
                self,
                Tag::Pass,
                "Artifact is non-empty: ",
                path,
                " (",
                bytes,
                " bytes)"
            );
        }
        if validated {
            say!(self, Tag::Pass, artifacts.len(), " artifacts validated");
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
        say!(self, tag, finding.head());
        let is_verbose = self.options.is_verbose();
        if self.options.colored || self.options.excerpts.is_some() || self.options.hyperlinks {
            let mut below = Vec::new();
            common::push_below(&mut below, (&self.name, self.source), finding, is_verbose);
            self.decorated(finding, &String::from_utf8_lossy(&below));
        } else {
            common::push_below(self.text, (&self.name, self.source), finding, is_verbose);
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
        push!(self.text, before, excerpt.as_deref().unwrap_or_default());
        let rule = finding.rule.id;
        let link = self.options.rule_link(rule);
        // Only the first occurrence is linked. The reasons after it may name rules, too.
        push!(self.text, after.replacen(rule, &link, 1));
    }

    /// Names the folder in which a claimed file is missing.
    fn root(&mut self, report: &Report<'_>) {
        if let Some(root) = &report.root {
            push_line!(self.text, "Root: ", path(root));
        }
    }

    fn verdict(&mut self, report: &Report<'_>, status: &str) {
        if report.is_valid() {
            say!(self, Tag::Pass, "Return validation succeeded");
            if report.status.is_some() {
                push_line!(self.text, "Status: ", status);
            }
            if report.claims_success && *report.outcome(Step::Artifacts) == StepOutcome::Pass {
                let artifacts = report.artifacts.iter();
                let ok = artifacts.filter(|artifact| artifact.state == ArtifactState::Ok);
                push_line!(self.text, "Artifacts: ", ok.count(), " validated");
            }
            if report.warnings > 0 {
                push_line!(self.text, "Warnings: ", report.warnings);
            }
            return;
        }
        let paint = Paint::new(self.options.colored);
        self.paint(paint.mark(Level::Error), |text, _, _| {
            push!(text, "Error: Subagent return validation failed");
        });
        if let Some(agent) = common::named_subagent(report) {
            push_line!(self.text, "Subagent: ", truncated(agent));
        }
        let session = report.session.as_deref().map_or(full("unknown"), truncated);
        push_line!(self.text, "Session: ", session);
        self.root(report);
        let failures = CountPiece(report.failures, "failure");
        let warnings = CountPiece(report.warnings, "warning");
        push_line!(self.text, failures, ", ", warnings);
    }
}
