//! The files that a patch names.

use std::hash::{DefaultHasher, Hasher as _};

use super::FileChange;

/// The beginning of a line that names a file to change.
const UPDATE: &str = "*** Update File: ";
/// The beginning of a line that names the new path of such a file.
const MOVE: &str = "*** Move to: ";

/// The beginnings of lines that name a file, in a patch in the format of `apply_patch`.
const MARKS: &[(&str, FileChange)] = &[
    ("*** Add File: ", FileChange::Written),
    (UPDATE, FileChange::Written),
    ("*** Delete File: ", FileChange::Removed),
    (MOVE, FileChange::Written),
];

/// A file of a patch in the format of `apply_patch`.
#[derive(Debug)]
pub(crate) struct PatchedFile<'t> {
    /// The path as the patch has it.
    pub(crate) path: &'t str,
    pub(crate) change: FileChange,
    /// Whether the patch changes the content or the path of the file.
    pub(crate) is_changed: bool,
}

/// The files of a patch in the format of `apply_patch`.
pub(crate) fn of_apply_patch(patch: &str) -> Vec<PatchedFile<'_>> {
    let mut files: Vec<PatchedFile> = Vec::new();
    let mut sides = PatchSides::default();
    for line in patch.lines() {
        let mark = MARKS.iter().find(|(mark, _)| line.starts_with(mark));
        let Some((mark, change)) = mark else {
            sides.add(line);
            continue;
        };
        let differ = std::mem::take(&mut sides).differ();
        if let Some(file) = files.last_mut() {
            file.is_changed |= differ || *mark == MOVE;
        }
        files.push(PatchedFile {
            path: line[mark.len()..].trim(),
            change: *change,
            is_changed: *mark != UPDATE,
        });
    }
    if let Some(file) = files.last_mut() {
        file.is_changed |= sides.differ();
    }
    files
}

/// Hashes of the lines of a file before and after a patch, as far as the patch has these lines.
#[derive(Default)]
struct PatchSides {
    before: DefaultHasher,
    after: DefaultHasher,
}

impl PatchSides {
    fn add(&mut self, line: &str) {
        let (side, text) = line.split_at_checked(1).unwrap_or_default();
        for (hasher, other) in [(&mut self.before, "+"), (&mut self.after, "-")] {
            if side != other {
                hasher.write(text.as_bytes());
                hasher.write_u8(b'\n');
            }
        }
    }

    fn differ(self) -> bool {
        self.before.finish() != self.after.finish()
    }
}

/// The files of a unified diff. The first `folders` folders of their paths are removed.
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

/// A file name in a diff, without the time that may follow it.
fn file_name(text: &str) -> &str {
    text.split('\t').next().unwrap_or(text).trim_end()
}
