//! The file that an agent returns instead of a final message.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::Root;
use crate::check::rules::return_file::is_older;
use crate::document::json::read;
use crate::root::Found;
use crate::text::escape;
use anyhow::Context as _;
use globset::GlobBuilder;
use walkdir::WalkDir;

use crate::cli::hook::session::AcceptedFile;
use crate::cli::stderr;

pub(super) struct WrittenFile {
    pub(super) bytes: Vec<u8>,
    pub(super) path: PathBuf,
    pub(super) written: SystemTime,
}

pub(super) enum Newest {
    File(WrittenFile),
    /// None counts. If there is a reason, such as a file of an earlier run, it is safe to print.
    None(Option<String>),
}

/// What is known about the agent, to tell its own file from others.
pub(super) struct Wanted<'w> {
    pub(super) agent: &'w str,
    /// Identifies the agent. None for one without an id: it would look like another agent at its next
    /// event.
    pub(super) key: Option<&'w str>,
    pub(super) started: Option<SystemTime>,
    /// Most bytes to read of a file.
    pub(super) most: u64,
    /// The files that were accepted before.
    pub(super) accepted: &'w [AcceptedFile],
}

impl Wanted<'_> {
    /// Whether a file was accepted as a return of this agent (true) or of another one (false), and has not
    /// changed since. None if it was not accepted.
    pub(super) fn owner(&self, path: &Path, written: SystemTime) -> Option<bool> {
        let (key, path) = (self.key?, path.canonicalize().ok()?);
        let is_it = |it: &&AcceptedFile| it.path == path && it.written == written;
        Some(self.accepted.iter().find(is_it)?.key == key)
    }

    /// The note that a file was accepted as a return of this agent.
    pub(super) fn accept(&self, file: &WrittenFile) -> Option<AcceptedFile> {
        Some(AcceptedFile {
            path: file.path.canonicalize().ok()?,
            key: self.key?.to_owned(),
            written: file.written,
        })
    }
}

/// Finds the newest file below `folder` (the path of the root) that matches `glob` and names the agent
/// as its author. If there is none, the newest that names no author.
pub(super) fn newest(
    (folder, root): (&Path, &Root),
    glob: &str,
    wanted: &Wanted<'_>,
) -> anyhow::Result<Newest> {
    let shown = escape::truncated(glob);
    let Some(glob) = below_root(folder, glob) else {
        return Ok(Newest::None(Some("it is outside the root".to_owned())));
    };
    let glob = &*glob;
    let matcher = GlobBuilder::new(glob)
        .literal_separator(true)
        .build()
        .with_context(|| format!("cannot use the glob {shown}"))?
        .compile_matcher();
    let mut found: Vec<(SystemTime, PathBuf)> = Vec::new();
    let enter = |entry: &walkdir::DirEntry| {
        entry.file_name() != ".git" && entry.file_name() != "node_modules"
    };
    let start = beginning(folder, glob);
    if !leads_below(folder, &start) {
        return Ok(Newest::None(None));
    }
    for entry in WalkDir::new(start)
        .into_iter()
        .filter_entry(enter)
        .flatten()
    {
        let below = entry.path().strip_prefix(folder).unwrap_or(entry.path());
        if entry.file_type().is_file() && matcher.is_match(below) {
            let changed = entry
                .metadata()
                .ok()
                .and_then(|metadata| metadata.modified().ok());
            let below = below.to_owned();
            found.push((changed.unwrap_or(SystemTime::UNIX_EPOCH), below));
        }
    }
    found.sort_by(|one, other| other.cmp(one));
    let is_foreign = |path: &Path, written| {
        let is_older = |started| is_older(written, started);
        let owner = || wanted.owner(&folder.join(path), written);
        wanted.started.is_some_and(is_older) || owner().is_some_and(|is_own| !is_own)
    };
    let (mut unsigned, mut passed_over) = (None, None);
    for (written, path) in found {
        let bytes = match root.read(&path, wanted.most) {
            Ok(bytes) => bytes,
            Err(Found::Unreadable) => {
                let why = format!("{} cannot be read", escape::path(&path));
                stderr::note(&format!("{why}; the next file that matches is checked"));
                passed_over.get_or_insert(why);
                continue;
            }
            // The file was moved in the meantime.
            Err(_) => continue,
        };
        let author = author(&bytes);
        if author.as_ref().is_some_and(|author| author != wanted.agent) {
            continue;
        }
        if is_foreign(&path, written) {
            passed_over.get_or_insert_with(|| {
                let path = escape::path(&path);
                format!("{path} is from an earlier run or from another agent")
            });
            continue;
        }
        let path = folder.join(path);
        let file = WrittenFile {
            bytes,
            path,
            written,
        };
        if author.is_some() {
            return Ok(Newest::File(file));
        }
        unsigned = unsigned.or(Some(file));
    }
    Ok(unsigned.map_or(Newest::None(passed_over), Newest::File))
}

/// Makes a glob relative to the root. It may have a leading `./`, or be an absolute path. None if it is
/// absolute and not below the root.
fn below_root(folder: &Path, glob: &str) -> Option<String> {
    let mut glob = glob;
    while let Some(rest) = glob.strip_prefix("./") {
        glob = rest.trim_start_matches('/');
    }
    if !Path::new(glob).is_absolute() {
        return Some(glob.to_owned());
    }
    let resolved = folder.canonicalize().ok();
    let roots = [std::path::absolute(folder).ok(), resolved];
    let below = roots.iter().flatten().find_map(|root| {
        let rest = glob.strip_prefix(root.to_str()?)?;
        let below = rest.trim_start_matches('/');
        (below.len() < rest.len() || root.parent().is_none()).then_some(below)
    });
    below.map(str::to_owned)
}

/// The folder that every match is below: the path in the glob before its first wildcard.
fn beginning(folder: &Path, glob: &str) -> PathBuf {
    let plain = glob
        .split('/')
        .take_while(|part| !part.contains(['*', '?', '[', '{']));
    let fixed: PathBuf = plain.collect();
    let is_wild = glob.contains(['*', '?', '[', '{']);
    folder.join(if is_wild {
        &fixed
    } else {
        fixed.parent().unwrap_or(Path::new(""))
    })
}

/// Whether `start` is inside `folder` after symlinks are resolved: an agent can create symlinks.
fn leads_below(folder: &Path, start: &Path) -> bool {
    let resolved = |path: &Path| path.canonicalize().ok();
    let (folder, start) = (resolved(folder), resolved(start));
    start
        .zip(folder)
        .is_some_and(|(start, folder)| start.starts_with(folder))
}

fn author(bytes: &[u8]) -> Option<String> {
    let tree = read(std::str::from_utf8(bytes).ok()?).ok()?;
    let agent = tree.root().object_of("metadata")?.text_of("agent_type")?;
    Some(agent.to_owned())
}
