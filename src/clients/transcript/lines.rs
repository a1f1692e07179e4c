//! Reads a transcript line by line.

use super::shape::client_of;
use crate::clients::Client;
use crate::clients::run::{Gap, Reader, with_text};
use std::io::{self, BufRead as _, BufReader, Read};

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

/// The lines of a transcript, one after the other. `number` is that of the line in `line`, which never has
/// more than [`LINE_AT_MOST`] bytes and its newline. `retval check` reads streams by another reader: its
/// threads take blocks of many lines, and it must know which of them have arrived.
pub(super) struct TranscriptLines<R> {
    reader: BufReader<R>,
    line: Vec<u8>,
    number: u64,
}

impl<R: Read> TranscriptLines<R> {
    /// `before` is the number of lines that were read before.
    pub(super) fn new(reader: R, before: u64) -> Self {
        Self {
            reader: BufReader::with_capacity(BLOCK, reader),
            line: Vec::new(),
            number: before,
        }
    }

    /// The next line, without its newline, and its number, from 1.
    pub(super) fn next(&mut self) -> io::Result<Option<(u64, Line<'_>)>> {
        self.line.clear();
        let mut bounded = self.reader.by_ref().take(LINE_AT_MOST as u64 + 1);
        if bounded.read_until(b'\n', &mut self.line)? == 0 {
            return Ok(None);
        }
        self.number += 1;
        let line = if self.line.pop_if(|last| *last == b'\n').is_some() {
            Line::Whole(&mut self.line)
        } else if self.line.len() <= LINE_AT_MOST {
            Line::Last(&mut self.line)
        } else {
            self.reader.skip_until(b'\n')?;
            Line::TooLong
        };
        Ok(Some((self.number, line)))
    }
}

/// Gives every line to the reader of a client, and records a gap for each line that could not be read.
/// `before` is the number of lines that were read before.
pub(super) fn read_lines(
    source: &mut dyn Read,
    before: u64,
    client: Client,
    reader: &mut dyn Reader,
) -> io::Result<()> {
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
