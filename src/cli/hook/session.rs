//! What the hook remembers of a session of a client: one JSON file for each, in a folder that only this user
//! can enter, below the runtime or the temporary folder.
//!
//! Many calls run at once, anything may be at a path, a call may be killed, and the disk may be full. So a
//! call decides without a lock, and takes it to write what it has changed; it decides again, under the lock,
//! if another call has changed the file in the meantime. The wait for a lock is limited, a new text replaces
//! the whole file, only a regular file is opened, and one that cannot be read counts as none.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::hash::{DefaultHasher, Hash, Hasher as _};
use std::io::{self, ErrorKind, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, SystemTime};

use crate::clients::{Answer, Event};
use serde::{Deserialize, Serialize};

use crate::cli::files::{Links, Rights, is_at, new_file, open_regular};

/// Files older than this are deleted when a session begins: the agents in them never came back.
const MAX_AGE: Duration = Duration::from_hours(24);

/// The log of what the hook decides, and the one before. They are never deleted.
pub(super) const LOG: &str = "hook.log";
pub(super) const OLDER_LOG: &str = "hook.log.1";

/// Most bytes of a file.
const BYTES_AT_MOST: u64 = 64 << 20;

/// Most agents of a session that are kept: the newest.
const AGENTS_AT_MOST: usize = 4_096;

/// How often a call tries to get a lock, with a pause of 5 ms: about four seconds in all.
const TRIES_AT_MOST: u32 = 800;

/// What is known of one agent.
///
/// A record is lost after a day, with the folder, or if its file cannot be read or locked. So the default of
/// each member means that it is unknown, and what is unknown never counts against the agent: no file is too
/// old for it, no session id is expected of it, and it is asked again no more often than its client can
/// tell. A result without a verdict is checked again.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default)]
pub(super) struct AgentRecord {
    /// Differs for any two agents that the client tells apart. None for an event that names no agent.
    pub(super) key: Option<String>,
    pub(super) asked: TimesAsked,
    /// When the agent, or the last turn of one that returns files, started, until a file is accepted as its return.
    pub(super) started: Option<SystemTime>,
    /// The file that was last accepted as its return, and when that was changed.
    pub(super) file: Option<(PathBuf, SystemTime)>,
    /// The commit that was checked out then, if evidence is collected.
    pub(super) head: Option<String>,
    /// When the agent last tried to end, if its work was compared then, or its message was a free answer.
    pub(super) stopped: Option<SystemTime>,
    /// Whether the instruction had the client's own session id. False without an agent id, as the next one.
    pub(super) was_told_session: bool,
    /// Whether a return was ever accepted as valid, so that a further message may be a free answer.
    pub(super) was_accepted: bool,
    /// What became of the return at the last stop, until the caller is told. None without an agent id, and for
    /// clients that do not call the hook for the caller.
    pub(super) verdict: Option<Verdict>,
    /// The name of an agent that has an id.
    pub(super) agent: Option<String>,
    /// What the caller gets in place of a return that was accepted when it was handed in by a call, in the
    /// agent's last turn. Empty if the return stays.
    pub(super) handed_in: Option<String>,
    /// Whether its own event, or that of its caller, has added it to the error log as one that failed.
    pub(super) failure: Option<bool>,
    /// What the record shows of its last run, until its caller is told.
    pub(super) receipt: Option<String>,
}

/// How often an agent was asked for its return again.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize)]
pub(super) struct TimesAsked {
    /// Since its last task began, if the client tells when that is.
    pub(super) in_task: u64,
    /// Since a return was last accepted, valid or not.
    pub(super) in_a_row: u64,
}

/// What the caller of an agent is told, because no one but the agent sees the answer to its stop.
/// The client may have rewritten the text by then, so it is not checked again. `Block` is for an invalid return
/// that was accepted. An error is the text for the caller about a return that was refused, as long as the agent
/// has not returned again.
pub(super) type Verdict = Result<Answer, String>;

/// The content of the file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default)]
pub(super) struct Remembered {
    /// In the order in which they began.
    pub(super) agents: Vec<AgentRecord>,
    /// The names of agents that run, in a client that does not say who makes a call.
    pub(super) running: Vec<String>,
    /// Failures of the hook itself that a caller was told, and those that were recorded, once in a session.
    pub(super) told: BTreeSet<String>,
    pub(super) recorded: BTreeSet<String>,
}

/// What is remembered of the session of an event.
pub(super) struct HookSession {
    pub(super) known: Remembered,
    stored: Remembered,
    /// The name of the file.
    name: String,
    /// The file as long as no other call may change it.
    locked: Option<(PathBuf, File)>,
    /// Whether anything can be remembered.
    pub(super) is_usable: bool,
    /// Whether what an earlier call has kept may be lost: there is no folder, or the file cannot be read.
    pub(super) is_lost: bool,
}

/// What became of a decision that was to be kept.
pub(super) enum Saved {
    OnDisk,
    /// Another call has changed what the decision was made from. It is to be made again from what is known now.
    Outdated(Box<HookSession>),
    Lost,
}

impl HookSession {
    /// A session of which nothing can be known or kept.
    pub(super) fn unusable(event: &Event) -> Self {
        Self {
            known: Remembered::default(),
            stored: Remembered::default(),
            name: hashed(&event.session) + ".session",
            locked: None,
            is_usable: false,
            is_lost: false,
        }
    }

    /// Reads the file of a session. Nothing is made or locked.
    pub(super) fn read(event: &Event) -> Self {
        let mut session = Self::unusable(event);
        session.is_lost = place().symlink_metadata().is_err();
        session.is_usable = session.is_lost;
        if let Some(folder) = folder() {
            match open_file(&folder.join(&session.name), false) {
                Ok(file) => session.take_in(&file),
                Err(error) => session.is_usable = error.kind() == ErrorKind::NotFound,
            }
        }
        session
    }

    /// The session as it is now. No other call changes it until this one is saved or dropped.
    fn lock(event: &Event) -> Self {
        let mut session = Self::unusable(event);
        if let Ok((folder, is_new)) = open_folder() {
            session.is_lost = is_new;
            let path = folder.join(&session.name);
            if let Ok(file) = lock(&path) {
                session.take_in(&file);
                session.locked = Some((path, file));
            }
        }
        session
    }

    fn take_in(&mut self, file: &File) {
        let mut text = String::new();
        let known = match file.take(BYTES_AT_MOST).read_to_string(&mut text) {
            Ok(0) => Some(Remembered::default()),
            _ => serde_json::from_str(&text).ok(),
        };
        self.is_usable = true;
        self.is_lost |= known.is_none();
        self.known = known.unwrap_or_default();
        self.stored = self.known.clone();
    }

    /// Writes what has changed. What cannot be written is removed, because it would be wrong.
    pub(super) fn save(mut self, event: &Event) -> Saved {
        if !self.is_usable || self.known == self.stored {
            return Saved::OnDisk;
        }
        if self.locked.is_none() {
            let now = Self::lock(event);
            if now.locked.is_some() && now.stored != self.stored {
                return Saved::Outdated(Box::new(now));
            }
            self.locked = now.locked;
        }
        let Some((path, _lock)) = self.locked else {
            return Saved::Lost;
        };
        let mut known = self.known;
        known.agents.retain(|agent| !agent.is_unknown());
        let over = known.agents.len().saturating_sub(AGENTS_AT_MOST);
        known.agents.drain(..over);
        let is_empty = known == Remembered::default();
        if !is_empty && replace(&path, &known).is_ok() {
            return Saved::OnDisk;
        }
        let _ = fs::remove_file(path);
        if is_empty { Saved::OnDisk } else { Saved::Lost }
    }

    /// What is known of the agent of an event, by its id, or else by its name with its transcript.
    pub(super) fn agent(&self, event: &Event) -> AgentRecord {
        let is_named = event.agent.is_some() || event.agent_transcript.is_some();
        // No id has a line feed.
        let by_name = || format!("\n{:?} {:?}", event.agent, event.agent_transcript);
        let key = event.agent_id.clone().or_else(|| is_named.then(by_name));
        let mut agents = self.known.agents.iter().filter(|_| key.is_some());
        let mut record = agents.find(|it| it.key == key).cloned().unwrap_or_default();
        record.key = key;
        // The clock was set back: the agent's own files would look older than its start.
        if record.started.is_some_and(|start| start > SystemTime::now()) {
            (record.started, record.head) = (None, None);
        }
        record
    }

    /// Keeps what is known of an agent now.
    pub(super) fn keep(&mut self, record: AgentRecord) {
        let agents = &mut self.known.agents;
        match agents.iter_mut().find(|it| it.key == record.key) {
            _ if record.key.is_none() => {}
            Some(known) => *known = record,
            None if record.is_unknown() => {}
            None => agents.push(record),
        }
    }
}

impl AgentRecord {
    fn is_unknown(&self) -> bool {
        let unknown = Self { key: self.key.clone(), ..Self::default() };
        *self == unknown
    }
}

fn hashed(about: impl Hash) -> String {
    let mut hasher = DefaultHasher::new();
    about.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

/// Locks a file, which is made if missing. Another call may replace or remove it in the meantime.
fn lock(path: &Path) -> io::Result<File> {
    for _ in 0..TRIES_AT_MOST {
        let file = open_file(path, true)?;
        match file.try_lock() {
            Ok(()) if is_at(&file, path)? => return Ok(file),
            Ok(()) => {}
            Err(fs::TryLockError::Error(error)) => return Err(error),
            Err(fs::TryLockError::WouldBlock) => thread::sleep(Duration::from_millis(5)),
        }
    }
    Err(ErrorKind::TimedOut.into())
}

fn open_file(path: &Path, creates: bool) -> io::Result<File> {
    let is_new = creates && path.symlink_metadata().is_err();
    let mut options = OpenOptions::new();
    // Some file systems lock only files that are open for writing.
    let file = open_private(path, options.read(true).write(true).create(creates))?;
    if let Some(folder) = path.parent().filter(|_| is_new) {
        sweep(folder);
    }
    Ok(file)
}

/// Opens a file that only this user may read.
pub(super) fn open_private(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    open_regular(path, options, Links::Refused)
}

/// Replaces a file, or what is in its place. A temporary file that is left is deleted as an old one.
fn replace(path: &Path, known: &Remembered) -> io::Result<()> {
    let new = new_file(path, Rights::Private)?;
    let text = serde_json::to_string(known)?;
    new.as_file().write_all(text.as_bytes())?;
    new.persist(path)?;
    Ok(())
}

fn sweep(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let is_log = path.ends_with(LOG) || path.ends_with(OLDER_LOG);
        let changed = fs::symlink_metadata(&path).and_then(|found| found.modified());
        let age = changed.ok().and_then(|changed| changed.elapsed().ok());
        if !is_log && age.is_some_and(|age| age > MAX_AGE) {
            let _ = fs::remove_file(path);
        }
    }
}

/// The folder, which is made if missing, and whether it was.
pub(super) fn open_folder() -> io::Result<(PathBuf, bool)> {
    let mut builder = fs::DirBuilder::new();
    // Only this user may enter it. On other systems the rights of the user's own folder are inherited.
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    let is_new = match builder.create(place()) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(error),
        made => made.is_ok(),
    };
    let folder = folder().ok_or(ErrorKind::PermissionDenied)?;
    Ok((folder, is_new))
}

/// The folder, if there is one that belongs to this user alone: another one may have created it before.
pub(super) fn folder() -> Option<PathBuf> {
    let place = place();
    let found = fs::symlink_metadata(&place).ok()?;
    // On other systems no other user can create a folder there.
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        let own = rustix::process::getuid().as_raw();
        if (found.mode() & 0o777, found.uid()) != (0o700, own) {
            return None;
        }
    }
    found.is_dir().then_some(place)
}

fn place() -> PathBuf {
    // Users share the temporary folder, so the name has the user id. On Windows each user has one.
    #[cfg(unix)]
    let name = format!("retval-hook-{}", rustix::process::getuid().as_raw());
    #[cfg(not(unix))]
    let name = "retval-hook";
    let runtime = std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from);
    let runtime = runtime.filter(|folder| folder.is_dir());
    runtime.unwrap_or_else(std::env::temp_dir).join(name)
}
