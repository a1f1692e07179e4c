//! How often an agent has been sent back.
//!
//! Where the payload says enough, nothing is stored. Otherwise a small file for each agent holds the
//! count, in a folder that only this user can enter, below the runtime or the temporary folder.

use std::fs::{self, OpenOptions};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::{self, Read as _, Seek as _, Write as _};
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use retval::harness::Event;

/// Notes of agents that never came back are deleted after this.
const MAX_AGE: Duration = Duration::from_hours(24);

/// The attempts of one agent.
pub(super) struct Attempts<'e> {
    event: &'e Event,
    file: Option<PathBuf>,
}

impl<'e> Attempts<'e> {
    pub(super) fn of(event: &'e Event) -> Self {
        let id = event.agent_id.as_ref().or(event.agent.as_ref());
        let mut hasher = DefaultHasher::new();
        (&event.session, id).hash(&mut hasher);
        let name = format!("{:016x}", hasher.finish());
        Self {
            event,
            file: id
                .and_then(|_| folder().ok())
                .map(|folder| folder.join(name)),
        }
    }

    /// Whether the agent may be sent back once more; if so, that is counted.
    pub(super) fn may_try_again(&self, retries: u64) -> bool {
        match (self.event.times_sent_back, self.event.was_sent_back) {
            (Some(times), _) => times < retries,
            (None, Some(true)) if retries <= 1 => false,
            (None, Some(false)) if retries == 1 => true,
            (None, was_sent_back) => {
                let is_first = was_sent_back == Some(false);
                // If attempts cannot be counted, no agent is sent back: it might never end.
                self.count(is_first).is_ok_and(|before| before < retries)
            }
        }
    }

    /// Adds one attempt and answers how many there were before.
    fn count(&self, is_first: bool) -> io::Result<u64> {
        let path = self.file.as_ref().ok_or(io::ErrorKind::NotFound)?;
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)?;
        file.lock()?;
        let mut text = String::new();
        file.read_to_string(&mut text)?;
        let before = if is_first {
            0
        } else {
            text.trim().parse().unwrap_or(0)
        };
        file.rewind()?;
        file.set_len(0)?;
        write!(file, "{}", before + 1)?;
        Ok(before)
    }

    /// Deletes the count of an agent that is done.
    pub(super) fn forget(&self) {
        if let Some(file) = &self.file {
            // There may be none.
            let _ = fs::remove_file(file);
        }
    }
}

/// The folder of the counts and of other notes, created if missing. Old ones are deleted.
pub(super) fn folder() -> io::Result<PathBuf> {
    let runtime = std::env::var_os("XDG_RUNTIME_DIR")
        .map(PathBuf::from)
        .filter(|folder| folder.is_dir());
    let folder = runtime.unwrap_or_else(std::env::temp_dir).join(own_name());
    match make(&folder) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        _ => {}
    }
    if !is_own(&folder)? {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    for entry in fs::read_dir(&folder)?.flatten().take(1_000) {
        let age = entry
            .metadata()?
            .modified()
            .ok()
            .and_then(|time| SystemTime::now().duration_since(time).ok());
        if age.is_some_and(|age| age > MAX_AGE) {
            let _ = fs::remove_file(entry.path());
        }
    }
    Ok(folder)
}

#[cfg(unix)]
fn own_name() -> String {
    format!("retval-hook-{}", rustix::process::getuid().as_raw())
}

#[cfg(not(unix))]
fn own_name() -> String {
    "retval-hook".to_owned()
}

#[cfg(unix)]
fn make(folder: &std::path::Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt as _;
    fs::DirBuilder::new().mode(0o700).create(folder)
}

#[cfg(not(unix))]
fn make(folder: &std::path::Path) -> io::Result<()> {
    fs::create_dir(folder)
}

/// In a folder that everyone can write to, another user may have created it first.
#[cfg(unix)]
fn is_own(folder: &std::path::Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt as _;
    let found = fs::symlink_metadata(folder)?;
    let own = rustix::process::getuid().as_raw();
    Ok(found.is_dir() && found.mode() & 0o777 == 0o700 && found.uid() == own)
}

#[cfg(not(unix))]
fn is_own(folder: &std::path::Path) -> io::Result<bool> {
    Ok(fs::symlink_metadata(folder)?.is_dir())
}
