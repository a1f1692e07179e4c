//! Output formats, and how one is chosen.
//!
//! [`Format::render`] writes one report. For many returns, a [`Reporter`] writes one outcome at a time.
//! A reporter keeps no state, so threads can share it.

mod accepted;
mod excerpt;
mod failed_return;
mod feedback;
mod items;
mod json;
mod junit;
mod options;
mod record_schema;
mod sarif;
#[cfg(test)]
mod tests;
mod text;

use std::fmt::{self, Display, Formatter};
use std::sync::Arc;

pub(crate) use failed_return::text as failed_return;
pub(crate) use feedback::{Audience, block as feedback, last_try};
pub(crate) use json::{Members, line, members};
pub use options::Source;
pub(crate) use options::{Detail, ReportOptions, RuleUrl};
pub(crate) use record_schema::{report_schema, spark_columns};

use crate::check::finding::Finding;
use crate::check::report::Report;
use crate::profile::{Action, Profile, RETURN};
use crate::text::{count, names};

/// The outcome for one source.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Checked<'r> {
    Report(&'r Report),
    /// It could not be read, for this reason (safe to print).
    Unreadable(&'r str),
}

/// How many returns had which outcome, and how many sources could not be checked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Totals {
    /// All outcomes: those of returns, and those of sources that could not be read.
    pub returns: usize,
    pub valid: usize,
    /// Invalid returns, also those that the baseline accepts.
    pub invalid: usize,
    /// Sources that could not be read: a file, a folder without returns, a list.
    pub unchecked: usize,
    pub warnings: usize,
    /// Invalid returns that the baseline accepts.
    pub accepted: usize,
}

impl Totals {
    /// How many returns are invalid and not accepted.
    pub(crate) fn refused(&self) -> usize {
        self.invalid - self.accepted
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        self.returns += other.returns;
        self.valid += other.valid;
        self.invalid += other.invalid;
        self.unchecked += other.unchecked;
        self.warnings += other.warnings;
        self.accepted += other.accepted;
    }

    pub(crate) fn add(&mut self, checked: Checked<'_>) {
        self.returns += 1;
        match checked {
            Checked::Report(report) => {
                self.valid += usize::from(report.is_valid());
                self.invalid += usize::from(!report.is_valid());
                self.warnings += report.warnings;
                self.accepted += usize::from(report.is_accepted());
            }
            Checked::Unreadable(_) => self.unchecked += 1,
        }
    }
}

/// The line for the end of a report.
impl Display for Totals {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let (valid, invalid) = (self.valid, self.refused());
        let returns = count(valid + self.invalid, "return");
        write!(out, "{returns}: {valid} valid, {invalid} invalid")?;
        if self.accepted > 0 {
            write!(out, ", {} in the baseline", self.accepted)?;
        }
        write!(out, " ({})", count(self.warnings, "warning"))?;
        // It is unknown how many returns are in a source that could not be read.
        if self.unchecked > 0 {
            write!(out, "; {} not checked", count(self.unchecked, "source"))?;
        }
        Ok(())
    }
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct RunSummary<'e> {
    pub totals: &'e Totals,
    /// The exit code as far as it is known: 0, 1 or 2.
    pub exit_code: u8,
}

/// The custom profiles that reports may name.
pub(crate) type Profiles = Vec<Arc<Profile>>;

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
    /// A reporter of this format. `profiles` are the custom ones.
    pub(crate) fn reporter(self, options: &ReportOptions, profiles: &Profiles) -> Reporter {
        Reporter {
            format: self,
            places: None,
            options: options.clone(),
            profiles: profiles.clone(),
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
    pub fn render<'s>(self, report: &Report, source: impl Into<Source<'s>>) -> String {
        let (source, checked) = (source.into(), Checked::Report(report));
        let mut totals = Totals::default();
        totals.add(checked);
        let reporter = self.reporter(&ReportOptions::default(), &Profiles::default());
        let mut out = Vec::new();
        reporter.begin(&mut out);
        reporter.report(&source, checked, &mut out);
        let end = RunSummary { totals: &totals, exit_code: u8::from(!report.is_valid()) };
        reporter.finish(&end, &mut out);
        String::from_utf8_lossy(&out).into_owned()
    }
}

/// Writes the outcomes of checks in one format.
#[derive(Debug)]
pub(crate) struct Reporter {
    format: Format,
    /// The fields of valid returns that are written, instead of whole returns.
    places: Option<Vec<String>>,
    options: ReportOptions,
    profiles: Profiles,
}

impl Reporter {
    /// A reporter of fields of valid returns: their names, or JSON Pointers.
    pub(crate) fn of_fields(
        places: Vec<String>,
        options: &ReportOptions,
        profiles: &Profiles,
    ) -> Self {
        Self { places: Some(places), ..Format::Return.reporter(options, profiles) }
    }

    fn profile_of(&self, report: &Report) -> &Profile {
        let custom = self.profiles.iter().map(AsRef::as_ref);
        let mut known = custom.chain(Profile::named(&report.profile));
        known.find(|it| it.id == report.profile).unwrap_or(&RETURN)
    }

    pub(crate) fn begin(&self, out: &mut Vec<u8>) {
        match self.format {
            Format::Json => json::begin(out),
            Format::Sarif => sarif::begin(self.options.rule_url.as_ref(), out),
            Format::Junit => junit::begin(out),
            _ => {}
        }
    }

    pub(crate) fn report(&self, source: &Source<'_>, checked: Checked<'_>, out: &mut Vec<u8>) {
        let options = &self.options;
        match (self.format, checked) {
            (Format::Text, _) => options.text(source, checked, out),
            (Format::Concise, _) => options.concise(source, checked, out),
            (Format::Json, _) => json::record(source, checked, out),
            (Format::Jsonl, _) => {
                json::record(source, checked, out);
                out.push(b'\n');
            }
            (Format::Github, _) => options.github(source, checked, out),
            (Format::Sarif, _) => sarif::report(source, checked, out),
            (Format::Junit, _) => junit::report(source, checked, out),
            (Format::Markdown, _) => options.markdown(source, checked, out),
            (Format::Next, _) => {
                let action = match checked {
                    Checked::Report(report) if report.is_accepted() => return,
                    Checked::Report(report) => report.next().action,
                    Checked::Unreadable(_) => Action::Stop,
                };
                out.extend_from_slice(action.as_str().as_bytes());
                out.push(b'\n');
            }
            (Format::Return, Checked::Report(report)) if report.is_valid() => {
                let (places, profile) = (self.places.as_deref(), self.profile_of(report));
                accepted::report(places, profile, report, options.raw, out);
            }
            (Format::Feedback, Checked::Report(report)) if report.failures > 0 => {
                let profile = self.profile_of(report);
                let block = feedback::block(report, profile, Audience::Subagent);
                out.extend_from_slice(block.as_bytes());
            }
            (Format::FailedReturn, Checked::Report(report)) if report.failures > 0 => {
                out.extend_from_slice(failed_return::text(report).as_bytes());
                out.push(b'\n');
            }
            (Format::Return | Format::Feedback | Format::FailedReturn, _) => {}
        }
    }

    /// The text between two outcomes that both wrote something.
    pub(crate) fn between(&self) -> &'static [u8] {
        match self.format {
            Format::Text | Format::Feedback => b"\n",
            Format::Json | Format::Sarif => b",\n",
            _ => b"",
        }
    }

    pub(crate) fn finish(&self, end: &RunSummary<'_>, out: &mut Vec<u8>) {
        let (options, totals) = (&self.options, end.totals);
        let line = match self.format {
            Format::Text if options.many && options.shows_any(totals) => format!("\n{totals}\n"),
            Format::Text | Format::Concise if options.many => format!("{totals}\n"),
            // GitHub shows only the first annotations of a step, so the totals are a plain line.
            Format::Github if options.detail > Detail::Quiet => format!("{totals}\n"),
            Format::Markdown => format!("**{totals}**\n"),
            Format::Json => return json::finish(totals, out),
            Format::Sarif => return sarif::finish(end, out),
            Format::Junit => return junit::finish(out),
            _ => return,
        };
        out.extend_from_slice(line.as_bytes());
    }
}

/// Returns a line about the findings that are not shown, or None if all are shown.
fn omitted(report: &Report) -> Option<String> {
    let omitted = report.findings_omitted();
    let are = if omitted == 1 { "finding is" } else { "findings are" };
    (omitted > 0).then(|| format!("{omitted} more {are} not shown"))
}

/// One line, safe to print: `LINE:COLUMN: LEVEL[RULE] MESSAGE`.
impl Display for Finding {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let (line, column) = (self.position.line, self.position.column);
        let (level, message, rule) = (self.level.as_str(), self.message(), self.rule.id);
        write!(out, "{line}:{column}: {level}[{rule}] {message}")
    }
}

/// A line for each finding and one for the result, safe to print, without a final line feed.
impl Display for Report {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        for finding in &self.findings {
            writeln!(out, "{finding}")?;
        }
        if let Some(omitted) = omitted(self) {
            writeln!(out, "{omitted}")?;
        }
        let valid = if self.is_valid() { "valid" } else { "invalid" };
        let failures = count(self.failures, "failure");
        let warnings = count(self.warnings, "warning");
        write!(out, "Return is {valid}: {failures}, {warnings}")
    }
}
