//! Files that somebody else may have put there: opening one never waits, and only a regular file is
//! opened.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

/// Opens a regular file with these options. Anything else is an error: to open a pipe would wait for
/// a writer that may never come, and a device may have no end.
pub(crate) fn open(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    // Flags that Unix has.
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt as _;
        let flags = OFlags::NONBLOCK | OFlags::NOCTTY;
        options.custom_flags(i32::try_from(flags.bits()).unwrap_or_default());
    }
    let file = options.open(path)?;
    // The path may lead to another file by now; this is the one that is open.
    if file.metadata()?.is_file() {
        Ok(file)
    } else {
        Err(io::Error::other("it is not a regular file"))
    }
}
