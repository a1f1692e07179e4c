//! The place of a file: its folder, what is there, and who may open it.

use std::fs::{self, File};
use std::io;
use std::path::Path;

/// The folder that a file is in.
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

impl Rights {
    /// The Unix permissions, before the umask.
    #[cfg(unix)]
    pub(super) fn mode(self) -> u32 {
        match self {
            Self::Masked => 0o666,
            Self::Private => 0o600,
        }
    }
}

/// Whether a path leads to this open file.
#[cfg(unix)]
pub(super) fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt as _;
    let there = match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        there => there?,
    };
    let open = file.metadata()?;
    Ok((open.dev(), open.ino()) == (there.dev(), there.ino()))
}

// The standard library has file numbers only on Unix. On other systems, only the path can be checked.
#[cfg(not(unix))]
pub(super) fn is_at(_: &File, path: &Path) -> io::Result<bool> {
    fs::exists(path)
}
