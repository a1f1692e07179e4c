//! The current folder.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The current folder, if it has a path. The program never changes it, so the system is asked once.
pub(crate) fn current() -> Option<&'static Path> {
    static CURRENT: OnceLock<Option<PathBuf>> = OnceLock::new();
    CURRENT
        .get_or_init(|| std::env::current_dir().ok())
        .as_deref()
}
