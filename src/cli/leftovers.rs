//! `retval leftovers`: metadata and handoff files of sessions that have ended, with the details beside
//! them (`reasoning/`, `tests/`, `reviews/` in the folder of the session), and temporary files of retval
//! itself that were left by a process that was killed.
//!
//! The standards require that metadata and handoff files are deleted after their session, but no file
//! says whether its session is over. A session counts as ended when none of its files has changed for a
//! while.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::config::ByteSize;
use crate::profile::Shape;
use crate::profile::document::{Handoff, Return};
use crate::text::escape;
use crate::{BYTES_AT_MOST, Profile};
use anyhow::{Context as _, bail};
use clap::Args;
use walkdir::{DirEntry, WalkDir};

use crate::cli::args::config::ConfigArgs;

use crate::cli::args::values::{moment, visible};
use crate::cli::exit::Exit;
use crate::cli::input::open_found;
use crate::cli::output::file::is_temporary;
use crate::cli::output::print_stdout;
use crate::cli::settings::Settings;
use crate::cli::stderr;

/// How long a session must have been inactive, unless `--since` sets another time.
const QUIET: Duration = Duration::from_hours(24);

pub(crate) const EXAMPLES: &str = "\
Examples:
  retval leftovers specs
  retval leftovers specs -0 | xargs -0 rm -f --";

#[derive(Debug, Args)]
pub(crate) struct LeftoversArgs {
    /// Folder to search
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,
    /// A session with a change after this time has not ended [default: 24h]
    ///
    /// RFC 3339, @ and seconds since 1970, or how long ago, such as 90s, 2h or 1d.
    #[arg(long, value_name = "TIME", value_parser = moment)]
    pub(crate) since: Option<SystemTime>,
    /// This session has not ended, however long it has been inactive
    #[arg(long, value_name = "ID", value_parser = visible)]
    pub(crate) session: Option<String>,
    /// End each path with a NUL, not a line feed
    #[arg(short = '0', long)]
    pub(crate) null: bool,
    #[command(flatten)]
    pub(crate) config: ConfigArgs,
}

/// The files that are left over together.
#[derive(PartialEq, Eq, Hash)]
enum Group {
    Session(String),
    /// Files without a session id, in this folder.
    Folder(PathBuf),
    /// A temporary file, alone.
    Temporary(PathBuf),
}

/// The files of one group, and the time of the last change to any of them.
struct Files {
    paths: Vec<PathBuf>,
    changed: SystemTime,
}

impl Default for Files {
    fn default() -> Self {
        Self {
            paths: Vec::new(),
            changed: SystemTime::UNIX_EPOCH,
        }
    }
}

impl Files {
    fn add(&mut self, path: &Path, changed: SystemTime) {
        self.paths.push(path.to_owned());
        self.changed = self.changed.max(changed);
    }
}

pub(crate) fn run(args: LeftoversArgs) -> anyhow::Result<Exit> {
    let settings = Settings::load(&args.config)?;
    if !args.folder.is_dir() {
        bail!("{}: not a folder", escape::path(&args.folder));
    }
    let since = args
        .since
        .or_else(|| SystemTime::now().checked_sub(QUIET))
        .unwrap_or(SystemTime::UNIX_EPOCH);
    let mut groups: HashMap<Group, Files> = HashMap::new();
    let mut details: HashMap<PathBuf, Files> = HashMap::new();
    let mut has_failed = false;
    let is_entered = |entry: &DirEntry| entry.file_name() != ".git";
    let entries = WalkDir::new(&args.folder).into_iter();
    for entry in entries.filter_entry(is_entered) {
        let added = entry
            .map_err(|error| anyhow::anyhow!("{}", escape::truncated(&error.to_string())))
            .and_then(|entry| match session_folder(&entry) {
                Some(folder) => add_detail(&mut details, folder, &entry),
                None => add(&mut groups, &entry, &settings),
            });
        if let Err(error) = added {
            stderr::error(&error);
            has_failed = true;
        }
    }
    for (folder, files) in details {
        let session = folder.file_name().unwrap_or_default().to_string_lossy();
        if let Some(own) = groups.get_mut(&Group::Session(session.into_owned()))
            && own.paths.iter().any(|path| path.starts_with(&folder))
        {
            own.paths.extend(files.paths);
            own.changed = own.changed.max(files.changed);
        }
    }
    let running = args.session.or_else(|| settings.values.session.clone());
    let running = running.map(Group::Session);
    let over = groups
        .into_iter()
        .filter(|(group, files)| Some(group) != running.as_ref() && files.changed < since);
    let mut paths: Vec<_> = over.flat_map(|(_, files)| files.paths).collect();
    paths.sort_unstable();
    let printed = print_stdout(&text(&paths, args.null))?;
    Ok(if has_failed { Exit::Unchecked } else { printed })
}

/// Adds a file to its group, if it is a metadata, a handoff or a temporary file.
fn add(
    groups: &mut HashMap<Group, Files>,
    entry: &DirEntry,
    settings: &Settings,
) -> anyhow::Result<()> {
    let path = entry.path();
    let mut profiles = settings.profiles();
    let is_candidate = |profile: &&Profile| profile.file.is_some() && profile.matches_path(path);
    let profile = profiles.find(is_candidate);
    let is_ours = profile.is_some() || is_temporary(entry.file_name());
    if !is_ours || !entry.file_type().is_file() {
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
    let most = (settings.values.max_bytes).map_or(BYTES_AT_MOST, ByteSize::bytes);
    let group = match profile {
        None => Group::Temporary(path.to_owned()),
        Some(profile) => match session(profile, file, most).with_context(cannot_read)? {
            Some(session) => Group::Session(session),
            None => Group::Folder(path.parent().unwrap_or(Path::new("")).to_owned()),
        },
    };
    groups.entry(group).or_default().add(path, changed);
    Ok(())
}

/// The folder of the session that a file has details of: `SESSION/reasoning/FILE`. Whether it is that of
/// a session is only known with its handoff files.
fn session_folder(entry: &DirEntry) -> Option<&Path> {
    const DETAILS: [&str; 3] = ["reasoning", "tests", "reviews"];
    let is_detail =
        entry.file_type().is_file() && entry.path().extension().is_some_and(|it| it == "md");
    let folder = entry.path().parent().filter(|_| is_detail)?;
    let is_known = DETAILS.iter().any(|known| folder.ends_with(known));
    folder.parent().filter(|_| is_known)
}

fn add_detail(
    details: &mut HashMap<PathBuf, Files>,
    folder: &Path,
    entry: &DirEntry,
) -> anyhow::Result<()> {
    let path = entry.path();
    let changed = path
        .metadata()
        .and_then(|it| it.modified())
        .with_context(|| format!("cannot read {}", escape::path(path)))?;
    let files = details.entry(folder.to_owned()).or_default();
    files.add(path, changed);
    Ok(())
}

/// The session id in a file. None if it has none or is not valid.
fn session(profile: &Profile, file: File, most: u64) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    file.take(most).read_to_end(&mut bytes)?;
    let session = match profile.shape {
        Shape::Return | Shape::Message => serde_json::from_slice::<Return<'_>>(&bytes)
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
