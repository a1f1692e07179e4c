//! Looks up the files that a return claims, and names what was found.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::Path;

use smallvec::SmallVec;

use crate::document::Returned;
use crate::report::ArtifactState;
use crate::root::{Found as OnDisk, Root};
use crate::rules::claimed_paths;
use crate::rules::path_target::PathTarget;

/// What is behind one claimed path.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum PathLookup {
    Relative(OnDisk),
    /// The path is absolute.
    Absolute(OnDisk),
    /// It cannot name a file, for this reason, and is not looked up.
    Invalid(&'static str),
}

impl PathLookup {
    /// What was found; none if it was not looked up.
    pub(super) fn found(self) -> Option<OnDisk> {
        match self {
            Self::Relative(found) | Self::Absolute(found) => Some(found),
            Self::Invalid(_) => None,
        }
    }

    /// The state of the artifact, and its size.
    pub(super) fn state(self) -> (ArtifactState, Option<u64>) {
        let invalid = (ArtifactState::InvalidPath, None);
        self.found().map_or(invalid, state_of)
    }
}

/// What is behind each path that a return claims, in its order: few need no memory of their own.
pub(super) type PathLookups = SmallVec<[PathLookup; 4]>;

/// Looks up each path that a return of `count` entries claims, and with `with_content` what is in the
/// files.
pub(super) fn look_up(
    returned: Returned<'_, '_>,
    count: usize,
    root: &Root,
    with_content: bool,
) -> PathLookups {
    let mut lookup = Lookup::new(root, count, with_content);
    let mut lookups = PathLookups::new();
    claimed_paths::each(returned, &mut |claim| {
        let found = match PathTarget::of(claim.path, root) {
            PathTarget::Below(relative) => lookup.look(&relative),
            PathTarget::Outside => OnDisk::Outside,
            PathTarget::Invalid(why) => return lookups.push(PathLookup::Invalid(why)),
        };
        lookups.push(if claim.path.starts_with('/') {
            PathLookup::Absolute(found)
        } else {
            PathLookup::Relative(found)
        });
    });
    lookups
}

/// Looks up files, each once if there are many.
struct Lookup<'r, 't> {
    root: &'r Root,
    with_content: bool,
    cache: Option<HashMap<Cow<'t, str>, OnDisk>>,
}

impl<'r, 't> Lookup<'r, 't> {
    fn new(root: &'r Root, count: usize, with_content: bool) -> Self {
        /// Up to so many paths are looked up one by one, without a cache.
        const FEW: usize = 16;
        Self {
            root,
            with_content,
            cache: (count > FEW).then(HashMap::new),
        }
    }

    #[allow(
        clippy::ptr_arg,
        reason = "the clone of a borrowed path needs no memory"
    )]
    fn look(&mut self, relative: &Cow<'t, str>) -> OnDisk {
        let look = || {
            self.root
                .look(Path::new(relative.as_ref()), self.with_content)
        };
        match &mut self.cache {
            Some(cache) => *cache.entry(relative.clone()).or_insert_with(look),
            None => look(),
        }
    }
}

fn state_of(found: OnDisk) -> (ArtifactState, Option<u64>) {
    match found {
        OnDisk::File { bytes, .. } => (ArtifactState::Ok, Some(bytes)),
        OnDisk::Empty => (ArtifactState::Empty, Some(0)),
        OnDisk::Nothing => (ArtifactState::NotFound, None),
        OnDisk::NotAFile(_) => (ArtifactState::NotAFile, None),
        OnDisk::Outside => (ArtifactState::OutsideRoot, None),
        OnDisk::Unreadable => (ArtifactState::Unreadable, None),
    }
}
