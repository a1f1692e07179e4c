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

/// The names of the current folder: that of the system, and that of the shell, in which the links are
/// that a person went through.
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

/// Whether a path leads to a folder. `PWD` may be that of another process.
fn leads_to(path: &Path, folder: &Path) -> bool {
    let found = path.canonicalize().ok();
    found.is_some() && found == folder.canonicalize().ok()
}
