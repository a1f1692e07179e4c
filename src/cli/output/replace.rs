//! Files that are replaced as a whole.

use std::fs::{self, File, Metadata};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::cli::output::ownership::{self, Owners};
use crate::cli::output::place::{Rights, folder_of, new_file};

/// A new file, and the one that it replaces.
pub(crate) struct Replacement {
    file: NamedTempFile,
    pub(super) path: PathBuf,
    pub(super) old: Option<Metadata>,
}

impl Replacement {
    /// A new file in the folder of the old one.
    pub(crate) fn new(path: &Path, old: Option<Metadata>) -> io::Result<Self> {
        // It gets the permissions of the old file later, after its owner and group.
        let rights = if old.is_some() {
            Rights::Private
        } else {
            Rights::Masked
        };
        Ok(Self {
            file: new_file(path, rights)?,
            path: path.to_owned(),
            old,
        })
    }

    pub(crate) fn file(&mut self) -> &mut File {
        self.file.as_file_mut()
    }

    /// Writes the content, the permissions and the name to disk, in this order.
    pub(super) fn take_place(self, owners: Owners) -> io::Result<()> {
        if let Some(old) = &self.old {
            ownership::keep(self.file.as_file(), old, owners)?;
        }
        self.file.as_file().sync_all()?;
        self.file.persist(&self.path)?;
        sync_folder(folder_of(&self.path))
    }
}

/// Writes the names in a folder to disk, where a folder can be opened as a file.
fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) {
        File::open(folder)?.sync_all()
    } else {
        Ok(())
    }
}

pub(crate) fn replace(path: &Path, bytes: &[u8], old: Option<&Metadata>) -> io::Result<()> {
    let mut new = Replacement::new(path, old.cloned())?;
    new.file().write_all(bytes)?;
    new.take_place(Owners::AsFarAsPossible)
}

/// The path that a path leads to through symlinks, even if nothing exists there yet. A symlink stays,
/// and its target is replaced. Two paths to one file have the same target.
pub(crate) fn target(path: &Path) -> PathBuf {
    const LINKS: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..LINKS {
        match fs::read_link(&path) {
            Ok(link) => path = path.parent().unwrap_or(Path::new("")).join(link),
            Err(_) => break,
        }
    }
    resolved(&path)
}

/// Resolves symlinks, as far as the path exists.
fn resolved(path: &Path) -> PathBuf {
    path.canonicalize()
        .unwrap_or_else(|_| match path.file_name() {
            Some(name) => resolved(folder_of(path)).join(name),
            None => path.to_owned(),
        })
}
