//! A stream with one return per line, read in blocks.

use std::io::{self, BufRead as _, BufReader, ErrorKind, Read};

use crate::text::Base;

/// The most bytes of a read. This is about as much as a thread checks at a time. Only one thread reads
/// at a time: with smaller blocks, threads would wait for each other more often.
const READ: usize = 64 * 1024;

/// The size of the longest line ending, CR and LF, in bytes. It may not have arrived yet.
const LINE_END: usize = 2;

pub(super) enum LinePart {
    Lines,
    /// A line exceeded the size limit and was skipped.
    Oversized,
    End,
}

/// Reads complete lines of a stream as soon as they have arrived. Between two calls, `base` is the position of
/// what the reader has next, which is always the start of a line.
pub(super) struct Lines {
    reader: BufReader<Box<dyn Read + Send>>,
    base: Base,
    most: usize,
}

impl Lines {
    pub(super) fn new(stream: Box<dyn Read + Send>, max_bytes: u64) -> Self {
        Self {
            reader: BufReader::with_capacity(READ, stream),
            base: Base::default(),
            most: usize::try_from(max_bytes).unwrap_or(usize::MAX),
        }
    }

    pub(super) fn base(&self) -> Base {
        self.base
    }

    /// Fills `block` with all complete lines that have arrived, at least one.
    pub(super) fn fill(&mut self, block: &mut Vec<u8>) -> io::Result<LinePart> {
        block.clear();
        // What one very long line has taken is given back.
        block.shrink_to(2 * READ);
        while block.last() != Some(&b'\n') {
            if block.len() > self.most.saturating_add(LINE_END) {
                return self.skip_line(block.len()).map(|()| LinePart::Oversized);
            }
            let read = buffered(&mut self.reader)?;
            if read.is_empty() {
                break;
            }
            let end = memchr::memrchr(b'\n', read).map_or(read.len(), |at| at + 1);
            block.extend_from_slice(&read[..end]);
            self.reader.consume(end);
        }
        self.base.line += memchr::memchr_iter(b'\n', block).count();
        self.base.offset += block.len();
        if block.is_empty() {
            return Ok(LinePart::End);
        }
        Ok(LinePart::Lines)
    }

    /// Skips the rest of a line, of which `read` bytes have been read. At most one read of it is in memory.
    fn skip_line(&mut self, read: usize) -> io::Result<()> {
        self.base.line += 1;
        self.base.offset += read;
        loop {
            let read = buffered(&mut self.reader)?;
            let end = memchr::memchr(b'\n', read).map(|at| at + 1);
            let is_over = end.is_some() || read.is_empty();
            let end = end.unwrap_or(read.len());
            self.reader.consume(end);
            self.base.offset += end;
            if is_over {
                return Ok(());
            }
        }
    }
}

/// What the reader has, read without waiting for more than is there. Empty at the end.
fn buffered(reader: &mut BufReader<Box<dyn Read + Send>>) -> io::Result<&[u8]> {
    while let Err(error) = reader.fill_buf() {
        if error.kind() != ErrorKind::Interrupted {
            return Err(error);
        }
    }
    Ok(reader.buffer())
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

    fn stream(text: &'static str, step: usize) -> Box<dyn Read + Send> {
        Box::new(Trickle(text.as_bytes(), step))
    }

    /// Every block with its line and offset; `None` for a skipped line.
    fn blocks(text: &'static str, step: usize, most: u64) -> Vec<(usize, usize, Option<String>)> {
        let mut lines = Lines::new(stream(text, step), most);
        let mut block = Vec::new();
        let mut found = Vec::new();
        loop {
            let base = lines.base();
            let text = match lines.fill(&mut block).expect("memory can be read") {
                LinePart::End => return found,
                LinePart::Oversized => None,
                LinePart::Lines => Some(String::from_utf8(block.clone()).expect("UTF-8")),
            };
            found.push((base.line, base.offset, text));
        }
    }

    fn joined(text: &'static str, step: usize) -> String {
        blocks(text, step, 100).into_iter().filter_map(|(_, _, text)| text).collect()
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
                let skipped = || text[offset..].split_inclusive('\n').next().map(str::to_owned);
                let lines = lines.or_else(skipped).expect("a line");
                assert!(text[offset..].starts_with(&lines), "{step}: {lines}");
                next.line += lines.lines().count();
                next.offset += lines.len();
            }
            assert_eq!(next.offset, text.len(), "{step}");
        }
    }
}
