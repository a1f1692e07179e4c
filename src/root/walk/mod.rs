//! Walks a path and follows all of its links. No part of the path is looked up twice, and links
//! cannot add more steps than the longest path has. The cost of a path is therefore bounded,
//! whatever is on the disk.

// Linux walks by open folders, every other system by path. The tests compare both.
#[cfg(target_os = "linux")]
pub(super) mod by_folder;
#[cfg(any(test, not(target_os = "linux")))]
mod by_path;
pub(super) mod cursor;

use std::ffi::OsString;
use std::io;
use std::path::{Component, Path, PathBuf};

use super::{Found, PATH_AT_MOST};
use crate::root::walk::cursor::{WalkCursor, WalkMethod};

/// The most links that are followed; a path with more is treated as a loop. Linux has the same
/// limit.
const LINKS: usize = 40;

/// The most steps that the links of a path may add in total: the number of steps in the longest
/// path that Linux accepts. Without this limit, forty links could add 80,000 steps.
const LINKED_STEPS: usize = PATH_AT_MOST / 2;

/// A root whose path contains no symbolic links.
#[derive(Debug)]
pub(super) struct RootPath {
    pub(super) path: PathBuf,
    names: Vec<OsString>,
}

impl RootPath {
    pub(super) fn new(path: PathBuf) -> Self {
        let names = path.components().map(|part| part.as_os_str().to_owned());
        Self {
            names: names.collect(),
            path,
        }
    }
}

/// The number of components of the current path, and how many of its first components are those of the
/// root.
#[derive(Clone, Copy)]
struct WalkPosition {
    depth: usize,
    shared: usize,
}

impl WalkPosition {
    fn root(root: &RootPath) -> Self {
        Self {
            depth: root.names.len(),
            shared: root.names.len(),
        }
    }

    fn is(self, root: &RootPath) -> bool {
        self.depth == root.names.len() && self.shared == self.depth
    }

    fn go(&mut self, step: Component, root: &RootPath) {
        if step == Component::ParentDir {
            // The parent of the topmost folder is that folder itself.
            self.depth = self.depth.saturating_sub(1).max(1);
            self.shared = self.shared.min(self.depth);
            return;
        }
        let of_root = root.names.get(self.depth).map(OsString::as_os_str);
        let is_shared = self.shared == self.depth && of_root == Some(step.as_os_str());
        self.shared += usize::from(is_shared);
        self.depth += 1;
    }
}

/// The state of a walk, with the steps that remain.
pub(super) struct PathWalk<'r> {
    root: &'r RootPath,
    method: WalkMethod,
    cursor: WalkCursor,
    position: WalkPosition,
    /// The resolved path below the root so far.
    resolved: PathBuf,
    /// `Some(bytes)` while the walk is outside the root. The last `bytes` bytes of `rest` are the path
    /// behind the link that led outside. The walk must reach the root before it comes to them.
    outside: Option<usize>,
    /// The steps that remain: only names and `..`.
    rest: PathBuf,
    /// Whether the path must end at a folder.
    ends_in_folder: bool,
    links: usize,
    linked_steps: usize,
}

impl<'r> PathWalk<'r> {
    pub(super) fn along(
        root: &'r RootPath,
        method: WalkMethod,
        relative: &Path,
    ) -> Result<Self, Found> {
        if relative.has_root() {
            return Err(Found::Outside);
        }
        let cursor = WalkCursor::at(method, &root.path).map_err(|error| verdict(&error))?;
        Ok(Self::new(
            root,
            method,
            (cursor, WalkPosition::root(root)),
            relative,
        ))
    }

    /// Walks from the top of the file system to the root. Returns the remaining steps, which are below
    /// the root. None if the walk does not reach the root.
    pub(super) fn below(
        root: &'r RootPath,
        method: WalkMethod,
        absolute: &Path,
    ) -> Option<PathBuf> {
        let mut walk = Self::new(root, method, top(root, method, absolute).ok()?, absolute);
        walk.outside = Some(0);
        walk.arrive();
        while walk.outside.is_some() {
            walk.advance().ok()?;
        }
        Some(walk.rest)
    }

    fn new(
        root: &'r RootPath,
        method: WalkMethod,
        (cursor, position): (WalkCursor, WalkPosition),
        path: &Path,
    ) -> Self {
        Self {
            root,
            method,
            cursor,
            position,
            resolved: PathBuf::new(),
            outside: None,
            rest: steps(path).collect(),
            ends_in_folder: requires_folder(path),
            links: 0,
            linked_steps: 0,
        }
    }

    /// Walks to the end and returns the resolved path, relative to the root.
    pub(super) fn into_resolved(mut self) -> Result<PathBuf, Found> {
        while self.outside.is_some() || !self.rest.as_os_str().is_empty() {
            self.advance()?;
        }
        if self.ends_in_folder && !self.cursor.is_folder().map_err(|error| verdict(&error))? {
            return Err(Found::Nothing);
        }
        Ok(self.resolved)
    }

    /// Makes the steps up to the next link, and follows that link.
    fn advance(&mut self) -> Result<(), Found> {
        let next = self.next();
        if next.as_os_str().is_empty() {
            return Err(Found::Outside);
        }
        let passed = self.cursor.pass(&next);
        let (made, link) = passed.map_err(|error| self.hide_outside(verdict(&error)))?;
        let mut rest = self.rest.components();
        for step in rest.by_ref().take(made) {
            self.position.go(step, self.root);
            match step {
                _ if self.outside.is_some() => {}
                Component::ParentDir => drop(self.resolved.pop()),
                step => self.resolved.push(step),
            }
        }
        if link.is_some() {
            rest.next();
        }
        self.rest = rest.as_path().to_owned();
        self.arrive();
        link.map_or(Ok(()), |link| self.follow(&link))
    }

    /// Returns the next steps that can be made at once. None of them leaves the root, and outside the
    /// root none of them goes beyond it. The path is empty if the next step would do so.
    fn next(&self) -> PathBuf {
        let (mut position, mut next) = (self.position, PathBuf::new());
        let is_inside = self.outside.is_none();
        let most = self.rest.as_os_str().len() - self.outside.unwrap_or(0);
        for step in self.rest.components() {
            let made = next.as_os_str().len();
            let length = made + usize::from(made > 0) + step.as_os_str().len();
            let leads_out = is_inside && step == Component::ParentDir && position.is(self.root);
            if leads_out || length > most || (length >= PATH_AT_MOST && made > 0) {
                break;
            }
            next.push(step);
            position.go(step, self.root);
            if !is_inside && position.is(self.root) {
                break;
            }
        }
        next
    }

    fn follow(&mut self, link: &Path) -> Result<(), Found> {
        self.links += 1;
        if self.links > LINKS {
            return Err(self.hide_outside(Found::Nothing));
        }
        if link.has_root() {
            self.outside = self.outside.or(Some(self.rest.as_os_str().len()));
        }
        self.linked_steps += steps(link).count();
        if self.linked_steps > LINKED_STEPS {
            return Err(self.hide_outside(Found::Unreadable));
        }
        if link.has_root() {
            let top = top(self.root, self.method, link).map_err(|_| Found::Outside)?;
            (self.cursor, self.position) = top;
            self.arrive();
        }
        let mut rest: PathBuf = steps(link).collect();
        if self.rest.as_os_str().is_empty() {
            self.ends_in_folder |= requires_folder(link);
        } else {
            rest.push(&self.rest);
        }
        self.rest = rest;
        Ok(())
    }

    /// Checks whether the walk has reached the root. If so, the remaining steps are below it.
    fn arrive(&mut self) {
        if self.outside.is_none() {
            return;
        }
        let is_root = self.position.is(self.root);
        // A walk by path can reach the root by another spelling. An open folder has no spelling.
        #[cfg(any(test, not(target_os = "linux")))]
        let is_root = is_root || self.cursor.is(&self.root.path);
        if is_root {
            self.outside = None;
            self.position = WalkPosition::root(self.root);
            self.resolved = PathBuf::new();
        }
    }

    /// Replaces the result while the walk is outside the root, so that it does not reveal what
    /// exists there.
    fn hide_outside(&self, found: Found) -> Found {
        match self.outside {
            Some(_) => Found::Outside,
            None => found,
        }
    }
}

fn steps(path: &Path) -> impl Iterator<Item = Component<'_>> {
    let is_step = |part: &Component| matches!(part, Component::Normal(_) | Component::ParentDir);
    path.components().filter(is_step)
}

/// Whether a path must lead to a folder because of its end: a slash, or a slash and a dot.
fn requires_folder(path: &Path) -> bool {
    let bytes = path.as_os_str().as_encoded_bytes();
    bytes.ends_with(b"/") || bytes.ends_with(b"/.")
}

/// Opens the topmost folder of an absolute path.
fn top(
    root: &RootPath,
    method: WalkMethod,
    absolute: &Path,
) -> io::Result<(WalkCursor, WalkPosition)> {
    let is_top = |part: &Component| matches!(part, Component::Prefix(_) | Component::RootDir);
    let top: PathBuf = absolute.components().take_while(is_top).collect();
    // On Windows a drive has several names.
    #[cfg(not(unix))]
    let top = top.canonicalize()?;
    let names = top.components().map(Component::as_os_str);
    let pairs = names.clone().zip(&root.names);
    let position = WalkPosition {
        depth: names.count(),
        shared: pairs.take_while(|(name, own)| name == own).count(),
    };
    Ok((WalkCursor::at(method, &top)?, position))
}

/// Returns the result for a path that cannot be resolved.
pub(super) fn verdict(error: &io::Error) -> Found {
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory | io::ErrorKind::InvalidFilename => {
            Found::Nothing
        }
        // Denied permissions and system errors do not prove that nothing exists.
        _ => Found::Unreadable,
    }
}
