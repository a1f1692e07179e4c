//! What edits and patches change: the files that they name, and whether they change anything.

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

fn is_idle_edit(edit: &JsonNode) -> bool {
    let sides = SIDES.map(|(old, new)| (edit.at(old), edit.at(new)));
    sides
        .iter()
        .any(|(old, new)| old == new && !old.is_nothing())
}

fn is_idle_patch(patch: &str) -> bool {
    let files = files_of(patch);
    let is_patch = !files.is_empty() || patch.trim_start().starts_with("*** Begin Patch");
    is_patch && !files.iter().any(|(_, is_changed)| *is_changed)
}

/// The paths of the files that a patch in the format of `apply_patch` changes, or else of all files in it.
pub(crate) fn paths_of_patch(patch: &str) -> Vec<&str> {
    let files = files_of(patch);
    let changes_any = files.iter().any(|(_, is_changed)| *is_changed);
    let named = files
        .iter()
        .filter(|(_, is_changed)| *is_changed == changes_any);
    named.map(|(path, _)| *path).collect()
}

const UPDATE: &str = "*** Update File: ";
const MOVE: &str = "*** Move to: ";

/// The beginnings of lines that name a file.
const MARKS: &[&str] = &["*** Add File: ", UPDATE, "*** Delete File: ", MOVE];

/// The files of a patch in the format of `apply_patch`, and whether it changes the content or the path of each.
fn files_of(patch: &str) -> Vec<(&str, bool)> {
    let starts = memchr::memchr_iter(b'\n', patch.as_bytes()).map(|at| at + 1);
    let marked = [0].into_iter().chain(starts).filter_map(|at| {
        let mark = MARKS.iter().find(|mark| patch[at..].starts_with(**mark))?;
        Some((at, *mark))
    });
    let marked: Vec<_> = marked.collect();
    let mut next = marked.iter().skip(1);
    let files = marked.iter().map(|(at, mark)| {
        let (end, is_moved) = next
            .next()
            .map_or((patch.len(), false), |(end, next)| (*end, *next == MOVE));
        let (path, body) = patch[at + mark.len()..end]
            .split_once('\n')
            .unwrap_or((&patch[at + mark.len()..end], ""));
        let is_changed = *mark != UPDATE || is_moved || !side(body, '+').eq(side(body, '-'));
        (path.trim(), is_changed)
    });
    files.collect()
}

/// The lines of a file without those of one side, as far as a patch has them.
fn side(body: &str, other: char) -> impl Iterator<Item = &str> {
    let lines = body.lines().filter(move |line| !line.starts_with(other));
    lines.map(|line| line.split_at_checked(1).unwrap_or_default().1)
}
