//! Where reports go: standard output as they are made, files as a whole at the end.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use retval::escape;
use retval::report::{Judged, Reporter, Source, Totals};
use tempfile::{Builder, NamedTempFile};

/// A reporter and what it writes to.
pub(crate) struct Output {
    reporter: Box<dyn Reporter>,
    sink: Sink,
    buffer: Vec<u8>,
    is_first: bool,
}

enum Sink {
    Stdout,
    /// A device or a pipe, which cannot be replaced.
    Direct(File, PathBuf),
    /// A file that takes its place when it is complete.
    Replacing(NamedTempFile, PathBuf),
}

impl Output {
    pub(crate) fn open(reporter: Box<dyn Reporter>, file: Option<&Path>) -> anyhow::Result<Self> {
        let sink = match file {
            None => Sink::Stdout,
            Some(path) => open_file(path).with_context(|| cannot_write(path))?,
        };
        let mut buffer = Vec::new();
        reporter.begin(&mut buffer);
        Ok(Self {
            reporter,
            sink,
            buffer,
            is_first: true,
        })
    }

    pub(crate) fn report(&mut self, source: &Source<'_>, judged: Judged<'_>) -> anyhow::Result<()> {
        let before = self.buffer.len();
        if !self.is_first {
            self.buffer.extend_from_slice(self.reporter.between());
        }
        let start = self.buffer.len();
        self.reporter.one(source, judged, &mut self.buffer);
        if self.buffer.len() == start {
            self.buffer.truncate(before);
        } else {
            self.is_first = false;
        }
        self.flush()
    }

    pub(crate) fn finish(mut self, totals: &Totals) -> anyhow::Result<()> {
        self.reporter.finish(totals, &mut self.buffer);
        self.flush()?;
        if let Sink::Replacing(file, path) = self.sink {
            let replaced = file
                .as_file()
                .sync_all()
                .and_then(|()| file.persist(&path).map_err(|error| error.error));
            replaced.with_context(|| cannot_write(&path))?;
        }
        Ok(())
    }

    fn flush(&mut self) -> anyhow::Result<()> {
        match &mut self.sink {
            Sink::Stdout => {
                write_stdout(&self.buffer).context("cannot write to standard output")?;
            }
            Sink::Direct(file, path) => file
                .write_all(&self.buffer)
                .with_context(|| cannot_write(path))?,
            Sink::Replacing(file, path) => file
                .write_all(&self.buffer)
                .with_context(|| cannot_write(path))?,
        }
        self.buffer.clear();
        Ok(())
    }
}

fn write_stdout(bytes: &[u8]) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(bytes)?;
    stdout.flush()
}

fn cannot_write(path: &Path) -> String {
    format!("cannot write {}", escape::path(path))
}

fn open_file(path: &Path) -> anyhow::Result<Sink> {
    // A link stays a link: what it leads to is replaced.
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    match fs::metadata(&path) {
        Ok(found) if found.is_dir() => bail!("it is a folder"),
        Ok(found) if !found.is_file() => {
            Ok(Sink::Direct(File::options().write(true).open(&path)?, path))
        }
        // Replacing needs no right to the file itself; its owner may have meant to keep it.
        Ok(found) if found.permissions().readonly() => {
            Err(io::Error::from(ErrorKind::PermissionDenied).into())
        }
        found => {
            let folder = path
                .parent()
                .filter(|parent| !parent.as_os_str().is_empty())
                .unwrap_or(Path::new("."));
            let file = builder(found.ok().as_ref()).tempfile_in(folder)?;
            Ok(Sink::Replacing(file, path))
        }
    }
}

/// Makes files with the old one's rights, or with those that the user's mask leaves to new ones.
fn builder(old: Option<&fs::Metadata>) -> Builder<'static, 'static> {
    let mut builder = Builder::new();
    builder.prefix(".retval-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let permissions = old.map_or_else(
            || fs::Permissions::from_mode(0o666),
            fs::Metadata::permissions,
        );
        builder.permissions(permissions);
    }
    builder
}

/// Whether the reader of standard output went away, which is its right.
pub(crate) fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error
        .downcast_ref::<io::Error>()
        .is_some_and(|error| error.kind() == ErrorKind::BrokenPipe)
}
