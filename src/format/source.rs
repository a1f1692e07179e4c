//! The source of a return, as reports name it.

/// Where a return came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Source<'s> {
    /// The file's path, or `-` for standard input without a name; as given, not safe to print.
    pub name: &'s str,
    /// The line number, from 1, if the source is a stream with one return on each line.
    pub line: Option<usize>,
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
            bytes: None,
        }
    }

    /// Returns the source with the bytes that were checked. Excerpts are taken from them. `offset` is
    /// the position of the first of them in the file, in bytes.
    #[must_use]
    pub fn with_bytes(mut self, bytes: &'s [u8], offset: usize) -> Self {
        self.bytes = Some((bytes, offset));
        self
    }

    /// Returns the source at a line, from 1.
    #[must_use]
    pub fn at_line(mut self, line: impl Into<Option<usize>>) -> Self {
        self.line = line.into();
        self
    }
}
