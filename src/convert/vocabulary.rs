//! Maps the types of artifacts and errors between profiles.

use std::borrow::Cow;

use crate::convert::changes::Changes;
use crate::convert::note::NoteKind;
use crate::convert::raw::{Members, Part, made};
use crate::json::pointer::Pointer;
use crate::text::escape::truncated;

/// Pairs of artifact types. The second has the same meaning as the first or includes it: a research
/// report is a report; an implementation includes tests and documentation (Return metadata file,
/// examples).
const ARTIFACTS: &[(&str, &str)] = &[
    ("research", "report"),
    ("report", "research"),
    ("test", "implementation"),
    ("documentation", "implementation"),
];

/// Maps the type of each artifact to a type of the target.
pub(super) fn artifacts<'t>(members: &mut Members<'t>, changes: &mut Changes<'t>) {
    for (index, artifact) in members.objects("artifacts") {
        let at = Pointer::root().key("artifacts").index(index).key("type");
        let Some(word) = artifact.text("type") else {
            continue;
        };
        if let Some(earlier) = restore(&at, &word, changes) {
            artifact.set("type", Some(earlier));
            continue;
        }
        let types = &changes.to.artifact_types;
        if has(types, &word) {
            continue;
        }
        let Some(mapped) = counterpart(&word, types) else {
            not_expressed(&at, &word, changes);
            continue;
        };
        changes.mapped(&at, &at, format!("{word} to {mapped}"));
        let is_lossy = has(&changes.from.artifact_types, mapped);
        if let Some(original) = artifact.get("type").filter(|_| is_lossy) {
            let why = "the original type, for a conversion back";
            changes.keep(&at, original.clone(), why);
        }
        artifact.set("type", made(mapped));
    }
}

/// Notes a type that the target does not have.
fn not_expressed(at: &Pointer<'_>, word: &str, changes: &mut Changes<'_>) {
    let (target, word) = (&changes.to.id, truncated(word));
    let why = format!("{target} has no type {word}; left unchanged");
    changes.note(NoteKind::NotExpressed, Some(at), Some(at), why);
}

fn counterpart(word: &str, types: &[Cow<'static, str>]) -> Option<&'static str> {
    let candidates = ARTIFACTS.iter().filter(|(from, _)| *from == word);
    candidates.map(|(_, to)| *to).find(|to| has(types, to))
}

fn has(types: &[Cow<'static, str>], word: &str) -> bool {
    types.iter().any(|it| it == word)
}

/// The type that an earlier conversion replaced by `word`. None if the target does not have it.
fn restore<'t>(at: &Pointer<'_>, word: &str, changes: &mut Changes<'t>) -> Option<Part<'t>> {
    let earlier = changes.earlier(at)?.text()?;
    let is_mapped = ARTIFACTS.contains(&(earlier.as_str(), word));
    let is_it = is_mapped && has(&changes.to.artifact_types, &earlier);
    is_it.then(|| changes.restore(at)).flatten()
}

/// Notes the types of errors that the target does not have. They are not replaced, because no type
/// includes another.
pub(super) fn errors<'t>(members: &mut Members<'t>, changes: &mut Changes<'t>) {
    let types = &changes.to.error_types;
    for (index, error) in members.objects("errors") {
        let is_unknown = |word: &String| !types.is_empty() && !has(types, word);
        if let Some(word) = error.text("type").filter(is_unknown) {
            let at = Pointer::root().key("errors").index(index).key("type");
            not_expressed(&at, &word, changes);
        }
    }
}
