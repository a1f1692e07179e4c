//! Starts git, so that it only reads and starts nothing itself.
//!
//! A repository may be hostile: its configuration and attributes name commands. [`run`] is the only
//! place where git is started, with settings that keep it from running them, and only for subcommands that
//! look at no content of the work tree: `status`, `diff` and `ls-files -m` run the filters of a repository
//! whatever the settings are. The tests have a repository that names a command wherever it can.

use std::ffi::OsString;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Instant;

use super::{OBJECT_AT_MOST, RepositoryGap};

const NO_PROGRAM: RepositoryGap = "git is not installed";
pub(super) const TOO_SLOW: RepositoryGap = "git took too long";

/// Variables that keep git from opening connections, fetching missing objects, and writing to the index.
const VARIABLES: [(&str, &str); 5] = [
    ("GIT_ALLOW_PROTOCOL", ""),
    ("GIT_NO_LAZY_FETCH", "1"),
    ("GIT_OPTIONAL_LOCKS", "0"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("LC_ALL", "C"),
];

/// The folders in which programs are looked for without `PATH`, as by shells.
const WITHOUT_PATH: &str = "/usr/local/bin:/usr/bin:/bin";

const OPTIONS: &str = "--no-pager --no-replace-objects -c core.fsmonitor=false -C";

#[derive(Debug)]
pub(super) struct Printed {
    /// The exit status. None if a signal ended it.
    pub(super) status: Option<i32>,
    pub(super) output: Vec<u8>,
    /// Whether it complained, as it does of objects that it cannot read.
    pub(super) has_errors: bool,
}

/// Finds git. Folders of `PATH` that are relative are passed over: they may lead into the repository.
pub(super) fn find() -> Result<PathBuf, RepositoryGap> {
    let name = format!("git{}", std::env::consts::EXE_SUFFIX);
    let folders = std::env::var_os("PATH").unwrap_or_else(|| WITHOUT_PATH.into());
    let mut places = std::env::split_paths(&folders).filter(|folder| folder.is_absolute());
    let path = places.find_map(|folder| Some(folder.join(&name)).filter(|it| it.is_file()));
    path.ok_or(NO_PROGRAM)
}

/// Runs a subcommand of git in a folder. An error if it has not ended at `end`, or prints too much.
pub(super) fn run(
    git: &Path,
    folder: &Path,
    arguments: &[&str],
    end: Instant,
) -> Result<Printed, RepositoryGap> {
    if Instant::now() >= end {
        return Err(TOO_SLOW);
    }
    let mut command = Command::new(git);
    for (name, _) in inherited() {
        command.env_remove(name);
    }
    command.envs(VARIABLES).args(OPTIONS.split(' ')).arg(folder);
    command.args(arguments).stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|_| NO_PROGRAM)?;
    let printed = read(&mut child, end);
    if printed.is_err() {
        // It may have ended by itself in the meantime.
        child.kill().ok();
    }
    let status = child.wait().map_err(|_| NO_PROGRAM)?;
    let [output, errors] = printed?;
    if output.len() as u64 > OBJECT_AT_MOST {
        return Err("the file or the history is too large");
    }
    Ok(Printed { status: status.code(), output, has_errors: !errors.is_empty() })
}

/// What the program prints until `end`, on both streams.
fn read(child: &mut Child, end: Instant) -> Result<[Vec<u8>; 2], RepositoryGap> {
    let output = child.stdout.take().map(start_reading);
    let errors = child.stderr.take().map(start_reading);
    let wait = |stream: Option<mpsc::Receiver<Vec<u8>>>| {
        let left = end.saturating_duration_since(Instant::now());
        stream.and_then(|stream| stream.recv_timeout(left).ok()).ok_or(TOO_SLOW)
    };
    Ok([wait(output)?, wait(errors)?])
}

/// Reads a stream to its end, or a little more than is allowed, in another thread: the program may never end it.
fn start_reading(stream: impl Read + Send + 'static) -> mpsc::Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let read = stream.take(OBJECT_AT_MOST + 1).read_to_end(&mut bytes);
        // Nobody may be waiting any more.
        if read.is_ok() {
            sender.send(bytes).ok();
        }
    });
    receiver
}

/// The variables of git in the environment, which could lead it to another repository.
fn inherited() -> impl Iterator<Item = (OsString, OsString)> {
    let is_of_git = |name: &OsString| name.as_encoded_bytes().starts_with(b"GIT_");
    std::env::vars_os().filter(move |(name, _)| is_of_git(name))
}

/// Whether a variable moves the settings of git, so that those of the user are not the ones that it reads.
pub(super) fn has_settings_elsewhere() -> bool {
    inherited().any(|(name, _)| name.as_encoded_bytes().starts_with(b"GIT_CONFIG"))
}
