//! Which file names choose a profile.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use globset::{Glob, GlobMatcher};

/// A glob that is matched against the end of a path: its file name, and one more folder for each `/` in
/// the pattern.
#[derive(Debug, Clone)]
pub struct FilePattern {
    text: Cow<'static, str>,
    /// None if `*` is the only wildcard. Such patterns need no glob engine, because building one takes
    /// longer than checking a return.
    glob: Option<Arc<GlobMatcher>>,
    literals: LiteralEnds,
}

/// The literal beginning and end of the file name in a pattern, as byte offsets in the pattern. Every
/// file is compared with every pattern, and this comparison rules out most of them quickly.
#[derive(Debug, Clone, Copy)]
struct LiteralEnds {
    /// The start of the file name.
    start: usize,
    /// The offset of the first `*` of the file name, or its end.
    head_end: usize,
    /// The end of the last `*` of the file name, or its start.
    tail_start: usize,
}

impl FilePattern {
    /// A pattern whose only wildcard is `*`.
    pub(super) const fn simple(text: &'static str) -> Self {
        Self {
            text: Cow::Borrowed(text),
            glob: None,
            literals: LiteralEnds::of(text),
        }
    }

    /// Parses a glob.
    pub(crate) fn parse(text: &str) -> Result<Self, globset::Error> {
        let is_simple = !text.contains(['?', '[', ']', '{', '}', '\\']) && !text.contains("**");
        let glob = (!is_simple).then(|| Glob::new(text)).transpose()?;
        Ok(Self {
            text: Cow::Owned(text.to_owned()),
            glob: glob.map(|glob| Arc::new(glob.compile_matcher())),
            literals: LiteralEnds::of(text),
        })
    }

    /// The pattern as it was written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether the end of the path matches.
    #[must_use]
    pub fn is_match(&self, path: &Path) -> bool {
        file_name(path).is_some_and(|name| self.is_match_of(path, name))
    }

    /// Does the same as [`is_match`](Self::is_match) if the file name of the path is already known. It
    /// is the same for all patterns.
    pub(super) fn is_match_of(&self, path: &Path, name: &OsStr) -> bool {
        match &self.glob {
            None => self.literals.agree(&self.text, name) && self.is_simple_match(path, name),
            Some(glob) => self.is_glob_match(glob, path),
        }
    }

    fn is_simple_match(&self, path: &Path, name: &OsStr) -> bool {
        let (folders, file) = self.parts();
        is_like(file, name) && folders.is_none_or(|folders| ends_in(path, folders))
    }

    fn is_glob_match(&self, glob: &GlobMatcher, path: &Path) -> bool {
        let (folders, _) = self.parts();
        let parts = folders.map_or(0, |folders| folders.split('/').count()) + 1;
        let mut names: Vec<&OsStr> = names(path).take(parts).collect();
        names.reverse();
        glob.is_match(names.into_iter().collect::<PathBuf>())
    }

    /// Returns the pattern of the folders and that of the file name.
    fn parts(&self) -> (Option<&str>, &str) {
        let (folders, file) = self.text.split_at(self.literals.start);
        (folders.strip_suffix('/'), file)
    }
}

impl LiteralEnds {
    const fn of(text: &str) -> Self {
        let text = text.as_bytes();
        let (mut start, mut head_end, mut tail_start) = (0, text.len(), 0);
        let mut at = 0;
        while at < text.len() {
            match text[at] {
                b'/' => (start, head_end, tail_start) = (at + 1, text.len(), at + 1),
                b'*' => {
                    head_end = if head_end < at { head_end } else { at };
                    tail_start = at + 1;
                }
                _ => {}
            }
            at += 1;
        }
        Self {
            start,
            head_end,
            tail_start,
        }
    }

    fn agree(self, text: &str, name: &OsStr) -> bool {
        let (text, name) = (text.as_bytes(), name.as_encoded_bytes());
        let (head, tail) = (&text[self.start..self.head_end], &text[self.tail_start..]);
        let tail_start = name.len().checked_sub(tail.len());
        has_at(name, 0, head) && tail_start.is_some_and(|start| has_at(name, start, tail))
    }
}

/// Whether the bytes from `start` begin with `expected`. The first byte is compared first: it mostly
/// differs, and one comparison is cheap.
fn has_at(bytes: &[u8], start: usize, expected: &[u8]) -> bool {
    let is_first = |first| bytes.get(start) == Some(first);
    expected.first().is_none_or(is_first) && bytes[start..].starts_with(expected)
}

/// Returns the same as [`Path::file_name`], but faster, because it does not read the path part by part.
/// It is called for every file.
#[cfg(unix)]
pub(super) fn file_name(path: &Path) -> Option<&OsStr> {
    use std::os::unix::ffi::OsStrExt as _;
    let bytes = path.as_os_str().as_bytes();
    let start = memchr::memrchr(b'/', bytes).map_or(0, |slash| slash + 1);
    match &bytes[start..] {
        b"" | b"." | b".." => path.file_name(),
        name => Some(OsStr::from_bytes(name)),
    }
}

// On other systems a path can have a prefix.
#[cfg(not(unix))]
pub(super) fn file_name(path: &Path) -> Option<&OsStr> {
    path.file_name()
}

/// Returns the names in a path, the last one first.
fn names(path: &Path) -> impl Iterator<Item = &OsStr> {
    let ends = std::iter::successors(Some(path), |path| path.parent());
    ends.map_while(Path::file_name)
}

/// Whether the last folders of a path match a pattern.
fn ends_in(path: &Path, folders: &str) -> bool {
    let mut names = names(path).skip(1);
    let mut folders = folders.rsplit('/');
    folders.all(|folder| names.next().is_some_and(|name| is_like(folder, name)))
}

impl PartialEq for FilePattern {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for FilePattern {}

/// Whether a name matches a pattern whose only wildcard is `*`.
fn is_like(pattern: &str, name: &OsStr) -> bool {
    let (pattern, name) = (pattern.as_bytes(), name.as_encoded_bytes());
    let Some(star) = memchr::memchr(b'*', pattern) else {
        return pattern == name;
    };
    let Some(name) = name.strip_prefix(&pattern[..star]) else {
        return false;
    };
    let rest = &pattern[star + 1..];
    let end = memchr::memrchr(b'*', rest);
    let Some(name) = name.strip_suffix(&rest[end.map_or(0, |end| end + 1)..]) else {
        return false;
    };
    let mut inside = rest[..end.unwrap_or(0)].split(|byte| *byte == b'*');
    let found = inside.try_fold(name, |left, piece| {
        let found = memchr::memmem::find(left, piece)?;
        left.get(found + piece.len()..)
    });
    found.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_name_is_what_the_standard_library_says() {
        for path in [
            "", ".", "..", "/", "//", "a", "/a", "./a", "a/", "a//", "a/.", "a/./", "a/..", "a/b",
            "a//b", "a/./b", "../a", "a/b/", ".a", "a/.b", "a/...", "a b/c d",
        ] {
            let path = Path::new(path);
            assert_eq!(file_name(path), path.file_name(), "{path:?}");
        }
    }

    #[test]
    fn simple_patterns_and_globs_match_the_end_of_a_path() {
        for (pattern, path, expected) in [
            ("a.json", "x/a.json", true),
            ("a.json", "x/b.json", false),
            ("*", "x/b.json", true),
            ("a*.json", "a.json", true),
            ("a*.json", "b/a1.json", true),
            ("a*.json", "a/b.json", false),
            ("a*a", "a", false),
            ("*-*-*.json", "1-2-3.json", true),
            ("*-*-*.json", "1-2.json", false),
            ("in/*_dev.json", "x/in/a_dev.json", true),
            ("in/*_dev.json", "x/out/a_dev.json", false),
            ("in/*_dev.json", "a_dev.json", false),
            ("in/*.json", "in/../a.json", false),
            ("{a,b}.json", "x/b.json", true),
            ("{a,b}.json", "x/c.json", false),
            ("in/{a,b}.json", "x/in/b.json", true),
            ("in/{a,b}.json", "b.json", false),
            ("**/a.json", "a.json", true),
        ] {
            let read = FilePattern::parse(pattern).expect(pattern);
            assert_eq!(read.is_match(Path::new(path)), expected, "{pattern} {path}");
            assert_eq!(read.as_str(), pattern);
        }
        assert!(FilePattern::parse("[").is_err());
    }
}
