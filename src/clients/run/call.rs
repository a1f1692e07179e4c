//! A call as one record describes it: what it is, and what it changes by its arguments.

use super::{Call, CallKind, CallShell, JsonNode, WriteEffect};
use crate::text::patch::of_apply_patch;

#[derive(Debug)]
pub(in crate::clients) struct NewCall<'a> {
    pub(in crate::clients) id: &'a str,
    pub(in crate::clients) name: &'a str,
    pub(in crate::clients) kind: CallKind,
    pub(in crate::clients) paths: &'a [&'a str],
    pub(in crate::clients) effect: WriteEffect,
    pub(in crate::clients) command: Option<&'a str>,
    pub(in crate::clients) background: bool,
    pub(in crate::clients) cwd: Option<&'a str>,
    pub(in crate::clients) shell: CallShell,
    pub(in crate::clients) line: u64,
}

impl NewCall<'_> {
    /// Whether the record describes a call that is known already. A different call with the same id
    /// would have another tool, other files or another command. `has_own_paths`: the paths of the known
    /// call are those of its arguments.
    pub(in crate::clients) fn repeats(&self, known: &Call, has_own_paths: bool) -> bool {
        let command = known.command.as_deref();
        let has_same_command =
            command.is_none() || self.command.is_none() || command == self.command;
        let has_same_paths = !has_own_paths
            || known.paths.is_empty()
            || self.paths.is_empty()
            || known.paths == self.paths;
        *known.name == *self.name && has_same_command && has_same_paths
    }
}

/// What [`Runs::call`](super::Runs::call) did with a call.
#[derive(Debug, Default, Clone, Copy)]
pub(in crate::clients) struct EnteredCall {
    /// Whether no earlier record had the call.
    pub(in crate::clients) is_new: bool,
    /// Where the call is kept. None if it is not kept.
    pub(in crate::clients) place: Option<CallPlace>,
}

/// Where a call is kept while a transcript is read: the index of its run, and its index in that run.
pub(in crate::clients) type CallPlace = (usize, usize);

/// The effect of replacing a text by another one.
pub(in crate::clients) fn effect_of_edit(old: &JsonNode, new: &JsonNode) -> WriteEffect {
    if old == new && !old.is_nothing() {
        WriteEffect::Nothing
    } else {
        WriteEffect::Change
    }
}

/// The effect of several edits. The clients use different keys.
pub(in crate::clients) fn effect_of_edits(edits: &JsonNode) -> WriteEffect {
    let is_idle = |edit: &JsonNode| {
        let keys = [("old_string", "new_string"), ("oldString", "newString")];
        let effect = |(old, new)| effect_of_edit(edit.at(old), edit.at(new));
        keys.map(effect).contains(&WriteEffect::Nothing)
    };
    if matches!(edits, JsonNode::List(edits) if edits.iter().all(is_idle)) {
        WriteEffect::Nothing
    } else {
        WriteEffect::Change
    }
}

/// The effect of a patch in the format of `apply_patch`.
pub(in crate::clients) fn effect_of_patch(patch: &str) -> WriteEffect {
    let files = of_apply_patch(patch);
    let is_patch = !files.is_empty() || patch.trim_start().starts_with("*** Begin Patch");
    if is_patch && !files.iter().any(|file| file.is_changed) {
        WriteEffect::Nothing
    } else {
        WriteEffect::Change
    }
}

/// The paths of the files that such a patch changes, as it writes them. If it changes none, the paths of
/// all files in it.
pub(in crate::clients) fn paths_of_patch(patch: &str) -> Vec<&str> {
    let files = of_apply_patch(patch);
    let changes_any = files.iter().any(|file| file.is_changed);
    let named = files.iter().filter(|file| file.is_changed || !changes_any);
    named.map(|file| file.path).collect()
}

/// File extensions of code.
const CODE: &[&str] = &[
    "c", "cc", "clj", "cpp", "cs", "cxx", "dart", "erl", "ex", "exs", "go", "h", "hpp", "hs",
    "java", "js", "jsx", "kt", "lua", "ml", "mjs", "php", "py", "rb", "rs", "scala", "sh", "sql",
    "svelte", "swift", "ts", "tsx", "vue", "zig",
];

pub(crate) fn is_code(path: &str) -> bool {
    let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
    CODE.contains(&ending)
}
