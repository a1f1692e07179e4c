//! Lines that are added to a log, as they come.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use crate::cli::output::file::is_at;

const EVERY: Duration = Duration::from_millis(200);

/// The whole lines of a log: those that are there, then those that are added, without an end.
pub(super) struct Follower {
    path: PathBuf,
    /// None as long as there is no such file.
    open: Option<File>,
    /// The beginning of an unfinished line.
    rest: Vec<u8>,
}

impl Follower {
    pub(super) fn new(path: PathBuf) -> Self {
        let (open, rest) = (File::open(&path).ok(), Vec::new());
        Self { path, open, rest }
    }

    /// What was added since the last call. When the file was moved away, what follows is in a new one.
    pub(super) fn added(&mut self) -> io::Result<Vec<u8>> {
        let mut added = std::mem::take(&mut self.rest);
        let is_moved = match &mut self.open {
            Some(file) => {
                let is_moved = !is_at(file, &self.path)?;
                file.read_to_end(&mut added)?;
                is_moved
            }
            None => true,
        };
        if is_moved {
            self.open = File::open(&self.path).ok();
        }
        let whole = memchr::memrchr(b'\n', &added).map_or(0, |at| at + 1);
        self.rest = added.split_off(whole);
        Ok(added)
    }
}

impl Iterator for Follower {
    type Item = Vec<u8>;

    fn next(&mut self) -> Option<Vec<u8>> {
        loop {
            let added = self.added().ok()?;
            if !added.is_empty() {
                return Some(added);
            }
            thread::sleep(EVERY);
        }
    }
}
