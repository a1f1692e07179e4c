//! Finds calls of file tools that change nothing, by their arguments.
//!
//! Texts are compared in their JSON form, so that they need not be copied.

use serde::Deserialize;

use super::WriteEffect;
use super::lenient::{RawText, elements};
use super::patch;

/// One of several edits. The clients use different keys.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct ListedEdit<'a> {
    #[serde(alias = "oldString", borrow)]
    old_string: RawText<'a>,
    #[serde(alias = "newString")]
    new_string: RawText<'a>,
}

/// The effect of replacing a text by another one.
pub(in crate::clients) fn of_edit(old: RawText, new: RawText) -> WriteEffect {
    match (old.0, new.0) {
        (Some(old), Some(new)) if old == new => WriteEffect::Nothing,
        _ => WriteEffect::Change,
    }
}

pub(in crate::clients) fn of_edits(edits: RawText) -> WriteEffect {
    let is_list = edits.0.is_some_and(|edits| edits.starts_with('['));
    let mut changes = !is_list;
    elements(edits, |edit| {
        let edit: Option<ListedEdit> = edit.parse();
        let edit = edit.unwrap_or_default();
        changes |= of_edit(edit.old_string, edit.new_string) == WriteEffect::Change;
    });
    if changes {
        WriteEffect::Change
    } else {
        WriteEffect::Nothing
    }
}

/// The effect of a patch in the format of `apply_patch`.
pub(in crate::clients) fn of_patch(patch: &str) -> WriteEffect {
    if patch::is_without_change(patch) {
        WriteEffect::Nothing
    } else {
        WriteEffect::Change
    }
}

/// The effect of writing a file, by its contents before and after.
pub(in crate::clients) fn of_contents(before: RawText, after: RawText) -> WriteEffect {
    match of_edit(before, after) {
        WriteEffect::Nothing => WriteEffect::Rewrite,
        effect => effect,
    }
}

pub(in crate::clients) fn is_empty_list(list: RawText) -> bool {
    let inner = list.0.and_then(|list| list.strip_prefix('['));
    inner.is_some_and(|rest| rest.trim_start() == "]")
}
