//! Collects the results of jobs: writes their texts to the outputs, adds up their counts, and determines
//! the exit code.

use crate::format::{Detail, Reporter, RunSummary, Totals};
use crate::log::baseline::FoundCounts;
use crate::text::escape;
use anyhow::anyhow;

use crate::cli::check::options::{OutputContent, OutputPlace, OutputSpec};
use crate::cli::check::plan::{CheckPlan, UnreadNotice};
use crate::cli::check::pool::Collect;
use crate::cli::check::results::{Grouped, JobOutput};
use crate::cli::exit::{Exit, Reported};
use crate::cli::output::error_log::LogFile;
use crate::cli::output::progress::{ProgressLine, ProgressUnit};
use crate::cli::output::{Closed, Sink};
use crate::cli::stderr::{self, note};
use crate::cli::terminal::{self, Stream};

/// Writes outcomes in order and adds up their counts.
pub(crate) struct RunCollector<'b> {
    writer: OutputWriter<'b>,
    error_log: Option<LogFile>,
    totals: Totals,
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
        self.progress.clear();
        if let Some(log) = &mut self.error_log {
            let written = log.flush();
            self.writer.or_report(written);
        }
        let exit_code = self.exit() as u8;
        let end = RunSummary {
            totals: &self.totals,
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
        self.found.append(&mut outcome.found);
        if let Some(log) = &mut self.error_log {
            let added = log.add(&mut outcome.records);
            self.writer.or_report(added);
        }
        self.progress.clear();
        let written = self.writer.write(outcome);
        self.progress.advance(outcome.totals.returns);
        if written.is_err() {
            self.leave();
        }
        written
    }
}

/// All outputs. If one fails or its reader has closed it, the others continue.
struct OutputWriter<'b> {
    /// One output for each reporter. None if it has been closed.
    outputs: Vec<Option<OpenOutput<'b>>>,
    passed: Passed,
    has_failed: bool,
    /// Whether the run has effects other than its outputs, so that it continues without them.
    has_purpose: bool,
    unread: UnreadNotice,
}

struct OpenOutput<'b> {
    sink: Sink,
    reporter: &'b Reporter,
    is_empty: bool,
    /// Whether it only says why the others lack returns.
    is_reason: bool,
    /// The outcomes that are kept back, if the reporter groups them.
    grouped: Option<Grouped<'b>>,
}

struct Passed {
    is_open: bool,
    /// Whether the last line had no newline.
    lacks_line_feed: bool,
}

impl<'b> OutputWriter<'b> {
    fn open(plan: &'b CheckPlan<'_>) -> anyhow::Result<Self> {
        let options = plan.options;
        let passed = Passed {
            is_open: options.filter.is_some(),
            lacks_line_feed: false,
        };
        let mut writer = Self {
            outputs: Vec::new(),
            passed,
            has_failed: false,
            has_purpose: (options.baseline.as_ref()).is_some_and(|it| it.is_updated),
            unread: plan.unread,
        };
        for (spec, reporter) in options.outputs.iter().zip(&plan.reporters) {
            let opened = open_output(spec, reporter);
            let output = writer.or_report(opened);
            writer.outputs.push(output);
        }
        if writer.has_failed && writer.is_over() {
            return Err(Reported.into());
        }
        Ok(writer)
    }

    /// The value of an attempt to write. None if it failed, which ends only this output. The error is
    /// printed, unless the reader has closed the output.
    fn or_report<T>(&mut self, attempt: anyhow::Result<T>) -> Option<T> {
        match attempt {
            Ok(output) => Some(output),
            Err(error) if error.is::<Closed>() => None,
            Err(error) => {
                stderr::error(&error);
                self.has_failed = true;
                None
            }
        }
    }

    fn is_over(&self) -> bool {
        let mut open = self.outputs.iter().flatten();
        !self.has_purpose && !self.passed.is_open && open.all(|output| output.is_reason)
    }

    fn write(&mut self, outcome: &mut JobOutput) -> anyhow::Result<()> {
        let warnings = outcome
            .warnings
            .drain(..)
            .filter(|_| self.unread == UnreadNotice::Stderr);
        warnings.for_each(|error| stderr::error(&error));
        if self.passed.is_open {
            let written = self.passed.write(&outcome.passed);
            self.passed.is_open = self.or_report(written).is_some();
        }
        for index in 0..outcome.texts.len() {
            if let Some(mut output) = self.outputs[index].take() {
                let written = output.write(outcome, index).map(|()| output);
                self.outputs[index] = self.or_report(written);
            }
        }
        match (self.is_over(), self.has_failed) {
            (false, _) => Ok(()),
            (true, true) => Err(Reported.into()),
            (true, false) => Err(Closed.into()),
        }
    }

    fn finish(&mut self, plan: &CheckPlan<'_>, end: &RunSummary<'_>) {
        for output in std::mem::take(&mut self.outputs).into_iter().flatten() {
            let written = output.finish(plan, end);
            self.or_report(written);
        }
    }
}

fn open_output<'b>(spec: &OutputSpec, reporter: &'b Reporter) -> anyhow::Result<OpenOutput<'b>> {
    let mut sink = match &spec.place {
        OutputPlace::File(file) => Sink::to_file(file)?,
        OutputPlace::Stderr => Sink::Stderr,
        OutputPlace::Stdout => Sink::Stdout,
    };
    let mut text = Vec::new();
    reporter.begin(&mut text);
    sink.write(&text)?;
    Ok(OpenOutput {
        sink,
        reporter,
        is_empty: true,
        is_reason: spec.content == OutputContent::Reason,
        grouped: reporter.is_grouped().then(|| Grouped::new(reporter)),
    })
}

impl OpenOutput<'_> {
    fn write(&mut self, outcome: &JobOutput, index: usize) -> anyhow::Result<()> {
        let text = &outcome.texts[index];
        if let Some(grouped) = &mut self.grouped {
            return grouped.add(&outcome.groups, (text, index), &mut self.sink);
        }
        if text.is_empty() {
            return Ok(());
        }
        if !std::mem::replace(&mut self.is_empty, false) {
            self.sink.write(self.reporter.between())?;
        }
        self.sink.write(text)
    }

    fn finish(mut self, plan: &CheckPlan<'_>, end: &RunSummary<'_>) -> anyhow::Result<()> {
        if let Some(grouped) = &mut self.grouped {
            grouped.finish(&mut self.sink)?;
        }
        let mut text = Vec::new();
        self.reporter.finish(end, &mut text);
        self.sink.write(&text)?;
        self.sink.finish(plan.targets)
    }
}

impl Passed {
    fn write(&mut self, lines: &[u8]) -> anyhow::Result<()> {
        let Some(last) = lines.last() else {
            return Ok(());
        };
        if std::mem::replace(&mut self.lacks_line_feed, *last != b'\n') {
            Sink::Stdout.write(b"\n")?;
        }
        if !terminal::is_watched(Stream::Stdout) {
            return Sink::Stdout.write(lines);
        }
        let lines = escape::multiline(&String::from_utf8_lossy(lines));
        Sink::Stdout.write(lines.as_bytes())
    }
}
