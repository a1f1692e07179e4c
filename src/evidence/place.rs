//! Files that calls name, compared with files that a return claims.

use std::path::{Path, PathBuf};

use crate::root::Root;

/// The folders in which Claude Code keeps other working trees of a project.
const WORKTREES: [&str; 2] = [".claude", "worktrees"];

/// A file that a return claims.
#[derive(Debug)]
pub(crate) struct ClaimedFile<'c> {
    root: &'c Root,
    /// Below the root, without links.
    place: PathBuf,
    /// The last part of the path, as the return has it.
    name: &'c str,
}

/// How the path of a call compares with a claimed file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Likeness {
    Same,
    /// Only the name is the same: it may be the file of another working tree.
    SameName,
    Different,
}

impl<'c> ClaimedFile<'c> {
    /// `relative` is the path below the root.
    pub(crate) fn new(root: &'c Root, relative: &'c str) -> Self {
        Self {
            root,
            place: root.plain(Path::new(relative)),
            name: last_part(relative),
        }
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
        let place = place(path, cwd, self.root);
        if place.is_some_and(|place| place == self.place) {
            Likeness::Same
        } else if self.has_name_of(path) {
            Likeness::SameName
        } else {
            Likeness::Different
        }
    }
}

/// Where the path of a call leads below the root. A relative path is relative to the folder of the
/// call, if that is known.
fn place(path: &str, cwd: Option<&str>, root: &Root) -> Option<PathBuf> {
    let path = Path::new(path);
    let below = if path.is_absolute() {
        root.below(path)?
    } else {
        match cwd.map(Path::new) {
            Some(cwd) if cwd.is_absolute() => root.below(&cwd.join(path))?,
            Some(cwd) => cwd.join(path),
            None => path.to_owned(),
        }
    };
    Some(root.plain(&without_worktree(&below)))
}

/// The path in the project of a path in one of its other working trees.
fn without_worktree(path: &Path) -> PathBuf {
    let mut parts = path.components();
    let is_worktree = WORKTREES
        .iter()
        .all(|name| parts.next().is_some_and(|part| part.as_os_str() == *name));
    // The name of the working tree.
    let has_name = is_worktree && parts.next().is_some();
    if has_name { parts.as_path() } else { path }.to_owned()
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
