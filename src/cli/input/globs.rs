//! `--include` and `--exclude`.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::anyhow;
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

use crate::cli::settings::overrides::ConfigFolder;
use crate::profile::FilePattern;
use crate::text::escape;

/// Which files of a folder are checked.
#[derive(Debug, Clone)]
pub(crate) struct Globs {
    include: Option<Arc<Patterns>>,
    exclude: Option<Arc<Patterns>>,
    returns: Arc<ReturnNames>,
    /// The files that are no returns of the run, whatever the globs are, after the options that name them.
    named: Arc<Vec<(String, PathBuf)>>,
}

/// The names of the files that are returns, besides streams.
#[derive(Debug)]
pub(crate) struct ReturnNames {
    pub(crate) extensions: &'static [&'static str],
    pub(crate) files: Vec<FilePattern>,
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
    globs: GlobSet,
    /// The folder that paths are relative to: that of the configuration, or the current one.
    folder: ConfigFolder,
    /// Whether that is so in a walk, too, and not the folder that is walked.
    is_anchored: bool,
}

impl Globs {
    /// `named` are the files that options name, with their symlinks followed.
    pub(crate) fn new(
        returns: ReturnNames,
        include: &GlobList,
        exclude: &GlobList,
        named: Vec<(String, PathBuf)>,
    ) -> anyhow::Result<Self> {
        Ok(Self {
            include: Patterns::new(include)?,
            exclude: Patterns::new(exclude)?,
            returns: Arc::new(returns),
            named: Arc::new(named),
        })
    }

    /// Whether a file or a folder that the command line names is excluded, itself or with a folder above it.
    pub(super) fn excludes(&self, path: &Path) -> bool {
        self.exclude.as_ref().is_some_and(|exclude| {
            let below = exclude.folder.below(path);
            let below = below.as_deref().unwrap_or(path);
            below.ancestors().any(|above| exclude.globs.is_match(above))
        })
    }

    /// The option that names this file, if one does.
    pub(super) fn option_of(&self, path: &Path) -> Option<&str> {
        // Only a link can have another name than the file.
        let may_be_it = |file: &Path| file.file_name() == path.file_name() || path.is_symlink();
        let mut named = self.named.iter().filter(|it| may_be_it(&it.1));
        let it = named.find(|it| path.canonicalize().is_ok_and(|path| path == it.1))?;
        Some(&it.0)
    }

    /// Whether a folder of a walk is entered. `below` is its path relative to the folder that is walked.
    pub(super) fn enter(&self, path: &Path, below: &Path) -> bool {
        let excludes = |exclude: &Arc<Patterns>| exclude.globs.is_match(exclude.place(path, below));
        !self.exclude.as_ref().is_some_and(excludes)
    }

    /// Whether a file of a walk is checked.
    pub(super) fn is_return(&self, path: &Path, below: &Path) -> bool {
        let includes = |include: &Arc<Patterns>| include.globs.is_match(include.place(path, below));
        let mut files = self.returns.files.iter();
        (is_stream(path)
            || has_extension(path, self.returns.extensions)
            || files.any(|file| file.is_match(below)))
            && self.include.as_ref().is_none_or(includes)
            && self.enter(path, below)
    }

    /// The names of returns, for a message.
    pub(super) fn names(&self) -> String {
        let extensions = self.returns.extensions.iter();
        let names = extensions.map(|it| format!("*.{it}, "));
        format!("{}*.ndjson or *.jsonl", names.collect::<String>())
    }
}

impl Patterns {
    /// None if there are no globs.
    fn new(list: &GlobList) -> anyhow::Result<Option<Arc<Self>>> {
        if list.globs.is_empty() {
            return Ok(None);
        }
        let mut globs = GlobSetBuilder::new();
        for text in &list.globs {
            // Users often write a folder with a trailing slash, or a path that begins with `./`.
            let pattern =
                text.trim_start_matches("./").trim_start_matches('/').trim_end_matches('/');
            let anywhere = if pattern.contains('/') { "" } else { "**/" };
            let pattern = format!("{anywhere}{pattern}");
            let glob = GlobBuilder::new(&pattern).literal_separator(true).build();
            let glob = glob.map_err(|error| {
                anyhow!(
                    "cannot use the glob {}: {}",
                    escape::truncated(text),
                    escape::truncated(&error.kind().to_string())
                )
            })?;
            globs.add(glob);
        }
        Ok(Some(Arc::new(Self {
            globs: globs.build()?,
            folder: ConfigFolder::of(list.folder.as_deref().unwrap_or(Path::new(""))),
            is_anchored: list.folder.is_some(),
        })))
    }

    /// The path that these patterns match: below the folder of the configuration, or below the one that is
    /// walked. Outside the folder of the configuration, only names match.
    fn place<'p>(&self, path: &'p Path, below: &'p Path) -> Cow<'p, Path> {
        if !self.is_anchored {
            return Cow::Borrowed(below);
        }
        let name = || path.file_name().map_or(below, Path::new);
        let place = self.folder.below(path);
        place.map_or_else(|| Cow::Borrowed(name()), Cow::Owned)
    }
}

/// Whether the name of a file is that of a stream.
pub(super) fn is_stream(path: &Path) -> bool {
    has_extension(path, &["ndjson", "jsonl"])
}

fn has_extension(path: &Path, extensions: &[&str]) -> bool {
    let extension = path.extension();
    extension.is_some_and(|it| extensions.iter().any(|known| it == *known))
}
