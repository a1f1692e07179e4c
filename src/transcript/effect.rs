//! Calls of file tools that change nothing, by what they were given.
//!
//! Texts are compared as they stand in the JSON, so that nothing is kept of them.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::deferred::later;
use super::lenient::Object;
use super::patch;
use super::records::elements;
use super::run::WriteEffect;

/// One of several edits, in the words of the clients.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct ListedEdit<'a> {
    #[serde(borrow, alias = "oldString")]
    old_string: Option<&'a RawValue>,
    #[serde(borrow, alias = "newString")]
    new_string: Option<&'a RawValue>,
}

/// The effect of replacing a text by another one.
pub(super) fn of_edit(old: Option<&RawValue>, new: Option<&RawValue>) -> WriteEffect {
    match (old, new) {
        (Some(old), Some(new)) if old.get() == new.get() => WriteEffect::Nothing,
        _ => WriteEffect::Change,
    }
}

/// The effect of several replacements.
pub(super) fn of_edits(edits: Option<&RawValue>) -> WriteEffect {
    let is_list = edits.is_some_and(|edits| edits.get().starts_with('['));
    let mut changes = !is_list;
    elements(edits, |edit| {
        let edit: Object<ListedEdit> = later(Some(edit));
        let edit = edit.0.unwrap_or_default();
        changes |= of_edit(edit.old_string, edit.new_string) == WriteEffect::Change;
    });
    if changes {
        WriteEffect::Change
    } else {
        WriteEffect::Nothing
    }
}

/// The effect of a patch in the form of `apply_patch`.
pub(super) fn of_patch(patch: &str) -> WriteEffect {
    if patch::is_without_change(patch) {
        WriteEffect::Nothing
    } else {
        WriteEffect::Change
    }
}

/// The effect of writing a file, by what was in it before and after.
pub(super) fn of_contents(before: Option<&RawValue>, after: Option<&RawValue>) -> WriteEffect {
    match of_edit(before, after) {
        WriteEffect::Nothing => WriteEffect::Rewrite,
        effect => effect,
    }
}

/// Whether a list is there and has no element.
pub(super) fn is_empty_list(list: Option<&RawValue>) -> bool {
    let inner = list.and_then(|list| list.get().strip_prefix('['));
    inner.is_some_and(|rest| rest.trim_start() == "]")
}
