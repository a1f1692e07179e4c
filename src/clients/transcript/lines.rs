//! Reads a transcript line by line.

use std::io::{self, BufRead as _, BufReader, Read, Take};

use super::shape::client_of;
use crate::clients::Client;
use crate::clients::run::{Gap, Reader, each, with_text};

/// The length of the longest line that is read, in bytes. Longer lines are skipped.
pub(crate) const LINE_AT_MOST: usize = 5 << 19;

/// The most bytes that are read of one transcript. The rest is not read: a sparse file may have any
/// size, and a file may grow while it is read.
const TRANSCRIPT_AT_MOST: u64 = 1 << 30;

const BLOCK: usize = 256 << 10;

/// How a line ended.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum LineEnd {
    Newline,
    /// The last line has no newline.
    Transcript,
    /// Only the beginning of the line is there.
    TooLong,
}

/// The lines of a transcript, one after the other. `line` is the current one without its newline, never
/// more than [`LINE_AT_MOST`] bytes and one, and `number` its number, from 1. `bytes` is the length of all
/// lines so far. `retval check` reads streams by another reader: its threads take blocks of many lines,
/// and it must know which of them have arrived.
pub(super) struct TranscriptLines<R> {
    reader: BufReader<Take<R>>,
    pub(super) line: Vec<u8>,
    pub(super) end: LineEnd,
    pub(super) number: u64,
    pub(super) bytes: usize,
}

impl<R: Read> TranscriptLines<R> {
    pub(super) fn new(source: R) -> Self {
        Self {
            reader: BufReader::with_capacity(BLOCK, source.take(TRANSCRIPT_AT_MOST)),
            line: Vec::new(),
            end: LineEnd::Newline,
            number: 0,
            bytes: 0,
        }
    }

    /// Reads the next line. Returns false if there is none.
    pub(super) fn advance(&mut self) -> io::Result<bool> {
        self.line.clear();
        let mut bounded = self.reader.by_ref().take(LINE_AT_MOST as u64 + 1);
        let read = bounded.read_until(b'\n', &mut self.line)?;
        self.number += 1;
        self.bytes += read;
        self.end = if self.line.pop_if(|last| *last == b'\n').is_some() {
            LineEnd::Newline
        } else if self.line.len() <= LINE_AT_MOST {
            LineEnd::Transcript
        } else {
            self.bytes += self.reader.skip_until(b'\n')?;
            LineEnd::TooLong
        };
        Ok(read > 0)
    }

    /// Gives the current line and all that follow to the reader of a client, and records a gap for each
    /// that could not be read.
    pub(super) fn read_by(mut self, client: Client, reader: &mut dyn Reader) -> io::Result<()> {
        loop {
            if let Some(gap) = self.read_line_by(client, reader) {
                reader.runs().record_gap(gap);
            }
            if !self.advance()? {
                break;
            }
        }
        if self.reader.get_ref().limit() == 0 {
            reader.runs().record_gap(Gap::TooMuch);
        }
        Ok(())
    }

    fn read_line_by(&mut self, client: Client, reader: &mut dyn Reader) -> Option<Gap> {
        let line = self.number;
        if self.end == LineEnd::TooLong {
            return Some(Gap::LongLine { line });
        }
        let is_read = with_text(&mut self.line, |text| {
            each(text, |record| {
                reader.record(record, line);
                let is_of_another = || client_of(record).is_some_and(|(other, _)| other != client);
                // It is not certain which client wrote the transcript.
                if reader.runs().take_unknown_record() && is_of_another() {
                    reader.runs().record_gap(Gap::OtherClient { line });
                }
            })
        });
        match self.end {
            _ if is_read => None,
            LineEnd::Transcript => Some(Gap::HalfLine),
            _ => Some(Gap::Unreadable { line }),
        }
    }
}
