//! Where the paths that calls name lead, and whether that is a file that a return claims.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

use crate::clients::run::{Call, CallKind, CallShell, Outcome, Run, is_redacted};
use crate::evidence::shell::{self, ShellEnd};
use crate::root::{FileTimes, Root, Symlink};

/// The path of the folder in which Claude Code keeps other working trees of a project.
const WORKTREES: [&str; 2] = [".claude", "worktrees"];

/// The root, and the folders that correspond to it in other working trees.
#[derive(Debug, Clone, Copy)]
pub(super) struct ProjectPlaces<'c> {
    pub(super) root: &'c Root,
    work_trees: &'c [PathBuf],
}

/// A file that a return claims.
#[derive(Debug)]
pub(crate) struct ClaimedFile<'c> {
    places: ProjectPlaces<'c>,
    /// The path below the root, with symlinks resolved.
    place: PathBuf,
    /// The symlink that the path names.
    link: Option<Symlink>,
    /// The last part of the path as the return has it.
    name: &'c str,
}

impl<'c> ClaimedFile<'c> {
    /// `relative` is the path below the root.
    pub(crate) fn new(root: &'c Root, relative: &'c str) -> Self {
        let place = root.plain(Path::new(relative));
        let has_links = place != Path::new(relative);
        Self {
            places: ProjectPlaces {
                root,
                work_trees: &[],
            },
            link: has_links.then(|| root.link(Path::new(relative))).flatten(),
            place,
            name: last_part(relative),
        }
    }

    /// Sets the folders that correspond to the root in other working trees. A file below such a folder
    /// counts as the project's file with the same relative path.
    pub(crate) fn work_trees(mut self, work_trees: &'c [PathBuf]) -> Self {
        self.places.work_trees = work_trees;
        self
    }

    pub(super) fn place(&self) -> &Path {
        &self.place
    }

    #[cfg(feature = "git")]
    pub(super) fn link(&self) -> Option<&Symlink> {
        self.link.as_ref()
    }

    pub(super) fn times(&self) -> Option<FileTimes> {
        let times = self.root().times(&self.place)?;
        let of_link = self.link.as_ref().map(|link| link.times);
        Some(of_link.map_or(times, |it| times.latest(it)))
    }

    pub(super) fn root(&self) -> &Root {
        self.places.root
    }

    pub(super) fn places(&self) -> ProjectPlaces<'c> {
        self.places
    }

    /// The keys of the file's names: the name in the return, and the name with symlinks resolved.
    pub(super) fn name_keys(&self) -> impl Iterator<Item = NameKey> {
        let claimed = NameKey::of(self.name);
        let own = self
            .place
            .file_name()
            .and_then(OsStr::to_str)
            .map(NameKey::of);
        let own = own.filter(|own| *own != claimed);
        [Some(claimed), own].into_iter().flatten()
    }

    /// Whether a path with another name may be the same file: the file has several hard links, or the
    /// file system may treat two spellings of its name as equal.
    pub(super) fn may_have_other_names(&self) -> bool {
        !self.name.is_ascii()
            || self
                .root()
                .identity(&self.place)
                .is_some_and(|own| own.names > 1)
    }
}

impl ProjectPlaces<'_> {
    /// Where the path of a call leads below the root. A relative path is relative to the working
    /// directory of the call, or to the root if the client records none. None if the working directory
    /// may have changed, if a part of the path was redacted, or if the path leads out of the project.
    pub(super) fn find(&self, path: &str, folder: &CallFolder<'_>) -> Option<PathOfCall> {
        let whole = whole(path, folder)?;
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

    /// Where a path leads that may name files below it, or all of a repository around it. That is the root if
    /// it is not known, or leads to a folder around the root. None if it is certain that no file of the project
    /// is there.
    pub(super) fn around(&self, path: &str, folder: &CallFolder<'_>) -> Option<PathOfCall> {
        let is_around = || whole(path, folder).is_none_or(|whole| self.root.is_inside(&whole));
        self.find(path, folder).or_else(|| {
            is_around().then(|| PathOfCall {
                place: PathBuf::new(),
                in_work_tree: false,
            })
        })
    }

    /// Whether the path `below` without its end `inner` is a working tree that git knows. The name of
    /// the folder alone proves nothing.
    fn is_work_tree(&self, below: &Path, inner: &Path) -> bool {
        let above = below.components().count() - inner.components().count();
        let tree: PathBuf = below.components().take(above).collect();
        let mut known = self
            .work_trees
            .iter()
            .filter(|known| known.ends_with(&tree));
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

/// The path of a call with the folder that it is relative to. None if that is not known, or a part of
/// the path was redacted.
fn whole(path: &str, folder: &CallFolder<'_>) -> Option<PathBuf> {
    let path = Path::new(path);
    match folder {
        _ if path.to_str().is_some_and(is_redacted) => None,
        _ if path.is_absolute() => Some(path.to_owned()),
        CallFolder::Known(Some(folder)) => Some(Path::new(folder.as_ref()).join(path)),
        CallFolder::Known(None) => Some(path.to_owned()),
        CallFolder::Unknown | CallFolder::Distrusted => None,
    }
}

#[derive(Debug)]
pub(super) struct PathOfCall {
    /// The path below the root, with symlinks resolved.
    pub(super) place: PathBuf,
    /// Whether the file itself is in another working tree. Then `place` is the corresponding path in the
    /// project.
    pub(super) in_work_tree: bool,
}

/// The path in the project that corresponds to a path in a working tree that Claude Code made below the
/// project.
fn without_worktree(path: &Path) -> Option<&Path> {
    let mut parts = path.components();
    let is_worktree = WORKTREES
        .iter()
        .all(|name| parts.next().is_some_and(|part| part.as_os_str() == *name));
    // The next part is the name of the working tree.
    (is_worktree && parts.next().is_some()).then_some(parts.as_path())
}

fn last_part(path: &str) -> &str {
    let path = path.trim_end_matches(['/', '\\']);
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// A key that names of the same file share. Some file systems ignore case, and some treat two encodings
/// of an accented letter as equal. Different files may have the same key.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct NameKey(String);

impl NameKey {
    /// The key of the last part of a path. Some clients ignore white space around a path.
    pub(super) fn of(path: &str) -> Self {
        let name = last_part(path.trim());
        let is_plain = name.is_ascii();
        Self(if is_plain {
            name.to_ascii_lowercase()
        } else {
            // One key for all names that are not ASCII. No file name contains a slash, so no ASCII name
            // has this key.
            "/".to_owned()
        })
    }
}

/// The working directory of a call, which its relative paths are relative to. Some clients keep a shell and
/// do not record its directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum CallFolder<'e> {
    /// None if the client does not record it. Then the root is taken.
    Known(Option<Cow<'e, str>>),
    /// An earlier command may have changed the directory.
    Unknown,
    /// An earlier command may have changed what commands do, for example by an alias.
    Distrusted,
}

impl<'e> CallFolder<'e> {
    fn recorded(call: &'e Call) -> Self {
        Self::Known(call.cwd.as_deref().map(Into::into))
    }

    fn after(self, end: ShellEnd) -> Self {
        match (self, end) {
            (Self::Distrusted, _) | (_, ShellEnd::Changed) => Self::Distrusted,
            (folder, ShellEnd::Folder(path)) if path.is_empty() => folder,
            (_, ShellEnd::Folder(path)) if path.starts_with('/') => Self::Known(Some(path.into())),
            (Self::Known(Some(folder)), ShellEnd::Folder(path)) => {
                let folder = format!("{}/{path}", folder.trim_end_matches('/'));
                Self::bounded(folder)
            }
            (Self::Known(None), ShellEnd::Folder(path)) => Self::bounded(path),
            (Self::Unknown, _) | (_, ShellEnd::Elsewhere) => Self::Unknown,
        }
    }

    /// Unknown if the path is too long. Otherwise commands that keep entering folders would make ever
    /// longer paths.
    fn bounded(folder: String) -> Self {
        const BYTES_AT_MOST: usize = 4 << 10;
        if folder.len() > BYTES_AT_MOST {
            return Self::Unknown;
        }
        Self::Known(Some(folder.into()))
    }
}

/// The directories of calls that differ from their records, by the index of the call.
#[derive(Debug, Default)]
pub(super) struct CallFolders<'e>(HashMap<usize, CallFolder<'e>>);

impl<'e> CallFolders<'e> {
    pub(super) fn of(run: &'e Run) -> Self {
        let mut folders = HashMap::new();
        if run.calls.iter().all(|call| call.shell == CallShell::Own) {
            return Self(folders);
        }
        let mut shells = Shells::default();
        for (at, call) in run.calls.iter().enumerate() {
            let folder = shells.folder(call);
            if call.kind == CallKind::Command && call.outcome != Outcome::Rejected {
                shells.enter(call, next_folder(call, folder.clone()));
            }
            if folder != CallFolder::recorded(call) {
                folders.insert(at, folder);
            }
        }
        Self(folders)
    }

    pub(super) fn get(&self, at: usize, call: &'e Call) -> CallFolder<'e> {
        let known = self.0.get(&at).cloned();
        known.unwrap_or_else(|| CallFolder::recorded(call))
    }
}

/// The shells of a run, at one point in the sequence of its calls.
#[derive(Default)]
struct Shells<'e> {
    /// Shells with a number, and their directories.
    kept: HashMap<u64, CallFolder<'e>>,
    /// The directory of all other shells. None if no command has changed it.
    shared: Option<CallFolder<'e>>,
}

impl<'e> Shells<'e> {
    fn folder(&self, call: &'e Call) -> CallFolder<'e> {
        let recorded = || CallFolder::recorded(call);
        let shared = || self.shared.clone().unwrap_or_else(recorded);
        match call.shell {
            CallShell::Own => recorded(),
            CallShell::Shared => shared(),
            CallShell::Kept(number) => self.kept.get(&number).cloned().unwrap_or_else(shared),
        }
    }

    /// Sets the directory in which a command leaves its shell.
    fn enter(&mut self, call: &'e Call, folder: CallFolder<'e>) {
        let is_moved = folder != CallFolder::recorded(call);
        if let CallShell::Kept(number) = call.shell {
            self.kept.insert(number, folder.clone());
        }
        // It is not known whether a later command without a number runs in the same shell.
        if is_moved && self.shared != Some(CallFolder::Distrusted) {
            let is_distrusted = folder == CallFolder::Distrusted;
            self.shared = Some(if is_distrusted {
                folder
            } else {
                CallFolder::Unknown
            });
        }
    }
}

fn next_folder<'e>(call: &'e Call, folder: CallFolder<'e>) -> CallFolder<'e> {
    let command = call.command.as_deref();
    let end = command.map_or(ShellEnd::Changed, |command| shell::scan(command, &[]).end);
    if has_succeeded(call) || end == ShellEnd::Changed {
        return folder.after(end);
    }
    // The command may have failed before it changed the directory, or ended the shell. A new shell
    // starts in the directory of the session.
    let stays = end == ShellEnd::default() && folder == CallFolder::recorded(call);
    folder.after(if stays { end } else { ShellEnd::Elsewhere })
}

pub(super) fn has_succeeded(call: &Call) -> bool {
    let is_zero = call.exit_code.is_none_or(|code| code == 0);
    call.outcome == Outcome::Succeeded && !call.background && is_zero
}
