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

/// The beginnings of lines that name a file, in a patch in the format of `apply_patch`.
const MARKS: &[&str] = &["*** Add File: ", UPDATE, "*** Delete File: ", MOVE];

/// A file of a patch in the format of `apply_patch`.
#[derive(Debug)]
struct PatchedFile<'t> {
    /// The path as the patch has it.
    path: &'t str,
    /// Whether the patch changes the content or the path of the file.
    is_changed: bool,
}

fn of_apply_patch(patch: &str) -> Vec<PatchedFile<'_>> {
    let mut files: Vec<PatchedFile> = Vec::new();
    let mut sides = PatchSides::default();
    for line in patch.lines() {
        let Some(mark) = MARKS.iter().find(|mark| line.starts_with(**mark)) else {
            sides.add(line);
            continue;
        };
        let differ = std::mem::take(&mut sides).differ();
        if let Some(file) = files.last_mut() {
            file.is_changed |= differ || *mark == MOVE;
        }
        files.push(PatchedFile {
            path: line[mark.len()..].trim(),
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
