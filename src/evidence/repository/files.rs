//! Reads files of a repository. Anything may be in their place, so only regular files are read, not
//! symlinks, and only if they are small enough.

use std::fs::{self, File};
use std::io::ErrorKind::{NotADirectory, NotFound};
use std::io::Read;
use std::path::Path;

use super::RepositoryGap;
use crate::root::open_file;

pub(super) fn open(path: &Path) -> Result<Option<File>, RepositoryGap> {
    match fs::symlink_metadata(path) {
        Ok(data) if data.is_file() => {}
        Err(error) if matches!(error.kind(), NotFound | NotADirectory) => return Ok(None),
        _ => return Err(RepositoryGap::Unreadable),
    }
    // The file may have been replaced in the meantime, by a symlink or by a pipe that no one writes to.
    let file = open_file(path).map_err(|_| RepositoryGap::Unreadable)?;
    Ok(Some(file))
}

/// The text of a regular file, with invalid UTF-8 replaced. None if missing. An error if it has more than
/// `most` bytes.
pub(super) fn read_text(path: &Path, most: u64) -> Result<Option<String>, RepositoryGap> {
    let Some(file) = open(path)? else {
        return Ok(None);
    };
    let mut bytes = Vec::new();
    file.take(most + 1)
        .read_to_end(&mut bytes)
        .map_err(|_| RepositoryGap::Unreadable)?;
    if bytes.len() as u64 > most {
        return Err(RepositoryGap::TooLarge);
    }
    Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
}
