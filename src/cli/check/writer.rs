//! All outputs of a run.

use crate::format::{Reporter, RunSummary};
use crate::text::escape;

use crate::cli::check::grouping::Grouped;
use crate::cli::check::job_output::JobOutput;
use crate::cli::check::options::{OutputContent, OutputPlace, OutputSpec};
use crate::cli::check::plan::{CheckPlan, UnreadNotice};
use crate::cli::exit::Reported;
use crate::cli::output::{Closed, Sink};
use crate::cli::stderr;
use crate::cli::terminal::{self, Stream};

/// All outputs. If one fails or its reader has closed it, the others continue.
pub(super) struct OutputWriter<'b> {
    /// One output for each reporter. None if it has been closed.
    outputs: Vec<Option<OpenOutput<'b>>>,
    passed: Passed,
    pub(super) has_failed: bool,
    /// Whether the run has effects other than its outputs, so that it continues without them.
    has_purpose: bool,
    unread: UnreadNotice,
}

struct OpenOutput<'b> {
    sink: Sink,
    reporter: &'b dyn Reporter,
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
    pub(super) fn open(plan: &'b CheckPlan<'_>) -> anyhow::Result<Self> {
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
            let opened = open_output(spec, reporter.as_ref());
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
    pub(super) fn or_report<T>(&mut self, attempt: anyhow::Result<T>) -> Option<T> {
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

    pub(super) fn is_over(&self) -> bool {
        let mut open = self.outputs.iter().flatten();
        !self.has_purpose && !self.passed.is_open && open.all(|output| output.is_reason)
    }

    pub(super) fn write(&mut self, outcome: &mut JobOutput) -> anyhow::Result<()> {
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

    pub(super) fn finish(&mut self, plan: &CheckPlan<'_>, end: &RunSummary<'_>) {
        for output in std::mem::take(&mut self.outputs).into_iter().flatten() {
            let written = output.finish(plan, end);
            self.or_report(written);
        }
    }
}

fn open_output<'b>(
    spec: &OutputSpec,
    reporter: &'b dyn Reporter,
) -> anyhow::Result<OpenOutput<'b>> {
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
        let lines = escape::multiline(&String::from_utf8_lossy(lines)).to_string();
        Sink::Stdout.write(lines.as_bytes())
    }
}
