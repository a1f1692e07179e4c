//! The folder that the globs of the configuration file are relative to.

use std::path::{Path, PathBuf};

use crate::root::collapsed;

/// The folder that globs are relative to.
#[derive(Debug, Default)]
pub(crate) struct ConfigFolder {
    current: PathBuf,
    /// The absolute paths of the folder: as it was named, and without symlinks if that differs.
    names: Vec<PathBuf>,
}

impl ConfigFolder {
    pub(crate) fn of(folder: &Path) -> Self {
        let current = std::env::current_dir().unwrap_or_default();
        let mut names = vec![collapsed(&current.join(folder))];
        names.extend(names[0].canonicalize().ok());
        names.dedup();
        Self { current, names }
    }

    /// A path relative to the folder. None if it is not below the folder.
    pub(crate) fn below(&self, path: &Path) -> Option<PathBuf> {
        let absolute = collapsed(&self.current.join(path));
        self.strip(&absolute).or_else(|| {
            // The folder may have been named through a symlink.
            let folder = absolute.parent()?.canonicalize().ok()?;
            self.strip(&folder.join(absolute.file_name()?))
        })
    }

    fn strip(&self, absolute: &Path) -> Option<PathBuf> {
        let mut names = self.names.iter();
        let below = names.find_map(|name| absolute.strip_prefix(name).ok())?;
        Some(below.to_owned())
    }
}
