//! Where reports are written: to a stream at once, or to a file that is replaced at the end.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};

use crate::cli::files::{Replacement, target};
use crate::cli::output::{Exit, terminal};
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

    /// Puts a complete file in its place.
    pub(crate) fn finish(self) -> anyhow::Result<()> {
        let Self::Replacing(new) = self else {
            return Ok(());
        };
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
        // Opened by the path that was given: what it leads to may have no path. As in a shell, opening a named
        // pipe waits for a reader.
        Ok(found) if !found.is_file() => {
            let file = File::options().write(true).open(path)?;
            Ok(Sink::Direct(file, path.to_owned()))
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

/// Fails if standard output is closed. Writing to it would succeed, and what was written would be lost.
pub(crate) fn refuse_closed() -> anyhow::Result<()> {
    if terminal::is_stdout_closed() {
        bail!("cannot write to standard output: it is closed");
    }
    Ok(())
}

/// Writes a whole output. A file is replaced.
pub(crate) fn write_output(place: &OutputPlace, bytes: &[u8]) -> anyhow::Result<()> {
    let mut sink = place.open()?;
    sink.write(bytes)?;
    sink.finish()
}

pub(crate) fn print_stdout(text: impl AsRef<[u8]>) -> anyhow::Result<Exit> {
    Sink::Stdout.write(text.as_ref())?;
    Ok(Exit::Valid)
}
