//! `--include` and `--exclude`.

use std::path::Path;
use std::sync::Arc;

use anyhow::anyhow;
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use retval::internal::escape;
use retval::profile::FilePattern;

use crate::output::target;

/// `--include` and `--exclude`.
#[derive(Debug, Clone, Default)]
pub(crate) struct Globs {
    include: Option<Arc<Patterns>>,
    exclude: Option<Arc<Patterns>>,
    /// Which files are returns besides those whose names say that they are JSON.
    others: Option<Arc<OtherReturns>>,
    /// Files that are not returns, and folders without returns. They are skipped whatever the globs are.
    skipped: Vec<Arc<Path>>,
}

/// Returns that are no JSON.
#[derive(Debug)]
pub(crate) struct OtherReturns {
    /// The names of their files.
    pub(crate) files: Vec<FilePattern>,
    /// Whether all files are returns that `--include` matches.
    pub(crate) has_included: bool,
}

/// Glob patterns. One with a slash matches the path below the folder; any other matches only the
/// file name.
#[derive(Debug)]
struct Patterns {
    names: GlobSet,
    paths: GlobSet,
}

impl Globs {
    pub(crate) fn new(include: &[String], exclude: &[String]) -> anyhow::Result<Self> {
        Ok(Self {
            include: Patterns::new(include)?,
            exclude: Patterns::new(exclude)?,
            others: None,
            skipped: Vec::new(),
        })
    }

    /// Adds returns that are no JSON.
    pub(crate) fn with(mut self, others: OtherReturns) -> Self {
        let is_any = others.has_included || !others.files.is_empty();
        self.others = is_any.then(|| Arc::new(others));
        self
    }

    /// Whether a file is a return although its name is not that of one.
    pub(super) fn is_other(&self, below: &Path) -> bool {
        self.others.as_ref().is_some_and(|others| {
            let include = self.include.as_ref().filter(|_| others.has_included);
            include.is_some_and(|include| include.matches(below))
                || others.files.iter().any(|file| file.is_match(below))
        })
    }

    /// Excludes these files and folders.
    pub(crate) fn skip<'f>(mut self, files: impl Iterator<Item = &'f Path>) -> Self {
        self.skipped = files.map(|file| Arc::from(target(file))).collect();
        self
    }

    pub(super) fn is_empty(&self) -> bool {
        self.include.is_none() && self.exclude.is_none() && self.skipped.is_empty()
    }

    /// Whether a file is checked, or a folder is entered. `below` is the path relative to the folder
    /// that is walked.
    pub(super) fn keep(&self, path: &Path, below: &Path, is_folder: bool) -> bool {
        let included = |include: &Arc<Patterns>| is_folder || include.matches(below);
        let excluded = |exclude: &Arc<Patterns>| exclude.matches(below);
        self.include.as_ref().is_none_or(included)
            && !self.exclude.as_ref().is_some_and(excluded)
            && !self.is_skipped(path)
    }

    fn is_skipped(&self, path: &Path) -> bool {
        self.skipped
            .iter()
            .filter(|file| file.file_name() == path.file_name())
            .any(|file| path.canonicalize().is_ok_and(|path| path == **file))
    }
}

impl Patterns {
    /// None if there are no globs.
    fn new(globs: &[String]) -> anyhow::Result<Option<Arc<Self>>> {
        if globs.is_empty() {
            return Ok(None);
        }
        let (mut names, mut paths) = (GlobSetBuilder::new(), GlobSetBuilder::new());
        for text in globs {
            // Users often write a folder with a trailing slash, or a path that begins with `./`.
            let pattern = text
                .trim_start_matches("./")
                .trim_start_matches('/')
                .trim_end_matches('/');
            let glob = GlobBuilder::new(pattern).literal_separator(true).build();
            let glob = glob.map_err(|error| {
                anyhow!(
                    "cannot use the glob {}: {}",
                    escape::truncated(text),
                    escape::truncated(&error.kind().to_string())
                )
            })?;
            if pattern.contains('/') {
                paths.add(glob)
            } else {
                names.add(glob)
            };
        }
        Ok(Some(Arc::new(Self {
            names: names.build()?,
            paths: paths.build()?,
        })))
    }

    fn matches(&self, below: &Path) -> bool {
        self.paths.is_match(below)
            || below
                .file_name()
                .is_some_and(|name| self.names.is_match(name))
    }
}
