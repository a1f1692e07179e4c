//! Where else a repository is checked out.

use std::fs;
use std::path::{Path, PathBuf};

use super::files;
use super::layout::RepositoryLayout;
use crate::root::collapsed;

/// Most working trees that are looked for.
const TREES_AT_MOST: usize = 256;
/// Most bytes of a file that names a working tree.
const POINTER_AT_MOST: u64 = 8 << 10;

/// The folder that the layout was found by, as a path in each of the other working trees.
pub(super) fn folders(layout: &RepositoryLayout) -> Vec<PathBuf> {
    if layout.git != layout.common {
        return Vec::new();
    }
    let Ok(entries) = fs::read_dir(layout.common.join("worktrees")) else {
        return Vec::new();
    };
    let entries = entries.take(TREES_AT_MOST).flatten();
    let trees = entries.filter_map(|entry| work_tree(&entry.path()));
    let others = trees.filter(|tree| !layout.work_tree.starts_with(tree));
    others.map(|tree| tree.join(&layout.prefix)).collect()
}

/// The working tree for which the repository has this folder.
fn work_tree(folder: &Path) -> Option<PathBuf> {
    let text = files::read_text(&folder.join("gitdir"), POINTER_AT_MOST).ok()??;
    // The file has the path of `.git` in the working tree, which may be relative to `folder`.
    Some(
        collapsed(&folder.join(text.trim_end()))
            .parent()?
            .to_owned(),
    )
}
