//! The returns of one source together, for formats that count them before they come.
//!
//! A stream can be longer than memory: what is said of a source waits in a temporary file once it
//! is long.

use std::io::{self, Read as _, Seek as _, Write as _};

use anyhow::Context as _;
use retval::format::{Reporter, Totals};
use retval::internal::escape;
use tempfile::SpooledTempFile;

use crate::output::Sink;

/// Bytes of a source's outcomes that wait in memory, and that are written at a time.
const PART: usize = 64 * 1024;

/// Outcomes of one source that follow each other.
pub(crate) struct SourceGroup {
    pub(crate) source: String,
    pub(crate) totals: Totals,
    /// Where they end in the text of each reporter.
    pub(crate) ends: Vec<usize>,
}

/// An output whose reporter groups.
pub(crate) struct Grouped<'g> {
    reporter: &'g dyn Reporter,
    /// The source whose outcomes wait, and their counts.
    source: Option<(String, Totals)>,
    waiting: SpooledTempFile,
    /// What is made and not yet written.
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

    /// Takes outcomes in; writes those of sources that are over.
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

    /// Writes what waits; nothing comes after it.
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
