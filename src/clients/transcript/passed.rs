//! Skipped lines before the first record of a client.

use std::io::Read;

use serde::de::IgnoredAny;

use super::error::TranscriptError;
use super::lines::LINE_AT_MOST;
use crate::clients::run::{Gap, each, with_text};

/// The most bytes of such lines. A file with more is not a transcript.
const FOREIGN_AT_MOST: usize = 64 << 20;

const BLOCK: u64 = 64 << 10;

/// The skipped lines before the first record of a client, which are too many to keep in memory. `count`
/// lines with `bytes` bytes were skipped, never more than [`FOREIGN_AT_MOST`]: their readers go on behind
/// them. If the first record shows the client, its runs get the gap `lost`.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct PassedLines {
    pub(super) count: u64,
    bytes: usize,
    /// The first skipped line that may have been an unreadable record.
    pub(super) lost: Option<Gap>,
}

impl PassedLines {
    /// Counts these lines as skipped. The text ends with a newline.
    pub(super) fn pass(&mut self, lines: &mut [u8]) -> Result<(), TranscriptError> {
        self.take(lines.len())?;
        for line in lines.split_inclusive_mut(|byte| *byte == b'\n') {
            self.count += 1;
            if line.trim_ascii_end().len() > LINE_AT_MOST {
                self.record_gap(Gap::LongLine { line: self.count });
            } else if !has_only_objects(line) {
                self.record_gap(Gap::Unreadable { line: self.count });
            }
        }
        Ok(())
    }

    /// Skips a long line. `head` has its beginning, and afterwards what was read behind its newline.
    pub(super) fn pass_long_line(
        &mut self,
        reader: &mut dyn Read,
        head: &mut Vec<u8>,
    ) -> Result<(), TranscriptError> {
        self.count += 1;
        self.record_gap(Gap::LongLine { line: self.count });
        loop {
            if let Some(at) = memchr::memchr(b'\n', head) {
                self.take(at + 1)?;
                head.drain(..=at);
                return Ok(());
            }
            self.take(head.len())?;
            head.clear();
            if reader.take(BLOCK).read_to_end(head)? == 0 {
                return Ok(());
            }
        }
    }

    /// Counts skipped bytes.
    pub(super) fn take(&mut self, bytes: usize) -> Result<(), TranscriptError> {
        self.bytes += bytes;
        if self.bytes > FOREIGN_AT_MOST {
            return Err(TranscriptError::Unknown);
        }
        Ok(())
    }

    fn record_gap(&mut self, gap: Gap) {
        self.lost.get_or_insert(gap);
    }
}

/// Whether a line has only JSON objects. Such a line is a record of an unknown kind, and nothing is
/// lost.
fn has_only_objects(line: &mut [u8]) -> bool {
    with_text(line, |text| each(text, |_: &IgnoredAny| ()))
}
