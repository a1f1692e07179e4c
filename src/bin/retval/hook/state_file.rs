//! One of the small files that one call of the hook stores for later calls.
//!
//! Anything may be at its path, a call may be killed, and the disk may be full. So a new text replaces
//! the whole file, only a regular file is opened, and the wait for a lock is limited.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read as _, Write as _};
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::Duration;

use tempfile::NamedTempFile;

use crate::output::place::{Rights, is_at, new_file};
use crate::regular_file::{self, Links};

/// The end of each file. A file without it was not written completely, and is ignored.
const END: &str = "\nend\n";

/// Most bytes of a file. The text for a caller has a few thousand.
const BYTES_AT_MOST: u64 = 4 << 20;

/// How often one call of the hook tries to get a lock that another process holds, and the pause between
/// tries: about two seconds in all.
const TRIES_AT_MOST: u32 = 400;
const TRY_AGAIN: Duration = Duration::from_millis(5);

/// How often a file may be replaced by others between being opened and locked.
const REPLACED_AT_MOST: usize = 1_000;

/// The text of a file, if it is whole.
pub(super) fn read(path: &Path) -> io::Result<String> {
    text(&mut open(path)?)
}

/// The text of an open file, if it is whole.
pub(super) fn text(file: &mut File) -> io::Result<String> {
    let mut text = String::new();
    file.take(BYTES_AT_MOST).read_to_string(&mut text)?;
    match text.strip_suffix(END) {
        Some(whole) => Ok(whole.to_owned()),
        None => Err(ErrorKind::InvalidData.into()),
    }
}

/// Replaces a file, or what is in its place. If that fails, the old one stays.
pub(super) fn replace(path: &Path, text: &str) -> io::Result<()> {
    temporary(path, text)?.persist(path)?;
    Ok(())
}

/// Opens and locks the file that is at the path now. If there is none, creates it with an empty text if
/// `creates` is true, else returns None.
pub(super) fn lock(path: &Path, creates: bool) -> io::Result<Option<File>> {
    for _ in 0..REPLACED_AT_MOST {
        let file = match open(path) {
            Err(error) if error.kind() == ErrorKind::NotFound && creates => {
                create(path)?;
                continue;
            }
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            file => file?,
        };
        wait_for(&file)?;
        if is_at(&file, path)? {
            return Ok(Some(file));
        }
    }
    Err(ErrorKind::TimedOut.into())
}

fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    // Some file systems lock only files that are open for writing.
    options.read(true).write(true);
    regular_file::open(path, &mut options, Links::Refused)
}

/// Creates a file that is never seen half written.
fn create(path: &Path) -> io::Result<()> {
    match temporary(path, "")?.persist_noclobber(path) {
        // Another call created it first, which is just as good.
        Err(error) if error.error.kind() != ErrorKind::AlreadyExists => Err(error.error),
        _ => Ok(()),
    }
}

/// Writes a complete file under a temporary name. If the call is killed, a later call deletes it as an
/// old file.
fn temporary(path: &Path, text: &str) -> io::Result<NamedTempFile> {
    let new = new_file(path, Rights::Private)?;
    new.as_file().write_all(text.as_bytes())?;
    new.as_file().write_all(END.as_bytes())?;
    Ok(new)
}

/// Locks a file. All waits of this process together are limited.
fn wait_for(file: &File) -> io::Result<()> {
    static TRIES: AtomicU32 = AtomicU32::new(0);
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            Err(fs::TryLockError::Error(error)) => return Err(error),
            Err(fs::TryLockError::WouldBlock) => {}
        }
        if TRIES.fetch_add(1, Ordering::Relaxed) >= TRIES_AT_MOST {
            return Err(ErrorKind::TimedOut.into());
        }
        thread::sleep(TRY_AGAIN);
    }
}
