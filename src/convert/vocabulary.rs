//! Maps the types of artifacts and errors between profiles.

use std::borrow::Cow;

use crate::convert::changes::Changes;
use crate::convert::note::NoteKind;
use crate::convert::raw::{PartList, Raw, made, text};
use crate::convert::source::{SourceArtifact, SourceError};
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
pub(super) fn artifacts<'t>(
    artifacts: &mut PartList<'t, SourceArtifact<'t>>,
    changes: &mut Changes<'t>,
) {
    for (index, artifact) in artifacts.parts() {
        let at = Pointer::root().key("artifacts").index(index).key("type");
        let Some(word) = text(&artifact.kind) else {
            continue;
        };
        if let Some(earlier) = restore(&at, &word, changes) {
            artifact.kind = Some(earlier);
            continue;
        }
        let target = changes.to;
        if has(&target.artifact_types, &word) {
            continue;
        }
        let Some(mapped) = counterpart(&word, &target.artifact_types) else {
            let why = format!(
                "{} has no type {}; left unchanged",
                target.id,
                truncated(&word)
            );
            changes.note(NoteKind::NotExpressed, Some(&at), Some(&at), why);
            continue;
        };
        changes.mapped(&at, &at, format!("{word} to {mapped}"));
        let is_lossy = has(&changes.from.artifact_types, mapped);
        let new = made(mapped);
        if let (true, Some(Cow::Borrowed(value))) = (is_lossy, &artifact.kind) {
            changes.keep(&at, value, "the original type, for a conversion back");
        }
        artifact.kind = new;
    }
}

fn counterpart(word: &str, types: &[Cow<'static, str>]) -> Option<&'static str> {
    let candidates = ARTIFACTS.iter().filter(|(from, _)| *from == word);
    candidates.map(|(_, to)| *to).find(|to| has(types, to))
}

fn has(types: &[Cow<'static, str>], word: &str) -> bool {
    types.iter().any(|it| it == word)
}

/// The type that an earlier conversion replaced by `word`. None if the target does not have it.
fn restore<'t>(at: &Pointer<'_>, word: &str, changes: &mut Changes<'t>) -> Option<Raw<'t>> {
    let earlier = text(&Some(Cow::Borrowed(changes.earlier(at)?)))?;
    let is_mapped = ARTIFACTS.contains(&(earlier.as_str(), word));
    if !is_mapped || !has(&changes.to.artifact_types, &earlier) {
        return None;
    }
    changes.restore(at).map(Cow::Borrowed)
}

/// Notes the types of errors that the target does not have. They are not replaced, because no type
/// includes another.
pub(super) fn errors<'t>(errors: &mut PartList<'t, SourceError<'t>>, changes: &mut Changes<'t>) {
    let target = changes.to;
    for (index, error) in errors.parts() {
        let unknown = text(&error.kind)
            .filter(|word| !target.error_types.is_empty() && !has(&target.error_types, word));
        if let Some(word) = unknown {
            let at = Pointer::root().key("errors").index(index).key("type");
            let why = format!(
                "{} has no type {}; left unchanged",
                target.id,
                truncated(&word)
            );
            changes.note(NoteKind::NotExpressed, Some(&at), Some(&at), why);
        }
    }
}
