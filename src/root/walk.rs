//! Follows a path link by link, on every system. No result reveals what exists outside the root.
//!
//! Links cannot add more steps than the longest path has. The number of lookups for a path is therefore
//! bounded, whatever is on the disk. If files change during the walk, each step sees the state at its own
//! time.

use std::ffi::OsString;
use std::fs::Metadata;
use std::io;
use std::path::{Component, Path, PathBuf};

use super::{FileIdentity, Found, PATH_AT_MOST, dot_if_empty, verdict};

/// The most links that are followed; a path with more is treated as a loop. Linux has the same
/// limit.
const LINKS: usize = 40;

/// The most steps that the links of a path may add in total: the number of steps in the longest
/// path that Linux accepts. Without this limit, forty links could add 80,000 steps.
const LINKED_STEPS: usize = PATH_AT_MOST / 2;

#[cfg(test)]
thread_local! {
    /// How many times something was looked up: the system calls that the tests count.
    pub(super) static CALLS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// What is at a path of which only the last part may be a link, and the target of that link.
pub(super) type WalkedPlace = (Metadata, Option<PathBuf>);

/// Looks up an absolute path.
pub(super) fn look(path: &Path) -> io::Result<WalkedPlace> {
    count_call();
    let metadata = path.symlink_metadata()?;
    if !metadata.is_symlink() {
        return Ok((metadata, None));
    }
    count_call();
    Ok((metadata, Some(path.read_link()?)))
}

/// Looks up a path below the root.
type LookInside<'l> = &'l dyn Fn(&Path) -> io::Result<WalkedPlace>;

/// Returns the path with all links resolved, relative to the root, which has none. `inside` is how the
/// kernel looks up several steps at once.
pub(super) fn resolve(
    root: &Path,
    inside: Option<LookInside<'_>>,
    relative: &Path,
) -> Result<PathBuf, Found> {
    if relative.as_os_str().len() >= PATH_AT_MOST {
        return Err(Found::Nothing);
    }
    if relative.has_root() {
        return Err(Found::Outside);
    }
    let mut walk = PathWalk::from(root, inside, root.to_owned(), relative);
    while walk.outside.is_some() || !walk.rest.is_empty() {
        walk.advance()?;
    }
    if walk.ends_in_folder && !walk.is_folder {
        return Err(Found::Nothing);
    }
    let resolved = walk.place.strip_prefix(root);
    let resolved = resolved.map_err(|_| Found::Outside)?;
    Ok(dot_if_empty(resolved.to_owned()))
}

/// Returns the part of an absolute path (without `..`) that is below the root. None if the path does
/// not lead through the root. The path may lead to the root by another name, such as a link. The
/// part below the root need not exist.
pub(super) fn below(root: &Path, absolute: &Path) -> Option<PathBuf> {
    // No system resolves a path with more components, so the others are not walked.
    let mut parts = absolute.components();
    let first: PathBuf = parts.by_ref().take(PATH_AT_MOST / 2).collect();
    let mut walk = PathWalk::from(root, None, top(&first)?, &first);
    walk.outside = Some(0);
    walk.arrive();
    while walk.outside.is_some() {
        walk.advance().ok()?;
    }
    let mut below: PathBuf = walk.rest.into_iter().rev().collect();
    below.extend(parts);
    Some(below)
}

/// The state of a walk, with the steps that remain.
struct PathWalk<'r> {
    root: &'r Path,
    inside: Option<LookInside<'r>>,
    /// The absolute path so far. It has no links.
    place: PathBuf,
    is_folder: bool,
    /// The steps that remain, the next one last: only names and `..`.
    rest: Vec<OsString>,
    /// How many of them are tried at once.
    stride: usize,
    /// `Some(steps)` while the walk is outside the root. The first `steps` of `rest` are the path behind the
    /// link that led outside. The walk must reach the root before it comes to them.
    outside: Option<usize>,
    /// Whether the path must end at a folder.
    ends_in_folder: bool,
    links: usize,
    linked_steps: usize,
}

impl<'r> PathWalk<'r> {
    fn from(root: &'r Path, inside: Option<LookInside<'r>>, place: PathBuf, path: &Path) -> Self {
        Self {
            root,
            inside,
            place,
            is_folder: true,
            rest: steps(path),
            stride: usize::MAX,
            outside: None,
            ends_in_folder: requires_folder(path),
            links: 0,
            linked_steps: 0,
        }
    }

    /// Makes the next step or steps, and follows the last of them if it is a link.
    ///
    /// A lookup of several steps fails if one of them fails, or if one before the last is a link. Which one
    /// it is shows when fewer are tried.
    fn advance(&mut self) -> Result<(), Found> {
        if self.outside == Some(self.rest.len()) {
            return Err(Found::Outside);
        }
        let inside = self.inside.filter(|_| self.outside.is_none());
        let count = inside.map_or(1, |_| self.stride).min(self.rest.len());
        let steps = self.rest.split_off(self.rest.len() - count);
        if self.outside.is_none() && self.place == self.root && steps == [".."] {
            return Err(Found::Outside);
        }
        if !self.is_folder {
            return Err(self.hide_outside(Found::Nothing));
        }
        let mut next = self.place.clone();
        next.extend(steps.iter().rev());
        let found = match (inside, next.strip_prefix(self.root)) {
            (Some(inside), Ok(relative)) => inside(relative),
            _ => look(&next),
        };
        if found.is_err() && count > 1 {
            self.rest.extend(steps);
            self.stride = count / 2;
            return Ok(());
        }
        let (metadata, link) = found.map_err(|error| self.hide_outside(verdict(&error)))?;
        for step in steps.iter().rev() {
            if step == ".." {
                // The parent of the topmost folder is that folder itself.
                self.place.pop();
            } else {
                self.place.push(step);
            }
        }
        if let Some(link) = link {
            self.place.pop();
            return self.follow(&link);
        }
        self.is_folder = metadata.is_dir();
        self.arrive();
        Ok(())
    }

    fn follow(&mut self, link: &Path) -> Result<(), Found> {
        self.stride = usize::MAX;
        self.links += 1;
        if self.links > LINKS {
            return Err(self.hide_outside(Found::Nothing));
        }
        if link.has_root() {
            self.outside = self.outside.or(Some(self.rest.len()));
        }
        if self.rest.is_empty() {
            self.ends_in_folder |= requires_folder(link);
        }
        let linked = steps(link);
        self.linked_steps += linked.len();
        if self.linked_steps > LINKED_STEPS {
            return Err(self.hide_outside(Found::Unreadable));
        }
        self.rest.extend(linked);
        if link.has_root() {
            self.place = top(link).ok_or(Found::Outside)?;
            self.arrive();
        }
        Ok(())
    }

    /// Checks whether the walk has reached the root. If so, the remaining steps are below it.
    fn arrive(&mut self) {
        // On a file system that ignores case, a path has several spellings, unlike on Linux.
        let has_spellings = !cfg!(target_os = "linux");
        let is_root =
            || self.place == self.root || has_spellings && is_same(&self.place, self.root);
        if self.outside.is_some() && is_root() {
            self.outside = None;
            self.place = self.root.to_owned();
        }
    }

    /// Replaces the result while the walk is outside the root, so that it does not reveal what
    /// exists there.
    fn hide_outside(&self, found: Found) -> Found {
        self.outside.map_or(found, |_| Found::Outside)
    }
}

/// Returns the steps of a path, the first one last.
fn steps(path: &Path) -> Vec<OsString> {
    let is_step = |part: &Component| matches!(part, Component::Normal(_) | Component::ParentDir);
    let steps = path.components().rev().filter(is_step);
    steps.map(|step| step.as_os_str().to_owned()).collect()
}

/// Whether a path must lead to a folder because of its end: a slash, or a slash and a dot.
fn requires_folder(path: &Path) -> bool {
    let bytes = path.as_os_str().as_encoded_bytes();
    bytes.ends_with(b"/") || bytes.ends_with(b"/.")
}

/// Returns the topmost folder of an absolute path.
fn top(absolute: &Path) -> Option<PathBuf> {
    let is_top = |part: &Component| matches!(part, Component::Prefix(_) | Component::RootDir);
    let top: PathBuf = absolute.components().take_while(is_top).collect();
    // On Windows a drive has several names.
    if cfg!(unix) { Some(top) } else { top.canonicalize().ok() }
}

/// Whether two paths lead to the same file. Without inode numbers, only equal paths do.
fn is_same(one: &Path, other: &Path) -> bool {
    let place = |path: &Path| Some(FileIdentity::of(&path.symlink_metadata().ok()?)?.place);
    place(one).is_some_and(|found| place(other) == Some(found))
}

fn count_call() {
    #[cfg(test)]
    CALLS.set(CALLS.get() + 1);
}
