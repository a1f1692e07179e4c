//! Where else a repository is checked out.

use std::fs;
use std::path::{Component, Path, PathBuf};

use super::files;
use super::layout::RepositoryLayout;

/// Working trees that are looked for.
const TREES_AT_MOST: usize = 256;
/// Bytes of the longest file that names one.
const POINTER_AT_MOST: u64 = 8 << 10;

/// The folder of the layout, in each of the other working trees.
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

/// The working tree that the repository keeps a folder for.
fn work_tree(folder: &Path) -> Option<PathBuf> {
    let text = files::read_text(&folder.join("gitdir"), POINTER_AT_MOST).ok()??;
    // The file names `.git` in the working tree, and may do so from its own folder.
    let place = plain(&folder.join(text.trim_end()));
    Some(place.parent()?.to_owned())
}

/// Without `.` and `..`, by the text alone: nothing is looked up.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(plain.pop()),
            Component::CurDir => {}
            part => plain.push(part),
        }
    }
    plain
}
