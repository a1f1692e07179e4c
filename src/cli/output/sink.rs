//! Where reports are written: to a stream at once, or to a file that is replaced at the end, unless it is an
//! input, too.

use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context as _, bail};

use crate::cli::files::{Replacement, target};
use crate::cli::output::{Exit, note};
use crate::text::escape;

/// Where an output goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum OutputPlace {
    Stdout,
    Stderr,
    File(PathBuf),
}

impl OutputPlace {
    /// The place that an option names: a file, or standard output if there is none or it is `-`.
    pub(crate) fn of(file: Option<&Path>) -> Self {
        let file = file.filter(|file| file.as_os_str() != "-");
        file.map_or(Self::Stdout, |file| Self::File(file.to_owned()))
    }

    pub(crate) fn file(&self) -> Option<&Path> {
        match self {
            Self::File(file) => Some(file),
            Self::Stdout | Self::Stderr => None,
        }
    }

    pub(crate) fn open(&self) -> anyhow::Result<Sink> {
        match self {
            Self::Stdout => Ok(Sink::Stdout),
            Self::Stderr => Ok(Sink::Stderr),
            Self::File(path) => open_file(path).with_context(|| cannot_write(path)),
        }
    }
}

pub(crate) enum Sink {
    Stdout,
    Stderr,
    /// A device or a pipe, which cannot be replaced.
    Direct(File, PathBuf),
    /// A file that takes its place when it is complete.
    Replacing(Box<Replacement>),
}

/// The reader of standard output or standard error has closed it. That is not an error of the run.
#[derive(Debug, thiserror::Error)]
#[error("the reader has closed the pipe")]
pub(crate) struct Closed;

impl Sink {
    /// Writes and flushes, so that a reader sees the text at once. Fails with [`Closed`] if no reader is
    /// left.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> anyhow::Result<()> {
        if bytes.is_empty() {
            return Ok(());
        }
        match self {
            Self::Stdout => write_to(io::stdout().lock(), bytes, "standard output"),
            Self::Stderr => write_to(io::stderr().lock(), bytes, "standard error"),
            Self::Direct(file, path) => file.write_all(bytes).with_context(|| cannot_write(path)),
            Self::Replacing(new) => {
                let written = new.file().write_all(bytes);
                written.with_context(|| cannot_write(&new.path))
            }
        }
    }

    /// Puts a complete file in its place, unless that would replace an input.
    pub(crate) fn finish(self, targets: &Targets) -> anyhow::Result<()> {
        let Self::Replacing(new) = self else {
            return Ok(());
        };
        if new.old.as_ref().is_some_and(|old| targets.was_read(old)) {
            bail!("writing {} would replace an input", escape::path(&new.path));
        }
        let path = new.path.clone();
        new.take_place().with_context(|| cannot_write(&path))
    }
}

fn write_to(mut stream: impl Write, bytes: &[u8], name: &str) -> anyhow::Result<()> {
    match stream.write_all(bytes).and_then(|()| stream.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Err(Closed.into()),
        written => written.with_context(|| format!("cannot write to {name}")),
    }
}

fn cannot_write(path: &Path) -> String {
    format!("cannot write {}", escape::path(path))
}

fn open_file(path: &Path) -> anyhow::Result<Sink> {
    // A file that they are redirected to is never replaced: other programs may be writing to it.
    match path.as_os_str().as_encoded_bytes() {
        b"/dev/stdout" => return Ok(Sink::Stdout),
        b"/dev/stderr" => return Ok(Sink::Stderr),
        _ => {}
    }
    match fs::metadata(path) {
        Ok(found) if found.is_dir() => bail!("it is a folder"),
        // Opened by the path that was given: what it leads to may have no path.
        Ok(found) if !found.is_file() => {
            Ok(Sink::Direct(open_direct(path, &found)?, path.to_owned()))
        }
        // Replacing needs no permission on the file itself, but a read-only file should stay.
        Ok(found) if found.permissions().readonly() => {
            Err(io::Error::from(ErrorKind::PermissionDenied).into())
        }
        found => {
            let new = Replacement::new(&target(path), found.ok())?;
            Ok(Sink::Replacing(Box::new(new)))
        }
    }
}

/// Opens a device or a pipe. As in a shell, opening a named pipe waits for a reader. A note tells the
/// user about the wait.
fn open_direct(path: &Path, found: &Metadata) -> io::Result<File> {
    #[cfg(unix)]
    if std::os::unix::fs::FileTypeExt::is_fifo(&found.file_type()) {
        use rustix::fs::{Mode, OFlags, fcntl_setfl, open};
        let at_once = OFlags::WRONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        match open(path, at_once, Mode::empty()) {
            Ok(file) => {
                // From here on, writing waits for the reader.
                fcntl_setfl(&file, OFlags::empty())?;
                return Ok(file.into());
            }
            Err(rustix::io::Errno::NXIO) => {
                note(&format!("waiting for a reader of {}", escape::path(path)));
            }
            Err(error) => return Err(error.into()),
        }
    }
    let _ = found;
    File::options().write(true).open(path)
}

/// Writes a whole output. A file is replaced.
pub(crate) fn write_output(place: &OutputPlace, bytes: &[u8]) -> anyhow::Result<()> {
    let mut sink = place.open()?;
    sink.write(bytes)?;
    sink.finish(&Targets::default())
}

pub(crate) fn print_stdout(text: impl AsRef<[u8]>) -> anyhow::Result<Exit> {
    Sink::Stdout.write(text.as_ref())?;
    Ok(Exit::Valid)
}

/// The files that a run writes. They must not be its inputs, too.
#[derive(Debug, Default)]
pub(crate) struct Targets {
    /// Files that outputs replace, and whether each was read as input: then it must stay.
    replaced: Vec<(FileId, AtomicBool)>,
    /// The error log, which grows while returns are read.
    log: Option<PathBuf>,
}

/// Identifies a file, whatever its name: device and inode.
type FileId = (u64, u64);

impl Targets {
    pub(crate) fn new<'p>(outputs: impl Iterator<Item = &'p Path>, log: Option<&'p Path>) -> Self {
        let files = outputs.filter_map(|file| file.metadata().ok());
        let files = files.filter(Metadata::is_file).filter_map(|it| id(&it));
        Self {
            replaced: files.map(|id| (id, AtomicBool::new(false))).collect(),
            log: log.map(target),
        }
    }

    /// Marks a file as read.
    pub(crate) fn note_read(&self, file: &Metadata) {
        for was_read in self.marks(file) {
            was_read.store(true, Ordering::Relaxed);
        }
    }

    fn was_read(&self, file: &Metadata) -> bool {
        self.marks(file).any(|it| it.load(Ordering::Relaxed))
    }

    fn marks(&self, file: &Metadata) -> impl Iterator<Item = &AtomicBool> {
        let files = self.replaced.iter();
        files.filter_map(|(replaced, mark)| (Some(*replaced) == id(file)).then_some(mark))
    }

    /// Refuses to check the error log: each record would be one more input, without end.
    pub(crate) fn refuse_log(&self, path: &Path) -> io::Result<()> {
        match &self.log {
            Some(log) if target(path) == *log => {
                Err(io::Error::other("this run appends to it (--errors-json)"))
            }
            _ => Ok(()),
        }
    }
}

/// None on systems without file numbers.
#[cfg(unix)]
#[allow(clippy::unnecessary_wraps, reason = "not every system has them")]
fn id(file: &Metadata) -> Option<FileId> {
    use std::os::unix::fs::MetadataExt as _;
    Some((file.dev(), file.ino()))
}

// The standard library has no file numbers on Windows. There, an input that an option names is
// recognised by its path.
#[cfg(not(unix))]
fn id(_: &Metadata) -> Option<FileId> {
    None
}
