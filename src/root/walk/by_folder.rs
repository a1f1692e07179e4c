//! Walks a path by opening folders. Each step starts at the folder that is already open, so nothing
//! before it is looked up again.

use std::ffi::OsString;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::{Path, PathBuf};

use memchr::{memchr, memchr_iter, memrchr};
use rustix::fs::{FileType, Mode, OFlags, ResolveFlags, fstat, open, openat, openat2, readlinkat};
use rustix::io::Errno;

use crate::root::PATH_AT_MOST;

/// Flags to open an intermediate folder or file that is not read.
const PATH_ONLY: OFlags = OFlags::PATH.union(OFlags::CLOEXEC);

#[cfg(test)]
thread_local! {
    /// How many times a file was opened or a link was read: the system calls that the tests count.
    pub(in crate::root) static CALLS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// An open folder, or the file at the end of a path.
pub(in crate::root) struct ByFolder {
    place: OwnedFd,
    /// Whether `openat2` is used, which resolves several components in one call.
    has_openat2: bool,
}

impl ByFolder {
    pub(super) fn at(folder: &Path, has_openat2: bool) -> Result<Self, Errno> {
        Ok(Self {
            place: open(folder, PATH_ONLY.union(OFlags::DIRECTORY), Mode::empty())?,
            has_openat2,
        })
    }

    /// Advances to the first link. Returns the number of steps made, and the target of the link, if
    /// any.
    ///
    /// When `openat2` resolves several components at once, it reports that one of them is a link,
    /// but not which. The search first drops the last component, because most links are at the end,
    /// and then bisects.
    pub(super) fn pass(&mut self, next: &Path) -> Result<(usize, Option<PathBuf>), Errno> {
        let next = next.as_os_str().as_bytes();
        let mut made = 0;
        // The first link ends at or before this byte offset.
        let mut link_before = None;
        while made < next.len() {
            let part = &next[made..link_before.unwrap_or(next.len())];
            let end = match link_before {
                _ if !self.has_openat2 => memchr(b'/', part),
                None => memrchr(b'/', part),
                Some(_) => middle(part),
            };
            let stride = &part[..end.unwrap_or(part.len())];
            if memchr(b'/', stride).is_none() {
                if let Some(link) = self.step(stride)? {
                    return Ok((count(&next[..made]), Some(link)));
                }
            } else {
                match self.open_stride(stride) {
                    Ok(place) => self.place = place,
                    Err(Errno::LOOP) => {
                        link_before = Some(made + stride.len());
                        continue;
                    }
                    Err(error) => return Err(error),
                }
            }
            made += stride.len() + 1;
            // If that link has been removed in the meantime, there may still be others.
            link_before = link_before.filter(|end| *end > made);
        }
        Ok((count(next), None))
    }

    /// Opens the result of several steps; fails with `LOOP` if one of them is a link.
    fn open_stride(&self, path: &[u8]) -> Result<OwnedFd, Errno> {
        count_call();
        let no_links = ResolveFlags::NO_SYMLINKS;
        openat2(&self.place, path, PATH_ONLY, Mode::empty(), no_links)
    }

    /// Makes one step. If it is a link, returns its target instead. The target is read from the open
    /// file, because the name could lead to another file at the next call.
    fn step(&mut self, name: &[u8]) -> Result<Option<PathBuf>, Errno> {
        count_call();
        let flags = PATH_ONLY.union(OFlags::NOFOLLOW);
        let place = openat(&self.place, name, flags, Mode::empty())?;
        count_call();
        match readlinkat(&place, "", Vec::with_capacity(PATH_AT_MOST)) {
            Ok(target) => Ok(Some(OsString::from_vec(target.into_bytes()).into())),
            // Linux returns one of these errors if the open file is not a link.
            Err(Errno::NOENT | Errno::INVAL) => {
                self.place = place;
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    pub(super) fn is_folder(&self) -> Result<bool, Errno> {
        Ok(FileType::from_raw_mode(fstat(&self.place)?.st_mode) == FileType::Directory)
    }
}

/// Returns the offset of the last slash before the middle, or else of the first one after it.
fn middle(path: &[u8]) -> Option<usize> {
    let middle = path.len() / 2;
    let after = || Some(middle + memchr(b'/', &path[middle..])?);
    memrchr(b'/', &path[..middle]).or_else(after)
}

/// Returns the number of components in a path, or in a prefix of a path that ends with a slash.
fn count(path: &[u8]) -> usize {
    let path = path.strip_suffix(b"/").unwrap_or(path);
    memchr_iter(b'/', path).count() + usize::from(!path.is_empty())
}

fn count_call() {
    #[cfg(test)]
    CALLS.set(CALLS.get() + 1);
}
