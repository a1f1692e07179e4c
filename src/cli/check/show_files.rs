//! `--show-files`: lists what would be checked.

use std::path::Path;

use crate::text::escape;
use anyhow::Context as _;

use crate::cli::exit::Exit;
use crate::cli::input::{Feed, InputEntry, Origin};
use crate::cli::output::print_stdout;
use crate::cli::stderr::{self, warning};

/// Prints the path of each file on a line of its own; a stream is one file. What is not there is an error
/// on standard error.
pub(super) fn run(feed: &mut Feed<'_>) -> anyhow::Result<Exit> {
    let mut exit = Exit::Valid;
    while let Some(entry) = feed.next_entry(1)? {
        let path = match &entry {
            InputEntry::Return(origin) => confirmed(origin),
            InputEntry::Unreadable { error, .. } => Err(anyhow::anyhow!("{error:#}")),
        };
        match path {
            Ok(path) => drop(print_stdout(
                format!("{}\n", escape::path(path)).as_bytes(),
            )?),
            Err(error) => {
                stderr::error(&error);
                exit = Exit::Unchecked;
            }
        }
    }
    if feed.is_empty() {
        warning("no files to check");
    }
    Ok(exit)
}

/// The path of a return, if it is there. Standard input is `-`.
fn confirmed(origin: &Origin) -> anyhow::Result<&Path> {
    let path = origin.path();
    if matches!(origin, Origin::Named(_)) {
        let found = path.metadata();
        found.with_context(|| format!("cannot read {}", escape::path(path)))?;
    }
    Ok(path)
}
