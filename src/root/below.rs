//! Absolute paths as paths below the root.

use std::path::{Component, Path, PathBuf};

use crate::root::Root;
use crate::root::userspace::{Userspace, collapsed};

impl Root {
    /// Returns the part of an absolute path that is below the root, or None if it is not below it. First
    /// the text of the path is compared with that of the root, then its links are followed. If the path
    /// contains `..`, only its text counts, with each `..` removed together with the name before it:
    /// looking up folders outside the root would reveal whether they exist.
    #[must_use]
    pub(crate) fn below(&self, absolute: &Path) -> Option<PathBuf> {
        let by_text = |path: &Path| {
            let resolved = || path.strip_prefix(self.userspace()?.root()).ok();
            let below = path.strip_prefix(&self.place).ok().or_else(resolved);
            below.map(Path::to_owned)
        };
        let goes_up = absolute
            .components()
            .any(|part| part == Component::ParentDir);
        let relative = if goes_up {
            by_text(&collapsed(absolute))?
        } else if let Some(relative) = by_text(absolute) {
            relative
        } else {
            self.userspace()?.below(absolute)?
        };
        Some(if relative.as_os_str().is_empty() {
            PathBuf::from(".")
        } else {
            relative
        })
    }

    /// Whether an absolute path leads to a folder around the root. Only its text counts.
    pub(crate) fn is_inside(&self, folder: &Path) -> bool {
        let folder = collapsed(folder);
        let resolved = || self.userspace().map(Userspace::root);
        self.place.starts_with(&folder) || resolved().is_some_and(|root| root.starts_with(folder))
    }
}
