//! Words of one standard for words of another: sorts of artifact and of error.

use std::borrow::Cow;

use crate::convert::changes::Changes;
use crate::convert::note::NoteKind;
use crate::convert::raw::{HeldList, Raw, made, text};
use crate::convert::source::{SourceArtifact, SourceError};
use crate::json::pointer::Pointer;
use crate::text::escape::truncated;

/// Sorts of artifact that the seeds describe alike, or of which one takes in the other: a research
/// report is a report; source code takes in tests; what an implementation leaves behind, pages for
/// agents too (seed 004, examples), takes in documentation.
const ARTIFACTS: &[(&str, &str)] = &[
    ("research", "report"),
    ("report", "research"),
    ("test", "implementation"),
    ("documentation", "implementation"),
];

/// Gives each artifact the target's word for its sort.
pub(super) fn artifacts<'t>(
    artifacts: &mut HeldList<'t, SourceArtifact<'t>>,
    ledger: &mut Changes<'t>,
) {
    for (index, artifact) in artifacts.parts() {
        let at = Pointer::root().key("artifacts").index(index).key("type");
        let Some(word) = text(&artifact.kind) else {
            continue;
        };
        if let Some(earlier) = put_back(&at, &word, ledger) {
            artifact.kind = Some(earlier);
            continue;
        }
        let target = ledger.to;
        if has(&target.artifact_types, &word) {
            continue;
        }
        let Some(mapped) = counterpart(&word, &target.artifact_types) else {
            let why = format!("{} has no {}; it stays", target.id, truncated(&word));
            ledger.note(NoteKind::NotExpressed, (Some(&at), Some(&at)), why);
            continue;
        };
        ledger.mapped(&at, &at, format!("{word} is {mapped} here"));
        let is_lossy = has(&ledger.from.artifact_types, mapped);
        let new = made(mapped);
        if let (true, Some(Cow::Borrowed(value))) = (is_lossy, &artifact.kind) {
            ledger.keep(&at, value, "so that it can be put back");
        }
        artifact.kind = new;
    }
}

fn counterpart(word: &str, types: &[Cow<'static, str>]) -> Option<&'static str> {
    let meant = ARTIFACTS.iter().filter(|(from, _)| *from == word);
    meant.map(|(_, to)| *to).find(|to| has(types, to))
}

fn has(types: &[Cow<'static, str>], word: &str) -> bool {
    types.iter().any(|known| known == word)
}

/// The word that an earlier conversion replaced by this one, where the target has it.
fn put_back<'t>(at: &Pointer, word: &str, ledger: &mut Changes<'t>) -> Option<Raw<'t>> {
    let earlier = text(&Some(Cow::Borrowed(ledger.earlier(at)?)))?;
    let is_meant = ARTIFACTS.contains(&(earlier.as_str(), word));
    if !is_meant || !has(&ledger.to.artifact_types, &earlier) {
        return None;
    }
    ledger.put_back(at).map(Cow::Borrowed)
}

/// Says which sorts of error the target has no word for. None takes in another, so that each stays.
pub(super) fn errors<'t>(errors: &mut HeldList<'t, SourceError<'t>>, ledger: &mut Changes<'t>) {
    let target = ledger.to;
    for (index, error) in errors.parts() {
        let unknown = text(&error.kind)
            .filter(|word| !target.error_types.is_empty() && !has(&target.error_types, &word));
        if let Some(word) = unknown {
            let at = Pointer::root().key("errors").index(index).key("type");
            let why = format!("{} has no {}; it stays", target.id, truncated(&word));
            ledger.note(NoteKind::NotExpressed, (Some(&at), Some(&at)), why);
        }
    }
}
