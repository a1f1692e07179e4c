//! Files that are replaced as a whole.

use std::fs::{self, File, Metadata};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crate::output::atomic::{NewFile, folder_of};

/// A new file, and the one that it replaces.
pub(crate) struct Replacement {
    pub(super) file: NewFile,
    pub(super) path: PathBuf,
    pub(super) old: Option<Metadata>,
}

impl Replacement {
    /// Writes the content, the permissions and the name to disk, in this order.
    pub(super) fn take_place(mut self) -> io::Result<()> {
        if let Some(old) = &self.old {
            keep_permissions(self.file.file(), old)?;
        }
        self.file.file().sync_all()?;
        self.file.replace(&self.path)?;
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

/// Replaces a file as a whole.
pub(crate) fn replace(path: &Path, bytes: &[u8], old: Option<&Metadata>) -> io::Result<()> {
    let mut file = file_beside(path)?;
    file.file().write_all(bytes)?;
    Replacement {
        file,
        path: path.to_owned(),
        old: old.cloned(),
    }
    .take_place()
}

/// A new file in the same folder.
pub(super) fn file_beside(path: &Path) -> io::Result<NewFile> {
    NewFile::beside(path).map_err(|error| {
        // If the folder is missing, the error about the folder is clearer.
        fs::metadata(folder_of(path))
            .err()
            .unwrap_or_else(|| without_path(&error))
    })
}

/// Gives a file the permissions, and if allowed the owner, of the one that it replaces.
fn keep_permissions(file: &File, old: &Metadata) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt as _, fchown};
        // Only root can change the owner; for other users this fails, and the file stays theirs.
        let _ = fchown(file, Some(old.uid()), Some(old.gid()));
    }
    file.set_permissions(old.permissions())
}

/// The error without the name of the temporary file, which a user never named.
pub(super) fn without_path(error: &io::Error) -> io::Error {
    let inner = error
        .get_ref()
        .and_then(|error| error.source()?.downcast_ref::<io::Error>());
    let code = error.raw_os_error().or_else(|| inner?.raw_os_error());
    code.map_or_else(|| error.kind().into(), io::Error::from_raw_os_error)
}

/// The path that a path leads to, even if nothing exists there yet: a link stays a link, and its
/// target is replaced. Two names of one file have the same target.
pub(crate) fn target(path: &Path) -> PathBuf {
    const LINKS: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..LINKS {
        match fs::read_link(&path) {
            Ok(link) => path = path.parent().unwrap_or(Path::new("")).join(link),
            Err(_) => break,
        }
    }
    path.canonicalize().unwrap_or_else(|_| {
        let folder = folder_of(&path).canonicalize();
        match (folder, path.file_name()) {
            (Ok(folder), Some(name)) => folder.join(name),
            _ => path,
        }
    })
}
