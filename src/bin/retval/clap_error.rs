//! Prints the output of clap: help, versions and usage errors.

use std::io::Write as _;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use retval::config::ColorChoice;
use retval::internal::escape;

use crate::color;
use crate::exit::Exit;
use crate::output::{Closed, Sink};
use crate::stderr;
use crate::terminal::Stream;

/// The text that `retval` prints without arguments.
const OVERVIEW: &str = "\
retval checks what AI subagents return: JSON, fields, status, session, summary, artifacts.

  retval demo                              show a good and a bad return being checked
  retval check return.json                 check a file
  some-agent | retval check --session ID   check what an agent prints
  retval check returns/ --format json      check a folder, print JSON
  retval instruct                          print the instruction for an agent's prompt
  retval hook install claude-code          call the hook from Claude Code
  retval explain artifact-not-found        explain a rule

`retval help` lists all commands, `retval COMMAND --help` shows the options of one.
";

/// Prints help, a version, or a usage error, whose text `usage` returns. Arguments are escaped, because
/// they may come from a return. Only help is colored, because it contains no arguments.
pub(crate) fn answer(
    error: clap::Error,
    color: ColorChoice,
    usage: impl FnOnce(clap::Error) -> String,
) -> anyhow::Result<Exit> {
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        return Ok(overview());
    }
    if error.use_stderr() {
        let _ = write!(std::io::stderr().lock(), "{}", usage(error));
        return Ok(Exit::Unchecked);
    }
    let help = error.render();
    let text = if color::is_used(color, Stream::Stdout) {
        help.ansi().to_string()
    } else {
        help.to_string()
    };
    Sink::Stdout.write(text.as_bytes())?;
    Ok(Exit::Valid)
}

/// Prints the overview. It always succeeds: if a harness drops the arguments of a hook's command, it
/// runs `retval` alone, and exit code 2 would tell it to block its agent.
fn overview() -> Exit {
    match Sink::Stdout.write(OVERVIEW.as_bytes()) {
        Err(error) if !error.is::<Closed>() => stderr::error(&error),
        _ => {}
    }
    Exit::Valid
}

/// The text of a usage error, safe to print.
pub(crate) fn text(mut error: clap::Error) -> String {
    let escaped = error
        .context()
        .filter_map(|(kind, value)| Some((kind, escaped(value)?)));
    for (kind, value) in escaped.collect::<Vec<_>>() {
        let is_changed = error.get(kind) != Some(&value);
        error.insert(kind, value);
        if is_changed && error.get(ContextKind::Suggested).is_some() {
            // clap's suggestions also contain the argument unescaped.
            error.insert(ContextKind::Suggested, ContextValue::None);
        }
    }
    escape::multiline(&error.render().to_string())
}

fn escaped(value: &ContextValue) -> Option<ContextValue> {
    match value {
        ContextValue::String(text) => {
            Some(ContextValue::String(escape::truncated(text).to_string()))
        }
        ContextValue::Strings(texts) => Some(ContextValue::Strings(
            texts
                .iter()
                .map(|text| escape::truncated(text).to_string())
                .collect(),
        )),
        _ => None,
    }
}
