//! The files that a patch names, in the form of `apply_patch`.

use crate::shell::patch;

/// The paths in a patch, as they stand there.
pub(super) fn paths(patch: &str) -> Vec<&str> {
    patch::of_apply_patch(patch).map(|(_, path)| path).collect()
}
