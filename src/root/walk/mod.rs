//! One walk along a path, through all the links on it. No part of the way is gone twice, and links
//! cannot make it longer than a path may be: what a path costs is bounded, whatever was laid out on
//! the disk for it.

#[cfg(target_os = "linux")]
mod by_folder;
#[cfg(any(test, not(target_os = "linux")))]
mod by_path;
pub(super) mod cursor;

use std::ffi::OsString;
use std::io;
use std::path::{Component, Path, PathBuf};

use super::{Found, PATH_AT_MOST};
use crate::root::walk::cursor::{WalkCursor, WalkMethod};

/// Links that are followed before a path counts as a loop: as many as Linux follows.
const LINKS: usize = 40;

/// Steps that all the links on a path may add: as many as the longest path has that Linux takes.
/// Without a bound, forty links would add 80,000.
const LINKED_STEPS: usize = PATH_AT_MOST / 2;

/// A root without symbolic links in its path.
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

/// A place by the number of its names, and how many of the first are also the root's.
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
            // Above the topmost folder is that folder again.
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

/// A walk, and the steps that are still to be made.
pub(super) struct PathWalk<'r> {
    root: &'r RootPath,
    method: WalkMethod,
    cursor: WalkCursor,
    place: WalkPosition,
    /// The way below the root that was made.
    way: PathBuf,
    /// Not below the root yet: that is to be reached before only so many bytes are left.
    outside: Option<usize>,
    /// The steps that are left, names and `..` alone.
    rest: PathBuf,
    /// Whether what is at the end must be a folder.
    ends_in_folder: bool,
    links: usize,
    linked_steps: usize,
}

impl<'r> PathWalk<'r> {
    /// Below the root, where a relative path leads.
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

    /// From the top of the file system to the root, and no further: the steps that are left then.
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
        (cursor, place): (WalkCursor, WalkPosition),
        path: &Path,
    ) -> Self {
        Self {
            root,
            method,
            cursor,
            place,
            way: PathBuf::new(),
            outside: None,
            rest: steps(path).collect(),
            ends_in_folder: names_folder(path),
            links: 0,
            linked_steps: 0,
        }
    }

    /// The way to the end of all steps.
    pub(super) fn into_way(mut self) -> Result<PathBuf, Found> {
        while self.outside.is_some() || !self.rest.as_os_str().is_empty() {
            self.advance()?;
        }
        if self.ends_in_folder && !self.cursor.is_folder().map_err(|error| verdict(&error))? {
            return Err(Found::Nothing);
        }
        Ok(self.way)
    }

    /// Makes as many steps as there are to the next link, and follows that.
    fn advance(&mut self) -> Result<(), Found> {
        let next = self.next();
        if next.as_os_str().is_empty() {
            return Err(Found::Outside);
        }
        let passed = self.cursor.pass(&next);
        let (made, link) = passed.map_err(|error| self.hide_outside(verdict(&error)))?;
        let mut rest = self.rest.components();
        for step in rest.by_ref().take(made) {
            self.place.go(step, self.root);
            match step {
                _ if self.outside.is_some() => {}
                Component::ParentDir => drop(self.way.pop()),
                step => self.way.push(step),
            }
        }
        if link.is_some() {
            rest.next();
        }
        self.rest = rest.as_path().to_owned();
        self.arrive();
        link.map_or(Ok(()), |link| self.follow(&link))
    }

    /// The steps up to where there is something to decide: none that leads out of the root, and
    /// none from outside beyond it.
    fn next(&self) -> PathBuf {
        let (mut place, mut next) = (self.place, PathBuf::new());
        let is_inside = self.outside.is_none();
        let most = self.rest.as_os_str().len() - self.outside.unwrap_or(0);
        for step in self.rest.components() {
            let made = next.as_os_str().len();
            let length = made + usize::from(made > 0) + step.as_os_str().len();
            let leads_out = is_inside && step == Component::ParentDir && place.is(self.root);
            if leads_out || length > most || (length >= PATH_AT_MOST && made > 0) {
                break;
            }
            next.push(step);
            place.go(step, self.root);
            if !is_inside && place.is(self.root) {
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
            (self.cursor, self.place) = top;
            self.arrive();
        }
        let mut rest: PathBuf = steps(link).collect();
        if self.rest.as_os_str().is_empty() {
            self.ends_in_folder |= names_folder(link);
        } else {
            rest.push(&self.rest);
        }
        self.rest = rest;
        Ok(())
    }

    /// What is left is below the root, if this is the root.
    fn arrive(&mut self) {
        if self.outside.is_none() {
            return;
        }
        let is_root = self.place.is(self.root);
        #[cfg(any(test, not(target_os = "linux")))]
        let is_root = is_root || self.cursor.is(&self.root.path);
        if is_root {
            self.outside = None;
            self.place = WalkPosition::root(self.root);
            self.way = PathBuf::new();
        }
    }

    /// Nothing is said about what is outside.
    fn hide_outside(&self, found: Found) -> Found {
        match self.outside {
            Some(_) => Found::Outside,
            None => found,
        }
    }
}

/// The names in a path, and `..`.
fn steps(path: &Path) -> impl Iterator<Item = Component<'_>> {
    let is_step = |part: &Component| matches!(part, Component::Normal(_) | Component::ParentDir);
    path.components().filter(is_step)
}

/// Whether a path ends as only that of a folder does.
fn names_folder(path: &Path) -> bool {
    let bytes = path.as_os_str().as_encoded_bytes();
    bytes.ends_with(b"/") || bytes.ends_with(b"/.")
}

/// The folder that an absolute path starts from.
fn top(
    root: &RootPath,
    method: WalkMethod,
    absolute: &Path,
) -> io::Result<(WalkCursor, WalkPosition)> {
    let is_top = |part: &Component| matches!(part, Component::Prefix(_) | Component::RootDir);
    let top: PathBuf = absolute.components().take_while(is_top).collect();
    // A drive has more than one name.
    #[cfg(not(unix))]
    let top = top.canonicalize()?;
    let names = top.components().map(Component::as_os_str);
    let pairs = names.clone().zip(&root.names);
    let place = WalkPosition {
        depth: names.count(),
        shared: pairs.take_while(|(name, own)| name == own).count(),
    };
    Ok((WalkCursor::at(method, &top)?, place))
}

/// The verdict on a path that cannot be followed.
pub(super) fn verdict(error: &io::Error) -> Found {
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory | io::ErrorKind::InvalidFilename => {
            Found::Nothing
        }
        // Rights, or a system that cannot answer: nobody may say that nothing is there.
        _ => Found::Unreadable,
    }
}
