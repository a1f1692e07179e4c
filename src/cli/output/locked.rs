//! Files that several processes change, one at a time.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write as _};
use std::path::Path;

use crate::cli::output::place::{Rights, is_at, new_file};

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
