//! The temporary names of new files.
//!
//! The new version of a file always gets the same temporary name, and a process that uses the name holds
//! a lock on the new file. So the next run recognises what a killed one has left, and removes it.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use tempfile::{Builder, TempPath};

use crate::output::place::{Rights, folder_of, is_at};
use crate::output::signals;

/// What all temporary names begin with.
const PREFIX: &str = ".retval-";

/// How often the usual name is tried before another one is used.
const ATTEMPTS: usize = 3;

/// A temporary name, which is removed when it is dropped or when a signal ends the process.
pub(super) struct TempName(Option<TempPath>);

impl TempName {
    /// Gives the file its final name, replacing the file that has it.
    pub(super) fn replace(mut self, path: &Path) -> io::Result<()> {
        let mut names = signals::names();
        let Some(name) = self.0.take() else {
            return Ok(());
        };
        names.retain(|other| **other != *name);
        name.persist(path).map_err(|error| error.error)
    }

    /// Gives the file its final name, unless a file has it already.
    pub(super) fn take_free(mut self, path: &Path) -> io::Result<()> {
        let mut names = signals::names();
        let Some(name) = self.0.take() else {
            return Ok(());
        };
        names.retain(|other| **other != *name);
        name.persist_noclobber(path).map_err(|error| error.error)
    }
}

impl Drop for TempName {
    fn drop(&mut self) {
        if let Some(name) = self.0.take() {
            let mut names = signals::names();
            names.retain(|other| **other != *name);
            // The file is removed while the names are locked, so that no signal comes in between.
            drop(name);
        }
    }
}

/// A new file with a temporary name beside `path`.
pub(super) fn create(path: &Path, rights: Rights) -> io::Result<(File, TempName)> {
    let mut names = signals::names();
    let (file, name) = match create_usual(path, rights)? {
        Some(created) => created,
        None => builder(rights).tempfile_in(folder_of(path))?.into_parts(),
    };
    names.push(name.to_path_buf());
    Ok((file, TempName(Some(name))))
}

/// Replaces the file at `path` by a nameless one, to which `link` gives a temporary name.
#[cfg(target_os = "linux")]
pub(super) fn replace_by(
    file: &File,
    path: &Path,
    link: impl Fn(&Path) -> io::Result<()>,
) -> io::Result<()> {
    // No signal ends the process while the file has its temporary name.
    let names = signals::names();
    let name = match link_usual(file, path, &link)? {
        Some(name) => name,
        None => (builder(Rights::Private).make_in(folder_of(path), link)?).into_temp_path(),
    };
    let replaced = name.persist(path).map_err(|error| error.error);
    drop(names);
    replaced
}

/// Gives a nameless file the usual temporary name. None if that name is in use.
#[cfg(target_os = "linux")]
fn link_usual(
    file: &File,
    path: &Path,
    link: impl Fn(&Path) -> io::Result<()>,
) -> io::Result<Option<TempPath>> {
    let name = usual(path);
    // If the file cannot be locked, other processes cannot lock it either, and do not remove it.
    let _ = file.try_lock();
    for _ in 0..ATTEMPTS {
        match link(&name) {
            Ok(()) => return Ok(Some(TempPath::try_from_path(name)?)),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                if !sweep(&name) {
                    break;
                }
            }
            Err(error) => return Err(error),
        }
    }
    Ok(None)
}

/// Creates a file with the usual temporary name. None if that name is in use.
fn create_usual(path: &Path, rights: Rights) -> io::Result<Option<(File, TempPath)>> {
    let name = usual(path);
    for _ in 0..ATTEMPTS {
        match options(rights).open(&name) {
            Ok(file) => {
                let is_locked = match file.try_lock() {
                    Ok(()) => is_at(&file, &name).unwrap_or(false),
                    // Another process has locked it, to remove it as one that was left.
                    Err(TryLockError::WouldBlock) => false,
                    Err(TryLockError::Error(_)) => true,
                };
                if is_locked {
                    return Ok(Some((file, TempPath::try_from_path(name)?)));
                }
            }
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                if !sweep(&name) {
                    break;
                }
            }
            Err(error) => return Err(error),
        }
    }
    Ok(None)
}

/// The temporary name that a file usually gets.
pub(super) fn usual(path: &Path) -> PathBuf {
    let mut hasher = DefaultHasher::new();
    path.file_name().hash(&mut hasher);
    folder_of(path).join(format!("{PREFIX}{:016x}", hasher.finish()))
}

/// Removes what a killed process has left. Returns whether the name is free now.
fn sweep(name: &Path) -> bool {
    let file = match open_left(name) {
        Ok(file) => file,
        Err(error) => return error.kind() == ErrorKind::NotFound,
    };
    let is_left = file.metadata().is_ok_and(|found| found.is_file())
        && file.try_lock().is_ok()
        && is_at(&file, name).unwrap_or(false);
    is_left && fs::remove_file(name).is_ok()
}

/// Opens a file that anyone may have put there: does not follow a symlink, and does not wait for the
/// writer of a pipe.
#[cfg(unix)]
fn open_left(name: &Path) -> io::Result<File> {
    use rustix::fs::{Mode, OFlags, open};
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    Ok(File::from(open(name, flags, Mode::empty())?))
}

// On other systems nobody else can put a symlink or a pipe there.
#[cfg(not(unix))]
fn open_left(name: &Path) -> io::Result<File> {
    File::open(name)
}

fn options(rights: Rights) -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true);
    // Only Unix has these permissions. On other systems, those of the folder are inherited.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, rights.mode());
    #[cfg(not(unix))]
    let _ = rights;
    options
}

fn builder(rights: Rights) -> Builder<'static, 'static> {
    let mut builder = Builder::new();
    builder.prefix(PREFIX);
    // As in [`options`].
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(rights.mode()));
    #[cfg(not(unix))]
    let _ = rights;
    builder
}
