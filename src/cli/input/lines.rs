//! A stream with one return per line, read in blocks.

use std::fs::{File, Metadata};
use std::io::{self, ErrorKind, Read};

use crate::root::BatchClock;
use crate::text::Base;

/// The most bytes of a read. This is about as much as a thread checks at a time. Only one thread reads
/// at a time: with smaller blocks, threads would wait for each other more often.
const READ: usize = 256 * 1024;

/// How many times the size of a read may be halved.
const HALVED_AT_MOST: u32 = 6;

/// The size of the longest line ending, CR and LF, in bytes. It may not have arrived yet.
const LINE_END: usize = 2;

/// Complete lines of a stream, in a buffer that is reused. The first `filled` bytes are text, and what
/// follows them is left over from earlier blocks.
#[derive(Default)]
pub(crate) struct Block {
    /// Never shorter than `filled`. It stays longer, so that it is not zeroed for each read.
    bytes: Vec<u8>,
    filled: usize,
    /// How many times the size of its reads is halved.
    halved: u32,
}

impl Block {
    pub(crate) fn lines(&self) -> &[u8] {
        &self.bytes[..self.filled]
    }

    fn take_over(&mut self, bytes: &[u8]) {
        self.filled = 0;
        self.make_room(bytes.len());
        self.bytes[..bytes.len()].copy_from_slice(bytes);
        self.filled = bytes.len();
    }

    fn make_room(&mut self, room: usize) {
        if self.bytes.len() < self.filled + room {
            self.bytes.resize(self.filled + room, 0);
        }
    }

    /// Reads the available bytes without waiting for more. Returns 0 at the end.
    fn read(&mut self, reader: &mut dyn Read) -> io::Result<usize> {
        let most = READ >> self.halved;
        self.make_room(most);
        let read = read(reader, &mut self.bytes[self.filled..][..most])?;
        self.filled += read;
        Ok(read)
    }

    /// Makes the next read smaller if this block produced more than `most` bytes of output, and larger
    /// again if it produced much less.
    pub(crate) fn fit(&mut self, made: usize, most: usize) {
        if made > most {
            self.halved = HALVED_AT_MOST.min(self.halved + 1);
        } else if made < most / 4 {
            self.halved = self.halved.saturating_sub(1);
        }
    }

    /// Frees the memory of a very long line.
    fn shrink(&mut self) {
        if self.bytes.len() > 2 * READ {
            self.bytes = Vec::new();
        }
    }
}

pub(super) enum LinePart {
    Lines,
    /// A line exceeded the size limit and was skipped.
    Oversized,
    End,
}

/// Reads complete lines of a stream as soon as they have arrived. Between two calls, `base` is the
/// position of the first byte of `rest`, which is always the start of a line. `rest` can have several
/// lines after one that was skipped.
pub(super) struct Lines {
    reader: Box<dyn Read + Send>,
    /// What was read and not handed out yet.
    rest: Vec<u8>,
    base: Base,
    most: usize,
    clock: BatchClock,
    /// The number of bytes that had arrived when this was last recorded.
    arrived: usize,
}

/// An open stream, and the number of its bytes that are known to have arrived.
pub(super) struct OpenStream {
    pub(super) reader: Box<dyn Read + Send>,
    pub(super) arrived: u64,
}

impl OpenStream {
    pub(super) fn of_file(file: File) -> Self {
        // A pipe has no size, and the content of a device can change.
        let metadata = file.metadata().ok().filter(Metadata::is_file);
        Self {
            arrived: metadata.map_or(0, |metadata| metadata.len()),
            reader: Box::new(file),
        }
    }

    pub(super) fn of_stdin() -> Self {
        Self {
            arrived: left_on_stdin(),
            reader: Box::new(io::stdin()),
        }
    }
}

/// The number of unread bytes if standard input is a file. 0 otherwise.
#[cfg(unix)]
fn left_on_stdin() -> u64 {
    use rustix::fs::{FileType, fstat, tell};
    let stdin = io::stdin();
    let Ok(found) = fstat(&stdin) else { return 0 };
    let is_file = FileType::from_raw_mode(found.st_mode) == FileType::RegularFile;
    let size = u64::try_from(found.st_size).ok().filter(|_| is_file);
    let left = size.and_then(|size| size.checked_sub(tell(&stdin).ok()?));
    left.unwrap_or(0)
}

// The standard library cannot tell the position. No byte counts as arrived before it is read.
#[cfg(not(unix))]
fn left_on_stdin() -> u64 {
    0
}

impl Lines {
    pub(super) fn new(stream: OpenStream, max_bytes: u64, clock: BatchClock) -> Self {
        let most = usize::try_from(max_bytes).unwrap_or(usize::MAX);
        clock.tick();
        Self {
            reader: stream.reader,
            rest: Vec::new(),
            base: Base::default(),
            most,
            clock,
            arrived: usize::try_from(stream.arrived).unwrap_or(usize::MAX),
        }
    }

    pub(super) fn base(&self) -> Base {
        self.base
    }

    /// Fills `block` with all complete lines that have arrived, at least one.
    pub(super) fn fill(&mut self, block: &mut Block) -> io::Result<LinePart> {
        block.shrink();
        block.take_over(&self.rest);
        self.rest.clear();
        let mut searched = 0;
        // After a line that was skipped, complete lines may be left from that read.
        while self.leave_rest(block, searched).is_none() {
            if block.filled > self.most.saturating_add(LINE_END) {
                return self.skip_line(block).map(|()| LinePart::Oversized);
            }
            searched = block.filled;
            if block.read(&mut *self.reader)? == 0 {
                break;
            }
        }
        self.base.line += memchr::memchr_iter(b'\n', block.lines()).count();
        self.base.offset += block.filled;
        if block.filled > 0 && self.base.offset > self.arrived {
            self.clock.tick();
        }
        Ok(if block.filled == 0 {
            LinePart::End
        } else {
            LinePart::Lines
        })
    }

    /// Leaves what follows the last complete line of `block` for the next one. None if there is no newline
    /// after the first `searched` bytes.
    fn leave_rest(&mut self, block: &mut Block, searched: usize) -> Option<()> {
        let last = memchr::memrchr(b'\n', &block.lines()[searched..])?;
        let end = searched + last + 1;
        self.rest.extend_from_slice(&block.lines()[end..]);
        block.filled = end;
        Some(())
    }

    /// Skips the rest of a line. At most one read of it is in memory.
    fn skip_line(&mut self, block: &mut Block) -> io::Result<()> {
        self.base.line += 1;
        loop {
            self.base.offset += block.filled;
            block.filled = 0;
            let read = block.read(&mut *self.reader)?;
            if let Some(end) = memchr::memchr(b'\n', block.lines()) {
                self.base.offset += end + 1;
                self.rest.extend_from_slice(&block.lines()[end + 1..]);
                block.filled = 0;
                return Ok(());
            }
            if read == 0 {
                return Ok(());
            }
        }
    }
}

fn read(reader: &mut dyn Read, bytes: &mut [u8]) -> io::Result<usize> {
    loop {
        match reader.read(bytes) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            answer => return answer,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a few bytes per read, like a slow pipe.
    struct Trickle<'t>(&'t [u8], usize);

    impl Read for Trickle<'_> {
        fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
            let length = self.1.min(self.0.len()).min(bytes.len());
            let (now, later) = self.0.split_at(length);
            bytes[..length].copy_from_slice(now);
            self.0 = later;
            Ok(length)
        }
    }

    fn stream(text: &'static str, step: usize, arrived: u64) -> OpenStream {
        OpenStream {
            reader: Box::new(Trickle(text.as_bytes(), step)),
            arrived,
        }
    }

    #[test]
    fn what_was_not_there_at_first_arrives_with_its_block() {
        for (arrived, blocks) in [(0, 3), (3, 2), (4, 1), (5, 0)] {
            let clock = BatchClock::default();
            let mut lines = Lines::new(stream("a\nb\nc", 2, arrived), 100, clock.clone());
            let opened = clock.now();
            let mut block = Block::default();
            while !matches!(lines.fill(&mut block), Ok(LinePart::End)) {}
            assert_eq!(clock.now() - opened, blocks, "{arrived}");
        }
    }

    /// Every block with its line and offset; `None` for a skipped line.
    fn blocks(text: &'static str, step: usize, most: u64) -> Vec<(usize, usize, Option<String>)> {
        let mut lines = Lines::new(stream(text, step, 0), most, BatchClock::default());
        let mut block = Block::default();
        let mut found = Vec::new();
        loop {
            let base = lines.base();
            let text = match lines.fill(&mut block).expect("memory can be read") {
                LinePart::End => return found,
                LinePart::Oversized => None,
                LinePart::Lines => Some(String::from_utf8(block.lines().to_vec()).expect("UTF-8")),
            };
            found.push((base.line, base.offset, text));
        }
    }

    fn joined(text: &'static str, step: usize) -> String {
        blocks(text, step, 100)
            .into_iter()
            .filter_map(|(_, _, text)| text)
            .collect()
    }

    #[test]
    fn much_output_makes_the_next_block_smaller_and_little_larger() {
        let endless = OpenStream {
            reader: Box::new(io::repeat(b'\n')),
            arrived: 0,
        };
        let mut lines = Lines::new(endless, 100, BatchClock::default());
        let mut block = Block::default();
        let mut length_after = |made| {
            block.fit(made, 100);
            lines.fill(&mut block).expect("memory can be read");
            block.lines().len()
        };
        let halves = [0, 101, 101, 100, 25, 24, 24, 24].map(&mut length_after);
        let expected = [1, 2, 4, 4, 4, 2, 1, 1].map(|part| READ / part);
        assert_eq!(halves, expected);
        assert_eq!([101; 20].map(length_after)[19], 4096);
    }

    #[test]
    fn nothing_is_lost_whatever_the_size_of_reads() {
        for step in 1..20 {
            for text in ["", "a", "a\n", "a\nbb\n\nccc", "\n\n", "a\r\nb"] {
                assert_eq!(joined(text, step), text, "{step}");
            }
        }
    }

    #[test]
    fn lines_are_returned_as_they_arrive() {
        let line = |line, offset, text: &str| (line, offset, Some(text.to_owned()));
        assert_eq!(
            blocks("a\nb\nc", 2, 100),
            [line(1, 0, "a\n"), line(2, 2, "b\n"), line(3, 4, "c")]
        );
    }

    #[test]
    fn a_line_too_long_is_skipped_and_the_next_is_found() {
        let line = |line, offset, text: &str| (line, offset, Some(text.to_owned()));
        let found = blocks("a\n0123456789\nb\n", 3, 5);
        assert_eq!(found, [line(1, 0, "a\n"), (2, 2, None), line(3, 13, "b\n")]);
        assert_eq!(blocks("0123456789", 4, 5), [(1, 0, None)]);
    }

    #[test]
    fn no_line_between_long_ones_is_skipped_whatever_the_size_of_reads() {
        let text = "0123456789\na\nb\n0123456789abcdefghij\nc\n0123456789\n0123456789";
        for step in 1..=text.len() {
            // A line that came in one piece is told to be too long by whoever checks it.
            let mut next = Base::default();
            for (line, offset, lines) in blocks(text, step, 5) {
                assert_eq!((line, offset), (next.line, next.offset), "{step}");
                let skipped = || {
                    text[offset..]
                        .split_inclusive('\n')
                        .next()
                        .map(str::to_owned)
                };
                let lines = lines.or_else(skipped).expect("a line");
                assert!(text[offset..].starts_with(&lines), "{step}: {lines}");
                next.line += lines.lines().count();
                next.offset += lines.len();
            }
            assert_eq!(next.offset, text.len(), "{step}");
        }
    }
}
