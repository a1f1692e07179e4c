//! Files that calls name, compared with files that a return claims.

use std::cell::OnceCell;
use std::path::{Component, Path, PathBuf};

use memchr::memmem;

use crate::evidence::folders::CallFolder;
use crate::root::{FileIdentity, Root};

/// The folders in which Claude Code keeps other working trees of a project.
const WORKTREES: [&str; 2] = [".claude", "worktrees"];

/// The root, and where else the project is checked out: what the root is there.
#[derive(Debug, Clone, Copy)]
pub(super) struct ProjectPlaces<'c> {
    pub(super) root: &'c Root,
    work_trees: &'c [PathBuf],
}

/// A file that a return claims.
#[derive(Debug)]
pub(crate) struct ClaimedFile<'c> {
    places: ProjectPlaces<'c>,
    identity: OnceCell<Option<FileIdentity>>,
    /// Below the root, without links.
    place: PathBuf,
    /// The last part of the path, as the return has it.
    name: &'c str,
}

impl<'c> ClaimedFile<'c> {
    /// `relative` is the path below the root.
    pub(crate) fn new(root: &'c Root, relative: &'c str) -> Self {
        Self {
            places: ProjectPlaces {
                root,
                work_trees: &[],
            },
            identity: OnceCell::new(),
            place: root.plain(Path::new(relative)),
            name: last_part(relative),
        }
    }

    /// Says where else the project is checked out: what the root is there. A file below such a folder
    /// is that file of the project.
    pub(crate) fn work_trees(mut self, work_trees: &'c [PathBuf]) -> Self {
        self.places.work_trees = work_trees;
        self
    }

    /// The path below the root, without links.
    pub(super) fn place(&self) -> &Path {
        &self.place
    }

    pub(super) fn root(&self) -> &Root {
        self.places.root
    }

    pub(super) fn places(&self) -> ProjectPlaces<'c> {
        self.places
    }

    /// The keys of the names that the file has: as the return has it, and without links.
    pub(super) fn name_keys(&self) -> impl Iterator<Item = NameKey> {
        let claimed = NameKey::of(self.name);
        let own = self.own_name().map(NameKey::of);
        let own = own.filter(|own| *own != claimed);
        [Some(claimed), own].into_iter().flatten()
    }

    fn own_name(&self) -> Option<&str> {
        self.place.file_name()?.to_str()
    }

    /// Whether a command line has a name of the file somewhere.
    pub(super) fn is_named_in(&self, command: &str) -> bool {
        let names = [Some(self.name), self.own_name()].into_iter().flatten();
        let mut names = names.filter(|name| !name.is_empty());
        names.any(|name| memmem::find(command.as_bytes(), name.as_bytes()).is_some())
    }

    /// Which file it is, if it can be read.
    pub(super) fn identity(&self) -> Option<FileIdentity> {
        let identity = || self.root().identity(&self.place);
        *self.identity.get_or_init(identity)
    }

    /// Whether a path with another name may be the file: it has several names, or the file system may
    /// take two spellings for one name.
    pub(super) fn may_have_other_names(&self) -> bool {
        !self.name.is_ascii() || self.identity().is_some_and(|own| own.names > 1)
    }
}

impl ProjectPlaces<'_> {
    /// Where the path of a call leads below the root. A relative path is relative to the folder of
    /// the call, if that is known.
    pub(super) fn find(&self, path: &str, folder: &CallFolder<'_>) -> Option<PathOfCall> {
        let path = Path::new(path);
        let whole = match folder {
            _ if path.is_absolute() => path.to_owned(),
            CallFolder::Known(Some(folder)) => Path::new(folder.as_ref()).join(path),
            CallFolder::Known(None) => path.to_owned(),
            CallFolder::Unknown | CallFolder::Distrusted => return None,
        };
        let (below, is_outside) = if whole.is_absolute() {
            match self.root.below(&whole) {
                Some(below) => (below, false),
                None => (self.in_work_tree(&whole)?, true),
            }
        } else {
            (whole, false)
        };
        let inner = without_worktree(&below).filter(|inner| self.is_work_tree(&below, inner));
        Some(PathOfCall {
            place: self.root.plain(inner.unwrap_or(&below)),
            in_work_tree: is_outside || inner.is_some(),
        })
    }

    /// Whether git knows the working tree below the root in which `inner` is the end of the path
    /// `below`. A folder of that name alone could be anything.
    fn is_work_tree(&self, below: &Path, inner: &Path) -> bool {
        let above = below.components().count() - inner.components().count();
        let tree: PathBuf = below.components().take(above).collect();
        let mut known = self
            .work_trees
            .iter()
            .filter(|known| known.ends_with(&tree));
        known.any(|known| self.root.below(known).as_deref() == Some(&tree))
    }

    /// The path in the project of a path in another of its working trees. Only its text counts:
    /// nothing is looked up there.
    fn in_work_tree(&self, path: &Path) -> Option<PathBuf> {
        let mut trees = self.work_trees.iter();
        let below = trees.find_map(|tree| path.strip_prefix(tree).ok())?;
        let is_plain = |part| matches!(part, Component::Normal(_));
        below.components().all(is_plain).then(|| below.to_owned())
    }
}

/// Where the path of a call leads.
#[derive(Debug)]
pub(super) struct PathOfCall {
    /// Below the root, without links.
    pub(super) place: PathBuf,
    /// Whether the file itself is in another working tree, and `place` is where it is in the project.
    pub(super) in_work_tree: bool,
}

/// The path in the project of a path in one of the working trees that Claude Code makes below it.
fn without_worktree(path: &Path) -> Option<&Path> {
    let mut parts = path.components();
    let is_worktree = WORKTREES
        .iter()
        .all(|name| parts.next().is_some_and(|part| part.as_os_str() == *name));
    // The name of the working tree.
    (is_worktree && parts.next().is_some()).then_some(parts.as_path())
}

fn last_part(path: &str) -> &str {
    let path = path.trim_end_matches(['/', '\\']);
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// What the names have in common that may be of one file: some systems do not tell cases apart, and
/// some write letters with accents in two ways.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct NameKey(String);

impl NameKey {
    /// The key of the last part of a path.
    pub(super) fn of(path: &str) -> Self {
        let name = last_part(path);
        let is_plain = name.is_ascii();
        Self(if is_plain {
            name.to_ascii_lowercase()
        } else {
            // No name has this in it.
            "/".to_owned()
        })
    }
}
