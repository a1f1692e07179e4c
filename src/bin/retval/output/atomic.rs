//! Files that have no name until they are complete, so that a process that is killed leaves no
//! partial file. Where the system has no files without a name, they have a temporary one.

use std::fs::File;
use std::io;
use std::path::Path;
#[cfg(target_os = "linux")]
use std::path::PathBuf;

use tempfile::{Builder, NamedTempFile};

/// A new file in the folder of its future name.
pub(crate) struct NewFile(TempKind);

enum TempKind {
    #[cfg(target_os = "linux")]
    Nameless(File, PathBuf),
    Named(NamedTempFile),
}

impl NewFile {
    pub(crate) fn beside(path: &Path) -> io::Result<Self> {
        let folder = folder_of(path);
        #[cfg(target_os = "linux")]
        if let Some(file) = nameless::open_in(folder) {
            return Ok(Self(TempKind::Nameless(file, folder.to_owned())));
        }
        Ok(Self(TempKind::Named(builder().tempfile_in(folder)?)))
    }

    pub(crate) fn file(&mut self) -> &mut File {
        match &mut self.0 {
            #[cfg(target_os = "linux")]
            TempKind::Nameless(file, _) => file,
            TempKind::Named(file) => file.as_file_mut(),
        }
    }

    /// Gives the file its name, replacing the file that has it.
    pub(crate) fn replace(self, path: &Path) -> io::Result<()> {
        let persisted = match self.0 {
            #[cfg(target_os = "linux")]
            TempKind::Nameless(file, folder) => {
                // Only renaming replaces, and only what has a name can be renamed.
                let named = builder().make_in(folder, |name| nameless::link(&file, name))?;
                named.into_temp_path().persist(path)
            }
            TempKind::Named(file) => file.into_temp_path().persist(path),
        };
        persisted.map_err(|error| error.error)
    }

    /// Gives the file its name, unless a file has it already.
    pub(crate) fn take_free_name(self, path: &Path) -> io::Result<()> {
        match self.0 {
            #[cfg(target_os = "linux")]
            TempKind::Nameless(file, _) => nameless::link(&file, path),
            TempKind::Named(file) => {
                let persisted = file.into_temp_path().persist_noclobber(path);
                persisted.map_err(|error| error.error)
            }
        }
    }
}

#[cfg(target_os = "linux")]
mod nameless {
    use std::fs::File;
    use std::io;
    use std::os::fd::AsRawFd as _;
    use std::path::Path;

    use rustix::fs::{AtFlags, CWD, Mode, OFlags, linkat, open};

    /// None where the file system, or one without `/proc`, cannot make or name such files.
    pub(super) fn open_in(folder: &Path) -> Option<File> {
        let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
        let file = File::from(open(folder, flags, Mode::from_raw_mode(super::MODE)).ok()?);
        Path::new(&by_number(&file)).exists().then_some(file)
    }

    pub(super) fn link(file: &File, path: &Path) -> io::Result<()> {
        let linked = linkat(CWD, by_number(file), CWD, path, AtFlags::SYMLINK_FOLLOW);
        linked.map_err(io::Error::from)
    }

    fn by_number(file: &File) -> String {
        format!("/proc/self/fd/{}", file.as_raw_fd())
    }
}

/// The folder that a file is in.
pub(crate) fn folder_of(path: &Path) -> &Path {
    path.parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."))
}

/// The permissions of new files, before the user's mask.
#[cfg(unix)]
const MODE: u32 = 0o666;

fn builder() -> Builder<'static, 'static> {
    let mut builder = Builder::new();
    builder.prefix(".retval-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(MODE));
    builder
}
