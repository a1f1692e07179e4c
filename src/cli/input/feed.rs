//! The inputs to check, in the order of the command line.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{anyhow, bail};

use crate::cli::input::find::{FolderWalk, PathList, has_lines};
use crate::cli::input::globs::{Globs, is_stream};
use crate::cli::input::lines::{LinePart, Lines};
use crate::cli::input::{InputEntry, Origin, is_dash, open_found, terminal_hint};
use crate::cli::output::note;
use crate::cli::output::terminal::is_input_typed;
use crate::root::BatchClock;
use crate::text::{Base, escape};

/// The most files that a worker takes at a time.
const BATCH: usize = 64;

/// A unit of work: inputs to check, or to report as not checked.
pub(crate) enum Job {
    /// Files with one return each.
    Files(Vec<InputEntry>),
    /// Lines with one return each. The lines are in the block of the worker.
    Lines { source: Arc<Origin>, base: Base },
    /// A line that exceeds the size limit of a return.
    Oversized { source: Arc<Origin>, base: Base },
}

pub(crate) struct FeedOptions<'o> {
    pub(crate) paths: &'o [PathBuf],
    pub(crate) files_from: Option<&'o Path>,
    /// Whether standard input has one return on each line.
    pub(crate) has_lines: bool,
    pub(crate) globs: Globs,
    /// The most bytes of a line.
    pub(crate) line_bytes: u64,
    pub(crate) clock: BatchClock,
}

/// Yields all inputs, in order.
pub(crate) struct Feed<'o> {
    options: FeedOptions<'o>,
    is_single: bool,
    paths: std::slice::Iter<'o, PathBuf>,
    list: Option<PathList>,
    /// Whether standard input is read because no other input was named.
    stdin_by_default: bool,
    walk: Option<FolderWalk>,
    lines: Option<(Lines, Arc<Origin>)>,
    /// The first entry of the next batch, if it has been read already.
    held_back: Option<InputEntry>,
    is_empty: bool,
    /// How many inputs were files that an option names.
    named: usize,
}

impl<'o> Feed<'o> {
    pub(crate) fn new(options: FeedOptions<'o>) -> anyhow::Result<Self> {
        let named = options.paths.iter().map(PathBuf::as_path);
        let dashes = named.chain(options.files_from).filter(|path| is_dash(path));
        let dashes = dashes.count();
        let stdin_by_default = options.paths.is_empty() && options.files_from.is_none();
        if dashes > 1 {
            bail!("standard input can be read only once");
        }
        if (stdin_by_default || dashes == 1) && is_input_typed() {
            bail!(terminal_hint("check"));
        }
        let list = options.files_from.map(PathList::open).transpose()?;
        Ok(Self {
            is_single: is_single(&options),
            paths: options.paths.iter(),
            options,
            list,
            stdin_by_default,
            walk: None,
            lines: None,
            held_back: None,
            is_empty: true,
            named: 0,
        })
    }

    /// Whether there is exactly one return to check: no stream, folder or list.
    pub(crate) fn is_single(&self) -> bool {
        self.is_single
    }

    /// Whether it had nothing to check, not even something that could not be read.
    pub(crate) fn is_empty(&self) -> bool {
        self.is_empty
    }

    /// Whether one of the inputs was a file that an option names, which must stay as it is.
    pub(crate) fn has_named(&self) -> bool {
        self.named > 0
    }

    /// Whether all inputs are streams of lines.
    pub(crate) fn is_lines_only(&self) -> bool {
        let is_lines = |path: &PathBuf| {
            if is_dash(path) { self.options.has_lines } else { !path.is_dir() && has_lines(path) }
        };
        self.options.files_from.is_none()
            && self.options.paths.iter().all(is_lines)
            && (self.options.has_lines || !self.stdin_by_default)
    }

    /// The next job, or `None` at the end. The lines of a job are put into `block`.
    pub(crate) fn next(&mut self, block: &mut Vec<u8>) -> anyhow::Result<Option<Job>> {
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

    /// The next lines of the open stream. None at its end, where it is closed.
    fn next_lines(&mut self, block: &mut Vec<u8>) -> Option<Job> {
        let (lines, source) = self.lines.as_mut()?;
        let (base, source) = (lines.base(), Arc::clone(source));
        match lines.fill(block) {
            Ok(LinePart::Lines) => return Some(Job::Lines { source, base }),
            Ok(LinePart::Oversized) => return Some(Job::Oversized { source, base }),
            Ok(LinePart::End) => self.lines = None,
            Err(error) => {
                self.lines = None;
                return Some(Job::Files(vec![InputEntry::unread(source.path(), error)]));
            }
        }
        None
    }

    /// The next files. The batch ends before a file that may block, so that the results of the files
    /// before it are not delayed. If the first input is a stream, it is opened.
    fn next_batch(&mut self) -> anyhow::Result<Vec<InputEntry>> {
        let mut batch = Vec::new();
        while batch.len() < BATCH {
            let entry = match self.held_back.take() {
                None => self.next_entry()?,
                held_back => held_back,
            };
            match entry {
                None => break,
                Some(entry) if !batch.is_empty() && Self::may_wait(&entry) => {
                    self.held_back = Some(entry);
                    break;
                }
                Some(InputEntry::Return(origin)) if self.is_lines(&origin) => {
                    self.open_lines(origin, &mut batch);
                    break;
                }
                Some(entry) => batch.push(entry),
            }
            if self.list.as_ref().is_some_and(PathList::is_waiting) {
                break;
            }
        }
        Ok(batch)
    }

    /// Whether reading an entry may block, as for a pipe or a stream.
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
            if let Some(entry) = self.walk.as_mut().and_then(FolderWalk::next) {
                self.is_empty = false;
                return Ok(Some(entry));
            }
            self.walk = None;
            match self.next_origin()? {
                Some(Origin::Named(path)) if self.options.globs.excludes(&path) => {
                    note(&format!("{} is excluded", escape::path(&path)));
                }
                Some(Origin::Named(path)) if !self.is_single && path.is_dir() => {
                    self.walk = Some(FolderWalk::new(path, self.options.globs.clone()));
                }
                origin => {
                    self.is_empty &= origin.is_none();
                    return Ok(origin.map(|it| self.entry(it)));
                }
            }
        }
    }

    fn entry(&mut self, origin: Origin) -> InputEntry {
        let path = origin.path();
        match self.options.globs.option_of(path) {
            None => InputEntry::Return(origin),
            Some(option) => {
                self.named += 1;
                let why = format!("cannot check {}: {option} names it", escape::path(path));
                InputEntry::unreadable(path, anyhow!(why))
            }
        }
    }

    fn next_origin(&mut self) -> anyhow::Result<Option<Origin>> {
        if std::mem::take(&mut self.stdin_by_default) {
            return Ok(Some(Origin::Stdin));
        }
        match (self.paths.next(), &mut self.list) {
            (Some(path), _) if is_dash(path) => Ok(Some(Origin::Stdin)),
            (Some(path), _) => Ok(Some(Origin::Named(path.clone()))),
            (None, Some(list)) => Ok(list.next()?.map(Origin::Named)),
            (None, None) => Ok(None),
        }
    }

    fn is_lines(&self, origin: &Origin) -> bool {
        match origin {
            Origin::Stdin => self.options.has_lines,
            origin => has_lines(origin.path()),
        }
    }

    fn open_lines(&mut self, origin: Origin, batch: &mut Vec<InputEntry>) {
        let boxed = |file| Box::new(file) as Box<dyn Read + Send>;
        let stream = match &origin {
            Origin::Stdin => Ok(Box::new(io::stdin()) as Box<dyn Read + Send>),
            Origin::Named(path) => File::open(path).map(boxed),
            Origin::Found(path) => open_found(path).map(boxed),
        };
        match stream {
            Ok(stream) => {
                let clock = self.options.clock.clone();
                let lines = Lines::new(stream, self.options.line_bytes, clock);
                self.lines = Some((lines, Arc::new(origin)));
            }
            Err(error) => batch.push(InputEntry::unread(origin.path(), error)),
        }
    }
}

fn is_single(options: &FeedOptions<'_>) -> bool {
    match options.paths {
        _ if options.files_from.is_some() => false,
        [] => !options.has_lines,
        [path] if is_dash(path) => !options.has_lines,
        [path] => !has_lines(path) && !path.is_dir(),
        _ => false,
    }
}
