//! The files that a patch names, in the form of `apply_patch`.

use crate::shell::patch;

/// How such a patch begins.
const BEGINNING: &str = "*** Begin Patch";

/// The paths in a patch, as they stand there: those of files that it changes, or of all if it changes
/// none.
pub(super) fn paths(patch: &str) -> Vec<&str> {
    let files = patch::of_apply_patch(patch);
    let changes_any = files.iter().any(|file| file.is_changed);
    let files = files.iter();
    let named = files.filter(|file| file.is_changed || !changes_any);
    named.map(|file| file.path).collect()
}

/// Whether a patch leaves every file as it is.
pub(super) fn is_without_change(patch: &str) -> bool {
    let files = patch::of_apply_patch(patch);
    let is_patch = !files.is_empty() || patch.trim_start().starts_with(BEGINNING);
    is_patch && !files.iter().any(|file| file.is_changed)
}
