//! `--task`: the prompt at the beginning of the feedback.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use crate::BYTES_AT_MOST;
use crate::text::escape;
use anyhow::{Context as _, bail};

pub(super) fn read(path: &Path) -> anyhow::Result<String> {
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
