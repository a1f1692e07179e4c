//! Looks up the files that returns claim, and names what was found.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::Path;

use crate::report::ArtifactState;
use crate::root::{Found as OnDisk, Root};

/// Looks up files, each once if there are many.
pub(super) struct Lookup<'r, 't> {
    root: &'r Root,
    with_content: bool,
    cache: Option<HashMap<Cow<'t, str>, OnDisk>>,
}

impl<'r, 't> Lookup<'r, 't> {
    pub(super) fn new(root: &'r Root, count: usize, with_content: bool) -> Self {
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
    pub(super) fn look(&mut self, relative: &Cow<'t, str>) -> OnDisk {
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

/// The state of an artifact, and its size.
pub(super) fn state_of(found: OnDisk) -> (ArtifactState, Option<u64>) {
    match found {
        OnDisk::File { bytes, .. } => (ArtifactState::Ok, Some(bytes)),
        OnDisk::Empty => (ArtifactState::Empty, Some(0)),
        OnDisk::Nothing => (ArtifactState::NotFound, None),
        OnDisk::NotAFile(_) => (ArtifactState::NotAFile, None),
        OnDisk::Outside => (ArtifactState::OutsideRoot, None),
        OnDisk::Unreadable => (ArtifactState::Unreadable, None),
    }
}
