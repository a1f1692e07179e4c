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

/// The paths of the current folder: the system's path, and the shell's path if it differs, which has the
/// symlinks that the user followed.
pub(crate) fn names() -> Vec<PathBuf> {
    let Some(current) = current() else {
        return Vec::new();
    };
    let typed = std::env::var_os("PWD").map(PathBuf::from);
    let is_other = |it: &PathBuf| it.is_absolute() && it != current;
    let typed = typed.filter(|it| is_other(it) && leads_to(it, current));
    [Some(current.to_owned()), typed]
        .into_iter()
        .flatten()
        .collect()
}

/// Whether a path leads to a folder. `PWD` may have been set for another process.
fn leads_to(path: &Path, folder: &Path) -> bool {
    let found = path.canonicalize().ok();
    found.is_some() && found == folder.canonicalize().ok()
}
