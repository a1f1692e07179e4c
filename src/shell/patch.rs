//! The files that a patch names.

use super::FileChange;

/// How the lines of a patch begin that name a file, in the form of `apply_patch`.
const MARKS: &[(&str, FileChange)] = &[
    ("*** Add File: ", FileChange::Written),
    ("*** Update File: ", FileChange::Written),
    ("*** Delete File: ", FileChange::Removed),
    ("*** Move to: ", FileChange::Written),
];

/// The files of a patch in the form of `apply_patch`, as they stand there.
pub(crate) fn of_apply_patch(patch: &str) -> impl Iterator<Item = (FileChange, &str)> {
    patch.lines().filter_map(|line| {
        let named =
            |(mark, change): &(&str, FileChange)| Some((*change, line.strip_prefix(mark)?.trim()));
        MARKS.iter().find_map(named)
    })
}

/// The files of a unified diff, without so many folders at the beginning of their paths.
pub(super) fn of_diff(diff: &str, folders: usize) -> Vec<(FileChange, &str)> {
    let mut files = Vec::new();
    let mut old = None;
    for line in diff.lines() {
        if let Some(name) = line.strip_prefix("--- ") {
            old = Some(name);
        } else if let (Some(new), Some(old)) = (line.strip_prefix("+++ "), old.take()) {
            let (change, name) = match file_name(new) {
                "/dev/null" => (FileChange::Removed, file_name(old)),
                name => (FileChange::Written, name),
            };
            let mut path = name;
            for _ in 0..folders {
                path = path.split_once('/').map_or("", |(_, rest)| rest);
            }
            if !path.is_empty() {
                files.push((change, path));
            }
        }
    }
    files
}

/// A name in a diff, without the time that may come after it.
fn file_name(text: &str) -> &str {
    text.split('\t').next().unwrap_or(text).trim_end()
}
