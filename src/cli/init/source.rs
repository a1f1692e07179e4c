//! The files that `--from` and `--try` name.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use crate::text::escape;
use anyhow::{Context as _, bail};
use walkdir::WalkDir;

use crate::cli::input::open_found;

/// A file that was read.
pub(super) struct SourceFile {
    pub(super) path: PathBuf,
    /// Its text, or why it has none.
    pub(super) text: Result<String, &'static str>,
}

/// The most bytes of a definition: prompts are short.
pub(super) const DEFINITION: u64 = 256 << 10;

/// The most files that are read below one folder.
const FILES: usize = 10_000;

/// Names of files that can be definitions or returns.
const EXTENSIONS: [&str; 8] = [
    "md", "markdown", "toml", "json", "yaml", "yml", "txt", "jsonl",
];

/// Reads the files of a path one by one, in the order of their names: the file itself, or those below a
/// folder. Of each, at most `most` bytes are read.
pub(super) fn each(path: &Path, most: u64, mut take: impl FnMut(SourceFile)) -> anyhow::Result<()> {
    let cannot_read = |path: &Path| format!("cannot read {}", escape::path(path));
    let found = path.metadata().with_context(|| cannot_read(path))?;
    if !found.is_dir() {
        let text = File::open(path)
            .map_err(Into::into)
            .and_then(|it| text(it, most));
        let text = text.with_context(|| cannot_read(path))?;
        take(SourceFile {
            path: path.to_owned(),
            text,
        });
        return Ok(());
    }
    let mut count = 0;
    let walk = WalkDir::new(path).sort_by_file_name().into_iter();
    let is_entered = |entry: &walkdir::DirEntry| {
        !matches!(entry.file_name().to_str(), Some(".git" | "node_modules"))
    };
    for entry in walk.filter_entry(is_entered) {
        let entry = entry.with_context(|| cannot_read(path))?;
        let extension = entry.path().extension().and_then(|it| it.to_str());
        if !entry.file_type().is_file() || !extension.is_some_and(|it| EXTENSIONS.contains(&it)) {
            continue;
        }
        count += 1;
        if count > FILES {
            bail!(
                "{} has more than {FILES} files: name a folder with fewer",
                escape::path(path)
            );
        }
        let text = open_found(entry.path())
            .map_err(Into::into)
            .and_then(|it| text(it, most));
        let text = text.with_context(|| cannot_read(entry.path()))?;
        take(SourceFile {
            path: entry.into_path(),
            text,
        });
    }
    Ok(())
}

fn text(file: File, most: u64) -> anyhow::Result<Result<String, &'static str>> {
    let mut bytes = Vec::new();
    file.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Ok(Err("is too large"));
    }
    Ok(String::from_utf8(bytes).map_err(|_| "is not UTF-8"))
}
