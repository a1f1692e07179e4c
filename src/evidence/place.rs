//! Where the paths that calls name lead, and whether that is a file that a return claims.

use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

use crate::clients::run::is_redacted;
use crate::evidence::calls::CallFolder;
use crate::root::{FileTimes, Root, collapsed};

/// The root, and the folders that correspond to it in other working trees: a file below such a folder counts as
/// the project's file with the same relative path.
#[derive(Debug, Clone, Copy)]
pub(super) struct ProjectPlaces<'c> {
    pub(super) root: &'c Root,
    work_trees: &'c [PathBuf],
}

#[derive(Debug)]
pub(crate) struct ClaimedFile<'c> {
    pub(super) places: ProjectPlaces<'c>,
    /// The path below the root, with symlinks resolved.
    pub(super) place: PathBuf,
    /// The times of the symlink that the path names.
    pub(super) link: Option<FileTimes>,
    name: &'c str,
}

impl<'c> ClaimedFile<'c> {
    /// `relative` is the path below the root.
    pub(super) fn new(root: &'c Root, work_trees: &'c [PathBuf], relative: &'c str) -> Self {
        let path = Path::new(relative);
        let place = root.plain(path);
        let link = (place != path).then(|| root.link_times(path));
        Self {
            places: ProjectPlaces { root, work_trees },
            link: link.flatten(),
            place,
            name: last_part(relative),
        }
    }

    pub(super) fn times(&self) -> Option<FileTimes> {
        let times = self.places.root.times(&self.place)?;
        Some(self.link.map_or(times, |link| times.latest(link)))
    }

    /// The keys of the file's names: the name in the return, and the name with symlinks resolved.
    pub(super) fn name_keys(&self) -> impl Iterator<Item = String> {
        let own = self.place.file_name().and_then(OsStr::to_str);
        let own = own.filter(|own| *own != self.name);
        own.into_iter().chain([self.name]).map(name_key)
    }

    /// Whether a path with another name may be the same file: the file has several hard links, or the
    /// file system may treat two spellings of its name as equal.
    pub(super) fn may_have_other_names(&self) -> bool {
        let identity = || self.places.root.identity(&self.place);
        !self.name.is_ascii() || identity().is_some_and(|own| own.names > 1)
    }
}

impl ProjectPlaces<'_> {
    /// Where the path of a call leads below the root. A relative path is relative to the working
    /// directory of the call, or to the root if the client records none. None if the working directory
    /// may have changed, if a part of the path was redacted, or if the path leads out of the project.
    pub(super) fn find(&self, path: &str, folder: CallFolder<'_>) -> Option<PathOfCall> {
        let whole = whole(path, folder)?;
        let below = if whole.is_absolute() { self.root.below(&whole) } else { Some(whole.clone()) };
        let is_outside = below.is_none();
        let below = below.or_else(|| self.in_work_tree(&whole))?;
        let inner = without_worktree(&below).filter(|inner| self.is_work_tree(&below, inner));
        let place = self.root.plain(inner.unwrap_or(&below));
        let elsewhere = is_outside || inner.is_some();
        Some(PathOfCall { place, elsewhere })
    }

    /// Where a path leads that may name all files below it. That is the root if it is not known, or leads to a folder
    /// around the root. None if it is certain that no file of the project is there.
    pub(super) fn around(&self, path: &str, folder: CallFolder<'_>) -> Option<PathOfCall> {
        let is_around = || whole(path, folder).is_none_or(|whole| self.root.is_inside(&whole));
        let (place, elsewhere) = (PathBuf::new(), false);
        let root = || is_around().then_some(PathOfCall { place, elsewhere });
        self.find(path, folder).or_else(root)
    }

    /// Whether `below` without its end `inner` is a working tree that git knows. The name of the folder proves nothing.
    fn is_work_tree(&self, below: &Path, inner: &Path) -> bool {
        let above = below.components().count() - inner.components().count();
        let tree: PathBuf = below.components().take(above).collect();
        let known = self.work_trees.iter();
        let mut known = known.filter(|known| known.ends_with(&tree));
        known.any(|known| self.root.below(known).as_deref() == Some(&tree))
    }

    /// The path in the project that corresponds to a path in another working tree. Decided by the text
    /// of the path: nothing outside the root is looked up.
    fn in_work_tree(&self, path: &Path) -> Option<PathBuf> {
        let mut trees = self.work_trees.iter();
        let below = trees.find_map(|tree| path.strip_prefix(tree).ok())?;
        let is_plain = |part| matches!(part, Component::Normal(_));
        below.components().all(is_plain).then(|| below.to_owned())
    }
}

/// The path of a call with its folder. None if that is not known, or a part of the path was redacted.
pub(super) fn whole(path: &str, folder: CallFolder<'_>) -> Option<PathBuf> {
    let path = Path::new(path);
    match folder {
        _ if path.to_str().is_some_and(is_redacted) => None,
        CallFolder::Known(folder) => Some(Path::new(folder).join(path)),
        _ => Some(path.to_owned()).filter(|path| path.is_absolute()),
    }
}

/// The whole path of a call that leads nowhere in the project. None if the path is not known.
pub(super) fn outside(path: &str, folder: CallFolder<'_>) -> Option<PathBuf> {
    let whole = whole(path, folder).filter(|it| it.is_absolute());
    whole.map(|it| collapsed(&it))
}

#[derive(Debug)]
pub(super) struct PathOfCall {
    /// The path below the root, with symlinks resolved.
    pub(super) place: PathBuf,
    /// Whether the file itself is in another working tree. Then `place` is the corresponding path in the project.
    pub(super) elsewhere: bool,
}

/// The path in the project that corresponds to a path in a working tree that Claude Code made below the project.
fn without_worktree(path: &Path) -> Option<&Path> {
    let mut parts = path.components();
    let mut is_next = |name| parts.next().is_some_and(|part| part.as_os_str() == name);
    let is_worktree = is_next(".claude") && is_next("worktrees");
    // The next part is the name of the working tree.
    (is_worktree && parts.next().is_some()).then_some(parts.as_path())
}

fn last_part(path: &str) -> &str {
    let path = path.trim_end_matches(['/', '\\']);
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// A key that names of the same file share. Some file systems ignore case, and some treat two encodings of an accented
/// letter as equal: names that are not ASCII have one key. Some clients ignore white space around a path.
pub(super) fn name_key(path: &str) -> String {
    let name = last_part(path.trim());
    let key = if name.is_ascii() { name } else { "/" };
    key.to_ascii_lowercase()
}
