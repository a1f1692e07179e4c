//! Follows a path link by link, on every system. No result reveals what exists outside the root.

use std::ffi::OsString;
use std::fs::Metadata;
use std::io;
use std::path::{Component, Path, PathBuf};

use super::{Found, PATH_AT_MOST, Root, dot_if_empty, verdict};

/// The most links that are followed; a path with more is treated as a loop. Linux has the same
/// limit.
const LINKS: usize = 40;

/// The most steps that the links of a path may add in total: the number of steps in the longest
/// path that Linux accepts. Without this limit, forty links could add 80,000 steps.
const LINKED_STEPS: usize = PATH_AT_MOST / 2;

/// What is at a path of which only the last part may be a link, and the target of that link.
pub(super) type WalkedPlace = (Metadata, Option<PathBuf>);

/// Looks up an absolute path.
pub(super) fn look(path: &Path) -> io::Result<WalkedPlace> {
    let metadata = path.symlink_metadata()?;
    let target = metadata.is_symlink().then(|| path.read_link()).transpose()?;
    Ok((metadata, target))
}

impl Root {
    /// Returns the path with all links resolved, relative to the root. If files change during the walk, each
    /// step sees the state at its own time.
    pub(super) fn resolve(&self, relative: &Path) -> Result<PathBuf, Found> {
        if relative.as_os_str().len() >= PATH_AT_MOST {
            return Err(Found::Nothing);
        }
        if relative.has_root() {
            return Err(Found::Outside);
        }
        let mut rest = steps(relative);
        let mut ends_in_folder = requires_folder(relative);
        let (mut place, mut is_folder) = (PathBuf::new(), true);
        let (mut links, mut linked_steps) = (0, 0);
        while let Some(step) = rest.pop() {
            if !is_folder {
                return Err(Found::Nothing);
            }
            // The place has no links, so the folder above it is that of its text.
            if step == ".." {
                if !place.pop() {
                    return Err(Found::Outside);
                }
                continue;
            }
            place.push(step);
            let (metadata, link) = self.look(&place).map_err(|error| verdict(&error))?;
            let Some(mut link) = link else {
                is_folder = metadata.is_dir();
                continue;
            };
            links += 1;
            if links > LINKS {
                return Err(Found::Nothing);
            }
            if rest.is_empty() {
                ends_in_folder |= requires_folder(&link);
            }
            place.pop();
            if link.has_root() {
                link = self.below(&link).ok_or(Found::Outside)?;
                place.clear();
            }
            let linked = steps(&link);
            linked_steps += linked.len();
            if linked_steps > LINKED_STEPS {
                return Err(Found::Unreadable);
            }
            rest.extend(linked);
        }
        if ends_in_folder && !is_folder { Err(Found::Nothing) } else { Ok(dot_if_empty(place)) }
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
