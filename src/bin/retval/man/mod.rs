//! `retval man`: manual pages of the commands (section 1) and of the manual (section 7).

mod command_page;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::{Args, Command};
use retval::internal::escape;

use crate::exit::Exit;
use crate::help::{TopicName, unknown};
use crate::manual::{PAGES, roff};
use crate::output::{print_stdout, replace};

pub(crate) const EXAMPLES: &str = "\
Examples:
  retval man check | man -l -
  retval man schema.7 | man -l -
  retval man --to ~/.local/share/man";

#[derive(Debug, Args)]
pub(crate) struct ManArgs {
    /// Command or manual page; NAME.7 where both share a name [default: retval itself]
    #[arg(value_name = "NAME", hide_possible_values = true, value_parser = TopicName)]
    pub(crate) name: Option<String>,
    /// Write every page below this folder, into man1 and man7
    #[arg(long, value_name = "DIR", conflicts_with = "name")]
    pub(crate) to: Option<PathBuf>,
}

/// A manual page, with its name such as `check`, and its section.
struct ManPage {
    name: String,
    section: u8,
    roff: String,
}

pub(crate) fn run(options: &ManArgs, all: &Command) -> anyhow::Result<Exit> {
    let pages = pages(all);
    if let Some(folder) = &options.to {
        for page in &pages {
            write(folder, page)?;
        }
        return Ok(Exit::Valid);
    }
    let asked = options.name.as_deref().unwrap_or_default();
    let found = pages.iter().find(|page| {
        let numbered = format!("{}.{}", page.name, page.section);
        page.name == asked || numbered == asked
    });
    match found {
        Some(page) => print_stdout(page.roff.as_bytes()),
        None => Err(unknown(all, asked)),
    }
}

/// All pages. A command comes before a manual page of the same name.
fn pages(all: &Command) -> Vec<ManPage> {
    let root = ManPage {
        name: String::new(),
        section: 1,
        roff: command_page::root(all),
    };
    let own = |command: &Command, name: String| ManPage {
        name,
        section: 1,
        roff: command_page::command(command),
    };
    let commands = all.get_subcommands().flat_map(|command| {
        let name = command.get_name();
        let inner = command.get_subcommands();
        let inner = inner.map(move |inner| own(inner, format!("{name}-{}", inner.get_name())));
        std::iter::once(own(command, name.to_owned())).chain(inner)
    });
    let manual = PAGES.iter().map(|page| ManPage {
        name: page.name.to_owned(),
        section: 7,
        roff: roff::page(page),
    });
    [root].into_iter().chain(commands).chain(manual).collect()
}

fn write(folder: &Path, page: &ManPage) -> anyhow::Result<()> {
    let ManPage { name, section, .. } = page;
    let dash = if name.is_empty() { "" } else { "-" };
    let place = folder.join(format!("man{section}"));
    let path = place.join(format!("retval{dash}{name}.{section}"));
    let written = || {
        if !place.is_dir() {
            fs::create_dir(&place)?;
        }
        let old = fs::metadata(&path).ok();
        replace(&path, page.roff.as_bytes(), old.as_ref())
    };
    written().with_context(|| format!("cannot write {}", escape::path(&path)))
}
