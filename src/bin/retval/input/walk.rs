//! Finds the returns in a folder, sorted by name. Hidden files are included, links are not
//! followed, and `.git` is skipped.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, anyhow};
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use retval::internal::escape;
use walkdir::{DirEntry, WalkDir};

use crate::input::origin::{InputEntry, Origin, has_extension, is_stream};
use crate::output::target;

/// `--include` and `--exclude`.
#[derive(Debug, Clone, Default)]
pub(crate) struct Globs {
    include: Option<Arc<Patterns>>,
    exclude: Option<Arc<Patterns>>,
    /// Files that are not returns, and folders without returns, whatever their names.
    skipped: Vec<Arc<Path>>,
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
            skipped: Vec::new(),
        })
    }

    /// Excludes these files and folders.
    pub(crate) fn skip<'f>(mut self, files: impl Iterator<Item = &'f Path>) -> Self {
        self.skipped = files.map(|file| Arc::from(target(file))).collect();
        self
    }

    fn is_skipped(&self, path: &Path) -> bool {
        let mut named = self
            .skipped
            .iter()
            .filter(|file| file.file_name() == path.file_name());
        named.any(|file| path.canonicalize().is_ok_and(|path| path == **file))
    }
}

impl Patterns {
    fn new(globs: &[String]) -> anyhow::Result<Option<Arc<Self>>> {
        if globs.is_empty() {
            return Ok(None);
        }
        let (mut names, mut paths) = (GlobSetBuilder::new(), GlobSetBuilder::new());
        for text in globs {
            // Users often write a folder with a trailing slash, and a path with a leading dot.
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
        let patterns = Self {
            names: names.build()?,
            paths: paths.build()?,
        };
        Ok(Some(Arc::new(patterns)))
    }

    fn matches(&self, below: &Path) -> bool {
        self.paths.is_match(below)
            || below
                .file_name()
                .is_some_and(|name| self.names.is_match(name))
    }
}

/// Walks one folder.
pub(super) struct FolderWalk {
    folder: PathBuf,
    entries: Box<dyn Iterator<Item = walkdir::Result<DirEntry>> + Send>,
    globs: Globs,
    has_found: bool,
    is_over: bool,
}

impl FolderWalk {
    pub(super) fn new(folder: PathBuf, globs: Globs) -> Self {
        let (root, ours) = (folder.clone(), globs.clone());
        let is_entered = move |entry: &DirEntry| {
            let is_excluded = || {
                let below = entry.path().strip_prefix(&root).unwrap_or(entry.path());
                (ours.exclude.as_ref()).is_some_and(|exclude| exclude.matches(below))
                    || ours.is_skipped(entry.path())
            };
            entry.depth() == 0
                || !entry.file_type().is_dir()
                || !(entry.file_name() == ".git" || is_excluded())
        };
        let entries = WalkDir::new(&folder)
            // The entries of one folder, so comparing the paths compares the names.
            .sort_by(|one, other| one.path().as_os_str().cmp(other.path().as_os_str()))
            .into_iter()
            .filter_entry(is_entered);
        Self {
            folder,
            entries: Box::new(entries),
            globs,
            has_found: false,
            is_over: false,
        }
    }

    /// The next return, or why a part of the folder cannot be checked.
    pub(super) fn next(&mut self) -> Option<InputEntry> {
        while !self.is_over {
            let Some(entry) = self.entries.next() else {
                self.is_over = true;
                return (!self.has_found).then(|| self.nothing());
            };
            let found = match entry {
                Ok(entry) => self.check(entry),
                Err(error) => Some(unread(error)),
            };
            if found.is_some() {
                self.has_found = true;
                return found;
            }
        }
        None
    }

    fn check(&self, entry: DirEntry) -> Option<InputEntry> {
        let kind = entry.file_type();
        if kind.is_dir() || kind.is_symlink() || !self.is_wanted(entry.path()) {
            return None;
        }
        let path = entry.into_path();
        if kind.is_file() {
            return Some(InputEntry::Return(Origin::Found(path)));
        }
        let error = anyhow!(
            "cannot read {}: it is not a regular file",
            escape::path(&path)
        );
        Some(InputEntry::Unreadable {
            name: path.to_string_lossy().into_owned(),
            error,
        })
    }

    fn is_wanted(&self, path: &Path) -> bool {
        let matches = |patterns: &Option<Arc<Patterns>>| {
            let below = || path.strip_prefix(&self.folder).unwrap_or(path);
            patterns.as_ref().map(|patterns| patterns.matches(below()))
        };
        (has_extension(path, "json") || is_stream(path))
            && matches(&self.globs.include) != Some(false)
            && matches(&self.globs.exclude) != Some(true)
            && !self.globs.is_skipped(path)
    }

    fn nothing(&self) -> InputEntry {
        let folder = escape::path(&self.folder);
        let error = anyhow!(
            "no returns in {folder}: it has no *.json, *.ndjson or *.jsonl files, or all are filtered out"
        );
        InputEntry::Unreadable {
            name: self.folder.to_string_lossy().into_owned(),
            error,
        }
    }
}

fn unread(error: walkdir::Error) -> InputEntry {
    let path = error.path().unwrap_or(Path::new("")).to_owned();
    let name = escape::path(&path);
    let error = match error.into_io_error() {
        Some(error) => Err::<(), _>(error).with_context(|| format!("cannot read {name}")),
        None => Err(anyhow!("cannot read {name}")),
    };
    let error = error.err().unwrap_or_else(|| anyhow!("cannot read {name}"));
    InputEntry::Unreadable {
        name: path.to_string_lossy().into_owned(),
        error,
    }
}
