//! Files that have no name until they are complete, so that a process that is killed leaves no
//! partial file. Where the system has no files without a name, they have a temporary one.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use crate::output::place::Rights;
use crate::output::temp_name::{self, TempName};

/// A new file in the folder of its future name.
pub(crate) struct NewFile {
    file: File,
    path: PathBuf,
    /// None if it has no name.
    name: Option<TempName>,
}

impl NewFile {
    /// A file that is to be at `path`.
    pub(crate) fn for_path(path: &Path, rights: Rights) -> io::Result<Self> {
        let path = path.to_owned();
        // Only Linux has files without a name (`O_TMPFILE`). Everything below it is for them.
        #[cfg(target_os = "linux")]
        if let Some(file) = nameless::open_beside(&path, rights) {
            let name = None;
            return Ok(Self { file, path, name });
        }
        let (file, name) = temp_name::create(&path, rights)?;
        Ok(Self {
            file,
            path,
            name: Some(name),
        })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn file(&mut self) -> &mut File {
        &mut self.file
    }

    /// Gives the file its name, replacing the file that has it.
    pub(crate) fn replace(self) -> io::Result<()> {
        match self.name {
            Some(name) => name.replace(&self.path),
            #[cfg(target_os = "linux")]
            None => {
                // Only renaming replaces, and only what has a name can be renamed.
                let link = |name: &Path| nameless::link(&self.file, name);
                temp_name::replace_by(&self.file, &self.path, link)
            }
            #[cfg(not(target_os = "linux"))]
            None => Ok(()),
        }
    }

    /// Gives the file its name, unless a file has it already.
    pub(crate) fn take_free_name(self) -> io::Result<()> {
        match self.name {
            Some(name) => name.take_free(&self.path),
            #[cfg(target_os = "linux")]
            None => nameless::link(&self.file, &self.path),
            #[cfg(not(target_os = "linux"))]
            None => Ok(()),
        }
    }
}

// Files without a name, which only Linux has.
#[cfg(target_os = "linux")]
mod nameless {
    use std::fs::File;
    use std::io;
    use std::os::fd::AsRawFd as _;
    use std::path::Path;

    use rustix::fs::{AtFlags, CWD, Mode, OFlags, linkat, open};

    use crate::output::place::{Rights, folder_of};

    /// A file in the folder of a path. None where the file system, or one without `/proc`, cannot make
    /// or name such files.
    pub(super) fn open_beside(path: &Path, rights: Rights) -> Option<File> {
        let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
        let mode = Mode::from_raw_mode(rights.mode());
        let file = File::from(open(folder_of(path), flags, mode).ok()?);
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
