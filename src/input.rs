//! Where returns come from: all reading of them is here.

use std::fs::File;
use std::io::{self, IsTerminal as _, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use retval::escape;

/// One return's place.
#[derive(Debug)]
pub(crate) enum Input {
    Stdin,
    File(PathBuf),
}

impl Input {
    pub(crate) fn of(path: &Path) -> Self {
        if path.as_os_str() == "-" {
            Self::Stdin
        } else {
            Self::File(path.to_owned())
        }
    }

    /// Its name in reports.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Stdin => "-".to_owned(),
            Self::File(path) => path.to_string_lossy().into_owned(),
        }
    }

    pub(crate) fn path(&self) -> &Path {
        match self {
            Self::Stdin => Path::new("-"),
            Self::File(path) => path,
        }
    }

    /// Its bytes: all of them, or one more than `most` where there are more, so that it shows.
    pub(crate) fn read(&self, most: u64) -> anyhow::Result<Vec<u8>> {
        match self {
            Self::Stdin => read_stdin(most),
            Self::File(path) => {
                read_file(path, most).with_context(|| format!("cannot read {}", escape::path(path)))
            }
        }
    }
}

fn read_stdin(most: u64) -> anyhow::Result<Vec<u8>> {
    let stdin = io::stdin();
    if stdin.is_terminal() {
        bail!(
            "standard input is a terminal: pipe a return into it, or name a file, as in `retval check return.json`"
        );
    }
    let mut bytes = Vec::new();
    stdin
        .lock()
        .take(most.saturating_add(1))
        .read_to_end(&mut bytes)
        .context("cannot read standard input")?;
    Ok(bytes)
}

fn read_file(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let file = File::open(path)?;
    let most = most.saturating_add(1);
    // One byte more than the file has, so that its end shows in the same read.
    let size = file.metadata()?.len().saturating_add(1).min(most);
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or(0));
    file.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}
