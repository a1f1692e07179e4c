//! The current folder.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The current folder. None if it has no path. The program never changes it, so one system call is
/// enough.
pub(crate) fn current() -> Option<&'static Path> {
    static CURRENT: OnceLock<Option<PathBuf>> = OnceLock::new();
    CURRENT
        .get_or_init(|| std::env::current_dir().ok())
        .as_deref()
}
