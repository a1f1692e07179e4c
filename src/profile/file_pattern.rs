//! Which file names choose a profile.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use globset::{GlobBuilder, GlobMatcher};

/// A glob that is matched against the end of a path: its file name, and one more folder for each `/` in
/// the pattern.
#[derive(Debug, Clone)]
pub(crate) struct FilePattern {
    text: Cow<'static, str>,
    /// None if at most one `*` in each name is all. Such patterns need no glob engine, because building one
    /// takes longer than checking a return.
    glob: Option<Arc<GlobMatcher>>,
}

impl FilePattern {
    pub(super) const fn simple(text: &'static str) -> Self {
        Self { text: Cow::Borrowed(text), glob: None }
    }

    pub(crate) fn parse(text: &str) -> Result<Self, globset::Error> {
        let is_plain = |piece: &str| piece.matches('*').count() < 2;
        let is_simple =
            text.split('/').all(is_plain) && !text.contains(['?', '[', ']', '{', '}', '\\']);
        // Below any folder, as those in front do not count.
        let glob = || GlobBuilder::new(&format!("**/{text}")).literal_separator(true).build();
        let glob = (!is_simple).then(glob).transpose()?;
        Ok(Self {
            text: Cow::Owned(text.to_owned()),
            glob: glob.map(|glob| Arc::new(glob.compile_matcher())),
        })
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    pub(crate) fn is_match(&self, path: &Path) -> bool {
        let mut pieces = self.text.rsplit('/');
        let mut names = names(path);
        let Some(glob) = &self.glob else {
            return pieces.all(|piece| names.next().is_some_and(|name| is_like(piece, name)));
        };
        let mut names: Vec<&OsStr> = names.collect();
        names.reverse();
        !names.is_empty() && glob.is_match(names.into_iter().collect::<PathBuf>())
    }
}

/// The names in a path, the last one first.
fn names(path: &Path) -> impl Iterator<Item = &OsStr> {
    path.components().rev().map_while(|part| match part {
        Component::Normal(name) => Some(name),
        _ => None,
    })
}

fn is_like(pattern: &str, name: &OsStr) -> bool {
    let name = name.as_encoded_bytes();
    let Some((start, end)) = pattern.split_once('*') else {
        return pattern.as_bytes() == name;
    };
    let rest = name.strip_prefix(start.as_bytes());
    rest.is_some_and(|rest| rest.ends_with(end.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

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
            ("in/**/a.json", "x/in/y/z/a.json", true),
            ("in/**/a.json", "x/in/a.json", true),
            ("in/**/a.json", "x/out/y/a.json", false),
        ] {
            let read = FilePattern::parse(pattern).expect(pattern);
            assert_eq!(read.is_match(Path::new(path)), expected, "{pattern} {path}");
            assert_eq!(read.as_str(), pattern);
        }
        assert!(FilePattern::parse("[").is_err());
    }
}
