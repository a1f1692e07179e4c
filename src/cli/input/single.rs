//! The input of a command that takes one return.

use std::path::Path;

use anyhow::bail;

use crate::cli::input::files::Opener;
use crate::cli::input::origin::{Origin, is_dash};
use crate::cli::output::Targets;
use crate::cli::terminal::is_input_typed;

/// Reads the return of a command that takes one, from a file, or from standard input if no file is
/// named. `command` is used in the hint for a user without input.
pub(crate) fn read_one(
    path: Option<&Path>,
    command: &str,
    max_bytes: u64,
    targets: &Targets,
) -> anyhow::Result<(Origin, Vec<u8>)> {
    let origin = match path {
        Some(path) if !is_dash(path) => Origin::Named(path.to_owned()),
        _ if is_input_typed() => bail!(terminal(command)),
        _ => Origin::Stdin,
    };
    let mut bytes = Vec::new();
    Opener::default().read(&origin, max_bytes, targets, &mut bytes)?;
    Ok((origin, bytes))
}

/// The hint for a user without input: two lines, for a file and for a pipe.
pub(super) fn terminal(command: &str) -> String {
    format!(
        "standard input is a terminal: name a file, as in `retval {command} return.json`,\n       \
         or pipe a return in, as in `some-agent | retval {command}`"
    )
}
