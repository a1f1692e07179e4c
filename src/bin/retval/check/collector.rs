//! What comes of the work: texts to their outputs, counts to totals, totals to the exit code.

use std::path::Path;

use retval::format::{End, Reporter, Statistics, Totals};

use super::args::CheckArgs;
use crate::check::baseline::Findings;
use crate::check::grouping::Grouped;
use crate::check::outputs::OutputSpec;
use crate::check::pool::Collect;
use crate::check::progress::Progress;
use crate::check::worker::{CheckPlan, JobOutput};
use crate::exit::{Exit, Reported};
use crate::output::error_log::LogFile;
use crate::output::{Closed, Sink};
use crate::stderr::{self, note};

/// Writes outcomes in order and adds up their counts.
pub(crate) struct Collector<'b> {
    writer: OutputWriter<'b>,
    error_log: Option<LogFile>,
    totals: Totals,
    statistics: Option<Statistics>,
    found: Findings,
    is_quiet: bool,
    progress: Progress,
}

impl<'b> Collector<'b> {
    pub(crate) fn open(
        options: &CheckArgs,
        plan: &'b CheckPlan<'_>,
        wanted: &[OutputSpec],
    ) -> anyhow::Result<Self> {
        Ok(Self {
            writer: OutputWriter::open(options, plan, wanted)?,
            error_log: options.errors_json.as_deref().map(LogFile::new),
            totals: Totals::default(),
            statistics: options
                .statistics
                .unwrap_or_default()
                .then(Statistics::default),
            found: Findings::new(),
            is_quiet: options.quiet.unwrap_or_default(),
            progress: Progress::new(!options.no_progress.unwrap_or_default()),
        })
    }

    /// Ends the process: nothing is left to write to, and another worker may be waiting for input
    /// that never comes.
    #[allow(
        clippy::exit,
        reason = "a thread that waits for input cannot be told to stop"
    )]
    fn leave(&mut self, error: &anyhow::Error) {
        if let Some(log) = &mut self.error_log {
            let written = log.flush();
            self.writer.survivor(written);
        }
        let is_closed = error.is::<Closed>() && !self.writer.has_failed;
        let exit = if is_closed {
            Exit::Valid
        } else {
            Exit::Unchecked
        };
        std::process::exit(exit as i32);
    }

    /// The inputs ended early; what was checked is still reported.
    pub(crate) fn fail(&mut self, error: &anyhow::Error) {
        stderr::error(error);
        self.writer.has_failed = true;
    }

    pub(crate) fn finish(mut self, plan: &CheckPlan<'_>) -> Exit {
        self.progress.finish();
        if let Some(log) = &mut self.error_log {
            let written = log.flush();
            self.writer.survivor(written);
        }
        let tables = self.statistics.as_ref().map(Statistics::tables);
        let end = End {
            totals: &self.totals,
            statistics: tables.as_ref(),
            exit_code: exit(&self.totals, self.writer.has_failed) as u8,
        };
        let is_heard = self.writer.finish(plan, &end);
        self.finish_known(plan);
        match exit(&self.totals, self.writer.has_failed) {
            Exit::Invalid if !is_heard => Exit::Valid,
            exit => exit,
        }
    }
}

impl Collector<'_> {
    /// A run that broke off has not seen all that there is.
    fn finish_known(&mut self, plan: &CheckPlan<'_>) {
        let Some(known) = plan.known.as_ref().filter(|_| !self.writer.has_failed) else {
            return;
        };
        let finished = known.finish(&self.found);
        let stale = self.writer.survivor(finished).unwrap_or_default();
        for line in stale.iter().filter(|_| !self.is_quiet) {
            note(line);
        }
    }
}

fn exit(totals: &Totals, has_failed: bool) -> Exit {
    match totals {
        _ if has_failed => Exit::Unchecked,
        Totals { unchecked: 1.., .. } => Exit::Unchecked,
        Totals { invalid: 1.., .. } => Exit::Invalid,
        _ => Exit::Valid,
    }
}

impl Collect for Collector<'_> {
    fn take(&mut self, outcome: &mut JobOutput) -> anyhow::Result<()> {
        self.totals.merge(&outcome.totals);
        if let Some(statistics) = &mut self.statistics {
            statistics.merge(&outcome.statistics);
        }
        self.found.append(&mut outcome.found);
        if let Some(log) = &mut self.error_log {
            let added = log.add(&mut outcome.records);
            self.writer.survivor(added);
        }
        self.progress.advance(outcome.totals.returns);
        let (progress, writer) = (&self.progress, &mut self.writer);
        let written = progress.aside(|| writer.write(outcome));
        if let Err(error) = &written {
            self.leave(error);
        }
        written
    }
}

/// Every output. One that fails, or that nobody reads any more, does not keep the others from
/// theirs.
struct OutputWriter<'b> {
    /// One for each reporter; none where it is over.
    outputs: Vec<Option<Output<'b>>>,
    passed: Passed,
    has_failed: bool,
    /// Whether the run has a purpose beside its outputs.
    has_purpose: bool,
}

struct Output<'b> {
    sink: Sink,
    reporter: &'b dyn Reporter,
    is_empty: bool,
    /// Where outcomes wait if the reporter groups them.
    grouped: Option<Grouped<'b>>,
}

/// The lines that the filter lets through.
struct Passed {
    is_open: bool,
    /// Whether the last one had no line feed.
    lacks_line_feed: bool,
}

impl<'b> OutputWriter<'b> {
    fn open(
        options: &CheckArgs,
        plan: &'b CheckPlan<'_>,
        wanted: &[OutputSpec],
    ) -> anyhow::Result<Self> {
        let passed = Passed {
            is_open: options.filter.is_some(),
            lacks_line_feed: false,
        };
        let mut writer = Self {
            outputs: Vec::new(),
            passed,
            has_failed: false,
            has_purpose: options.update_baseline.unwrap_or_default(),
        };
        for ((_, file), reporter) in wanted.iter().zip(&plan.reporters) {
            let opened = open_output(options, file.as_deref(), reporter.as_ref());
            let output = writer.survivor(opened);
            writer.outputs.push(output);
        }
        if writer.has_failed && writer.is_over() {
            return Err(Reported.into());
        }
        Ok(writer)
    }

    /// What is left of an attempt to write: a failure is told, and ends only what failed.
    fn survivor<T>(&mut self, attempt: anyhow::Result<T>) -> Option<T> {
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
        !self.has_purpose && !self.passed.is_open && self.outputs.iter().all(Option::is_none)
    }

    fn write(&mut self, outcome: &mut JobOutput) -> anyhow::Result<()> {
        outcome
            .complaints
            .drain(..)
            .for_each(|error| stderr::error(&error));
        if self.passed.is_open {
            let written = self.passed.write(&outcome.passed);
            self.passed.is_open = self.survivor(written).is_some();
        }
        for index in 0..outcome.texts.len() {
            if let Some(mut output) = self.outputs[index].take() {
                let written = output.write(outcome, index).map(|()| output);
                self.outputs[index] = self.survivor(written);
            }
        }
        match (self.is_over(), self.has_failed) {
            (false, _) => Ok(()),
            (true, true) => Err(Reported.into()),
            (true, false) => Err(Closed.into()),
        }
    }

    /// Whether anyone was there to the end.
    fn finish(&mut self, plan: &CheckPlan<'_>, end: &End<'_>) -> bool {
        let mut is_heard = self.passed.is_open;
        for output in std::mem::take(&mut self.outputs).into_iter().flatten() {
            let written = output.finish(plan, end);
            is_heard |= self.survivor(written).is_some();
        }
        is_heard
    }
}

fn open_output<'b>(
    options: &CheckArgs,
    file: Option<&Path>,
    reporter: &'b dyn Reporter,
) -> anyhow::Result<Output<'b>> {
    let mut sink = match file {
        Some(file) => Sink::to_file(file)?,
        // Standard output is for the lines that pass.
        None if options.filter.is_some() => Sink::Stderr,
        None => Sink::Stdout,
    };
    let mut text = Vec::new();
    reporter.begin(&mut text);
    sink.write(&text)?;
    Ok(Output {
        sink,
        reporter,
        is_empty: true,
        grouped: reporter.grouping().map(Grouped::new),
    })
}

impl Output<'_> {
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

    fn finish(mut self, plan: &CheckPlan<'_>, end: &End<'_>) -> anyhow::Result<()> {
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
        Sink::Stdout.write(lines)
    }
}
