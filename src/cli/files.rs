//! Files: opened without waiting for anybody, replaced as a whole, or changed by several processes, one at
//! a time.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use tempfile::NamedTempFile;

/// The current folder. None if it has no path. The program never changes it, so one system call is
/// enough.
pub(crate) fn current_folder() -> Option<&'static Path> {
    static CURRENT: OnceLock<Option<PathBuf>> = OnceLock::new();
    CURRENT.get_or_init(|| std::env::current_dir().ok()).as_deref()
}

/// The folder that a path is in.
pub(crate) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Whether a symlink is followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Links {
    Followed,
    Refused,
}

/// Opens a file that another user or process may have put in place, with these options. Anything but a
/// regular file is an error: opening a pipe could block until a writer opens it, and a device may have no
/// end.
pub(crate) fn open_regular(
    path: &Path,
    options: &mut OpenOptions,
    links: Links,
) -> io::Result<File> {
    // These flags exist on Unix only.
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt as _;
        let own = match links {
            Links::Followed => OFlags::empty(),
            Links::Refused => OFlags::NOFOLLOW,
        };
        let flags = OFlags::NONBLOCK | OFlags::NOCTTY | own;
        options.custom_flags(i32::try_from(flags.bits()).unwrap_or_default());
    }
    // On other systems, a check before opening must do. Few users there have the right to create a
    // symlink.
    #[cfg(not(unix))]
    if links == Links::Refused && path.symlink_metadata()?.is_symlink() {
        return Err(not_regular());
    }
    let file = options.open(path)?;
    // Checks the open file, because the path may lead to another file in the meantime.
    if file.metadata()?.is_file() { Ok(file) } else { Err(not_regular()) }
}

/// Opens a regular file to read it.
pub(crate) fn read_regular(path: &Path) -> io::Result<File> {
    open_regular(path, OpenOptions::new().read(true), Links::Followed)
}

fn not_regular() -> io::Error {
    io::Error::other("it is not a regular file")
}

/// Whether a path leads to a regular file that other processes can open by the same path. The paths of a
/// process's own open files are not such paths.
pub(crate) fn is_lasting(path: &Path) -> bool {
    let passing = ["/dev/fd", "/dev/stdin", "/proc"];
    let is_passing = passing.iter().any(|folder| path.starts_with(folder));
    !is_passing && path.is_file()
}

/// The path that a path leads to through symlinks, even if nothing exists there yet. A symlink stays,
/// and its target is replaced. Two paths to one file have the same target.
pub(crate) fn target(path: &Path) -> PathBuf {
    const LINKS: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..LINKS {
        match fs::read_link(&path) {
            Ok(link) => path = path.parent().unwrap_or(Path::new("")).join(link),
            Err(_) => break,
        }
    }
    resolved(&path)
}

/// Resolves symlinks, as far as the path exists.
fn resolved(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| match path.file_name() {
        Some(name) => resolved(folder_of(path)).join(name),
        None => path.to_owned(),
    })
}

/// Who may open a new file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rights {
    /// Everyone whom the umask of the user allows to.
    Masked,
    /// Its owner only.
    Private,
}

/// Creates a file with a temporary name in the folder of `path`. It is to be persisted there. A process
/// that is killed leaves the file.
pub(crate) fn new_file(path: &Path, rights: Rights) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".retval-").suffix(".tmp");
    // Only Unix has these permissions. On other systems, those of the folder are inherited.
    #[cfg(unix)]
    if rights == Rights::Masked {
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    }
    #[cfg(not(unix))]
    let _ = rights;
    let new = builder.tempfile_in(folder_of(path));
    // The user does not know the path of the temporary file, and it is not escaped.
    new.map_err(|error| {
        let text = error.to_string();
        let text = text.split(" at path ").next().unwrap_or_default();
        io::Error::new(error.kind(), text)
    })
}

/// A new file, and the one that it replaces.
pub(crate) struct Replacement {
    file: NamedTempFile,
    pub(crate) path: PathBuf,
    pub(crate) old: Option<Metadata>,
}

impl Replacement {
    /// A new file in the folder of the old one.
    pub(crate) fn new(path: &Path, old: Option<Metadata>) -> io::Result<Self> {
        // It gets the permissions of the old file when it is complete.
        let rights = if old.is_some() { Rights::Private } else { Rights::Masked };
        Ok(Self { file: new_file(path, rights)?, path: path.to_owned(), old })
    }

    pub(crate) fn file(&mut self) -> &mut File {
        self.file.as_file_mut()
    }

    /// Writes the content, the permissions and the name to disk, in this order.
    pub(crate) fn take_place(self) -> io::Result<()> {
        if let Some(old) = &self.old {
            self.file.as_file().set_permissions(old.permissions())?;
        }
        self.file.as_file().sync_all()?;
        self.file.persist(&self.path)?;
        // Only on Unix can a folder be opened as a file.
        if cfg!(unix) {
            File::open(folder_of(&self.path))?.sync_all()?;
        }
        Ok(())
    }
}

pub(crate) fn replace(path: &Path, bytes: &[u8], old: Option<&Metadata>) -> io::Result<()> {
    let mut new = Replacement::new(path, old.cloned())?;
    new.file().write_all(bytes)?;
    new.take_place()
}

/// Opens and locks the file that is at `path` now: while this process waits for the lock, another may
/// replace the file. If there is none, it is created with the content `empty`; no other process sees it
/// half written.
pub(crate) fn lock(path: &Path, empty: &[u8]) -> io::Result<File> {
    loop {
        let options = &mut OpenOptions::new();
        let file = match open_regular(path, options.read(true).write(true), Links::Followed) {
            Err(error) if error.kind() == ErrorKind::NotFound => match create(path, empty) {
                // Another process created it first, which is just as good.
                Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(error),
                _ => continue,
            },
            file => file?,
        };
        file.lock()?;
        if is_at(&file, path)? {
            return Ok(file);
        }
    }
}

/// Creates a file, which is there as a whole or not at all. Fails if there is one.
pub(crate) fn create(path: &Path, content: &[u8]) -> io::Result<()> {
    let new = new_file(path, Rights::Masked)?;
    new.as_file().write_all(content)?;
    new.as_file().sync_all()?;
    new.persist_noclobber(path)?;
    Ok(())
}

/// Whether a path leads to this open file.
#[cfg(unix)]
pub(crate) fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt as _;
    let there = match fs::metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
        there => there?,
    };
    let open = file.metadata()?;
    Ok((open.dev(), open.ino()) == (there.dev(), there.ino()))
}

// The standard library has file numbers only on Unix. On other systems, only the path can be checked.
#[cfg(not(unix))]
pub(crate) fn is_at(_: &File, path: &Path) -> io::Result<bool> {
    fs::exists(path)
}
