//! What one call of the hook stores for later calls: small files in a folder that only this user can
//! enter, below the runtime or the temporary folder.
//!
//! Many calls run at once. A file is changed under a lock, and a file that another call has removed
//! in the meantime is never an error.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher as _};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};

use retval::internal::clients::Event;

use crate::hook::state_file;

/// Files older than this are deleted: their agents never came back.
const MAX_AGE: Duration = Duration::from_hours(24);

/// How often old files are looked for.
const SWEEP_EVERY: Duration = Duration::from_mins(10);

/// The file whose age tells when old files were last looked for.
const SWEPT: &str = "swept";

/// Whether this process made the folder.
static IS_NEW: AtomicBool = AtomicBool::new(false);

/// The folder of the files.
pub(super) struct HookState {
    folder: io::Result<PathBuf>,
    opened: SystemTime,
}

impl HookState {
    /// Opens the folder, or remembers why it cannot be used.
    pub(super) fn open() -> Self {
        Self {
            folder: folder(),
            opened: SystemTime::now(),
        }
    }

    /// About when the hook was called.
    pub(super) fn opened(&self) -> SystemTime {
        self.opened
    }

    /// Whether there was no folder before this call, so that nothing can be known of an earlier one.
    pub(super) fn is_new() -> bool {
        IS_NEW.load(Ordering::Relaxed)
    }

    pub(super) fn is_usable(&self) -> bool {
        self.folder.is_ok()
    }

    fn path(&self, name: &str) -> io::Result<PathBuf> {
        let folder = self.folder.as_ref();
        let folder = folder.map_err(|error| io::Error::from(error.kind()))?;
        Ok(folder.join(name))
    }

    /// Replaces the text of a file. `change` gets the old text: empty if the file is new, None if it is
    /// damaged. It returns the new text and another value. Returns that value.
    pub(super) fn update<T>(
        &self,
        name: &str,
        change: impl FnOnce(Option<&str>) -> (String, T),
    ) -> io::Result<T> {
        let path = self.path(name)?;
        let Some(mut file) = state_file::lock(&path, true)? else {
            return Err(io::ErrorKind::NotFound.into());
        };
        let (text, answer) = change(state_file::text(&mut file).ok().as_deref());
        state_file::replace(&path, &text)?;
        Ok(answer)
    }

    pub(super) fn write(&self, name: &str, text: String) -> io::Result<()> {
        self.update(name, |_| (text, ()))
    }

    /// The text of a file, if there is one and it is whole.
    pub(super) fn read(&self, name: &str) -> Option<String> {
        state_file::read(&self.path(name).ok()?).ok()
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.read(name).is_some()
    }

    /// Removes a file. Returns its text, if the file was whole and this call is the one that removed it.
    pub(super) fn take(&self, name: &str) -> Option<String> {
        let path = self.path(name).ok()?;
        let mut file = state_file::lock(&path, false).ok()??;
        let text = state_file::text(&mut file);
        fs::remove_file(path).ok()?;
        text.ok()
    }

    pub(super) fn remove(&self, name: &str) {
        if let Ok(path) = self.path(name) {
            let _ = fs::remove_file(path);
        }
    }
}

/// The beginning of the names of an agent's files. It differs for any two agents that the client tells
/// apart, by an id or by their transcripts. None if the event names no agent.
pub(super) fn key_of(event: &Event) -> Option<String> {
    match (&event.agent_id, &event.agent) {
        (Some(id), _) => Some(key_of_id(event, id)),
        (None, Some(agent)) => Some(key((&event.session, agent, &event.agent_transcript))),
        (None, None) => None,
    }
}

/// The beginning of the names of the files of the agent with this id.
pub(super) fn key_of_id(event: &Event, id: &str) -> String {
    key((&event.session, id))
}

pub(super) fn key(value: impl Hash) -> String {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

/// The folder, created if missing. Old files in it are deleted from time to time.
fn folder() -> io::Result<PathBuf> {
    let runtime = std::env::var_os("XDG_RUNTIME_DIR")
        .map(PathBuf::from)
        .filter(|folder| folder.is_dir());
    let folder = runtime.unwrap_or_else(std::env::temp_dir).join(own_name());
    match make(&folder) {
        Ok(()) => IS_NEW.store(true, Ordering::Relaxed),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        Err(error) => return Err(error),
    }
    if !is_own(&folder)? {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    if age(&folder.join(SWEPT)).is_none_or(|age| age > SWEEP_EVERY) {
        sweep(&folder);
    }
    Ok(folder)
}

fn sweep(folder: &Path) {
    // If that fails, the next call sweeps again.
    let _ = state_file::replace(&folder.join(SWEPT), "");
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if age(&path).is_some_and(|age| age > MAX_AGE) {
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
