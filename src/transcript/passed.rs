//! Lines before the first that a client wrote.

use std::io::Read;

use super::error::TranscriptError;
use super::lines::LINE_AT_MOST;
use super::members::SomeObject;
use super::records::{each, with_text};
use super::run::Gap;

/// Bytes of such lines. A file with more of them is taken for no transcript.
const FOREIGN_AT_MOST: usize = 64 << 20;

/// Bytes that are read at once.
const BLOCK: u64 = 64 << 10;

/// Lines before the first record of a client, of which there were too many to keep.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct PassedLines {
    pub(super) count: u64,
    bytes: usize,
    /// What in them may have been a record, and could not be read.
    pub(super) lost: Option<Gap>,
}

impl PassedLines {
    /// Passes the lines of a text, the last of which ends there.
    pub(super) fn pass(&mut self, lines: &mut [u8]) -> Result<(), TranscriptError> {
        self.take(lines.len())?;
        for line in lines.split_inclusive_mut(|byte| *byte == b'\n') {
            self.count += 1;
            if line.trim_ascii_end().len() > LINE_AT_MOST {
                self.lose(Gap::LongLine { line: self.count });
            } else if !has_only_objects(line) {
                self.lose(Gap::Unreadable { line: self.count });
            }
        }
        Ok(())
    }

    /// Passes a line of which `head` has the beginning, and leaves there what follows.
    pub(super) fn pass_long_line(
        &mut self,
        reader: &mut dyn Read,
        head: &mut Vec<u8>,
    ) -> Result<(), TranscriptError> {
        self.count += 1;
        self.lose(Gap::LongLine { line: self.count });
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

    /// Counts bytes that are passed, up to a limit.
    pub(super) fn take(&mut self, bytes: usize) -> Result<(), TranscriptError> {
        self.bytes += bytes;
        if self.bytes > FOREIGN_AT_MOST {
            return Err(TranscriptError::Unknown);
        }
        Ok(())
    }

    fn lose(&mut self, gap: Gap) {
        self.lost.get_or_insert(gap);
    }
}

/// Whether there is nothing in a line but JSON objects, as among the records themselves.
fn has_only_objects(line: &mut [u8]) -> bool {
    with_text(line, |text| each(text, |_: &SomeObject| ()))
}
