//! The result of one job.

use std::path::Path;

use crate::Report;
use crate::baseline::FoundCounts;
use crate::format::{Checked, Source, Statistics, Totals};

use crate::cli::check::grouping::SourceGroup;
use crate::cli::check::plan::CheckPlan;

/// The result of one job: bytes for each output, and counts.
///
/// When a part is flushed, everything in it is taken, so no byte and no return is counted twice. Only
/// `written_before` goes on from part to part.
#[derive(Default)]
pub(crate) struct JobOutput {
    pub(crate) texts: Vec<Vec<u8>>,
    /// Which part of the texts is about which source; only if a reporter groups.
    pub(crate) groups: Vec<SourceGroup>,
    /// Lines that the filter lets through.
    pub(crate) passed: Vec<u8>,
    /// Bytes of the parts that were flushed before.
    written_before: usize,
    pub(crate) warnings: Vec<anyhow::Error>,
    pub(crate) records: Vec<String>,
    pub(crate) totals: Totals,
    pub(crate) statistics: Option<Statistics>,
    /// What the baseline is to accept.
    pub(crate) found: FoundCounts,
}

/// A job's output is flushed in parts of this many bytes: it can be many times as long as the input.
pub(super) const PART: usize = 256 * 1024;

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
        self.written_before = 0;
        self.groups.clear();
        self.records.clear();
        self.warnings.clear();
        self.totals = Totals::default();
        self.statistics = plan.options.statistics.then(Statistics::default);
    }

    pub(super) fn flush_part(&mut self, plan: &CheckPlan<'_>, flush: &mut Flush<'_>) -> bool {
        if self.bytes() < PART {
            return true;
        }
        let written_before = self.bytes_written();
        let goes_on = flush(self);
        self.clear(plan);
        self.written_before = written_before;
        goes_on
    }

    fn bytes(&self) -> usize {
        let texts = self.texts.iter().map(Vec::len).sum::<usize>();
        let records = self.records.iter().map(String::len).sum::<usize>();
        texts + records + self.passed.len()
    }

    /// Bytes of the job so far, with the parts that were flushed.
    pub(super) fn bytes_written(&self) -> usize {
        self.written_before + self.bytes()
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
        if let Some(statistics) = &mut self.statistics {
            statistics.add(checked);
        }
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
