//! Walks a path by its text, one step after the other.

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

pub(in crate::root) struct ByPath {
    place: PathBuf,
    is_folder: bool,
}

impl ByPath {
    pub(super) fn at(folder: &Path) -> Self {
        Self {
            place: folder.to_owned(),
            is_folder: true,
        }
    }

    /// Makes one step, unless it is a link. Returns the number of steps made, and the target of the
    /// link, if any.
    pub(super) fn pass(&mut self, next: &Path) -> io::Result<(usize, Option<PathBuf>)> {
        if !self.is_folder {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        match next.components().next() {
            None => return Ok((0, None)),
            Some(Component::ParentDir) => drop(self.place.pop()),
            Some(name) => {
                let place = self.place.join(name);
                let metadata = place.symlink_metadata()?;
                if metadata.is_symlink() {
                    return Ok((0, Some(fs::read_link(&place)?)));
                }
                self.is_folder = metadata.is_dir();
                self.place = place;
            }
        }
        Ok((1, None))
    }

    pub(super) fn is_folder(&self) -> bool {
        self.is_folder
    }

    /// Whether this is the same folder under another spelling. On a file system that ignores case,
    /// a path has several spellings.
    #[cfg(unix)]
    pub(super) fn is(&self, folder: &Path) -> bool {
        use std::os::unix::fs::MetadataExt as _;
        let identity = |path: &Path| {
            let metadata = path.symlink_metadata()?;
            io::Result::Ok((metadata.dev(), metadata.ino()))
        };
        let both = identity(&self.place).ok().zip(identity(folder).ok());
        both.is_some_and(|(one, other)| one == other)
    }

    // Without inode numbers, a folder is known only by its canonical path, which the caller has
    // compared.
    #[cfg(not(unix))]
    pub(super) fn is(&self, _: &Path) -> bool {
        false
    }
}
