//! The files of the trace, in the folder of the hook's state: the current one and one older.
//!
//! Many calls of the hook write at once. Each line is one write at the end of the file, which none can
//! interrupt, so that no lock is needed. Of several calls that find the file full, the one that gets its
//! lock moves it away; a call that opened it before writes its line into the older one.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;

use crate::cli::hook::state_file::{self, LOG, OLDER_LOG};
use crate::cli::output::file::is_at;
use crate::cli::regular_file::{self, Links};

/// Bytes from which a file becomes the older one.
const FULL: u64 = 1 << 20;

/// Most bytes of a line. Names in a payload may have any length.
const LINE_AT_MOST: usize = 16 << 10;

/// Appends a line. Nobody is told if that fails.
pub(super) fn append(line: &str) {
    if let Some(path) = state_file::path_of(LOG).filter(|_| line.len() < LINE_AT_MOST) {
        let _ = append_to(&path, line);
    }
}

fn append_to(path: &Path, line: &str) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = regular_file::open(path, &mut options, Links::Refused)?;
    file.write_all(format!("{line}\n").as_bytes())?;
    if file.metadata()?.len() >= FULL {
        move_away(&file, path)?;
    }
    Ok(())
}

/// Moves a full file away, unless another call does or did.
fn move_away(file: &File, path: &Path) -> io::Result<()> {
    if file.try_lock().is_ok() && is_at(file, path)? {
        fs::rename(path, path.with_file_name(OLDER_LOG))?;
    }
    Ok(())
}
