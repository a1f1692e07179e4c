//! Files that somebody else may have put there: opening one never waits, and only a regular file is
//! opened.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

/// Whether a link is followed to the file that it leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Links {
    Followed,
    Refused,
}

/// Opens a regular file with these options. Anything else is an error: to open a pipe would wait for
/// a writer that may never come, and a device may have no end.
pub(crate) fn open(path: &Path, options: &mut OpenOptions, links: Links) -> io::Result<File> {
    // Flags that Unix has.
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
    // Elsewhere only a look before tells: to make a link takes rights that few users have there.
    #[cfg(not(unix))]
    if links == Links::Refused && path.symlink_metadata()?.is_symlink() {
        return Err(not_regular());
    }
    let file = options.open(path)?;
    // The path may lead to another file by now; this is the one that is open.
    if file.metadata()?.is_file() {
        Ok(file)
    } else {
        Err(not_regular())
    }
}

/// Whether a path leads to a regular file that other processes find there, too: the names of what a
/// process has open are its own.
pub(crate) fn is_lasting(path: &Path) -> bool {
    let passing = ["/dev/fd", "/dev/stdin", "/proc"];
    let is_passing = passing.iter().any(|folder| path.starts_with(folder));
    !is_passing && path.metadata().is_ok_and(|found| found.is_file())
}

/// Whether to read what a path leads to may wait, as for the writer of a pipe, or never end, as a device
/// does. Such a file is read only if a person names it, and where nothing else is left to tell.
pub(crate) fn may_wait(path: &Path) -> bool {
    let found = path.metadata();
    found.is_ok_and(|found| !found.is_file() && !found.is_dir())
}

fn not_regular() -> io::Error {
    io::Error::other("it is not a regular file")
}
