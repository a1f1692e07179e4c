//! `--include` and `--exclude`.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::anyhow;
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use crate::text::escape;
use crate::profile::FilePattern;

use crate::cli::output::target;
use crate::cli::settings::config_folder::ConfigFolder;

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
    pub(crate) files: Vec<FilePattern>,
    /// Whether all files are returns that `--include` matches.
    pub(crate) has_included: bool,
}

#[derive(Debug, Default)]
pub(crate) struct GlobList {
    pub(crate) globs: Vec<String>,
    /// The folder of the configuration that has them. None if the command line has them.
    pub(crate) folder: Option<PathBuf>,
}

/// Glob patterns. One with a slash matches the path below a folder; any other matches only the
/// file name.
#[derive(Debug)]
struct Patterns {
    names: GlobSet,
    paths: GlobSet,
    /// The folder that paths are relative to: that of the configuration, or the current one.
    folder: ConfigFolder,
    /// Whether that is so in a walk, too, and not the folder that is walked.
    is_anchored: bool,
}

/// The globs in one folder of a walk, and the path of the folder that each matches.
pub(super) struct FolderGlobs<'g> {
    globs: &'g Globs,
    folder: &'g Path,
    below: &'g Path,
    include: PathBuf,
    exclude: PathBuf,
}

impl Globs {
    pub(crate) fn new(include: &GlobList, exclude: &GlobList) -> anyhow::Result<Self> {
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

    /// Excludes these files and folders.
    pub(crate) fn skip<'f>(mut self, files: impl Iterator<Item = &'f Path>) -> Self {
        self.skipped = files.map(|file| Arc::from(target(file))).collect();
        self
    }

    fn is_empty(&self) -> bool {
        self.include.is_none() && self.exclude.is_none() && self.skipped.is_empty()
    }

    /// Whether a file or a folder that the command line names is excluded, itself or with a folder above it.
    pub(super) fn excludes(&self, path: &Path) -> bool {
        self.exclude.as_ref().is_some_and(|exclude| {
            let below = exclude.folder.below(path);
            let below = below.as_deref().unwrap_or(path);
            below.ancestors().any(|above| exclude.matches(above))
        })
    }

    /// The globs in a folder of a walk. `below` is its path relative to the folder that is walked.
    pub(super) fn in_folder<'g>(&'g self, folder: &'g Path, below: &'g Path) -> FolderGlobs<'g> {
        let place = |patterns: &Option<Arc<Patterns>>| {
            let patterns = patterns.as_ref();
            patterns.map_or_else(PathBuf::new, |it| it.place(folder, below))
        };
        FolderGlobs {
            globs: self,
            folder,
            below,
            include: place(&self.include),
            exclude: place(&self.exclude),
        }
    }

    fn is_skipped(&self, path: &Path) -> bool {
        self.skipped
            .iter()
            .filter(|file| file.file_name() == path.file_name())
            .any(|file| path.canonicalize().is_ok_and(|path| path == **file))
    }
}

impl FolderGlobs<'_> {
    /// Whether a file is a return although its name is not that of one.
    pub(super) fn is_other(&self, name: &OsStr) -> bool {
        self.globs.others.as_ref().is_some_and(|others| {
            let include = (self.globs.include.as_ref()).filter(|_| others.has_included);
            include.is_some_and(|include| include.matches(&self.include.join(name)))
                || (others.files.iter()).any(|file| file.is_match(&self.below.join(name)))
        })
    }

    /// Whether a file is checked, or a folder is entered.
    pub(super) fn keep(&self, name: &OsStr, is_folder: bool) -> bool {
        let globs = self.globs;
        let included = |it: &Arc<Patterns>| is_folder || it.matches(&self.include.join(name));
        let excluded = |it: &Arc<Patterns>| it.matches(&self.exclude.join(name));
        globs.is_empty()
            || globs.include.as_ref().is_none_or(included)
                && !globs.exclude.as_ref().is_some_and(excluded)
                && !globs.is_skipped(&self.folder.join(name))
    }
}

impl Patterns {
    /// None if there are no globs.
    fn new(list: &GlobList) -> anyhow::Result<Option<Arc<Self>>> {
        if list.globs.is_empty() {
            return Ok(None);
        }
        let (mut names, mut paths) = (GlobSetBuilder::new(), GlobSetBuilder::new());
        for text in &list.globs {
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
            folder: ConfigFolder::of(list.folder.as_deref().unwrap_or(Path::new(""))),
            is_anchored: list.folder.is_some(),
        })))
    }

    /// The path of a folder that these patterns match: below the folder of the configuration, or below
    /// the one that is walked. Only names match in a folder outside that of the configuration.
    fn place(&self, folder: &Path, below: &Path) -> PathBuf {
        if !self.is_anchored {
            return below.to_owned();
        }
        let file = self.folder.below(&folder.join("_"));
        let folder = file.as_deref().and_then(Path::parent);
        folder.unwrap_or(Path::new("")).to_owned()
    }

    fn matches(&self, below: &Path) -> bool {
        self.paths.is_match(below)
            || below
                .file_name()
                .is_some_and(|name| self.names.is_match(name))
    }
}
