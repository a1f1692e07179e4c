//! Where reports go: standard output as they are made, files as a whole at the end.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use retval::escape;
use tempfile::{Builder, NamedTempFile};

/// Something to write reports to.
pub(crate) enum Sink {
    Stdout,
    Stderr,
    /// A device or a pipe, which cannot be replaced.
    Direct(File, PathBuf),
    /// A file that takes its place when it is complete.
    Replacing(NamedTempFile, PathBuf),
}

impl Sink {
    pub(crate) fn to_file(path: &Path) -> anyhow::Result<Self> {
        open_file(path).with_context(|| cannot_write(path))
    }

    /// Writes and flushes, so that whoever follows sees it at once.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> anyhow::Result<()> {
        if bytes.is_empty() {
            return Ok(());
        }
        match self {
            Self::Stdout => {
                write_flushed(io::stdout().lock(), bytes).context("cannot write to standard output")
            }
            Self::Stderr => {
                write_flushed(io::stderr().lock(), bytes).context("cannot write to standard error")
            }
            Self::Direct(file, path) => file.write_all(bytes).with_context(|| cannot_write(path)),
            Self::Replacing(file, path) => {
                file.write_all(bytes).with_context(|| cannot_write(path))
            }
        }
    }

    /// Puts a file in its place.
    pub(crate) fn finish(self) -> anyhow::Result<()> {
        if let Self::Replacing(file, path) = self {
            let synced = file.as_file().sync_all();
            let replaced = synced.and_then(|()| file.persist(&path).map_err(|error| error.error));
            replaced.with_context(|| cannot_write(&path))?;
        }
        Ok(())
    }
}

fn write_flushed(mut stream: impl Write, bytes: &[u8]) -> io::Result<()> {
    stream.write_all(bytes)?;
    stream.flush()
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
