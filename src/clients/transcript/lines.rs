//! Reads a transcript line by line into one buffer of bounded size.

use super::shape::client_of;
use crate::clients::Client;
use crate::clients::run::Gap;
use crate::clients::run::records::{Reader, with_text};
use std::io::{self, Read};

/// The length of the longest line that is read, in bytes. Longer lines are skipped.
pub(crate) const LINE_AT_MOST: usize = 5 << 19;

/// The most bytes that are read of one transcript. The rest is not read: a sparse file may have any
/// size, and a file may grow while it is read.
pub(crate) const TRANSCRIPT_AT_MOST: u64 = 1 << 30;

const BLOCK: usize = 256 << 10;

pub(super) enum Line<'a> {
    Whole(&'a mut [u8]),
    /// The last line, if it has no newline.
    Last(&'a mut [u8]),
    TooLong,
}

pub(super) struct TranscriptLines<R> {
    reader: R,
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    number: u64,
    ended: bool,
}

impl<R: Read> TranscriptLines<R> {
    /// `before` is the number of lines that were read before.
    pub(super) fn new(reader: R, before: u64) -> Self {
        Self {
            reader,
            buffer: vec![0; BLOCK],
            start: 0,
            end: 0,
            number: before,
            ended: false,
        }
    }

    /// The next line, without its newline, and its number, from 1.
    pub(super) fn next(&mut self) -> io::Result<Option<(u64, Line<'_>)>> {
        let mut searched = self.start;
        loop {
            if let Some(at) = memchr::memchr(b'\n', &self.buffer[searched..self.end]) {
                let line = self.start..searched + at;
                self.start = searched + at + 1;
                self.number += 1;
                let line = match line.len() {
                    0..=LINE_AT_MOST => Line::Whole(&mut self.buffer[line]),
                    _ => Line::TooLong,
                };
                return Ok(Some((self.number, line)));
            }
            if self.ended {
                let line = self.start..self.end;
                self.start = self.end;
                self.number += 1;
                let last = (!line.is_empty()).then_some(Line::Last(&mut self.buffer[line]));
                return Ok(last.map(|line| (self.number, line)));
            }
            let unread = self.start;
            searched = self.end;
            if self.end - self.start > LINE_AT_MOST {
                self.skip_line()?;
                self.number += 1;
                return Ok(Some((self.number, Line::TooLong)));
            }
            self.fill()?;
            searched -= unread - self.start;
        }
    }

    /// Moves the unread bytes to the front of the buffer, and reads more behind them.
    fn fill(&mut self) -> io::Result<()> {
        if self.start > 0 {
            self.buffer.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.start = 0;
        }
        if self.end == self.buffer.len() {
            let size = (self.buffer.len() * 2).min(LINE_AT_MOST + BLOCK);
            self.buffer.resize(size, 0);
        }
        self.end += self.read()?;
        Ok(())
    }

    fn read(&mut self) -> io::Result<usize> {
        loop {
            match self.reader.read(&mut self.buffer[self.end..]) {
                Ok(0) => {
                    self.ended = true;
                    return Ok(0);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                other => return other,
            }
        }
    }

    fn skip_line(&mut self) -> io::Result<()> {
        loop {
            self.start = 0;
            self.end = 0;
            let count = self.read()?;
            self.end = count;
            if let Some(at) = memchr::memchr(b'\n', &self.buffer[..count]) {
                self.start = at + 1;
                return Ok(());
            }
            if self.ended {
                return Ok(());
            }
        }
    }
}

/// Gives every line to the reader of a client, and records a gap for each line that could not be read.
/// `before` is the number of lines that were read before.
pub(super) fn read_lines(
    source: &mut dyn Read,
    before: u64,
    client: Client,
    reader: &mut dyn Reader,
) -> std::io::Result<()> {
    let mut source = source.take(TRANSCRIPT_AT_MOST);
    let mut lines = TranscriptLines::new(&mut source, before);
    while let Some((number, line)) = lines.next()? {
        let (bytes, is_last) = match line {
            Line::Whole(bytes) => (bytes, false),
            Line::Last(bytes) => (bytes, true),
            Line::TooLong => {
                reader.runs().record_gap(Gap::LongLine { line: number });
                continue;
            }
        };
        let is_read = with_text(bytes, |text| {
            let is_read = reader.read(text, number);
            if reader.runs().take_unknown_record() && is_of_another(client, text) {
                reader.runs().record_gap(Gap::OtherClient { line: number });
            }
            is_read
        });
        if is_read {
            continue;
        }
        let gap = if is_last {
            Gap::HalfLine
        } else {
            Gap::Unreadable { line: number }
        };
        reader.runs().record_gap(gap);
    }
    if source.limit() == 0 {
        reader.runs().record_gap(Gap::TooMuch);
    }
    Ok(())
}

/// Whether a record is one of another client. If so, it is not certain which client wrote the
/// transcript.
fn is_of_another(client: Client, text: &str) -> bool {
    client_of(text).is_some_and(|(other, _)| other != client)
}
