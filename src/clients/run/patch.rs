//! The files that a patch names.

use std::hash::{DefaultHasher, Hasher as _};

/// The beginning of a line that names a file to change.
const UPDATE: &str = "*** Update File: ";
/// The beginning of a line that names the new path of such a file.
const MOVE: &str = "*** Move to: ";

/// The beginnings of lines that name a file, in a patch in the format of `apply_patch`, and whether it is removed.
const MARKS: &[(&str, bool)] = &[
    ("*** Add File: ", false),
    (UPDATE, false),
    ("*** Delete File: ", true),
    (MOVE, false),
];

/// A file of a patch in the format of `apply_patch`.
#[derive(Debug)]
pub(crate) struct PatchedFile<'t> {
    /// The path as the patch has it.
    pub(crate) path: &'t str,
    /// Whether the file is removed. It is written otherwise.
    pub(crate) is_removed: bool,
    /// Whether the patch changes the content or the path of the file.
    pub(crate) is_changed: bool,
}

pub(crate) fn of_apply_patch(patch: &str) -> Vec<PatchedFile<'_>> {
    let mut files: Vec<PatchedFile> = Vec::new();
    let mut sides = PatchSides::default();
    for line in patch.lines() {
        let mark = MARKS.iter().find(|(mark, _)| line.starts_with(mark));
        let Some((mark, is_removed)) = mark else {
            sides.add(line);
            continue;
        };
        let differ = std::mem::take(&mut sides).differ();
        if let Some(file) = files.last_mut() {
            file.is_changed |= differ || *mark == MOVE;
        }
        files.push(PatchedFile {
            path: line[mark.len()..].trim(),
            is_removed: *is_removed,
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
