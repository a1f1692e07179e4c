//! The small JSON files that one call of the hook keeps for later calls, in a folder that only this user
//! can enter, below the runtime or the temporary folder.
//!
//! Many calls run at once, anything may be at a path, a call may be killed, and the disk may be full. So a
//! file is changed under a lock with a limited wait, a new text replaces the whole file, only a regular file
//! is opened, and one that cannot be read counts as none.

use std::fs::{self, File, OpenOptions};
use std::hash::{DefaultHasher, Hash, Hasher as _};
use std::io::{self, ErrorKind, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, SystemTime};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::cli::output::file::{Rights, is_at, new_file};
use crate::cli::regular_file::{self, Links};

/// Files older than this are deleted: their agents never came back.
const MAX_AGE: Duration = Duration::from_hours(24);

/// How often old files are looked for.
const SWEEP_EVERY: Duration = Duration::from_mins(10);

/// The file whose age tells when old files were last looked for.
const SWEPT: &str = "swept";

/// The log of what the hook decides, and the one before. They are never deleted.
pub(super) const LOG: &str = "hook.log";
pub(super) const OLDER_LOG: &str = "hook.log.1";

/// Most bytes of a file. The text for a caller has a few thousand.
const BYTES_AT_MOST: u64 = 4 << 20;

/// How often one call of the hook tries to get a lock that another process holds, and the pause between
/// tries: about two seconds in all.
const TRIES_AT_MOST: u32 = 400;
const TRY_AGAIN: Duration = Duration::from_millis(5);

/// How often a file may be replaced by others between being opened and locked.
const REPLACED_AT_MOST: usize = 1_000;

/// The folder of the files. None if it cannot be used.
static FOLDER: LazyLock<Option<StateFolder>> = LazyLock::new(|| StateFolder::open().ok());

/// A file that no other call changes until this is dropped, or until the file is replaced.
pub(super) struct StateFile {
    path: PathBuf,
    locked: File,
}

impl StateFile {
    /// Locks the file with this name, and makes an empty one if missing. None if that fails.
    pub(super) fn lock(name: &str) -> Option<Self> {
        let path = path_of(name)?;
        let locked = lock(&path).ok()?;
        Some(Self { path, locked })
    }

    /// The value in the file: the default if the file is new. None if it is damaged.
    pub(super) fn value<T: DeserializeOwned + Default>(&self) -> Option<T> {
        let text = text(&self.locked)?;
        if text.is_empty() {
            return Some(T::default());
        }
        serde_json::from_str(&text).ok()
    }

    /// Replaces the value. If that fails, the old one stays.
    pub(super) fn replace(&self, value: &impl Serialize) -> io::Result<()> {
        replace(&self.path, &serde_json::to_string(value)?)
    }
}

/// Changes the value in the file with this name; one that is the default again needs no file. None if it
/// cannot be changed.
pub(super) fn change<V: DeserializeOwned + Serialize + Default + PartialEq, T>(
    name: &str,
    change: impl FnOnce(&mut V) -> T,
) -> Option<T> {
    let file = StateFile::lock(name)?;
    let mut value: V = file.value().unwrap_or_default();
    let changed = change(&mut value);
    if value == V::default() {
        remove(name);
    } else {
        file.replace(&value).ok()?;
    }
    Some(changed)
}

/// The value in the file with this name, without a lock. None if it is missing or damaged.
pub(super) fn read<T: DeserializeOwned>(name: &str) -> Option<T> {
    let file = open(&path_of(name)?, false).ok()?;
    serde_json::from_str(&text(&file)?).ok()
}

/// Replaces the value in a file that no call changes by what it was.
pub(super) fn write(name: &str, value: &impl Serialize) {
    if let (Some(path), Ok(text)) = (path_of(name), serde_json::to_string(value)) {
        let _ = replace(&path, &text);
    }
}

pub(super) fn remove(name: &str) {
    if let Some(path) = path_of(name) {
        let _ = fs::remove_file(path);
    }
}

/// Whether there was no folder before this call, so that nothing can be known of an earlier one.
pub(super) fn is_folder_new() -> bool {
    FOLDER.as_ref().is_some_and(|folder| folder.is_new)
}

/// The name of a file, from what it is about.
pub(super) fn name(about: impl Hash, kind: &str) -> String {
    let mut hasher = DefaultHasher::new();
    about.hash(&mut hasher);
    format!("{:016x}.{kind}", hasher.finish())
}

pub(super) fn path_of(name: &str) -> Option<PathBuf> {
    Some(FOLDER.as_ref()?.path.join(name))
}

fn lock(path: &Path) -> io::Result<File> {
    for _ in 0..REPLACED_AT_MOST {
        let file = open(path, true)?;
        wait_for(&file)?;
        if is_at(&file, path)? {
            return Ok(file);
        }
    }
    Err(ErrorKind::TimedOut.into())
}

fn open(path: &Path, creates: bool) -> io::Result<File> {
    let mut options = OpenOptions::new();
    // Some file systems lock only files that are open for writing.
    options.read(true).write(true).create(creates);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    regular_file::open(path, &mut options, Links::Refused)
}

fn text(file: &File) -> Option<String> {
    let mut text = String::new();
    file.take(BYTES_AT_MOST).read_to_string(&mut text).ok()?;
    Some(text)
}

/// Replaces a file, or what is in its place. If the call is killed, a later one deletes the temporary file
/// as an old one.
fn replace(path: &Path, text: &str) -> io::Result<()> {
    let new = new_file(path, Rights::Private)?;
    new.as_file().write_all(text.as_bytes())?;
    new.persist(path)?;
    Ok(())
}

/// Locks a file. All waits of this process together are limited.
fn wait_for(file: &File) -> io::Result<()> {
    static TRIES: AtomicU32 = AtomicU32::new(0);
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            Err(fs::TryLockError::Error(error)) => return Err(error),
            Err(fs::TryLockError::WouldBlock) => {}
        }
        if TRIES.fetch_add(1, Ordering::Relaxed) >= TRIES_AT_MOST {
            return Err(ErrorKind::TimedOut.into());
        }
        thread::sleep(TRY_AGAIN);
    }
}

struct StateFolder {
    path: PathBuf,
    is_new: bool,
}

impl StateFolder {
    /// Opens the folder, which is created if missing. Old files in it are deleted from time to time.
    fn open() -> io::Result<Self> {
        let path = place();
        let is_new = match make(&path) {
            Ok(()) => true,
            Err(error) if error.kind() == ErrorKind::AlreadyExists => false,
            Err(error) => return Err(error),
        };
        if !is_own(&path)? {
            return Err(ErrorKind::PermissionDenied.into());
        }
        if age(&path.join(SWEPT)).is_none_or(|age| age > SWEEP_EVERY) {
            sweep(&path);
        }
        Ok(Self { path, is_new })
    }
}

fn place() -> PathBuf {
    let runtime = std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from);
    let runtime = runtime.filter(|folder| folder.is_dir());
    below(&runtime.unwrap_or_else(std::env::temp_dir))
}

/// The folder as it is, without making one. None if there is none that can be used.
pub(super) fn folder() -> Option<PathBuf> {
    let place = place();
    is_own(&place).is_ok_and(|is_own| is_own).then_some(place)
}

/// The folder below that for temporary files.
pub(super) fn below(folder: &Path) -> PathBuf {
    folder.join(own_name())
}

/// Copies all files but the logs, for a call of the hook that has another folder for temporary files.
pub(super) fn copy_into(folder: &Path) -> io::Result<()> {
    let new = below(folder);
    make(&new)?;
    let Some(own) = self::folder() else {
        return Ok(());
    };
    for entry in fs::read_dir(own)?.flatten() {
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        if is_file && !is_log(&entry.path()) {
            // Another call may remove it.
            let _ = fs::copy(entry.path(), new.join(entry.file_name()));
        }
    }
    Ok(())
}

fn is_log(path: &Path) -> bool {
    path.file_name()
        .is_some_and(|name| name == LOG || name == OLDER_LOG)
}

fn sweep(folder: &Path) {
    // If that fails, the next call sweeps again.
    let _ = replace(&folder.join(SWEPT), "");
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if !is_log(&path) && age(&path).is_some_and(|age| age > MAX_AGE) {
            let _ = fs::remove_file(path);
        }
    }
}

/// How long ago a file was changed. None if it is gone, or if the time is in the future.
fn age(path: &Path) -> Option<Duration> {
    let changed = fs::symlink_metadata(path).ok()?.modified().ok()?;
    SystemTime::now().duration_since(changed).ok()
}

// Users share the temporary folder, so the name has the user id.
#[cfg(unix)]
fn own_name() -> String {
    format!("retval-hook-{}", rustix::process::getuid().as_raw())
}

// On Windows each user has a temporary folder.
#[cfg(not(unix))]
fn own_name() -> String {
    "retval-hook".to_owned()
}

// Only this user may enter the folder.
#[cfg(unix)]
fn make(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt as _;
    fs::DirBuilder::new().mode(0o700).create(folder)
}

// The parent folder is the user's own, and its permissions are inherited.
#[cfg(not(unix))]
fn make(folder: &Path) -> io::Result<()> {
    fs::create_dir(folder)
}

/// Whether the folder belongs to this user alone. In a shared temporary folder, another user may have
/// created it first.
#[cfg(unix)]
fn is_own(folder: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt as _;
    let found = fs::symlink_metadata(folder)?;
    let own = rustix::process::getuid().as_raw();
    Ok(found.is_dir() && found.mode() & 0o777 == 0o700 && found.uid() == own)
}

// No other user can create a folder there.
#[cfg(not(unix))]
fn is_own(folder: &Path) -> io::Result<bool> {
    Ok(fs::symlink_metadata(folder)?.is_dir())
}
