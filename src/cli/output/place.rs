//! The place of a file: its folder, what is there, and the new file that takes the place.

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::Path;

use tempfile::NamedTempFile;

/// Around the random part of temporary names. A process that is killed leaves the file, to be
/// found by its name.
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
