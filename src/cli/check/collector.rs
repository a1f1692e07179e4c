//! Collects the results of jobs: writes their texts to the outputs, adds up their counts, and determines
//! the exit code.

use anyhow::anyhow;
use crate::baseline::FoundCounts;
use crate::format::{Detail, RunSummary, Statistics, Totals};

use crate::cli::check::job_output::JobOutput;
use crate::cli::check::plan::CheckPlan;
use crate::cli::check::pool::Collect;
use crate::cli::check::writer::OutputWriter;
use crate::cli::exit::Exit;
use crate::cli::output::error_log::LogFile;
use crate::cli::output::progress::{ProgressLine, ProgressUnit};
use crate::cli::stderr::{self, note};

/// Writes outcomes in order and adds up their counts.
pub(crate) struct RunCollector<'b> {
    writer: OutputWriter<'b>,
    error_log: Option<LogFile>,
    totals: Totals,
    statistics: Option<Statistics>,
    found: FoundCounts,
    is_quiet: bool,
    /// The number of returns that there must be.
    expected: Option<u64>,
    exit_if_invalid: Exit,
    progress: ProgressLine,
}

impl<'b> RunCollector<'b> {
    pub(crate) fn open(plan: &'b CheckPlan<'_>) -> anyhow::Result<Self> {
        let options = plan.options;
        Ok(Self {
            writer: OutputWriter::open(plan)?,
            error_log: options.errors_json.as_deref().map(LogFile::new),
            totals: Totals::default(),
            statistics: options.statistics.then(Statistics::default),
            found: FoundCounts::new(),
            is_quiet: options.detail == Detail::Quiet,
            expected: options.expected,
            exit_if_invalid: options.exit_if_invalid,
            progress: ProgressLine::new(ProgressUnit::Returns),
        })
    }

    /// Ends the process with the result so far, because no output is left to write to. Another worker
    /// may be blocked on input that never comes.
    #[allow(
        clippy::exit,
        reason = "a thread that waits for input cannot be told to stop"
    )]
    fn leave(&mut self) {
        if let Some(log) = &mut self.error_log {
            let written = log.flush();
            self.writer.or_report(written);
        }
        std::process::exit(self.exit() as i32);
    }

    /// Records that the inputs ended early because of an error. The returns checked so far are still
    /// reported.
    pub(crate) fn fail(&mut self, error: &anyhow::Error) {
        stderr::error(error);
        self.writer.has_failed = true;
    }

    pub(crate) fn finish(mut self, plan: &CheckPlan<'_>) -> Exit {
        self.progress.finish();
        if let Some(log) = &mut self.error_log {
            let written = log.flush();
            self.writer.or_report(written);
        }
        let tables = self.statistics.as_ref().map(Statistics::tables);
        let exit_code = self.exit() as u8;
        let end = RunSummary {
            totals: &self.totals,
            statistics: tables.as_ref(),
            exit_code,
        };
        self.writer.finish(plan, &end);
        self.finish_baseline(plan);
        if let Some(expected) = self.expected.filter(|_| self.is_other_number()) {
            let found = self.totals.returns;
            let are = if found == 1 {
                "return was"
            } else {
                "returns were"
            };
            stderr::error(&anyhow!(
                "{found} {are} found, and {expected} expected (--expect)"
            ));
        }
        self.exit()
    }
}

impl RunCollector<'_> {
    /// The exit code for the results so far.
    fn exit(&self) -> Exit {
        match self.totals {
            _ if self.writer.has_failed => Exit::Unchecked,
            Totals { unchecked: 1.., .. } => Exit::Unchecked,
            Totals { invalid: 1.., .. } => self.exit_if_invalid,
            _ if self.is_other_number() => self.exit_if_invalid,
            _ => Exit::Valid,
        }
    }

    /// Whether there are more or fewer returns than there must be.
    fn is_other_number(&self) -> bool {
        let mut expected = self.expected.into_iter();
        expected.any(|expected| expected != self.totals.returns as u64)
    }

    /// Updates the baseline, or reports its stale entries, unless the run ended early.
    fn finish_baseline(&mut self, plan: &CheckPlan<'_>) {
        let Some(baseline) = plan.baseline.as_ref().filter(|_| !self.writer.has_failed) else {
            return;
        };
        let finished = baseline.finish(&self.found);
        let stale = self.writer.or_report(finished).unwrap_or_default();
        for line in stale.iter().filter(|_| !self.is_quiet) {
            note(line);
        }
    }
}

impl Collect for RunCollector<'_> {
    fn take(&mut self, outcome: &mut JobOutput) -> anyhow::Result<()> {
        self.totals.merge(&outcome.totals);
        if let (Some(statistics), Some(of_job)) = (&mut self.statistics, &outcome.statistics) {
            statistics.merge(of_job);
        }
        self.found.append(&mut outcome.found);
        if let Some(log) = &mut self.error_log {
            let added = log.add(&mut outcome.records);
            self.writer.or_report(added);
        }
        self.progress.advance(outcome.totals.returns);
        let (progress, writer) = (&self.progress, &mut self.writer);
        let written = progress.aside(|| writer.write(outcome));
        if written.is_err() {
            self.leave();
        }
        written
    }
}
