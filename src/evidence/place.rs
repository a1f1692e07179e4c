//! Files that calls name, compared with files that a return claims.

use std::cell::OnceCell;
use std::path::{Component, Path, PathBuf};

use crate::root::{FileIdentity, Root};

/// The folders in which Claude Code keeps other working trees of a project.
const WORKTREES: [&str; 2] = [".claude", "worktrees"];

/// A file that a return claims.
#[derive(Debug)]
pub(crate) struct ClaimedFile<'c> {
    root: &'c Root,
    work_trees: &'c [PathBuf],
    identity: OnceCell<Option<FileIdentity>>,
    /// Below the root, without links.
    place: PathBuf,
    /// The last part of the path, as the return has it.
    name: &'c str,
}

/// How the path of a call compares with a claimed file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Likeness {
    Same,
    /// It is the same file of the project in another working tree.
    InWorkTree,
    /// Only the name is the same: it may be the file of another working tree.
    SameName,
    Different,
}

impl Likeness {
    /// Whether it is the file, here or in another working tree.
    pub(super) fn is_same(self) -> bool {
        matches!(self, Self::Same | Self::InWorkTree)
    }
}

impl<'c> ClaimedFile<'c> {
    /// `relative` is the path below the root.
    pub(crate) fn new(root: &'c Root, relative: &'c str) -> Self {
        Self {
            root,
            work_trees: &[],
            identity: OnceCell::new(),
            place: root.plain(Path::new(relative)),
            name: last_part(relative),
        }
    }

    /// Says where else the project is checked out: what the root is there. A file below such a folder
    /// is that file of the project.
    pub(crate) fn work_trees(self, work_trees: &'c [PathBuf]) -> Self {
        Self { work_trees, ..self }
    }

    /// The path below the root, without links.
    pub(super) fn place(&self) -> &Path {
        &self.place
    }

    pub(super) fn root(&self) -> &Root {
        self.root
    }

    /// Whether the name of a path alone shows that it may be this file. Links have other names.
    pub(super) fn has_name_of(&self, path: &str) -> bool {
        let name = last_part(path);
        let own = self.place.file_name().and_then(|name| name.to_str());
        is_same_name(name, self.name) || own.is_some_and(|own| is_same_name(name, own))
    }

    /// Whether a command line has the name of the file somewhere.
    pub(super) fn is_named_in(&self, command: &str) -> bool {
        !self.name.is_empty() && command.contains(self.name)
    }

    pub(super) fn compare(&self, path: &str, cwd: Option<&str>) -> Likeness {
        let found = self.find(path, cwd);
        let found = found.filter(|found| found.place == self.place);
        if let Some(found) = found {
            if found.in_work_tree {
                Likeness::InWorkTree
            } else {
                Likeness::Same
            }
        } else if self.has_name_of(path) {
            Likeness::SameName
        } else {
            Likeness::Different
        }
    }

    /// Whether a path with another name is the same file. None if that cannot be told, because the
    /// file has several names and the path is outside of the root, where nothing is looked up.
    pub(super) fn is_also(&self, path: &str, found: &FoundPath) -> Option<bool> {
        let own = *self
            .identity
            .get_or_init(|| self.root.identity(&self.place));
        let Some(place) = &found.place else {
            return own.is_none_or(|own| own.names < 2).then_some(false);
        };
        // With one name it is another file, unless the file system takes two spellings for one.
        let may_be = own.is_some_and(|own| own.names > 1)
            || !(last_part(path).is_ascii() && self.name.is_ascii());
        let is_same = || own.is_some_and(|own| own.is_of(found.identity(self.root)));
        Some(*place == self.place || may_be && is_same())
    }

    /// Looks up the path of a call, for this claim and all others.
    pub(super) fn look_up(&self, path: &str, cwd: Option<&str>) -> FoundPath {
        FoundPath {
            place: self.find(path, cwd).map(|found| found.place),
            identity: OnceCell::new(),
        }
    }

    /// Where the path of a call leads below the root. A relative path is relative to the folder of
    /// the call, if that is known.
    fn find(&self, path: &str, cwd: Option<&str>) -> Option<PathOfCall> {
        let path = Path::new(path);
        let whole = match cwd.map(Path::new) {
            Some(cwd) if !path.is_absolute() => cwd.join(path),
            _ => path.to_owned(),
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

/// Where the path of a call leads, and which file is there. Each is looked up once.
#[derive(Debug)]
pub(super) struct FoundPath {
    /// Below the root, without links; none if it is outside.
    place: Option<PathBuf>,
    identity: OnceCell<Option<FileIdentity>>,
}

impl FoundPath {
    fn identity(&self, root: &Root) -> Option<FileIdentity> {
        let look_up = || root.identity(self.place.as_deref()?);
        *self.identity.get_or_init(look_up)
    }
}

/// Where the path of a call leads.
struct PathOfCall {
    /// Below the root, without links.
    place: PathBuf,
    /// Whether the file itself is in another working tree, and `place` is where it is in the project.
    in_work_tree: bool,
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

/// Whether two names may be of the same file: some systems do not tell cases apart, and some write
/// letters with accents in two ways.
fn is_same_name(one: &str, other: &str) -> bool {
    one.eq_ignore_ascii_case(other) || !(one.is_ascii() || other.is_ascii())
}
