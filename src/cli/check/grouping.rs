//! Groups the returns of each source, for formats that print the counts of a source before its returns.
//!
//! A stream can be larger than memory. The outcomes of a source are kept in memory as long as they are
//! few, and then in a temporary file.

use std::io::{self, Read as _, Seek as _, Write as _};

use crate::format::{Reporter, Totals};
use crate::text::escape;
use anyhow::Context as _;
use tempfile::SpooledTempFile;

use crate::cli::output::Sink;

/// The most bytes of a source's outcomes that are kept in memory, and that are written at a time.
const PART: usize = 64 * 1024;

/// Consecutive outcomes of one source.
pub(crate) struct SourceGroup {
    pub(crate) source: String,
    pub(crate) totals: Totals,
    /// The end of these outcomes in the text of each reporter, in bytes.
    pub(crate) ends: Vec<usize>,
}

/// An output whose reporter groups outcomes by source.
pub(crate) struct Grouped<'g> {
    reporter: &'g dyn Reporter,
    /// The current source, and the counts of its outcomes so far.
    source: Option<(String, Totals)>,
    waiting: SpooledTempFile,
    /// Text that is complete, but not yet written.
    made: Vec<u8>,
}

impl<'g> Grouped<'g> {
    pub(crate) fn new(reporter: &'g dyn Reporter) -> Self {
        Self {
            reporter,
            source: None,
            waiting: SpooledTempFile::new(PART),
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
        let mut waited = std::mem::replace(&mut self.waiting, SpooledTempFile::new(PART));
        waited.rewind().with_context(|| cannot_keep(&source))?;
        while self
            .fetch(&mut waited)
            .with_context(|| cannot_keep(&source))?
            > 0
        {
            if self.made.len() >= PART {
                self.write(sink)?;
            }
        }
        self.reporter.close(&mut self.made);
        Ok(())
    }

    fn fetch(&mut self, waited: &mut SpooledTempFile) -> io::Result<usize> {
        waited.take(PART as u64).read_to_end(&mut self.made)
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
