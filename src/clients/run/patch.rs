//! What edits and patches change: the files that they name, and whether they change anything.

use std::hash::{DefaultHasher, Hasher as _};

use super::{JsonNode, WriteEffect};

/// The members of an edit with the text before and after it, as the clients call them.
const SIDES: [(&str, &str); 3] = [
    ("old_string", "new_string"),
    ("oldString", "newString"),
    ("old_str", "new_str"),
];

/// The effect of a call of a file tool by its arguments, which have a patch, several edits or one.
pub(crate) fn effect_of(arguments: &JsonNode, patch: Option<&str>) -> WriteEffect {
    let is_idle = match (patch, arguments.at("edits")) {
        (Some(patch), _) => is_idle_patch(patch),
        (None, JsonNode::Nothing) => is_idle_edit(arguments),
        (None, JsonNode::List(edits)) => edits.iter().all(is_idle_edit),
        (None, _) => false,
    };
    if is_idle {
        WriteEffect::Nothing
    } else {
        WriteEffect::Change
    }
}

/// Whether an edit replaces a text by itself.
fn is_idle_edit(edit: &JsonNode) -> bool {
    let sides = SIDES.map(|(old, new)| (edit.at(old), edit.at(new)));
    sides
        .iter()
        .any(|(old, new)| old == new && !old.is_nothing())
}

fn is_idle_patch(patch: &str) -> bool {
    let files = of_apply_patch(patch);
    let is_patch = !files.is_empty() || patch.trim_start().starts_with("*** Begin Patch");
    is_patch && !files.iter().any(|file| file.is_changed)
}

/// The paths of the files that a patch in the format of `apply_patch` changes, as it writes them. If it
/// changes none, the paths of all files in it.
pub(crate) fn paths_of_patch(patch: &str) -> Vec<&str> {
    let files = of_apply_patch(patch);
    let changes_any = files.iter().any(|file| file.is_changed);
    let named = files.iter().filter(|file| file.is_changed || !changes_any);
    named.map(|file| file.path).collect()
}

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

/// A unified diff.
#[derive(Default)]
pub(crate) struct UnifiedDiff<'t> {
    /// Their paths, and whether each of them is removed. It is written otherwise.
    pub(crate) files: Vec<(bool, &'t str)>,
    /// Whether it certainly changes these files, and no others, if it fits.
    pub(crate) is_certain: bool,
    /// Whether it has headers of git.
    pub(crate) is_of_git: bool,
}

/// The files of a unified diff. The first `folders` folders of their paths are removed.
pub(crate) fn of_diff(diff: &str, folders: usize) -> UnifiedDiff<'_> {
    let mut read = UnifiedDiff {
        is_certain: true,
        ..UnifiedDiff::default()
    };
    let (mut old, mut sides) = (None, None);
    let mut left = (0_usize, 0_usize);
    for line in diff.lines() {
        if left != (0, 0) {
            // The lines of a hunk are counted: one that is removed may look like a header.
            let (before, after) = sides_of(line);
            left = (left.0.saturating_sub(before), left.1.saturating_sub(after));
            sides.get_or_insert_with(PatchSides::default).add(line);
        } else if line.starts_with("@@ ") {
            left = hunk(line).unwrap_or_default();
        } else if let Some(name) = line.strip_prefix("--- ") {
            old = Some(name);
        } else if let (Some(new), Some(old)) = (line.strip_prefix("+++ "), old.take()) {
            let is_changed = sides.take().is_none_or(PatchSides::differ);
            read.is_certain &= is_changed && read.add(file_name(old), file_name(new), folders);
        }
        read.is_of_git |= line.starts_with("diff --git ");
        // `patch` may choose the file of such a line.
        read.is_certain &= !line.starts_with("Index:");
    }
    read.is_certain &= sides.is_none_or(PatchSides::differ);
    read
}

impl<'t> UnifiedDiff<'t> {
    /// Adds a file with its two names. Returns whether programs agree on which of them it is.
    fn add(&mut self, old: &'t str, new: &'t str, folders: usize) -> bool {
        let below = |mut path: &'t str| {
            for _ in 0..folders {
                path = path.split_once('/').map_or("", |(_, rest)| rest);
            }
            path
        };
        let (is_removed, path) = match (old, new) {
            (old, "/dev/null") => (true, below(old)),
            (_, new) => (false, below(new)),
        };
        if !path.is_empty() {
            self.files.push((is_removed, path));
        }
        old == "/dev/null" || is_removed || below(old) == path
    }
}

/// How many lines a line of a hunk has before and after the change.
fn sides_of(line: &str) -> (usize, usize) {
    match line.as_bytes().first() {
        Some(b'-') => (1, 0),
        Some(b'+') => (0, 1),
        Some(b'\\') => (0, 0),
        _ => (1, 1),
    }
}

/// How many lines a hunk has before and after the change: `@@ -1,2 +1,3 @@`.
fn hunk(line: &str) -> Option<(usize, usize)> {
    let mut parts = line.split(' ').skip(1);
    let mut side = |sign| {
        let range = parts.next()?.strip_prefix(sign)?;
        let count = range.split_once(',').map_or("1", |(_, count)| count);
        count.parse().ok()
    };
    Some((side('-')?, side('+')?))
}

/// A file name in a diff, without the time that may follow it.
fn file_name(text: &str) -> &str {
    text.split('\t').next().unwrap_or(text).trim_end()
}
