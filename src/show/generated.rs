//! Completions and manual pages, made from the command line's types.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, bail};
use clap::{Command, CommandFactory as _};
use clap_complete::{Generator, generate};
use clap_complete_nushell::Nushell;
use clap_mangen::Man;
use retval::escape;
use retval::nearest::nearest;

use super::print;
use crate::Exit;
use crate::cli::{self, Cli, Shell};
use crate::output::replace;

const NAME: &str = "retval";

pub(crate) fn completions(options: &cli::Completions) -> anyhow::Result<Exit> {
    let text = match options.shell {
        Shell::Bash => completed(clap_complete::Shell::Bash),
        Shell::Zsh => completed(clap_complete::Shell::Zsh),
        Shell::Fish => completed(clap_complete::Shell::Fish),
        Shell::Powershell => completed(clap_complete::Shell::PowerShell),
        Shell::Elvish => completed(clap_complete::Shell::Elvish),
        Shell::Nushell => completed(Nushell),
    };
    print(&text)
}

fn completed(shell: impl Generator) -> Vec<u8> {
    let mut text = Vec::new();
    generate(shell, &mut command(), NAME, &mut text);
    text
}

/// All commands, built to the last option.
fn command() -> Command {
    let mut command = Cli::command();
    command.build();
    command
}

pub(crate) fn man(options: &cli::Man) -> anyhow::Result<Exit> {
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
        bail!("no command is called {}{advice}", escape::shown(asked));
    };
    print(&pages.swap_remove(found).1)
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
        Man::new(command).render(&mut text)?;
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
