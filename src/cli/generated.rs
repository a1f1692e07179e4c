//! `retval completions` and `retval man`: what is generated from the clap definitions.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::{Args, Command};
use clap_complete::{Shell, generate};
use clap_mangen::Man;

use crate::cli::files::replace;
use crate::cli::help::{command_named, unknown};
use crate::cli::output::{Exit, print_stdout};
use crate::text::escape;

#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// Shell to print completions for
    #[arg(value_enum)]
    pub(crate) shell: Shell,
}

pub(crate) fn print_completions(
    args: &CompletionsArgs,
    mut command: Command,
) -> anyhow::Result<Exit> {
    let mut text = Vec::new();
    generate(args.shell, &mut command, "retval", &mut text);
    print_stdout(text)
}

#[derive(Debug, Args)]
pub(crate) struct ManArgs {
    /// Command, such as check or hook-install [default: retval itself]
    #[arg(value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// Write the page of every command below this folder, into man1
    #[arg(long, value_name = "DIR", conflicts_with = "name")]
    pub(crate) to: Option<PathBuf>,
}

pub(crate) fn print_man(options: &ManArgs, all: &Command) -> anyhow::Result<Exit> {
    if let Some(folder) = &options.to {
        write_all(&folder.join("man1"), all)?;
        return Ok(Exit::Valid);
    }
    let command = match &options.name {
        Some(name) => command_named(all, name).ok_or_else(|| unknown(all, name))?,
        None => all,
    };
    print_stdout(page(command)?.1)
}

fn page(command: &Command) -> anyhow::Result<(String, Vec<u8>)> {
    let man = Man::new(command.clone());
    let mut roff = Vec::new();
    man.render(&mut roff)?;
    Ok((man.get_filename(), roff))
}

/// Writes the pages of a command and of its subcommands into a folder.
fn write_all(folder: &Path, command: &Command) -> anyhow::Result<()> {
    let (name, roff) = page(command)?;
    let path = folder.join(name);
    let written = || {
        fs::create_dir_all(folder)?;
        let old = fs::metadata(&path).ok();
        replace(&path, &roff, old.as_ref())
    };
    written().with_context(|| format!("cannot write {}", escape::path(&path)))?;
    command.get_subcommands().try_for_each(|inner| write_all(folder, inner))
}
