//! Looks up the files that a return claims.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crate::check::report::ArtifactState;
use crate::check::returned::ReadArtifact;
use crate::check::rules::claimed_paths::PathTarget;
use crate::check::{Collector, Context};
use crate::root::{Found as OnDisk, Root};
use crate::rule::Rule;

/// The result of looking up one claimed path.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum PathLookup {
    Relative(OnDisk),
    /// The path is absolute.
    Absolute(OnDisk),
    /// The path cannot name a file, for this reason. It is not looked up.
    Invalid(&'static str),
}

impl PathLookup {
    fn new(path: &str, found: OnDisk) -> Self {
        if path.starts_with('/') {
            Self::Absolute(found)
        } else {
            Self::Relative(found)
        }
    }

    /// What was found. None if the path was not looked up.
    pub(super) fn found(self) -> Option<OnDisk> {
        match self {
            Self::Relative(found) | Self::Absolute(found) => Some(found),
            Self::Invalid(_) => None,
        }
    }

    pub(super) fn state(self) -> (ArtifactState, Option<u64>) {
        let invalid = (ArtifactState::InvalidPath, None);
        self.found().map_or(invalid, state_of)
    }
}

/// One result for each path that a return claims, in the order of the claims.
pub(super) type PathLookups = Vec<PathLookup>;

/// The folders in which artifacts may lie.
#[derive(Clone, Copy)]
pub(super) struct ArtifactRoots<'r> {
    root: &'r Root,
    /// Absolute paths of the other ones.
    extra: &'r [PathBuf],
}

impl<'r> ArtifactRoots<'r> {
    pub(super) fn of(context: &Context<'_, 'r>) -> Self {
        Self {
            root: context.root,
            extra: &context.profile.extra_roots,
        }
    }

    /// Looks up one path.
    pub(super) fn look_up(self, path: &str, with_content: bool) -> PathLookup {
        let found = match PathTarget::of(path, self.root) {
            PathTarget::Below(relative) => self.stat(path, &relative, with_content),
            PathTarget::Outside => self.stat_extra(path, with_content),
            PathTarget::Invalid(why) => return PathLookup::Invalid(why),
        };
        PathLookup::new(path, found)
    }

    fn stat(self, path: &str, relative: &str, with_content: bool) -> OnDisk {
        match self.root.stat(Path::new(relative), with_content) {
            OnDisk::Outside => self.stat_extra(path, with_content),
            found => found,
        }
    }

    fn stat_extra(self, path: &str, with_content: bool) -> OnDisk {
        let mut extra = self.below_extra(path);
        let found = extra.find_map(|(root, relative)| {
            let found = root.stat(&relative, with_content);
            (found != OnDisk::Outside).then_some(found)
        });
        found.unwrap_or(OnDisk::Outside)
    }

    /// The other folders that a path leads into, and the path below each.
    fn below_extra(self, path: &str) -> impl Iterator<Item = (Root, PathBuf)> {
        let absolute = self.root.absolute(Path::new(path));
        self.extra.iter().filter_map(move |folder| {
            let root = Root::open(folder).ok()?;
            let relative = root.below(&absolute)?;
            Some((root, relative))
        })
    }
}

/// Looks up each of the files. With `with_content`, also checks whether they have visible content.
pub(super) fn look_up(
    artifacts: &[ReadArtifact<'_, '_>],
    roots: ArtifactRoots<'_>,
    with_content: bool,
) -> PathLookups {
    // A return may claim the same path many times.
    let mut known = HashMap::new();
    let look = |it: &ReadArtifact<'_, '_>| roots.look_up(&it.path, with_content);
    let recall = |it| match artifacts.len() {
        ..=FEW => look(it),
        _ => *known.entry(&*it.path).or_insert_with(|| look(it)),
    };
    artifacts.iter().map(recall).collect()
}

/// If a return claims at most this many paths, each is looked up, even a repeated one.
const FEW: usize = 16;

/// The path of the file that was probably meant by a missing one.
pub(super) fn near(
    collector: &mut Collector<'_, '_>,
    rule: &Rule,
    claim: &ReadArtifact<'_, '_>,
) -> Option<String> {
    /// The most missing files of one return for which another one is looked for, so that a return with
    /// many of them costs little more than one with a few.
    const AT_MOST: usize = 16;
    if !collector.is_enabled(rule) || collector.facts.missing_files >= AT_MOST {
        return None;
    }
    collector.facts.missing_files += 1;
    let root = collector.context.root;
    match PathTarget::of(&claim.path, root) {
        PathTarget::Below(path) => root.near(&path),
        PathTarget::Outside | PathTarget::Invalid(_) => None,
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
