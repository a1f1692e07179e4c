//! Ids of objects.

use std::fmt;

/// The id of an object: a hash of 20 or 32 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct ObjectId {
    bytes: [u8; 32],
    length: u8,
}

/// The id of a commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct CommitId(pub(super) ObjectId);

/// The kind of hash in the ids of a repository.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum IdFormat {
    Sha1,
    Sha256,
}

impl IdFormat {
    pub(super) const fn length(self) -> usize {
        match self {
            Self::Sha1 => 20,
            Self::Sha256 => 32,
        }
    }

    /// The id that these bytes begin with. None if there are too few.
    pub(super) fn id(self, bytes: &[u8]) -> Option<ObjectId> {
        let mut id = ObjectId {
            bytes: [0; 32],
            length: if self == Self::Sha1 { 20 } else { 32 },
        };
        id.bytes
            .get_mut(..self.length())?
            .copy_from_slice(bytes.get(..self.length())?);
        Some(id)
    }

    /// The id with these hexadecimal digits. None if the text is not a complete id.
    pub(super) fn parse(self, text: &str) -> Option<ObjectId> {
        if text.len() != 2 * self.length() {
            return None;
        }
        let digit = |digit: u8| char::from(digit).to_digit(16);
        let pairs = text.as_bytes().chunks_exact(2);
        let bytes: Option<Vec<u8>> = pairs
            .map(|pair| u8::try_from(digit(pair[0])? << 4 | digit(pair[1])?).ok())
            .collect();
        self.id(&bytes?)
    }
}

impl ObjectId {
    pub(super) fn as_bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.length)]
    }
}

impl fmt::Display for ObjectId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_bytes()
            .iter()
            .try_for_each(|byte| write!(formatter, "{byte:02x}"))
    }
}

impl fmt::Display for CommitId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, formatter)
    }
}
