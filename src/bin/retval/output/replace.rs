//! Files that are replaced as a whole.

use std::fs::{self, File, Metadata};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crate::output::atomic::{NewFile, folder_of};

/// A file to be, and the one that it replaces.
pub(crate) struct Replacement {
    pub(super) file: NewFile,
    pub(super) path: PathBuf,
    pub(super) old: Option<Metadata>,
}

impl Replacement {
    /// The bytes, the rights and the name reach the disk, in this order.
    pub(super) fn take_place(mut self) -> io::Result<()> {
        if let Some(old) = &self.old {
            keep_rights(self.file.file(), old)?;
        }
        self.file.file().sync_all()?;
        self.file.replace(&self.path)?;
        sync_folder(folder_of(&self.path))
    }
}

/// Where a folder can be opened as a file, its names can be made to reach the disk.
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
        // Of a folder that is not there the system has more to say.
        fs::metadata(folder_of(path))
            .err()
            .unwrap_or_else(|| plain(&error))
    })
}

/// Gives a file the rights, and where that is allowed the owner, of the one that it replaces.
fn keep_rights(file: &File, old: &Metadata) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt as _, fchown};
        // Only root may give files away; to anyone else the old file was their own, or shared.
        let _ = fchown(file, Some(old.uid()), Some(old.gid()));
    }
    file.set_permissions(old.permissions())
}

/// The error without the name of a temporary file, which tells nobody anything.
pub(super) fn plain(error: &io::Error) -> io::Error {
    let inner = error
        .get_ref()
        .and_then(|error| error.source()?.downcast_ref::<io::Error>());
    let code = error.raw_os_error().or_else(|| inner?.raw_os_error());
    code.map_or_else(|| error.kind().into(), io::Error::from_raw_os_error)
}

/// Where a path leads, even if nothing is there yet: a link stays a link, what it leads to is
/// replaced. Two names of one file lead to the same.
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
