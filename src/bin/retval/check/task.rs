//! `--task`: the prompt at the beginning of the feedback.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use retval::BYTES_AT_MOST;
use retval::internal::escape;

use crate::regular_file;

/// A prompt, or the file to read it from.
#[derive(Debug)]
pub(crate) enum Task {
    Text(String),
    /// A file whose read may block. It is read only after all mistakes have been reported.
    Waiting(PathBuf),
}

impl Task {
    /// Reads a prompt, unless the read may block.
    pub(super) fn open(path: &Path) -> anyhow::Result<Self> {
        if regular_file::may_wait(path) {
            Ok(Self::Waiting(path.to_owned()))
        } else {
            read(path).map(Self::Text)
        }
    }

    /// The prompt. Blocks if the file does.
    pub(super) fn text(&self) -> anyhow::Result<String> {
        match self {
            Self::Text(text) => Ok(text.clone()),
            Self::Waiting(path) => read(path),
        }
    }
}

/// Reads a prompt. Its size limit is that of a return; no real prompt is that long.
fn read(path: &Path) -> anyhow::Result<String> {
    let name = escape::path(path);
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(BYTES_AT_MOST + 1).read_to_end(&mut bytes))
        .with_context(|| format!("cannot read the task {name}"))?;
    if bytes.len() as u64 > BYTES_AT_MOST {
        bail!("cannot use the task {name}: it is larger than {BYTES_AT_MOST} bytes");
    }
    let Ok(text) = String::from_utf8(bytes) else {
        bail!("cannot use the task {name}: it is not UTF-8");
    };
    Ok(text)
}
