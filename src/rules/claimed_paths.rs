//! The files that a return says it wrote, wherever its standard has them listed.

use std::borrow::Cow;

use crate::diagnostics::{Diagnostic, Location};
use crate::document::{Artifact, Handoff, Returned};
use crate::json::field::{Field, FieldList};
use crate::json::pointer::Pointer;
use crate::report::{ArtifactReport, ArtifactState};
use crate::rule::Rule;

/// One claimed path and its place in the return.
#[derive(Clone, Copy)]
pub(super) struct ClaimedPath<'r, 't> {
    pub(super) path: &'r Cow<'t, str>,
    list: &'static str,
    place: ClaimSource<'r>,
    /// The entry that names it, where it has more to say.
    entry: Option<&'r Artifact<'t>>,
}

#[derive(Clone, Copy)]
enum ClaimSource<'r> {
    Artifact(usize),
    Item(usize),
    Named(&'r str),
}

impl<'r, 't> ClaimedPath<'r, 't> {
    /// The type of the file, by the return's own word.
    fn kind(&self) -> Option<Cow<'t, str>> {
        self.entry?.kind.present().cloned()
    }

    /// What it holds, by the return's own word.
    fn summary(&self) -> Option<Cow<'t, str>> {
        self.entry?.summary.present().cloned()
    }

    /// The claim with what was found.
    pub(super) fn report(&self, state: ArtifactState, bytes: Option<u64>) -> ArtifactReport<'t> {
        ArtifactReport {
            path: self.path.clone(),
            kind: self.kind(),
            summary: self.summary(),
            state,
            bytes,
        }
    }

    /// Whether the profile requires the field of the path, so that an empty one has been reported.
    pub(super) fn is_required(&self) -> bool {
        matches!(self.place, ClaimSource::Artifact(_))
    }

    /// A diagnostic about the path.
    pub(super) fn diagnostic(&self, rule: &'static Rule) -> Diagnostic<'r> {
        Diagnostic::new(rule, Location::Value(self.pointer())).string(self.path)
    }

    pub(super) fn pointer(&self) -> Pointer<'r> {
        let list = Pointer::root().key(self.list);
        match self.place {
            ClaimSource::Artifact(index) => list.index(index).key("path"),
            ClaimSource::Item(index) => list.index(index),
            ClaimSource::Named(name) => list.key(name),
        }
    }
}

/// Entries in the lists of a return, usable or not; none if its list is missing or no list.
pub(crate) fn count(returned: Returned<'_, '_>) -> Option<usize> {
    match returned {
        Returned::Return(returned) => returned.artifacts.present().map(FieldList::len),
        Returned::Handoff(handoff) => {
            let lists = handoff_lists(handoff).map(|(_, paths)| paths.len());
            let named = handoff
                .artifacts
                .present()
                .map_or(0, |artifacts| artifacts.0.len());
            Some(lists.iter().sum::<usize>() + named)
        }
    }
}

/// The member to point at where a return claims nothing.
pub(super) fn list(returned: Returned<'_, '_>) -> &'static str {
    match returned {
        Returned::Return(_) => "artifacts",
        Returned::Handoff(_) => "status",
    }
}

/// Every path that `returned` claims, in its order.
pub(super) fn each<'r, 't>(returned: Returned<'r, 't>, visit: &mut dyn FnMut(ClaimedPath<'r, 't>)) {
    match returned {
        Returned::Return(returned) => {
            let artifacts = returned.artifacts.items();
            for (index, artifact) in artifacts.iter().enumerate() {
                let entry = artifact.present();
                if let Some(path) = entry.and_then(|entry| entry.path.present()) {
                    visit(ClaimedPath {
                        path,
                        list: "artifacts",
                        place: ClaimSource::Artifact(index),
                        entry,
                    });
                }
            }
        }
        Returned::Handoff(handoff) => each_of_handoff(handoff, visit),
    }
}

fn each_of_handoff<'r, 't>(handoff: &'r Handoff<'t>, visit: &mut dyn FnMut(ClaimedPath<'r, 't>)) {
    for (list, paths) in handoff_lists(handoff) {
        for (index, path) in paths.iter().enumerate() {
            if let Some(path) = path.present() {
                visit(ClaimedPath {
                    path,
                    list,
                    place: ClaimSource::Item(index),
                    entry: None,
                });
            }
        }
    }
    for (name, path) in handoff
        .artifacts
        .present()
        .map_or(&[][..], |artifacts| &artifacts.0)
    {
        if let Some(path) = path.present() {
            visit(ClaimedPath {
                path,
                list: "artifacts",
                place: ClaimSource::Named(name),
                entry: None,
            });
        }
    }
}

type PathFields<'r, 't> = &'r [Field<Cow<'t, str>>];

fn handoff_lists<'r, 't>(handoff: &'r Handoff<'t>) -> [(&'static str, PathFields<'r, 't>); 2] {
    [
        ("files_created", &handoff.files_created),
        ("files_modified", &handoff.files_modified),
    ]
    .map(|(name, list)| (name, list.items()))
}
