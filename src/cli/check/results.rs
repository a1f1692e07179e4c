//! The result of one job, and the results of each source together, for formats that print the counts of a source
//! before its returns.

use std::io::{self, Read as _, Seek as _, Write as _};
use std::path::Path;

use crate::Report;
use crate::format::{Checked, Reporter, Source, Totals};
use crate::log::baseline::FoundCounts;
use crate::text::escape;
use anyhow::Context as _;
use tempfile::SpooledTempFile;

use crate::cli::check::plan::CheckPlan;
use crate::cli::output::Sink;

/// The result of one job: bytes for each output, and counts.
///
/// When a part is flushed, everything in it is taken, so no byte and no return is counted twice.
#[derive(Default)]
pub(crate) struct JobOutput {
    pub(crate) texts: Vec<Vec<u8>>,
    /// Which part of the texts is about which source; only if a reporter groups.
    pub(crate) groups: Vec<SourceGroup>,
    /// Lines that the filter lets through.
    pub(crate) passed: Vec<u8>,
    pub(crate) warnings: Vec<anyhow::Error>,
    pub(crate) records: Vec<String>,
    pub(crate) totals: Totals,
    /// What the baseline is to accept.
    pub(crate) found: FoundCounts,
}

/// A job's output is flushed in parts of this many bytes: it can be many times as long as the input.
const PART: usize = 1024 * 1024;

/// Takes a part of a job's output. Returns false if the run is over.
pub(crate) type Flush<'h> = dyn FnMut(&mut JobOutput) -> bool + 'h;

impl JobOutput {
    pub(super) fn clear(&mut self, plan: &CheckPlan<'_>) {
        self.texts.resize_with(plan.reporters.len(), Vec::new);
        for bytes in self.texts.iter_mut().chain([&mut self.passed]) {
            bytes.clear();
            // What one hostile return has taken is given back.
            bytes.shrink_to(2 * PART);
        }
        self.groups.clear();
        self.records.clear();
        self.warnings.clear();
        self.totals = Totals::default();
    }

    pub(super) fn flush_part(&mut self, plan: &CheckPlan<'_>, flush: &mut Flush<'_>) -> bool {
        if self.bytes() < PART {
            return true;
        }
        let goes_on = flush(self);
        self.clear(plan);
        goes_on
    }

    fn bytes(&self) -> usize {
        let texts = self.texts.iter().map(Vec::len).sum::<usize>();
        let records = self.records.iter().map(String::len).sum::<usize>();
        texts + records + self.passed.len()
    }

    /// Adds a report without the findings that the baseline accepts.
    pub(super) fn checked(
        &mut self,
        plan: &CheckPlan<'_>,
        (path, source): (&Path, &Source<'_>),
        returned: Option<&[u8]>,
        report: &mut Report<'_>,
    ) {
        if let Some(baseline) = &plan.baseline {
            baseline.apply((path, source.line), report, &mut self.found);
        }
        if let Some(recorder) = plan.recorder.as_ref().filter(|_| !report.is_valid()) {
            self.records.push(recorder.record(report, source, returned));
        }
        self.add(plan, source, Checked::Report(report));
    }

    /// Adds a source that could not be checked. Returns None, which is what is known of its validity.
    pub(super) fn unread(
        &mut self,
        plan: &CheckPlan<'_>,
        source: &Source<'_>,
        error: anyhow::Error,
    ) -> Option<bool> {
        let said = format!("{error:#}");
        self.add(plan, source, Checked::Unreadable(&said));
        self.warnings.push(error);
        None
    }

    pub(super) fn add(&mut self, plan: &CheckPlan<'_>, source: &Source<'_>, checked: Checked<'_>) {
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
        if plan.groups {
            self.group(source, checked);
        }
    }

    fn group(&mut self, source: &Source<'_>, checked: Checked<'_>) {
        if self
            .groups
            .last()
            .is_none_or(|last| last.source != source.name)
        {
            self.groups.push(SourceGroup {
                source: source.name.to_owned(),
                totals: Totals::default(),
                ends: Vec::new(),
            });
        }
        if let Some(last) = self.groups.last_mut() {
            last.totals.add(checked);
            last.ends.clear();
            last.ends.extend(self.texts.iter().map(Vec::len));
        }
    }
}

/// The most bytes of a source's outcomes that are kept in memory, and that are written at a time. A stream can
/// be larger than memory: the rest is in a temporary file.
const KEPT: usize = 64 * 1024;

/// Consecutive outcomes of one source.
pub(crate) struct SourceGroup {
    pub(crate) source: String,
    pub(crate) totals: Totals,
    /// The end of these outcomes in the text of each reporter, in bytes.
    pub(crate) ends: Vec<usize>,
}

/// An output whose reporter groups outcomes by source.
pub(crate) struct Grouped<'g> {
    reporter: &'g Reporter,
    /// The current source, and the counts of its outcomes so far.
    source: Option<(String, Totals)>,
    waiting: SpooledTempFile,
    /// Text that is complete, but not yet written.
    made: Vec<u8>,
}

impl<'g> Grouped<'g> {
    pub(crate) fn new(reporter: &'g Reporter) -> Self {
        Self {
            reporter,
            source: None,
            waiting: SpooledTempFile::new(KEPT),
            made: Vec::new(),
        }
    }

    /// Adds outcomes, and writes those of sources that have ended.
    pub(crate) fn add(
        &mut self,
        groups: &[SourceGroup],
        (text, reporter): (&[u8], usize),
        sink: &mut Sink,
    ) -> anyhow::Result<()> {
        let mut start = 0;
        for group in groups {
            let end = group.ends[reporter];
            self.add_group(group, &text[start..end], sink)?;
            start = end;
        }
        self.write(sink)
    }

    fn add_group(
        &mut self,
        group: &SourceGroup,
        text: &[u8],
        sink: &mut Sink,
    ) -> anyhow::Result<()> {
        let is_same = |(source, _): &(String, Totals)| *source == group.source;
        if !self.source.as_ref().is_some_and(is_same) {
            self.close(sink)?;
            self.source = Some((group.source.clone(), Totals::default()));
        }
        if let Some((source, totals)) = &mut self.source {
            totals.merge(&group.totals);
            self.waiting
                .write_all(text)
                .with_context(|| cannot_keep(source))?;
        }
        Ok(())
    }

    /// Writes the rest. No outcomes may be added afterwards.
    pub(crate) fn finish(&mut self, sink: &mut Sink) -> anyhow::Result<()> {
        self.close(sink)?;
        self.write(sink)
    }

    fn close(&mut self, sink: &mut Sink) -> anyhow::Result<()> {
        let Some((source, totals)) = self.source.take() else {
            return Ok(());
        };
        self.reporter.open(&source, &totals, &mut self.made);
        let mut waited = std::mem::replace(&mut self.waiting, SpooledTempFile::new(KEPT));
        waited.rewind().with_context(|| cannot_keep(&source))?;
        while self
            .fetch(&mut waited)
            .with_context(|| cannot_keep(&source))?
            > 0
        {
            if self.made.len() >= KEPT {
                self.write(sink)?;
            }
        }
        self.reporter.close(&mut self.made);
        Ok(())
    }

    fn fetch(&mut self, waited: &mut SpooledTempFile) -> io::Result<usize> {
        waited.take(KEPT as u64).read_to_end(&mut self.made)
    }

    fn write(&mut self, sink: &mut Sink) -> anyhow::Result<()> {
        sink.write(&self.made)?;
        self.made.clear();
        Ok(())
    }
}

fn cannot_keep(source: &str) -> String {
    format!(
        "cannot keep the results of {} in a temporary file",
        escape::full(source)
    )
}
