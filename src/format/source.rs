//! The source of a return, as reports name it.

use crate::check::finding::Finding;
use crate::text::Position;

/// Where a return came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Source<'s> {
    /// The file's path, or `-` for standard input without a name; as given, not safe to print.
    pub name: &'s str,
    /// The line number, from 1, if the source is a stream with one return on each line.
    pub line: Option<usize>,
    /// The caller's name for the return, if the stream gives it one: not safe to print.
    pub(crate) id: Option<&'s str>,
    /// Whether the line holds the return as a text, so that a place in the return is no place in the file.
    pub(super) holds_text: bool,
    /// The bytes that were checked, and the offset of the first one in the file.
    pub(super) bytes: Option<(&'s [u8], usize)>,
}

impl<'s> From<&'s str> for Source<'s> {
    fn from(name: &'s str) -> Self {
        Self::new(name)
    }
}

impl<'s> Source<'s> {
    /// Creates a source by its name: a file's path, or `-` for standard input.
    #[must_use]
    pub fn new(name: &'s str) -> Self {
        Self {
            name,
            line: None,
            id: None,
            holds_text: false,
            bytes: None,
        }
    }

    /// Returns the source with the bytes that were checked. Excerpts are taken from them. `offset` is
    /// the position of the first of them in the file, in bytes.
    pub(crate) fn with_bytes(mut self, bytes: &'s [u8], offset: usize) -> Self {
        self.bytes = Some((bytes, offset));
        self
    }

    /// Returns the source at a line, from 1.
    #[must_use]
    pub fn at_line(mut self, line: impl Into<Option<usize>>) -> Self {
        self.line = line.into();
        self
    }

    /// Returns the source of a return that its line holds as a text, with the caller's name for it.
    pub(crate) fn with_text(mut self, id: Option<&'s str>) -> Self {
        self.id = id;
        self.holds_text = true;
        self
    }

    /// The place of a finding in the file, from its start to its end. It is the beginning of the line if
    /// the line holds the return as a text.
    pub(super) fn place(&self, finding: &Finding) -> [Position; 2] {
        match self.line.filter(|_| self.holds_text) {
            Some(line) => {
                [Position {
                    line,
                    ..Position::START
                }; 2]
            }
            None => [finding.position, finding.end],
        }
    }
}
