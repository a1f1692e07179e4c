//! Opens files that another user or process may have put in place. Opening one never blocks, and only
//! regular files are opened.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

/// Whether a symlink is followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Links {
    Followed,
    Refused,
}

/// Opens a regular file with these options. Anything else is an error: opening a pipe could block until
/// a writer opens it, and a device may have no end.
pub(crate) fn open(path: &Path, options: &mut OpenOptions, links: Links) -> io::Result<File> {
    // These flags exist on Unix only.
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt as _;
        let own = match links {
            Links::Followed => OFlags::empty(),
            Links::Refused => OFlags::NOFOLLOW,
        };
        let flags = OFlags::NONBLOCK | OFlags::NOCTTY | own;
        options.custom_flags(i32::try_from(flags.bits()).unwrap_or_default());
    }
    // On other systems, a check before opening must do. Few users there have the right to create a
    // symlink.
    #[cfg(not(unix))]
    if links == Links::Refused && path.symlink_metadata()?.is_symlink() {
        return Err(not_regular());
    }
    let file = options.open(path)?;
    // Checks the open file, because the path may lead to another file in the meantime.
    if file.metadata()?.is_file() {
        Ok(file)
    } else {
        Err(not_regular())
    }
}

/// Whether a path leads to a regular file that other processes can open by the same path. The paths of a
/// process's own open files are not such paths.
pub(crate) fn is_lasting(path: &Path) -> bool {
    let passing = ["/dev/fd", "/dev/stdin", "/proc"];
    let is_passing = passing.iter().any(|folder| path.starts_with(folder));
    !is_passing && path.metadata().is_ok_and(|found| found.is_file())
}

/// Whether reading the file at a path may block, as for a pipe, or never end, as for a device. Such a
/// file is read only if a person names it, and only if there is no other mistake to report.
pub(crate) fn may_wait(path: &Path) -> bool {
    let found = path.metadata();
    found.is_ok_and(|found| !found.is_file() && !found.is_dir())
}

fn not_regular() -> io::Error {
    io::Error::other("it is not a regular file")
}
