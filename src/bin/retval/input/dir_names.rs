//! Reads the names in a folder, in the order in which the system returns them.

use std::ffi::OsStr;
use std::io;
use std::path::Path;

/// The type of an entry in a folder. Links are not followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NameKind {
    File,
    Folder,
    Link,
    /// A FIFO, a socket or a device.
    Special,
}

/// Receives each name and its type. An error means that one entry, or the rest of the folder, cannot be
/// read.
pub(super) type TakeName<'t> = dyn FnMut(io::Result<(&OsStr, NameKind)>) + 't;

/// Reads the names in a folder. The standard library would allocate memory for each name, and the C
/// library of musl would read only a few names per system call.
#[cfg(target_os = "linux")]
pub(super) fn read(folder: &Path, take: &mut TakeName<'_>) {
    use std::os::unix::ffi::OsStrExt as _;

    use rustix::fs::{CWD, Mode, OFlags, RawDir, openat};
    use rustix::io::Errno;

    /// The size of the buffer for names, in bytes. It holds about a thousand names of the usual length.
    const READ: usize = 32 * 1024;

    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let folder = match openat(CWD, folder, flags, Mode::empty()) {
        Ok(folder) => folder,
        Err(error) => return take(Err(error.into())),
    };
    let mut buffer = Vec::with_capacity(READ);
    let mut entries = RawDir::new(&folder, buffer.spare_capacity_mut());
    while let Some(entry) = entries.next() {
        match entry {
            Ok(entry) => {
                let name = entry.file_name();
                if !matches!(name.to_bytes(), b"." | b"..") {
                    let kind = kind_of(&folder, name, entry.file_type());
                    take(kind.map(|kind| (OsStr::from_bytes(name.to_bytes()), kind)));
                }
            }
            Err(Errno::INTR) => {}
            // The folder was removed after it had been opened.
            Err(Errno::NOENT) => return,
            Err(error) => return take(Err(error.into())),
        }
    }
}

/// The type of an entry. Some file systems do not return it with the name.
#[cfg(target_os = "linux")]
fn kind_of(
    folder: &std::os::fd::OwnedFd,
    name: &std::ffi::CStr,
    returned: rustix::fs::FileType,
) -> io::Result<NameKind> {
    use rustix::fs::{AtFlags, FileType, statat};
    let kind = if returned == FileType::Unknown {
        let found = statat(folder, name, AtFlags::SYMLINK_NOFOLLOW)?;
        FileType::from_raw_mode(found.st_mode)
    } else {
        returned
    };
    Ok(match kind {
        FileType::RegularFile => NameKind::File,
        FileType::Directory => NameKind::Folder,
        FileType::Symlink => NameKind::Link,
        _ => NameKind::Special,
    })
}

/// Reads the names in a folder.
#[cfg(not(target_os = "linux"))]
pub(super) fn read(folder: &Path, take: &mut TakeName<'_>) {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) => return take(Err(error)),
    };
    for entry in entries {
        match entry.and_then(|entry| Ok((entry.file_name(), entry.file_type()?))) {
            Ok((name, kind)) => take(Ok((&name, kind_of(kind)))),
            Err(error) => take(Err(error)),
        }
    }
}

#[cfg(not(target_os = "linux"))]
fn kind_of(found: std::fs::FileType) -> NameKind {
    if found.is_file() {
        NameKind::File
    } else if found.is_dir() {
        NameKind::Folder
    } else if found.is_symlink() {
        NameKind::Link
    } else {
        NameKind::Special
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::fs::{self, File};

    use rustix::fs::FileType;

    use super::*;

    #[test]
    fn a_kind_that_the_file_system_does_not_return_is_looked_up() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        File::create(path("file")).expect("a file");
        fs::create_dir(path("folder")).expect("a folder");
        std::os::unix::fs::symlink("file", path("link")).expect("a link");
        std::os::unix::net::UnixListener::bind(path("socket")).expect("a socket");
        let opened = File::open(folder.path()).expect("the folder").into();
        for (name, expected) in [
            (c"file", NameKind::File),
            (c"folder", NameKind::Folder),
            (c"link", NameKind::Link),
            (c"socket", NameKind::Special),
        ] {
            let kind = kind_of(&opened, name, FileType::Unknown);
            assert_eq!(kind.ok(), Some(expected), "{name:?}");
        }
        let gone = kind_of(&opened, c"gone", FileType::Unknown);
        assert_eq!(
            gone.map_err(|error| error.kind()),
            Err(io::ErrorKind::NotFound)
        );
    }
}
