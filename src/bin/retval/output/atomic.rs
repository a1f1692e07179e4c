//! Files that have no name until they are complete, so that a killed process leaves no partial file. On
//! systems without nameless files, they have a temporary name.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use crate::output::place::Rights;
use crate::output::temp_name::{self, TempName};

/// A new file in the folder of its future name.
pub(crate) struct NewFile {
    file: File,
    path: PathBuf,
    /// The temporary name. None if the file has no name.
    name: Option<TempName>,
}

impl NewFile {
    /// Creates a file that will be at `path`.
    pub(crate) fn for_path(path: &Path, rights: Rights) -> io::Result<Self> {
        let path = path.to_owned();
        // Only Linux has files without a name (`O_TMPFILE`).
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
                // Only a rename can replace a file, and only a file with a name can be renamed.
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

    /// Creates a nameless file in the folder of a path. None if the file system does not support that,
    /// or if the file cannot be named later because there is no `/proc`.
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
