//! Files that are replaced as a whole, or that several processes change, one at a time.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// Around the random part of temporary names. A process that is killed leaves the file.
const PREFIX: &str = ".retval-";
const SUFFIX: &str = ".tmp";

pub(crate) fn folder_of(path: &Path) -> &Path {
    path.parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."))
}

/// Who may open a new file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rights {
    /// Everyone whom the umask of the user allows to.
    Masked,
    /// Its owner only.
    Private,
}

/// Creates a file with a temporary name in the folder of `path`. It is to be persisted there.
pub(crate) fn new_file(path: &Path, rights: Rights) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX);
    // Only Unix has these permissions. On other systems, those of the folder are inherited.
    #[cfg(unix)]
    if rights == Rights::Masked {
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    }
    #[cfg(not(unix))]
    let _ = rights;
    let new = builder.tempfile_in(folder_of(path));
    new.map_err(|error| without_path(&error))
}

/// Fails unless a file can be made in a folder, which may be missing, too. Makes nothing.
pub(crate) fn try_folder(folder: &Path) -> io::Result<()> {
    let outer = folder_of(folder);
    match fs::metadata(folder) {
        // A link that leads nowhere is in the way of a new folder, and `.` can be gone.
        Err(error)
            if error.kind() == ErrorKind::NotFound && outer != folder && !folder.is_symlink() =>
        {
            try_folder(outer)
        }
        Err(error) => Err(error),
        Ok(it) if !it.is_dir() => Err(io::Error::other("it is not a folder")),
        Ok(_) => try_new_files(folder),
    }
}

#[cfg(unix)]
fn try_new_files(folder: &Path) -> io::Result<()> {
    use rustix::fs::{Access, AtFlags, CWD, accessat};
    let rights = Access::WRITE_OK | Access::EXEC_OK;
    Ok(accessat(CWD, folder, rights, AtFlags::EACCESS)?)
}

// Nothing tells it there before a file is made.
#[cfg(not(unix))]
fn try_new_files(_: &Path) -> io::Result<()> {
    Ok(())
}

/// The error without the path of the temporary file, which the user does not know and
/// which is not escaped.
fn without_path(error: &io::Error) -> io::Error {
    let text = error.to_string();
    let text = text
        .split_once(" at path ")
        .map_or(&*text, |(text, _)| text);
    io::Error::new(error.kind(), text)
}

/// Whether a path leads to this open file.
#[cfg(unix)]
pub(crate) fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt as _;
    let there = match fs::metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
        there => there?,
    };
    let open = file.metadata()?;
    Ok((open.dev(), open.ino()) == (there.dev(), there.ino()))
}

// The standard library has file numbers only on Unix. On other systems, only the path can be checked.
#[cfg(not(unix))]
pub(crate) fn is_at(_: &File, path: &Path) -> io::Result<bool> {
    fs::exists(path)
}

/// A new file, and the one that it replaces.
pub(crate) struct Replacement {
    file: NamedTempFile,
    pub(super) path: PathBuf,
    pub(super) old: Option<Metadata>,
}

impl Replacement {
    /// A new file in the folder of the old one.
    pub(crate) fn new(path: &Path, old: Option<Metadata>) -> io::Result<Self> {
        // It gets the permissions of the old file when it is complete.
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
    pub(super) fn take_place(self) -> io::Result<()> {
        if let Some(old) = &self.old {
            self.file.as_file().set_permissions(old.permissions())?;
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
    new.take_place()
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

/// Opens and locks the file that is at `path` now: while this process waits for the lock, another may
/// replace the file. If there is none, it is created with the content `empty`; no other process sees it
/// half written.
pub(crate) fn lock(path: &Path, empty: &[u8]) -> io::Result<File> {
    loop {
        let file = match open(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                create(path, empty)?;
                continue;
            }
            file => file?,
        };
        file.lock()?;
        if is_at(&file, path)? {
            return Ok(file);
        }
    }
}

pub(super) fn open(path: &Path) -> io::Result<File> {
    if fs::metadata(path).is_ok_and(|there| !there.is_file()) {
        // A stream has no end, and a folder no content.
        return Err(io::Error::other("it is not a regular file"));
    }
    OpenOptions::new().read(true).write(true).open(path)
}

fn create(path: &Path, empty: &[u8]) -> io::Result<()> {
    let new = new_file(path, Rights::Masked)?;
    new.as_file().write_all(empty)?;
    new.as_file().sync_all()?;
    match new.persist_noclobber(path) {
        // Another process created it first, which is just as good.
        Err(error) if error.error.kind() != ErrorKind::AlreadyExists => Err(error.error),
        _ => Ok(()),
    }
}
