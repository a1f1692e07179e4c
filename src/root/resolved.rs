//! Paths that are resolved first and then compared with the root: what every system can do. A
//! path that changes between the two steps is seen as it was at one of them.

use std::fs::Metadata;
use std::io;
use std::path::{Component, Path, PathBuf};

use super::{Entry, Found};

/// A root without symbolic links in its path.
#[derive(Debug)]
pub(super) struct Resolved(PathBuf);

impl Resolved {
    pub(super) fn new(root: PathBuf) -> Self {
        Self(root)
    }

    pub(super) fn entry(&self, relative: &Path) -> Result<Entry, Found> {
        let found = self
            .resolve(relative)
            .and_then(|path| Ok((path.metadata()?, path)));
        match found {
            Ok((metadata, path)) if metadata.is_file() => Ok(Entry {
                bytes: metadata.len(),
                resolved: Some(path),
            }),
            Ok((metadata, _)) => Err(Found::NotAFile(sort(&metadata))),
            Err(error) => Err(match error.kind() {
                io::ErrorKind::CrossesDevices => Found::Outside,
                io::ErrorKind::PermissionDenied => Found::Unreadable,
                _ => Found::Nothing,
            }),
        }
    }

    /// Where an absolute path leads, relative to the root.
    pub(super) fn below(&self, absolute: &Path) -> Option<PathBuf> {
        Some(
            absolute
                .canonicalize()
                .ok()?
                .strip_prefix(&self.0)
                .ok()?
                .to_owned(),
        )
    }

    /// The path without links; `CrossesDevices`, the kernel's own answer, if it left the root.
    fn resolve(&self, relative: &Path) -> io::Result<PathBuf> {
        if climbs_out(relative) {
            return Err(io::ErrorKind::CrossesDevices.into());
        }
        let resolved = self.0.join(relative).canonicalize()?;
        if resolved.starts_with(&self.0) {
            Ok(resolved)
        } else {
            Err(io::ErrorKind::CrossesDevices.into())
        }
    }
}

/// Whether the text alone leads out; what is not there cannot be resolved.
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
        "no regular file"
    }
}

#[cfg(not(unix))]
fn sort(metadata: &Metadata) -> &'static str {
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
    fn a_text_climbs_out_where_it_goes_up_further_than_down() {
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
