//! Resolves paths in user space, link by link and never out of the root. Works on every system, but a
//! path can change between two steps.

use std::ffi::OsString;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io;
use std::path::{Component, Path, PathBuf};

use crate::root::{FileEntry, Found};

/// The most links in a path before it counts as a loop, as in Linux.
const LINKS: usize = 40;

/// The most bytes of a path in Linux, including the final NUL.
const PATH_AT_MOST: usize = 4096;

/// A root without symbolic links in its path.
#[derive(Debug)]
pub(super) struct Userspace(PathBuf);

impl Userspace {
    pub(super) fn new(root: PathBuf) -> Self {
        Self(root)
    }

    pub(super) fn entry(&self, relative: &Path) -> Result<FileEntry, Found> {
        let path = self.0.join(self.way(relative)?);
        let metadata = path.symlink_metadata().map_err(|error| verdict(&error))?;
        if metadata.is_file() {
            Ok(FileEntry {
                bytes: metadata.len(),
                resolved: Some(path),
            })
        } else {
            Err(Found::NotAFile(sort(&metadata)))
        }
    }

    /// An absolute path relative to the root.
    pub(super) fn below(&self, absolute: &Path) -> Option<PathBuf> {
        let is_root = |path: &Path| path.canonicalize().is_ok_and(|path| path == self.0);
        // The root by another name, followed by a path that need not exist.
        let root = absolute.ancestors().filter(|path| is_root(path)).last();
        if let Some(below) = root.and_then(|root| absolute.strip_prefix(root).ok()) {
            return Some(below.to_owned());
        }
        let resolved = absolute.canonicalize().ok()?;
        Some(resolved.strip_prefix(&self.0).ok()?.to_owned())
    }

    /// The path with all links resolved. Nothing outside the root is looked up, so the result reveals
    /// nothing about it.
    pub(super) fn way(&self, relative: &Path) -> Result<PathBuf, Found> {
        if relative.as_os_str().len() >= PATH_AT_MOST {
            return Err(Found::Nothing);
        }
        let mut walk = PathWalk::default();
        walk.then(relative)?;
        while let Some(step) = walk.steps.pop() {
            if !walk.is_folder {
                return Err(Found::Nothing);
            }
            let PathStep::To(name) = step else {
                if matches!(step, PathStep::Up) && !walk.way.pop() {
                    return Err(Found::Outside);
                }
                continue;
            };
            let place = self.0.join(&walk.way).join(&name);
            let metadata = place.symlink_metadata().map_err(|error| verdict(&error))?;
            if metadata.is_symlink() {
                let target = fs::read_link(&place).map_err(|error| verdict(&error))?;
                walk.follow(&target, |target| self.below(target))?;
            } else {
                walk.way.push(name);
                walk.is_folder = metadata.is_dir();
            }
        }
        Ok(walk.way)
    }
}

/// The resolved path, and the components that remain.
struct PathWalk {
    way: PathBuf,
    is_folder: bool,
    /// In reverse order.
    steps: Vec<PathStep>,
    links: usize,
}

enum PathStep {
    To(OsString),
    Up,
    /// `.`, or nothing after a slash: there must be a folder.
    Stay,
}

impl Default for PathWalk {
    fn default() -> Self {
        Self {
            way: PathBuf::new(),
            is_folder: true,
            steps: Vec::new(),
            links: 0,
        }
    }
}

impl PathWalk {
    fn follow(
        &mut self,
        target: &Path,
        below: impl FnOnce(&Path) -> Option<PathBuf>,
    ) -> Result<(), Found> {
        self.links += 1;
        if self.links > LINKS {
            return Err(Found::Nothing);
        }
        if target.is_relative() {
            return self.then(target);
        }
        self.way = PathBuf::new();
        self.then(&below(target).ok_or(Found::Outside)?)
    }

    /// Adds the components of a path before those that remain.
    fn then(&mut self, path: &Path) -> Result<(), Found> {
        let bytes = path.as_os_str().as_encoded_bytes();
        if bytes.ends_with(b"/") || bytes.ends_with(b"/.") {
            self.steps.push(PathStep::Stay);
        }
        for component in path.components().rev() {
            self.steps.push(match component {
                Component::Normal(name) => PathStep::To(name.to_owned()),
                Component::ParentDir => PathStep::Up,
                Component::CurDir => PathStep::Stay,
                Component::RootDir | Component::Prefix(_) => return Err(Found::Outside),
            });
        }
        Ok(())
    }
}

pub(super) fn open_file(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        let flags = crate::root::TO_READ.union(rustix::fs::OFlags::NOFOLLOW);
        options.custom_flags(flags.bits().cast_signed());
    }
    options.open(path)
}

fn verdict(error: &io::Error) -> Found {
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory | io::ErrorKind::InvalidFilename => {
            Found::Nothing
        }
        // Missing permissions or a failing system do not mean that there is nothing.
        _ => Found::Unreadable,
    }
}

/// Whether the path leads out of the root lexically.
pub(super) fn climbs_out(relative: &Path) -> bool {
    let mut depth = 0_usize;
    relative.components().any(|part| match part {
        Component::Normal(_) => {
            depth += 1;
            false
        }
        Component::ParentDir => depth.checked_sub(1).is_none_or(|up| {
            depth = up;
            false
        }),
        _ => false,
    })
}

#[cfg(unix)]
fn sort(metadata: &Metadata) -> &'static str {
    use std::os::unix::fs::FileTypeExt as _;
    let kind = metadata.file_type();
    if kind.is_dir() {
        "a folder"
    } else if kind.is_fifo() {
        "a FIFO"
    } else if kind.is_socket() {
        "a socket"
    } else if kind.is_char_device() || kind.is_block_device() {
        "a device"
    } else {
        "not a regular file"
    }
}

#[cfg(not(unix))]
fn sort(metadata: &Metadata) -> &'static str {
    if metadata.is_dir() {
        "a folder"
    } else {
        "not a regular file"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_climbs_out_if_it_goes_up_further_than_down() {
        for path in [
            "..",
            "../a",
            "a/../..",
            "./../a",
            "a/b/../../../a",
            "a/../../a",
        ] {
            assert!(climbs_out(Path::new(path)), "{path}");
        }
        for path in ["", ".", "a", "a/..", "a/../b", "a/b/../..", "./a/../b"] {
            assert!(!climbs_out(Path::new(path)), "{path}");
        }
    }
}
