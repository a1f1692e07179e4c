//! Where reports go: standard output as they are made, files as a whole at the end.

pub(crate) mod atomic;
pub(crate) mod error_log;

use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::check::outputs::OutputSpec;
use crate::exit::Exit;
use crate::output::atomic::{NewFile, folder_of};
use anyhow::{Context as _, bail};
use retval::text::escape;

/// Something to write reports to.
pub(crate) enum Sink {
    Stdout,
    Stderr,
    /// A device or a pipe, which cannot be replaced.
    Direct(File, PathBuf),
    /// A file that takes its place when it is complete.
    Replacing(Box<Replacement>),
}

/// A file to be, and the one that it replaces.
pub(crate) struct Replacement {
    file: NewFile,
    path: PathBuf,
    old: Option<Metadata>,
}

/// Whoever read standard output, or standard error, has gone, which is their right.
#[derive(Debug, thiserror::Error)]
#[error("nobody reads any more")]
pub(crate) struct Closed;

impl Sink {
    pub(crate) fn to_file(path: &Path) -> anyhow::Result<Self> {
        open_file(path).with_context(|| cannot_write(path))
    }

    /// Writes and flushes, so that whoever follows sees it at once. [`Closed`] if nobody follows.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> anyhow::Result<()> {
        if bytes.is_empty() {
            return Ok(());
        }
        match self {
            Self::Stdout => match write_flushed(io::stdout().lock(), bytes) {
                Err(error) if error.kind() == ErrorKind::BrokenPipe => Err(Closed.into()),
                written => written.context("cannot write to standard output"),
            },
            Self::Stderr => match write_flushed(io::stderr().lock(), bytes) {
                Err(error) if error.kind() == ErrorKind::BrokenPipe => Err(Closed.into()),
                written => written.context("cannot write to standard error"),
            },
            Self::Direct(file, path) => file.write_all(bytes).with_context(|| cannot_write(path)),
            Self::Replacing(new) => new
                .file
                .file()
                .write_all(bytes)
                .map_err(|error| plain(&error))
                .with_context(|| cannot_write(&new.path)),
        }
    }

    /// Puts a file in its place.
    pub(crate) fn finish(self, targets: &Targets) -> anyhow::Result<()> {
        match self {
            Self::Replacing(new) if new.old.as_ref().is_some_and(|old| targets.was_read(old)) => {
                bail!(
                    "--output {} would replace what was checked",
                    escape::path(&new.path)
                )
            }
            Self::Replacing(new) => {
                let path = new.path.clone();
                new.take_place()
                    .map_err(|error| plain(&error))
                    .with_context(|| cannot_write(&path))
            }
            _ => Ok(()),
        }
    }
}

impl Replacement {
    /// The bytes, the rights and the name reach the disk, in this order.
    fn take_place(mut self) -> io::Result<()> {
        if let Some(old) = &self.old {
            keep_rights(self.file.file(), old)?;
        }
        self.file.file().sync_all()?;
        self.file.replace(&self.path)?;
        sync_folder(folder_of(&self.path))
    }
}

/// Where a folder can be opened as a file, its names can be made to reach the disk.
fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) {
        File::open(folder)?.sync_all()
    } else {
        Ok(())
    }
}

/// Replaces a file as a whole.
pub(crate) fn replace(path: &Path, bytes: &[u8], old: Option<&Metadata>) -> io::Result<()> {
    let mut file = file_beside(path)?;
    file.file().write_all(bytes)?;
    Replacement {
        file,
        path: path.to_owned(),
        old: old.cloned(),
    }
    .take_place()
}

/// A new file in the same folder.
fn file_beside(path: &Path) -> io::Result<NewFile> {
    NewFile::beside(path).map_err(|error| {
        // Of a folder that is not there the system has more to say.
        fs::metadata(folder_of(path))
            .err()
            .unwrap_or_else(|| plain(&error))
    })
}

/// Gives a file the rights, and where that is allowed the owner, of the one that it replaces.
fn keep_rights(file: &File, old: &Metadata) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt as _, fchown};
        // Only root may give files away; to anyone else the old file was their own, or shared.
        let _ = fchown(file, Some(old.uid()), Some(old.gid()));
    }
    file.set_permissions(old.permissions())
}

fn write_flushed(mut stream: impl Write, bytes: &[u8]) -> io::Result<()> {
    stream.write_all(bytes)?;
    stream.flush()
}

fn cannot_write(path: &Path) -> String {
    format!("cannot write {}", escape::path(path))
}

/// The error without the name of a temporary file, which tells nobody anything.
fn plain(error: &io::Error) -> io::Error {
    let inner = error
        .get_ref()
        .and_then(|error| error.source()?.downcast_ref::<io::Error>());
    let code = error.raw_os_error().or_else(|| inner?.raw_os_error());
    code.map_or_else(|| error.kind().into(), io::Error::from_raw_os_error)
}

/// Where a path leads, even if nothing is there yet: a link stays a link, what it leads to is
/// replaced. Two names of one file lead to the same.
pub(crate) fn target(path: &Path) -> PathBuf {
    const LINKS: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..LINKS {
        match fs::read_link(&path) {
            Ok(link) => path = path.parent().unwrap_or(Path::new("")).join(link),
            Err(_) => break,
        }
    }
    path.canonicalize().unwrap_or_else(|_| {
        let folder = folder_of(&path).canonicalize();
        match (folder, path.file_name()) {
            (Ok(folder), Some(name)) => folder.join(name),
            _ => path,
        }
    })
}

fn open_file(path: &Path) -> anyhow::Result<Sink> {
    // What stands behind them is never replaced: whoever redirected them goes on writing there.
    match path.as_os_str().as_encoded_bytes() {
        b"/dev/stdout" => return Ok(Sink::Stdout),
        b"/dev/stderr" => return Ok(Sink::Stderr),
        _ => {}
    }
    match fs::metadata(path) {
        Ok(found) if found.is_dir() => bail!("it is a folder"),
        // By the name it was given: what it leads to may have none.
        Ok(found) if !found.is_file() => Ok(Sink::Direct(
            File::options().write(true).open(path)?,
            path.to_owned(),
        )),
        // Replacing needs no right to the file itself; its owner may have meant to keep it.
        Ok(found) if found.permissions().readonly() => {
            Err(io::Error::from(ErrorKind::PermissionDenied).into())
        }
        found => {
            let path = target(path);
            let file = file_beside(&path)?;
            Ok(Sink::Replacing(Box::new(Replacement {
                file,
                path,
                old: found.ok(),
            })))
        }
    }
}

/// The files that a run is to write.
#[derive(Debug, Default)]
pub(crate) struct Targets {
    /// Those that outputs replace, and whether one of them was checked: then it must stay.
    replaced: Vec<(FileId, AtomicBool)>,
    /// The error log, which grows while returns are read.
    log: Option<PathBuf>,
}

/// What tells a file from others, whatever its name.
type FileId = (u64, u64);

impl Targets {
    pub(crate) fn of(outputs: &[OutputSpec], log: Option<&Path>) -> Self {
        let files = outputs
            .iter()
            .filter_map(|(_, file)| file.as_deref()?.metadata().ok());
        Self {
            replaced: files
                .filter(Metadata::is_file)
                .map(|file| (id(&file), AtomicBool::new(false)))
                .collect(),
            log: log.map(target),
        }
    }

    /// Whether outputs replace nothing.
    pub(crate) fn is_empty(&self) -> bool {
        self.replaced.is_empty()
    }

    /// A file is read that is to be checked.
    pub(crate) fn note_read(&self, file: &Metadata) {
        for (_, was_read) in self.replaced.iter().filter(|(known, _)| *known == id(file)) {
            was_read.store(true, Ordering::Relaxed);
        }
    }

    /// Refuses to check the error log: each record would be one more return, without end.
    pub(crate) fn refuse_log(&self, path: &Path) -> io::Result<()> {
        match &self.log {
            Some(log) if target(path) == *log => {
                Err(io::Error::other("this very run adds to it (--errors-json)"))
            }
            _ => Ok(()),
        }
    }

    fn was_read(&self, file: &Metadata) -> bool {
        self.replaced
            .iter()
            .any(|(known, was_read)| *known == id(file) && was_read.load(Ordering::Relaxed))
    }
}

#[cfg(unix)]
fn id(file: &Metadata) -> FileId {
    use std::os::unix::fs::MetadataExt as _;
    (file.dev(), file.ino())
}

#[cfg(not(unix))]
fn id(_: &Metadata) -> FileId {
    (0, 0)
}

/// Writes a text to standard output.
pub(crate) fn print_stdout(text: &[u8]) -> anyhow::Result<Exit> {
    Sink::Stdout.write(text)?;
    Ok(Exit::Valid)
}
