//! `retval man`: manual pages, made from the command line's types.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use clap::{Args, Command};
use retval::text::escape;
use retval::text::suggest::nearest;

use crate::cli::command;
use crate::exit::Exit;
use crate::output::{print_stdout, replace};

const NAME: &str = "retval";

pub(crate) const EXAMPLES: &str = "\
Examples:
  retval man check | man -l -
  retval man --to ~/.local/share/man/man1";

#[derive(Debug, Args)]
pub(crate) struct ManArgs {
    /// Command to describe [default: retval itself]
    pub(crate) command: Option<String>,
    /// Write every page into this folder
    #[arg(long, value_name = "DIR", conflicts_with = "command")]
    pub(crate) to: Option<PathBuf>,
}

pub(crate) fn run(options: &ManArgs) -> anyhow::Result<Exit> {
    let mut pages = pages(command())?;
    if let Some(folder) = &options.to {
        for (name, text) in &pages {
            write(folder, name, text)?;
        }
        return Ok(Exit::Valid);
    }
    let wanted = match &options.command {
        Some(command) => format!("{NAME}-{command}"),
        None => NAME.to_owned(),
    };
    let Some(found) = pages.iter().position(|(name, _)| *name == wanted) else {
        let asked = options.command.as_deref().unwrap_or_default();
        let commands = pages
            .iter()
            .filter_map(|(name, _)| name.strip_prefix("retval-"));
        let advice = nearest(asked, commands)
            .map_or_else(String::new, |meant| format!(": did it mean {meant}?"));
        bail!("no command is called {}{advice}", escape::truncated(asked));
    };
    print_stdout(&pages.swap_remove(found).1)
}

/// Every page by its name.
fn pages(command: Command) -> anyhow::Result<Vec<(String, Vec<u8>)>> {
    let commands = command
        .get_subcommands()
        .filter(|it| it.get_name() != "help");
    let mut pages: Vec<_> = commands
        .map(|it| {
            let name = format!("{NAME}-{}", it.get_name());
            // The page is called by its name, the command in it as it is typed.
            let usage = format!("{NAME} {}", it.get_name());
            (name.clone(), it.clone().display_name(name).bin_name(usage))
        })
        .collect();
    pages.push((NAME.to_owned(), command));
    let rendered = pages.into_iter().map(|(name, command)| {
        let mut text = Vec::new();
        clap_mangen::Man::new(command).render(&mut text)?;
        Ok((name, text))
    });
    rendered.collect()
}

fn write(folder: &Path, name: &str, text: &[u8]) -> anyhow::Result<()> {
    let path = folder.join(format!("{name}.1"));
    let old = fs::metadata(&path).ok();
    replace(&path, text, old.as_ref())
        .with_context(|| format!("cannot write {}", escape::path(&path)))
}
