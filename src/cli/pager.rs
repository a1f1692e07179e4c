//! Shows long texts through a pager.

use std::io::Write as _;
use std::process::{Command, Stdio};

use crate::cli::exit::Exit;
use crate::cli::output::print_stdout;
use crate::cli::terminal::{self, Stream};

/// Prints a text, on a terminal through the pager that `PAGER` names, or `less`. Without a pager that
/// can be started, and with an empty `PAGER`, the text is printed as it is.
pub(crate) fn show(text: &[u8]) -> anyhow::Result<Exit> {
    if terminal::is_watched(Stream::Stdout) && page(text).is_some() {
        return Ok(Exit::Valid);
    }
    print_stdout(text)
}

/// None if there is no pager.
fn page(text: &[u8]) -> Option<()> {
    let command = std::env::var("PAGER").unwrap_or_else(|_| "less".to_owned());
    let words = shlex::split(&command)?;
    let (program, arguments) = words.split_first()?;
    let mut pager = Command::new(program);
    pager.args(arguments).stdin(Stdio::piped());
    if std::env::var_os("LESS").is_none() {
        // As git does: quit if the text fits the screen, show colors, leave the text there.
        pager.env("LESS", "FRX");
    }
    let mut pager = pager.spawn().ok()?;
    // A pager that is left before the end closes the pipe, which is not an error.
    let _ = pager.stdin.take()?.write_all(text);
    let _ = pager.wait();
    Some(())
}
