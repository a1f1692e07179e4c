//! Follows paths link by link, never out of the root. If files change during the walk, each step sees
//! the state at its own time.

use std::fs::{File, Metadata, OpenOptions};
use std::io;
use std::path::{Component, Path, PathBuf};

use super::{FileEntry, Found, PATH_AT_MOST};
use crate::root::walk::cursor::WalkMethod;
use crate::root::walk::{PathWalk, RootPath, verdict};

/// A root, and the method to walk through it.
#[derive(Debug)]
pub(super) struct Userspace {
    root: RootPath,
    method: WalkMethod,
}

impl Userspace {
    /// `root` must contain no symlinks.
    pub(super) fn new(root: PathBuf, method: WalkMethod) -> Self {
        Self {
            root: RootPath::new(root),
            method,
        }
    }

    pub(super) fn root(&self) -> &Path {
        &self.root.path
    }

    pub(super) fn entry(&self, relative: &Path) -> Result<FileEntry, Found> {
        let path = self.root.path.join(self.resolve(relative)?);
        let metadata = path.symlink_metadata().map_err(|error| verdict(&error))?;
        if metadata.is_file() {
            Ok(FileEntry {
                bytes: metadata.len(),
                resolved: Some(path),
            })
        } else {
            Err(Found::NotAFile(kind_name(&metadata)))
        }
    }

    /// Returns the part of an absolute path (without `..`) that is below the root. None if the path does
    /// not lead through the root. The path may lead to the root by another name, such as a link. The
    /// part below the root need not exist.
    pub(super) fn below(&self, absolute: &Path) -> Option<PathBuf> {
        // No system resolves a path with more components, so the others are not walked.
        let mut parts = absolute.components();
        let first: PathBuf = parts.by_ref().take(PATH_AT_MOST / 2).collect();
        let mut below = PathWalk::below(&self.root, self.method, &first)?;
        below.extend(parts);
        Some(below)
    }

    /// Returns the path with all links resolved. Nothing outside the root is looked up, so that no
    /// result reveals what exists there.
    pub(super) fn resolve(&self, relative: &Path) -> Result<PathBuf, Found> {
        if relative.as_os_str().len() >= PATH_AT_MOST {
            return Err(Found::Nothing);
        }
        let mut resolved = PathWalk::along(&self.root, self.method, relative)?.into_resolved()?;
        if resolved.as_os_str().is_empty() {
            resolved.push(".");
        }
        Ok(resolved)
    }
}

pub(crate) fn open_file(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    // On Unix, links are not followed, and opening a FIFO does not wait for a writer.
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        let flags = super::TO_READ.union(rustix::fs::OFlags::NOFOLLOW);
        options.custom_flags(flags.bits().cast_signed());
    }
    options.open(path)
}

/// Removes `..` from a path by its text alone, without following symlinks.
pub(crate) fn collapsed(path: &Path) -> PathBuf {
    let mut collapsed = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(collapsed.pop()),
            part => collapsed.push(part),
        }
    }
    collapsed
}

/// Whether a path leaves the root by its text alone. This is for paths that do not exist.
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

// Only Unix has these kinds of file.
#[cfg(unix)]
fn kind_name(metadata: &Metadata) -> &'static str {
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
        "no regular file"
    }
}

// Other systems have only files and folders.
#[cfg(not(unix))]
fn kind_name(metadata: &Metadata) -> &'static str {
    if metadata.is_dir() {
        "a folder"
    } else {
        "no regular file"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_leaves_the_root_if_it_goes_up_further_than_down() {
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
