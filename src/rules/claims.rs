//! The files that a return says it wrote, wherever its standard has them listed.

use std::borrow::Cow;

use crate::json::field::Field;
use crate::json::pointer::Pointer;
use crate::returned::{Handoff, Return, Returned};

/// One claimed path and where it stands.
pub(super) struct Claim<'r, 't> {
    pub(super) path: &'r Cow<'t, str>,
    list: &'static str,
    place: Place<'r>,
}

enum Place<'r> {
    Artifact(usize),
    Item(usize),
    Named(&'r str),
}

impl Claim<'_, '_> {
    pub(super) fn pointer(&self) -> Pointer {
        let list = Pointer::root().key(self.list);
        match self.place {
            Place::Artifact(index) => list.index(index).key("path"),
            Place::Item(index) => list.index(index),
            Place::Named(name) => list.key(name.to_owned()),
        }
    }
}

/// What a return claims.
pub(super) struct Claims<'r, 't> {
    /// Entries in its lists, usable or not.
    pub(super) count: usize,
    /// The entries with a path.
    pub(super) paths: Vec<Claim<'r, 't>>,
    /// The member to point at where there are none.
    pub(super) list: &'static str,
}

/// Everything that `returned` claims; none if its list is missing or no list.
pub(super) fn claims<'r, 't>(returned: &'r Returned<'t>) -> Option<Claims<'r, 't>> {
    match returned {
        Returned::Return(returned) => of_return(returned),
        Returned::Handoff(handoff) => Some(of_handoff(handoff)),
    }
}

fn of_return<'r, 't>(returned: &'r Return<'t>) -> Option<Claims<'r, 't>> {
    let artifacts = returned.artifacts.present()?;
    let count = artifacts.len();
    let mut paths = Vec::with_capacity(count);
    for (index, artifact) in artifacts.iter().enumerate() {
        if let Some(path) = artifact
            .present()
            .and_then(|artifact| artifact.path.present())
        {
            paths.push(Claim {
                path,
                list: "artifacts",
                place: Place::Artifact(index),
            });
        }
    }
    Some(Claims {
        count,
        paths,
        list: "artifacts",
    })
}

fn of_handoff<'r, 't>(handoff: &'r Handoff<'t>) -> Claims<'r, 't> {
    let mut claims = Claims {
        count: 0,
        paths: Vec::new(),
        list: "status",
    };
    for (list, paths) in [
        ("files_created", &handoff.files_created),
        ("files_modified", &handoff.files_modified),
    ] {
        let paths = paths.present().map_or(&[][..], Vec::as_slice);
        claims.count += paths.len();
        let usable = paths
            .iter()
            .enumerate()
            .filter_map(|(index, path)| Some((index, path.present()?)));
        claims.paths.extend(usable.map(|(index, path)| Claim {
            path,
            list,
            place: Place::Item(index),
        }));
    }
    if let Field::Present(artifacts) = &handoff.artifacts {
        claims.count += artifacts.0.len();
        let usable = artifacts
            .0
            .iter()
            .filter_map(|(name, path)| Some((name, path.present()?)));
        claims.paths.extend(usable.map(|(name, path)| Claim {
            path,
            list: "artifacts",
            place: Place::Named(name),
        }));
    }
    claims
}
