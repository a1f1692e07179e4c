//! The files that a run writes. They must not be its inputs, too.

use std::fs::Metadata;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::cli::output::replace::target;

#[derive(Debug, Default)]
pub(crate) struct Targets {
    /// Files that outputs replace, and whether each was read as input: then it must stay.
    replaced: Vec<(FileId, AtomicBool)>,
    /// The error log, which grows while returns are read.
    log: Option<PathBuf>,
}

/// Identifies a file, whatever its name: device and inode.
type FileId = (u64, u64);

impl Targets {
    pub(crate) fn new<'p>(outputs: impl Iterator<Item = &'p Path>, log: Option<&'p Path>) -> Self {
        let files = outputs.filter_map(|file| file.metadata().ok());
        Self {
            replaced: files
                .filter(Metadata::is_file)
                .filter_map(|file| Some((id(&file)?, AtomicBool::new(false))))
                .collect(),
            log: log.map(target),
        }
    }

    /// Whether no output replaces a file.
    pub(crate) fn is_empty(&self) -> bool {
        self.replaced.is_empty()
    }

    /// Marks a file as read.
    pub(crate) fn note_read(&self, file: &Metadata) {
        for (_, was_read) in self
            .replaced
            .iter()
            .filter(|(replaced, _)| Some(*replaced) == id(file))
        {
            was_read.store(true, Ordering::Relaxed);
        }
    }

    /// Refuses to check the error log: each record would be one more input, without end.
    pub(crate) fn refuse_log(&self, path: &Path) -> io::Result<()> {
        match &self.log {
            Some(log) if target(path) == *log => {
                Err(io::Error::other("this run appends to it (--errors-json)"))
            }
            _ => Ok(()),
        }
    }

    pub(super) fn was_read(&self, file: &Metadata) -> bool {
        self.replaced.iter().any(|(replaced, was_read)| {
            Some(*replaced) == id(file) && was_read.load(Ordering::Relaxed)
        })
    }
}

/// None on systems without file numbers.
#[cfg(unix)]
#[allow(clippy::unnecessary_wraps, reason = "not every system has them")]
fn id(file: &Metadata) -> Option<FileId> {
    use std::os::unix::fs::MetadataExt as _;
    Some((file.dev(), file.ino()))
}

// The standard library has no file numbers on Windows. There, an input that an option names is
// recognised by its path.
#[cfg(not(unix))]
fn id(_: &Metadata) -> Option<FileId> {
    None
}
