//! Moving by open folders: no step looks up again what lies behind it.

use std::ffi::OsString;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::{Path, PathBuf};

use memchr::{memchr, memchr_iter, memrchr};
use rustix::fs::{FileType, Mode, OFlags, ResolveFlags, fstat, open, openat, openat2, readlinkat};
use rustix::io::Errno;

use crate::root::PATH_AT_MOST;

/// How a place is opened that is only passed through.
const PLACE: OFlags = OFlags::PATH.union(OFlags::CLOEXEC);

/// An open folder, or a file at the end of a way.
pub(in crate::root) struct ByFolder {
    place: OwnedFd,
    /// Whether several steps can be made at once.
    is_long: bool,
}

impl ByFolder {
    pub(super) fn at(folder: &Path, is_long: bool) -> Result<Self, Errno> {
        Ok(Self {
            place: open(folder, PLACE.union(OFlags::DIRECTORY), Mode::empty())?,
            is_long,
        })
    }

    /// Makes steps up to the first link: how many, and where that leads.
    ///
    /// Of many steps at once the kernel says that a link is on the way, and not where. It is looked
    /// for at the end, where most are, and then in halves.
    pub(super) fn pass(&mut self, next: &Path) -> Result<(usize, Option<PathBuf>), Errno> {
        let next = next.as_os_str().as_bytes();
        let mut made = 0;
        // The first link is on the way to this byte.
        let mut link_before = None;
        while made < next.len() {
            let part = &next[made..link_before.unwrap_or(next.len())];
            let end = match link_before {
                _ if !self.is_long => memchr(b'/', part),
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
            // Should it have been taken away meanwhile, there may be others.
            link_before = link_before.filter(|end| *end > made);
        }
        Ok((count(next), None))
    }

    /// What several steps lead to, if none of them leads to a link.
    fn open_stride(&self, path: &[u8]) -> Result<OwnedFd, Errno> {
        count_call();
        let no_links = ResolveFlags::NO_SYMLINKS;
        openat2(&self.place, path, PLACE, Mode::empty(), no_links)
    }

    /// Makes one step, unless it leads to a link: where that leads. The link is read from what was
    /// opened: a name that is swapped between two calls would be taken for one and be the other.
    fn step(&mut self, name: &[u8]) -> Result<Option<PathBuf>, Errno> {
        count_call();
        let flags = PLACE.union(OFlags::NOFOLLOW);
        let place = openat(&self.place, name, flags, Mode::empty())?;
        count_call();
        match readlinkat(&place, "", Vec::with_capacity(PATH_AT_MOST)) {
            Ok(target) => Ok(Some(OsString::from_vec(target.into_bytes()).into())),
            // What Linux answers where the open place itself is no link.
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

/// The slash that is closest before the middle, else after it.
fn middle(path: &[u8]) -> Option<usize> {
    let middle = path.len() / 2;
    let after = || Some(middle + memchr(b'/', &path[middle..])?);
    memrchr(b'/', &path[..middle]).or_else(after)
}

/// The steps of a path, or of its beginning with the slash behind it.
fn count(path: &[u8]) -> usize {
    let path = path.strip_suffix(b"/").unwrap_or(path);
    memchr_iter(b'/', path).count() + usize::from(!path.is_empty())
}

fn count_call() {
    #[cfg(test)]
    super::cursor::CALLS.set(super::cursor::CALLS.get() + 1);
}
