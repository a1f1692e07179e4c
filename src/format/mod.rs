//! Output formats: one file each.
//!
//! [`Format::render`] writes one report. For many returns, a [`Reporter`] writes one outcome at a time.
//! A reporter keeps no state, so threads can share it.

mod accepted;
mod common;
mod concise;
mod excerpt;
mod failed_return;
mod feedback;
mod github;
mod json;
mod junit;
mod markdown;
mod next;
mod options;
mod sarif;
mod text;

use std::sync::Arc;

use serde::Serialize;

pub use common::Source;
pub(crate) use failed_return::text as failed_return;
pub(crate) use feedback::{Audience, block as feedback};
pub(crate) use json::{COUNTS, Ended, VERSION};
pub(crate) use options::{Detail, InvalidRuleUrl, ReportOptions, RuleUrl};

use crate::check::report::Report;
use crate::profile::{Profile, RETURN};
use crate::text::names;
use accepted::AcceptedReturn;
pub(crate) use accepted::fields;
use concise::Concise;
use failed_return::FailedReturn;
use feedback::Feedback;
use github::Github;
use json::{Json, Jsonl};
use junit::Junit;
use markdown::Markdown;
use next::NextWord;
use sarif::Sarif;

/// The outcome for one source.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Checked<'r> {
    /// It was checked.
    Report(&'r Report<'r>),
    /// It could not be read, for this reason (safe to print).
    Unreadable(&'r str),
}

/// How many returns had which outcome, and how many sources could not be checked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Totals {
    /// All outcomes: those of returns, and those of sources that could not be read.
    pub returns: usize,
    /// Valid returns.
    pub valid: usize,
    /// Invalid returns.
    pub invalid: usize,
    /// Sources that could not be read: a file, a folder without returns, a list.
    pub unchecked: usize,
    /// Warnings in all returns.
    pub warnings: usize,
    /// Findings that the baseline accepts.
    #[serde(skip_serializing_if = "json::is_zero")]
    pub accepted: usize,
}

impl Totals {
    /// Adds other totals.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.returns += other.returns;
        self.valid += other.valid;
        self.invalid += other.invalid;
        self.unchecked += other.unchecked;
        self.warnings += other.warnings;
        self.accepted += other.accepted;
    }

    /// Adds one outcome.
    pub(crate) fn add(&mut self, checked: Checked<'_>) {
        self.returns += 1;
        match checked {
            Checked::Report(report) => {
                self.valid += usize::from(report.is_valid());
                self.invalid += usize::from(!report.is_valid());
                self.warnings += report.warnings;
                self.accepted += report.accepted;
            }
            Checked::Unreadable(_) => self.unchecked += 1,
        }
    }
}

/// What a whole run found, for the end of a report.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RunSummary<'e> {
    /// The totals of all returns.
    pub totals: &'e Totals,
    /// The exit code as far as it is known: 0, 1 or 2.
    pub exit_code: u8,
}

/// Writes the outcomes of checks in one format.
pub(crate) trait Reporter: Send + Sync {
    /// Writes what comes before the first outcome.
    fn begin(&self, _out: &mut Vec<u8>) {}

    /// Writes one outcome, or nothing.
    fn report(&self, source: &Source<'_>, checked: Checked<'_>, out: &mut Vec<u8>);

    /// Returns the text to write between two outcomes. It is written only if both outcomes wrote
    /// something.
    fn between(&self) -> &'static [u8] {
        b""
    }

    /// Writes what comes after the last outcome.
    fn finish(&self, _end: &RunSummary<'_>, _out: &mut Vec<u8>) {}

    /// Whether the format groups returns by source. Then nothing [separates](Self::between) outcomes,
    /// and the outcomes of a source are enclosed by [`open`](Self::open) and [`close`](Self::close).
    fn is_grouped(&self) -> bool {
        false
    }

    /// Writes what comes before the outcomes of a source. `totals` are the totals of this source.
    fn open(&self, _source: &str, _totals: &Totals, _out: &mut Vec<u8>) {}

    /// Writes what comes after the outcomes of a source.
    fn close(&self, _out: &mut Vec<u8>) {}
}

/// The custom profiles that reports may name.
#[derive(Debug, Clone, Default)]
pub(crate) struct Profiles(Vec<Arc<Profile>>);

impl FromIterator<Arc<Profile>> for Profiles {
    fn from_iter<I: IntoIterator<Item = Arc<Profile>>>(custom: I) -> Self {
        Self(custom.into_iter().collect())
    }
}

impl Profiles {
    /// Returns the profile that a return was checked against.
    fn of(&self, report: &Report<'_>) -> &Profile {
        let custom = self.0.iter().find(|custom| custom.id == report.profile);
        custom
            .map(AsRef::as_ref)
            .or_else(|| Profile::named(&report.profile))
            .unwrap_or(&RETURN)
    }
}

names! {
    /// An output format.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum Format: "format" {
        /// Lines for people and for scripts that grep.
        Text = "text",
        /// One line for each finding.
        Concise = "concise",
        /// One document.
        Json = "json",
        /// One record a line.
        Jsonl = "jsonl",
        /// Annotations of a GitHub workflow.
        Github = "github",
        /// SARIF 2.1.0, for code scanning.
        Sarif = "sarif",
        /// `JUnit` XML, for the test reports of CI servers.
        Junit = "junit",
        /// Markdown, for the summary of a CI job.
        Markdown = "markdown",
        /// Instructions for the model that must return again.
        Feedback = "feedback",
        /// What the orchestrator should do, in one word for each return.
        Next = "next",
        /// The return itself, if it is valid.
        Return = "return",
        /// The result of the check as a failed return.
        FailedReturn = "failed-return",
    }
}

impl Format {
    /// Returns a reporter of this format. `options` configures the formats for people, the detail of
    /// annotations and the addresses of rules; `profiles` are the custom profiles.
    pub(crate) fn reporter(
        self,
        options: &ReportOptions,
        profiles: &Profiles,
    ) -> Box<dyn Reporter> {
        match self {
            Self::Text => Box::new(options.clone()),
            Self::Concise => Box::new(Concise(options.clone())),
            Self::Json => Box::new(Json),
            Self::Jsonl => Box::new(Jsonl),
            Self::Github => Box::new(Github {
                detail: options.detail,
            }),
            Self::Sarif => Box::new(Sarif {
                rule_url: options.rule_url.clone(),
            }),
            Self::Junit => Box::new(Junit),
            Self::Markdown => Box::new(Markdown {
                detail: options.detail,
                rule_url: options.rule_url.clone(),
            }),
            Self::Feedback => Box::new(Feedback {
                profiles: profiles.clone(),
            }),
            Self::Next => Box::new(NextWord),
            Self::Return => Box::new(AcceptedReturn {
                is_raw: options.raw,
            }),
            Self::FailedReturn => Box::new(FailedReturn),
        }
    }

    /// Returns one report as a complete document of this format, without colour.
    ///
    /// `source` names the return in the document: a file's path, or `-` for standard input.
    /// [`FailedReturn`](Self::FailedReturn) and [`Feedback`](Self::Feedback) write nothing for a valid
    /// return, [`Return`](Self::Return) nothing for an invalid one.
    ///
    /// ```
    /// use retval::Format;
    ///
    /// let root = retval::Root::open("fixtures")?;
    /// let report = retval::Checker::new(&retval::RETURN, &root).check("Done.");
    /// let annotation = Format::Github.render(&report, "return.json");
    /// assert!(annotation.starts_with("::error file=return.json,line=1,col=1,"));
    /// # Ok::<(), retval::RootError>(())
    /// ```
    #[must_use]
    pub fn render<'s>(self, report: &Report<'_>, source: impl Into<Source<'s>>) -> String {
        let source = source.into();
        let checked = Checked::Report(report);
        let mut totals = Totals::default();
        totals.add(checked);
        let reporter = self.reporter(&ReportOptions::default(), &Profiles::default());
        let mut out = Vec::new();
        reporter.begin(&mut out);
        reporter.open(source.name, &totals, &mut out);
        reporter.report(&source, checked, &mut out);
        reporter.close(&mut out);
        let exit_code = u8::from(!report.is_valid());
        let end = RunSummary {
            totals: &totals,
            exit_code,
        };
        reporter.finish(&end, &mut out);
        String::from_utf8_lossy(&out).into_owned()
    }
}
