//! The files of a history.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::text::escape;
use anyhow::Context as _;
use walkdir::{DirEntry, WalkDir};

/// The files below paths that may be transcripts, callers before their agents: a caller's transcript names
/// the type of an agent, which older transcripts of agents do not have. Files that cannot be listed are
/// counted by `unread`.
pub(super) fn below(
    paths: &[PathBuf],
    mut unread: impl FnMut(String),
) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in paths {
        let found = path.metadata();
        let found = found.with_context(|| format!("cannot read {}", escape::path(path)))?;
        if !found.is_dir() {
            files.push(path.clone());
            continue;
        }
        for entry in WalkDir::new(path).into_iter().filter_entry(is_entered) {
            match entry {
                Ok(entry) if entry.file_type().is_file() && may_be_transcript(entry.path()) => {
                    files.push(entry.into_path());
                }
                Ok(_) => {}
                Err(error) => unread(reason(error.io_error())),
            }
        }
    }
    files.sort_by_cached_key(|path| (is_of_agent(path), path.clone()));
    files.dedup();
    Ok(files)
}

/// Why a file could not be read, without its path.
pub(super) fn reason(error: Option<&std::io::Error>) -> String {
    error.map_or_else(
        || "a loop of links".to_owned(),
        |error| match error.kind() {
            // Another kind has the text of retval itself.
            ErrorKind::Other => error.to_string(),
            kind => kind.to_string(),
        },
    )
}

fn is_entered(entry: &DirEntry) -> bool {
    !matches!(entry.file_name().to_str(), Some(".git" | "node_modules"))
}

fn may_be_transcript(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy());
    let name = name.unwrap_or_default();
    name.ends_with(".jsonl") || name.ends_with(".json") && !name.ends_with(".meta.json")
}

/// Whether a file has the name that Claude Code gives to the transcript of an agent.
pub(super) fn is_of_agent(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    name.is_some_and(|name| name.starts_with("agent-"))
}
