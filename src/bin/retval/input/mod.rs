//! Where returns come from: all reading of them is here.
//!
//! A [`Feed`] hands out work in the order of the command line, a batch of files or a block of
//! lines at a time, and never holds more than that.

mod files;
mod lines;
mod path_list;
mod walk;

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, IsTerminal as _, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::bail;
use retval::Base;
use retval::text::escape;

pub(crate) use files::Opener;
pub(crate) use lines::Block;
use lines::{Lines, Part};
use path_list::PathList;
use walk::FolderWalk;
pub(crate) use walk::Globs;

use crate::output::Targets;

/// Files that one worker takes at a time.
const BATCH: usize = 32;

/// Something to check, or to report as not checked.
pub(crate) enum Job {
    /// One return a file.
    Files(Vec<InputEntry>),
    /// One return a line; the lines are in the worker's block.
    Lines { source: Arc<Origin>, base: Base },
    /// A line that is longer than any return may be.
    Oversized { source: Arc<Origin>, base: Base },
}

/// Where a return comes from.
#[derive(Debug)]
pub(crate) enum Origin {
    Stdin,
    /// A file that the command line names.
    Named(PathBuf),
    /// A file that was found in a folder.
    Found(PathBuf),
}

/// A file to check, or why it cannot be.
pub(crate) enum InputEntry {
    Return(Origin),
    Unreadable { name: String, error: anyhow::Error },
}

impl Origin {
    /// Its name in reports.
    pub(crate) fn name(&self) -> Cow<'_, str> {
        // Asked for every file: most names are text, which is told sooner than where one is not.
        let path = self.path();
        path.to_str()
            .map_or_else(|| path.to_string_lossy(), Cow::Borrowed)
    }

    pub(crate) fn path(&self) -> &Path {
        match self {
            Self::Stdin => Path::new("-"),
            Self::Named(path) | Self::Found(path) => path,
        }
    }
}

/// What the command line asks to be checked.
pub(crate) struct Wanted<'o> {
    pub(crate) paths: &'o [PathBuf],
    pub(crate) files_from: Option<&'o Path>,
    /// Standard input is one return a line.
    pub(crate) ndjson: bool,
    pub(crate) globs: Globs,
    pub(crate) max_bytes: u64,
    pub(crate) targets: &'o Targets,
}

/// Hands out everything that is to be checked, in order.
pub(crate) struct Feed<'o> {
    wanted: Wanted<'o>,
    paths: std::slice::Iter<'o, PathBuf>,
    list: Option<PathList>,
    /// Standard input is read because nothing else was named.
    stdin_by_default: bool,
    walk: Option<FolderWalk>,
    lines: Option<(Lines, Arc<Origin>)>,
    /// An entry that was met before its turn.
    held_back: Option<InputEntry>,
}

impl<'o> Feed<'o> {
    pub(crate) fn new(wanted: Wanted<'o>) -> anyhow::Result<Self> {
        let named = wanted
            .paths
            .iter()
            .map(PathBuf::as_path)
            .chain(wanted.files_from);
        let dashes = named.filter(|path| is_dash(path)).count();
        let stdin_by_default = wanted.paths.is_empty() && wanted.files_from.is_none();
        if dashes > 1 {
            bail!("standard input can be read only once");
        }
        if (stdin_by_default || dashes == 1) && io::stdin().is_terminal() {
            bail!(terminal("check"));
        }
        let list = wanted.files_from.map(PathList::open).transpose()?;
        let paths = wanted.paths.iter();
        Ok(Self {
            wanted,
            paths,
            list,
            stdin_by_default,
            walk: None,
            lines: None,
            held_back: None,
        })
    }

    /// Whether there is exactly one return to check: no stream, no folder, no list.
    pub(crate) fn is_single(&self) -> bool {
        match self.wanted.paths {
            _ if self.wanted.files_from.is_some() => false,
            [] => !self.wanted.ndjson,
            [path] if is_dash(path) => !self.wanted.ndjson,
            [path] => !is_stream(path) && !path.is_dir(),
            _ => false,
        }
    }

    /// Whether standard input is checked, not only listed.
    pub(crate) fn reads_stdin(&self) -> bool {
        self.stdin_by_default || self.wanted.paths.iter().any(|path| is_dash(path))
    }

    /// Whether everything that is named is a stream of lines.
    pub(crate) fn is_lines_only(&self) -> bool {
        let is_lines = |path: &PathBuf| {
            if is_dash(path) {
                self.wanted.ndjson
            } else {
                is_stream(path) && !path.is_dir()
            }
        };
        self.wanted.files_from.is_none()
            && self.wanted.paths.iter().all(is_lines)
            && (self.wanted.ndjson || !self.stdin_by_default)
    }

    /// The next job; its lines, if it has any, go into `block`. None when all is handed out.
    pub(crate) fn next(&mut self, block: &mut Block) -> anyhow::Result<Option<Job>> {
        loop {
            if let Some(job) = self.next_lines(block) {
                return Ok(Some(job));
            }
            let batch = self.next_batch()?;
            if !batch.is_empty() {
                return Ok(Some(Job::Files(batch)));
            }
            if self.lines.is_none() {
                return Ok(None);
            }
        }
    }

    /// The next lines of the stream that is open; it is closed at its end.
    fn next_lines(&mut self, block: &mut Block) -> Option<Job> {
        let (lines, source) = self.lines.as_mut()?;
        let (base, source) = (lines.base(), Arc::clone(source));
        match lines.fill(block) {
            Ok(Part::Lines) => return Some(Job::Lines { source, base }),
            Ok(Part::Oversized) => return Some(Job::Oversized { source, base }),
            Ok(Part::End) => self.lines = None,
            Err(error) => {
                self.lines = None;
                return Some(Job::Files(vec![unread(source.path(), error)]));
            }
        }
        None
    }

    /// Files up to the next one that may have to be waited for: what is known is not kept waiting
    /// with it. A stream is opened when nothing stands before it.
    fn next_batch(&mut self) -> anyhow::Result<Vec<InputEntry>> {
        let mut batch = Vec::new();
        while batch.len() < BATCH {
            let next = match self.held_back.take() {
                Some(entry) => Some(entry),
                None => self.next_entry()?,
            };
            let Some(entry) = next else { break };
            if Self::may_wait(&entry) && !batch.is_empty() {
                self.held_back = Some(entry);
                break;
            }
            match entry {
                InputEntry::Return(origin) if self.is_lines(&origin) => {
                    self.open_lines(origin, &mut batch);
                    break;
                }
                entry => batch.push(entry),
            }
            if self.list.as_ref().is_some_and(PathList::is_waiting) {
                break;
            }
        }
        Ok(batch)
    }

    /// Whether reading an entry may take as long as somebody else likes.
    fn may_wait(entry: &InputEntry) -> bool {
        match entry {
            InputEntry::Return(Origin::Stdin) => true,
            InputEntry::Return(Origin::Named(path)) => is_stream(path) || !path.is_file(),
            InputEntry::Return(Origin::Found(path)) => is_stream(path),
            InputEntry::Unreadable { .. } => false,
        }
    }

    fn next_entry(&mut self) -> anyhow::Result<Option<InputEntry>> {
        loop {
            if let Some(walk) = &mut self.walk {
                match walk.next() {
                    None => self.walk = None,
                    entry => return Ok(entry),
                }
            }
            match self.next_origin()? {
                Some(Origin::Named(path)) if path.is_dir() => {
                    self.walk = Some(FolderWalk::new(path, self.wanted.globs.clone()));
                }
                origin => return Ok(origin.map(InputEntry::Return)),
            }
        }
    }

    fn next_origin(&mut self) -> anyhow::Result<Option<Origin>> {
        if std::mem::take(&mut self.stdin_by_default) {
            return Ok(Some(Origin::Stdin));
        }
        if let Some(path) = self.paths.next() {
            return Ok(Some(if is_dash(path) {
                Origin::Stdin
            } else {
                Origin::Named(path.clone())
            }));
        }
        match &mut self.list {
            Some(list) => Ok(list.next()?.map(Origin::Named)),
            None => Ok(None),
        }
    }

    fn is_lines(&self, origin: &Origin) -> bool {
        match origin {
            Origin::Stdin => self.wanted.ndjson,
            Origin::Named(path) | Origin::Found(path) => is_stream(path),
        }
    }

    fn open_lines(&mut self, origin: Origin, batch: &mut Vec<InputEntry>) {
        let reader: io::Result<Box<dyn Read + Send>> = match &origin {
            Origin::Stdin => Ok(Box::new(io::stdin())),
            Origin::Named(path) => (self.wanted.targets.refuse_log(path))
                .and_then(|()| File::open(path))
                .map(|file| Box::new(file) as _),
            Origin::Found(path) => files::open_found(path).map(|file| Box::new(file) as _),
        };
        if let Ok(found) = origin.path().metadata() {
            self.wanted.targets.note_read(&found);
        }
        match reader {
            Ok(reader) => {
                self.lines = Some((Lines::new(reader, self.wanted.max_bytes), Arc::new(origin)));
            }
            Err(error) => batch.push(unread(origin.path(), error)),
        }
    }
}

/// Two lines, one for each way to give input.
fn terminal(command: &str) -> String {
    format!(
        "standard input is a terminal: name a file, as in `retval {command} return.json`,\n       \
         or pipe a return in, as in `some-agent | retval {command}`"
    )
}

/// Reads the one return of a command that takes one: a file, or standard input where none is named.
pub(crate) fn one(
    path: Option<&Path>,
    (command, most): (&str, u64),
    targets: &Targets,
) -> anyhow::Result<(Origin, Vec<u8>)> {
    let origin = match path {
        Some(path) if !is_dash(path) => Origin::Named(path.to_owned()),
        _ if io::stdin().is_terminal() => bail!(terminal(command)),
        _ => Origin::Stdin,
    };
    let mut bytes = Vec::new();
    Opener::default().read(&origin, most, targets, &mut bytes)?;
    Ok((origin, bytes))
}

fn unread(path: &Path, error: io::Error) -> InputEntry {
    let name = if is_dash(path) {
        "standard input".to_owned()
    } else {
        escape::path(path)
    };
    let error = anyhow::Error::new(error).context(format!("cannot read {name}"));
    InputEntry::Unreadable {
        name: path.to_string_lossy().into_owned(),
        error,
    }
}

fn is_dash(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Whether a file holds one return a line, by its name.
fn is_stream(path: &Path) -> bool {
    has_extension(path, "ndjson") || has_extension(path, "jsonl")
}

/// Asked of every file more than once, so by its bytes: `Path` takes itself apart anew each time.
fn has_extension(path: &Path, extension: &str) -> bool {
    let stem = path.as_os_str().as_encoded_bytes();
    let stem = stem.strip_suffix(extension.as_bytes());
    let stem = stem.and_then(|stem| stem.strip_suffix(b"."));
    stem.and_then(<[u8]>::last)
        .is_some_and(|last| !std::path::is_separator(char::from(*last)))
}
