//! The results of jobs, and their collector: it writes their texts to the outputs, adds up their counts, and
//! determines the exit code.

use std::path::Path;

use anyhow::anyhow;

use crate::Report;
use crate::cli::check::CheckPlan;
use crate::cli::check::options::{OutputContent, OutputSpec};
use crate::cli::output::error_log::LogFile;
use crate::cli::output::terminal::ProgressLine;
use crate::cli::output::{self, Closed, Exit, OutputPlace, Reported, Sink, note, refuse_closed};
use crate::log::baseline::Baseline;
use crate::log::{self, Occurrence};
use crate::report::{Checked, Detail, Format, Reporter, RunSummary, Source, Totals};
use crate::text::escape;

/// The result of one job: bytes for each output, and counts.
///
/// When a part is collected, everything in it is taken, so no byte and no return is counted twice.
#[derive(Default)]
pub(super) struct JobOutput {
    texts: Vec<Vec<u8>>,
    /// Lines that the filter lets through.
    pub(super) passed: Vec<u8>,
    warnings: Vec<anyhow::Error>,
    records: Vec<String>,
    totals: Totals,
    /// What the baseline is to accept.
    found: Baseline,
}

/// A job's output is collected in parts of this many bytes: it can be many times as long as the input.
const PART: usize = 1024 * 1024;

impl JobOutput {
    pub(super) fn clear(&mut self, plan: &CheckPlan<'_>) {
        self.texts.resize_with(plan.reporters.len(), Vec::new);
        for bytes in self.texts.iter_mut().chain([&mut self.passed]) {
            bytes.clear();
            // What one hostile return has taken is given back.
            bytes.shrink_to(2 * PART);
        }
        self.records.clear();
        self.warnings.clear();
        self.totals = Totals::default();
    }

    /// Whether there is so much of it that it should be collected now.
    pub(super) fn is_part(&self) -> bool {
        let texts = self.texts.iter().map(Vec::len).sum::<usize>();
        let records = self.records.iter().map(String::len).sum::<usize>();
        texts + records + self.passed.len() >= PART
    }

    /// Adds a report without the findings that the baseline accepts. Returns whether the return is valid.
    pub(super) fn checked(
        &mut self,
        plan: &CheckPlan<'_>,
        (path, source): (&Path, &Source<'_>),
        returned: Option<&[u8]>,
        mut report: Report,
    ) -> bool {
        if let Some(baseline) = &plan.baseline {
            baseline.apply((path, source.line), &mut report, &mut self.found);
        }
        if plan.options.args.errors_json.is_some() && report.failures > 0 {
            let occurrence = Occurrence::now(*source, returned, None);
            self.records.push(log::record(&report, &occurrence));
        }
        self.add(plan, source, Checked::Report(&report));
        report.is_valid()
    }

    /// Adds a source that could not be checked. Returns None, which is what is known of its validity.
    pub(super) fn unread(
        &mut self,
        plan: &CheckPlan<'_>,
        source: &Source<'_>,
        error: anyhow::Error,
    ) -> Option<bool> {
        self.add(plan, source, Checked::Unreadable(&format!("{error:#}")));
        self.warnings.push(error);
        None
    }

    fn add(&mut self, plan: &CheckPlan<'_>, source: &Source<'_>, checked: Checked<'_>) {
        self.totals.add(checked);
        for (reporter, text) in plan.reporters.iter().zip(&mut self.texts) {
            let before = text.len();
            let between = if before == 0 { b"" } else { reporter.between() };
            // Of a byte or none, which a call would be dear for.
            for byte in between {
                text.push(*byte);
            }
            let start = text.len();
            reporter.report(source, checked, text);
            if text.len() == start {
                text.truncate(before);
            }
        }
    }
}

/// Writes results in order and adds up their counts.
pub(super) struct RunCollector<'p> {
    plan: &'p CheckPlan<'p>,
    /// One output for each reporter. None if it has been closed: the others continue.
    outputs: Vec<Option<OpenOutput<'p>>>,
    /// Whether lines that the filter lets through are written.
    passes: bool,
    /// Whether the last of these lines had no newline.
    lacks_line_feed: bool,
    error_log: Option<LogFile>,
    totals: Totals,
    found: Baseline,
    progress: ProgressLine,
    has_failed: bool,
}

impl<'p> RunCollector<'p> {
    pub(super) fn open(plan: &'p CheckPlan<'p>) -> anyhow::Result<Self> {
        let options = plan.options;
        let mut collector = Self {
            plan,
            outputs: Vec::new(),
            passes: options.args.filter.is_some(),
            lacks_line_feed: false,
            error_log: options.args.errors_json.as_deref().map(LogFile::new),
            totals: Totals::default(),
            found: Baseline::new(),
            progress: ProgressLine::new(),
            has_failed: false,
        };
        if collector.passes {
            collector.passes = collector.or_report(refuse_closed()).is_some();
        }
        for (spec, reporter) in options.outputs.iter().zip(&plan.reporters) {
            let opened = OpenOutput::new(spec, reporter);
            let output = collector.or_report(opened);
            collector.outputs.push(output);
        }
        if collector.has_failed && collector.is_over() {
            return Err(Reported.into());
        }
        Ok(collector)
    }

    /// Takes the result of one job, or a part of it.
    pub(super) fn take(&mut self, output: &mut JobOutput) {
        self.totals.merge(&output.totals);
        self.found.extend(std::mem::take(&mut output.found));
        if let Some(log) = &mut self.error_log {
            let added = log.add(&mut output.records);
            if self.or_report(added).is_none() {
                // What follows fails as well.
                self.error_log = None;
            }
        }
        self.progress.clear();
        // What says on standard error why returns are invalid says this, too.
        if !self.outputs.iter().flatten().any(|it| it.is_reason) {
            output.warnings.iter().for_each(output::error);
        }
        if self.passes {
            let written = self.pass(&output.passed);
            self.passes = self.or_report(written).is_some();
        }
        for index in 0..self.outputs.len() {
            if let Some(mut open) = self.outputs[index].take() {
                let written = open.write(&output.texts[index]).map(|()| open);
                self.outputs[index] = self.or_report(written);
            }
        }
        self.progress.advance(output.totals.returns);
        if self.is_over() {
            self.leave();
        }
    }

    /// Records that the run ended early because of an error. The returns checked so far are still
    /// reported.
    pub(super) fn fail(&mut self, error: &anyhow::Error) {
        output::error(error);
        self.has_failed = true;
    }

    /// Ends the reports.
    pub(super) fn finish(mut self) -> Exit {
        self.progress.clear();
        self.flush_log();
        let totals = self.totals;
        let end = RunSummary { totals: &totals, exit_code: self.exit() as u8 };
        for open in std::mem::take(&mut self.outputs).into_iter().flatten() {
            let written = open.finish(&end);
            self.or_report(written);
        }
        let is_quiet = self.plan.options.detail == Detail::Quiet;
        // A baseline is not updated, and its stale entries are not known, if the run ended early.
        if let Some(baseline) = self.plan.baseline.as_ref().filter(|_| !self.has_failed) {
            let finished = baseline.finish(&self.found);
            let lines = self.or_report(finished).unwrap_or_default();
            lines.iter().filter(|_| !is_quiet).for_each(|it| note(it));
        }
        if let Some(expected) = self.missed() {
            let found = totals.returns;
            let are = if found == 1 { "return was" } else { "returns were" };
            output::error(&anyhow!("{found} {are} found, and {expected} expected (--expect)"));
        }
        self.exit()
    }

    /// The exit code for the results so far.
    fn exit(&self) -> Exit {
        match self.totals {
            _ if self.has_failed => Exit::Unchecked,
            Totals { unchecked: 1.., .. } => Exit::Unchecked,
            totals if totals.refused() > 0 => self.if_invalid(),
            _ if self.missed().is_some() => self.if_invalid(),
            _ => Exit::Valid,
        }
    }

    fn if_invalid(&self) -> Exit {
        if self.plan.options.args.exit_zero { Exit::Valid } else { Exit::Invalid }
    }

    /// The number of returns that there must be, if there are more or fewer.
    fn missed(&self) -> Option<u64> {
        let expected = self.plan.options.args.expect;
        expected.filter(|expected| *expected != self.totals.returns as u64)
    }

    /// The value of an attempt to write. None if it failed, which ends only this output. The error is
    /// printed, unless the reader has closed the output.
    fn or_report<T>(&mut self, attempt: anyhow::Result<T>) -> Option<T> {
        match attempt {
            Ok(output) => Some(output),
            Err(error) if error.is::<Closed>() => None,
            Err(error) => {
                self.fail(&error);
                None
            }
        }
    }

    /// Whether nothing is left to write to, and the run has no other purpose.
    fn is_over(&self) -> bool {
        let mut open = self.outputs.iter().flatten();
        !self.plan.options.args.update_baseline
            && !self.passes
            && open.all(|output| output.is_reason)
    }

    /// Ends the process with the result so far. Another worker may be blocked on input that never comes.
    #[allow(clippy::exit, reason = "a thread that waits for input cannot be told to stop")]
    fn leave(&mut self) -> ! {
        self.flush_log();
        std::process::exit(self.exit() as i32)
    }

    fn flush_log(&mut self) {
        if let Some(log) = &mut self.error_log {
            let written = log.flush();
            self.or_report(written);
        }
    }

    /// Writes lines that the filter lets through.
    fn pass(&mut self, lines: &[u8]) -> anyhow::Result<()> {
        let Some(last) = lines.last() else {
            return Ok(());
        };
        if std::mem::replace(&mut self.lacks_line_feed, *last != b'\n') {
            Sink::Stdout.write(b"\n")?;
        }
        if !OutputPlace::Stdout.is_watched() {
            return Sink::Stdout.write(lines);
        }
        let lines = escape::multiline(&String::from_utf8_lossy(lines));
        Sink::Stdout.write(lines.as_bytes())
    }
}

struct OpenOutput<'p> {
    sink: Sink,
    reporter: &'p Reporter,
    is_empty: bool,
    /// Whether it only says why the others lack returns.
    is_reason: bool,
}

/// Whether it is a value for a script, which goes wrong without it.
fn is_value(content: &OutputContent) -> bool {
    use Format::{FailedReturn, Next, Return};
    matches!(
        content,
        OutputContent::Fields(_) | OutputContent::Format(Return | FailedReturn | Next)
    )
}

impl<'p> OpenOutput<'p> {
    fn new(spec: &OutputSpec, reporter: &'p Reporter) -> anyhow::Result<Self> {
        let mut sink = spec.place.open()?;
        if matches!(sink, Sink::Stdout) && is_value(&spec.content) {
            refuse_closed()?;
        }
        let mut text = Vec::new();
        reporter.begin(&mut text);
        sink.write(&text)?;
        Ok(Self {
            sink,
            reporter,
            is_empty: true,
            is_reason: spec.content == OutputContent::Reason,
        })
    }

    fn write(&mut self, text: &[u8]) -> anyhow::Result<()> {
        if text.is_empty() {
            return Ok(());
        }
        if !std::mem::replace(&mut self.is_empty, false) {
            self.sink.write(self.reporter.between())?;
        }
        self.sink.write(text)
    }

    fn finish(mut self, end: &RunSummary<'_>) -> anyhow::Result<()> {
        let mut text = Vec::new();
        self.reporter.finish(end, &mut text);
        self.sink.write(&text)?;
        self.sink.finish()
    }
}
