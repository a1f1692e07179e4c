//! The files in a patch in the format of `apply_patch`.

use crate::text::patch;

/// The first line of such a patch.
const BEGINNING: &str = "*** Begin Patch";

/// The paths of the files that a patch changes, as it writes them. If it changes none, the paths of all
/// files in it.
pub(in crate::clients) fn paths(patch: &str) -> Vec<&str> {
    let files = patch::of_apply_patch(patch);
    let changes_any = files.iter().any(|file| file.is_changed);
    let named = files.iter().filter(|file| file.is_changed || !changes_any);
    named.map(|file| file.path).collect()
}

/// Whether a patch leaves every file as it is.
pub(in crate::clients) fn is_without_change(patch: &str) -> bool {
    let files = patch::of_apply_patch(patch);
    let is_patch = !files.is_empty() || patch.trim_start().starts_with(BEGINNING);
    is_patch && !files.iter().any(|file| file.is_changed)
}
