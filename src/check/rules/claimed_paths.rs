//! The files that a return says it wrote, from every list of its format.

use std::borrow::Cow;

use crate::check::report::{ArtifactReport, ArtifactState};
use crate::check::{Diagnostic, Values};
use crate::json::field::{Field, FieldList};
use crate::json::pointer::Pointer;
use crate::profile::document::{Artifact, Handoff, OwnPath, Returned};
use crate::rule::Rule;

/// One claimed path and its position in the return.
#[derive(Clone, Copy)]
pub(super) struct ClaimedPath<'r, 't> {
    pub(super) path: &'r Cow<'t, str>,
    list: &'static str,
    place: ClaimSource<'r>,
    /// The entry with the path, if it is an artifact with a type and a summary.
    entry: Option<&'r Artifact<'t>>,
}

#[derive(Clone, Copy)]
enum ClaimSource<'r> {
    Artifact(usize),
    Item(usize),
    Named(&'r str),
    Own(&'r Pointer<'static>),
}

impl<'r, 't> ClaimedPath<'r, 't> {
    /// A path of a standard of one's own.
    pub(super) fn own(path: &'r OwnPath<'t>) -> Self {
        Self {
            path: &path.path,
            list: "",
            place: ClaimSource::Own(&path.pointer),
            entry: None,
        }
    }

    fn kind(&self) -> Option<Cow<'t, str>> {
        self.entry?.kind.present().cloned()
    }

    fn summary(&self) -> Option<Cow<'t, str>> {
        self.entry?.summary.present().cloned()
    }

    /// The claim with the state of its file and the size in bytes.
    pub(super) fn report(&self, state: ArtifactState, bytes: Option<u64>) -> ArtifactReport<'t> {
        ArtifactReport {
            path: self.path.clone(),
            kind: self.kind(),
            summary: self.summary(),
            state,
            bytes,
        }
    }

    /// Whether the path is a required field. A blank one is then reported as an empty field.
    pub(super) fn is_required(&self) -> bool {
        matches!(self.place, ClaimSource::Artifact(_))
    }

    pub(super) fn diagnostic<'d>(
        &self,
        rule: &'static Rule,
        values: &'d Values<'d>,
    ) -> Diagnostic<'d>
    where
        'r: 'd,
    {
        Diagnostic::new(rule, self.pointer(), values).string(self.path)
    }

    pub(super) fn pointer(&self) -> Pointer<'r> {
        let list = Pointer::root().key(self.list);
        match self.place {
            ClaimSource::Artifact(index) => list.index(index).key("path"),
            ClaimSource::Item(index) => list.index(index),
            ClaimSource::Named(name) => list.key(name),
            ClaimSource::Own(pointer) => pointer.clone(),
        }
    }
}

/// The number of entries in the lists of a return, including invalid ones. None if `artifacts` is
/// missing or not a list; a handoff always has a number.
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
        Returned::Own(own) => Some(own.artifacts.len() + own.unreadable),
    }
}

/// The member to point at if a return claims no files.
pub(super) fn list(returned: Returned<'_, '_>) -> &'static str {
    match returned {
        Returned::Return(_) | Returned::Own(_) => "artifacts",
        Returned::Handoff(_) => "status",
    }
}

/// Calls `visit` with every path that `returned` claims, in the order of its lists.
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
        Returned::Own(own) => own.artifacts.iter().map(ClaimedPath::own).for_each(visit),
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
