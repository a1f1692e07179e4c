//! The inputs to check, in the order of the command line.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::bail;

use crate::cli::input::find::{FolderWalk, PathList, has_lines};
use crate::cli::input::globs::Globs;
use crate::cli::input::lines::{LinePart, Lines};
use crate::cli::input::{InputEntry, Origin, is_dash, open_found, terminal_hint};
use crate::cli::output::note;
use crate::cli::output::terminal::is_input_typed;
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
    is_empty: bool,
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
        let list = options.files_from.map(PathList::read).transpose()?;
        for path in list.iter().flat_map(PathList::clone) {
            let option = options.globs.option_of(&path).filter(|it| *it != "--baseline");
            if let Some(option) = option {
                bail!("{option} would write to {}, which is an input", escape::path(&path));
            }
        }
        Ok(Self {
            is_single: is_single(&options),
            paths: options.paths.iter(),
            options,
            list,
            stdin_by_default,
            walk: None,
            lines: None,
            is_empty: true,
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
    pub(crate) fn next(&mut self, block: &mut Vec<u8>) -> Option<Job> {
        loop {
            if let Some(job) = self.next_lines(block) {
                return Some(job);
            }
            let batch = self.next_batch();
            if !batch.is_empty() {
                return Some(Job::Files(batch));
            }
            self.lines.as_ref()?;
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

    /// The next files. If the next input is a stream, it is opened.
    fn next_batch(&mut self) -> Vec<InputEntry> {
        let mut batch = Vec::new();
        while batch.len() < BATCH && self.lines.is_none() {
            match self.next_entry() {
                None => break,
                Some(InputEntry::Return(origin)) if self.is_lines(&origin) => {
                    self.open_lines(origin, &mut batch);
                }
                Some(entry) => batch.push(entry),
            }
        }
        batch
    }

    /// The next input, but for the files that an option names: a report of an earlier run is no return.
    fn next_entry(&mut self) -> Option<InputEntry> {
        loop {
            let entry = if let Some(entry) = self.walk.as_mut().and_then(FolderWalk::next) {
                entry
            } else {
                self.walk = None;
                match self.next_origin()? {
                    Origin::Named(path) if self.options.globs.excludes(&path) => {
                        note(&format!("{} is excluded", escape::path(&path)));
                        continue;
                    }
                    Origin::Named(path) if !self.is_single && path.is_dir() => {
                        self.walk = Some(FolderWalk::new(path, self.options.globs.clone()));
                        continue;
                    }
                    origin => InputEntry::Return(origin),
                }
            };
            if let InputEntry::Return(origin) = &entry
                && let Some(option) = self.options.globs.option_of(origin.path())
            {
                note(&format!("{} is skipped: {option} names it", escape::path(origin.path())));
                continue;
            }
            self.is_empty = false;
            return Some(entry);
        }
    }

    fn next_origin(&mut self) -> Option<Origin> {
        if std::mem::take(&mut self.stdin_by_default) {
            return Some(Origin::Stdin);
        }
        match self.paths.next() {
            Some(path) if is_dash(path) => Some(Origin::Stdin),
            Some(path) => Some(Origin::Named(path.clone())),
            None => self.list.as_mut()?.next().map(Origin::Named),
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
                let lines = Lines::new(stream, self.options.line_bytes);
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
