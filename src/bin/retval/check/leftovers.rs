//! `--list-leftovers`: metadata and handoff files of sessions that have ended.
//!
//! The standards require that these files are deleted after their session, but no file says whether its
//! session is over. A session counts as ended when none of its files has changed for a while.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use anyhow::{Context as _, bail};
use retval::config::ByteSize;
use retval::internal::document::{Handoff, Return};
use retval::internal::escape;
use retval::profile::Shape;
use retval::{BYTES_AT_MOST, Profile};
use walkdir::{DirEntry, WalkDir};

use crate::check::args::CheckArgs;
use crate::exit::Exit;
use crate::input::open_found;
use crate::output::print_stdout;
use crate::settings::{Settings, is_on};
use crate::stderr;

/// How long a session must have been inactive, unless `--since` sets another time.
const QUIET: Duration = Duration::from_hours(24);

/// The options of `--list-leftovers`.
#[derive(Debug)]
pub(crate) struct LeftoverOptions {
    pub(crate) folder: PathBuf,
    /// A session with a change after this time has not ended.
    pub(crate) since: Option<SystemTime>,
    /// This session has not ended, however long it has been inactive.
    pub(crate) session: Option<String>,
    pub(crate) max_bytes: u64,
    /// Whether paths end with NUL instead of a newline.
    pub(crate) ends_with_nul: bool,
}

impl CheckArgs {
    /// The options of `--list-leftovers`. None if it is not given.
    pub(super) fn leftovers(&self, settings: &Settings) -> Option<LeftoverOptions> {
        Some(LeftoverOptions {
            folder: self.list_leftovers.clone()?,
            since: self.since,
            session: self
                .session
                .clone()
                .or_else(|| settings.values.session.clone()),
            max_bytes: (settings.values.max_bytes).map_or(BYTES_AT_MOST, ByteSize::bytes),
            ends_with_nul: is_on(self.null, None),
        })
    }
}

/// The files that are left over together.
#[derive(PartialEq, Eq, Hash)]
enum Group {
    Session(String),
    /// Files without a session id, in this folder.
    Folder(PathBuf),
}

/// The files of one group, and the time of the last change to any of them.
struct Files {
    paths: Vec<PathBuf>,
    changed: SystemTime,
}

pub(super) fn run(options: &LeftoverOptions, settings: &Settings) -> anyhow::Result<Exit> {
    let shown = escape::path(&options.folder);
    if !options.folder.is_dir() {
        bail!("--list-leftovers {shown}: not a folder");
    }
    let since = options
        .since
        .or_else(|| SystemTime::now().checked_sub(QUIET))
        .unwrap_or(SystemTime::UNIX_EPOCH);
    let mut groups: HashMap<Group, Files> = HashMap::new();
    let mut has_failed = false;
    let is_entered = |entry: &DirEntry| entry.file_name() != ".git";
    let entries = WalkDir::new(&options.folder).into_iter();
    for entry in entries.filter_entry(is_entered) {
        let added = entry
            .map_err(|error| anyhow::anyhow!("{}", escape::truncated(&error.to_string())))
            .and_then(|entry| add(&mut groups, &entry, options, settings));
        if let Err(error) = added {
            stderr::error(&error);
            has_failed = true;
        }
    }
    let running = options.session.clone().map(Group::Session);
    let over = groups.into_iter();
    let over =
        over.filter(|(group, files)| Some(group) != running.as_ref() && files.changed < since);
    let mut paths: Vec<_> = over.flat_map(|(_, files)| files.paths).collect();
    paths.sort_unstable();
    let printed = print_stdout(&text(&paths, options.ends_with_nul))?;
    Ok(if has_failed { Exit::Unchecked } else { printed })
}

/// Adds a file to its group, if it is a metadata or a handoff file.
fn add(
    groups: &mut HashMap<Group, Files>,
    entry: &DirEntry,
    options: &LeftoverOptions,
    settings: &Settings,
) -> anyhow::Result<()> {
    let path = entry.path();
    let mut profiles = settings.profiles();
    let is_candidate = |profile: &&Profile| profile.file.is_some() && profile.matches_path(path);
    let Some(profile) = profiles.find(is_candidate) else {
        return Ok(());
    };
    if !entry.file_type().is_file() {
        return Ok(());
    }
    let cannot_read = || format!("cannot read {}", escape::path(path));
    let file = match open_found(path) {
        // The file was removed in the meantime.
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        file => file.with_context(cannot_read)?,
    };
    let changed = file
        .metadata()
        .and_then(|it| it.modified())
        .with_context(cannot_read)?;
    let session = session(profile, file, options.max_bytes).with_context(cannot_read)?;
    let group = session.map_or_else(
        || Group::Folder(path.parent().unwrap_or(Path::new("")).to_owned()),
        Group::Session,
    );
    let files = groups.entry(group).or_insert_with(|| Files {
        paths: Vec::new(),
        changed,
    });
    files.paths.push(path.to_owned());
    files.changed = files.changed.max(changed);
    Ok(())
}

/// The session id in a file. None if it has none or is not valid.
fn session(profile: &Profile, file: File, most: u64) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    file.take(most).read_to_end(&mut bytes)?;
    let session = match profile.shape {
        Shape::Return => serde_json::from_slice::<Return<'_>>(&bytes)
            .ok()
            .and_then(|returned| {
                let metadata = returned.metadata.present()?;
                metadata.session_id.present().map(ToString::to_string)
            }),
        Shape::Handoff => serde_json::from_slice::<Handoff<'_>>(&bytes)
            .ok()
            .and_then(|handoff| handoff.session_id.present().map(ToString::to_string)),
    };
    Ok(session)
}

/// The paths as text that a program can read. With newlines, hidden characters are escaped. With NUL,
/// every byte is kept.
fn text(paths: &[PathBuf], ends_with_nul: bool) -> Vec<u8> {
    let mut text = Vec::new();
    for path in paths {
        if ends_with_nul {
            text.extend_from_slice(path.as_os_str().as_encoded_bytes());
            text.push(0);
        } else {
            text.extend_from_slice(escape::path(path).as_bytes());
            text.push(b'\n');
        }
    }
    text
}
