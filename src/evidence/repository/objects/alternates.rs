//! Repositories that use the objects of others, as `git clone --shared` makes them.

use std::path::PathBuf;

use super::super::files;

/// Most bytes of a list of such folders.
const LIST_AT_MOST: u64 = 64 << 10;
/// Most folders of one repository. Others are not looked at.
const FOLDERS_AT_MOST: usize = 16;

/// A folder of objects, those that its list names, and those that their lists name in turn.
pub(super) fn with_alternates(own: PathBuf) -> Vec<PathBuf> {
    let mut folders = vec![own];
    let mut at = 0;
    while let Some(folder) = folders.get(at).cloned() {
        let list = files::read_text(&folder.join("info/alternates"), LIST_AT_MOST);
        let list = list.ok().flatten().unwrap_or_default();
        let lines = list
            .lines()
            .filter(|line| !line.is_empty() && !line.starts_with('#'));
        for path in lines.map(|line| folder.join(line)) {
            if folders.len() < FOLDERS_AT_MOST && !folders.contains(&path) {
                folders.push(path);
            }
        }
        at += 1;
    }
    folders
}
