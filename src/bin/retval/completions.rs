//! `retval completions`: completions for a shell, made from the command line's types.

use clap::{Args, ValueEnum};
use clap_complete::{Generator, generate};
use clap_complete_nushell::Nushell;

use crate::cli::command;
use crate::exit::Exit;
use crate::output::print_stdout;

pub(crate) const EXAMPLES: &str = "\
Examples:
  retval completions bash > ~/.local/share/bash-completion/completions/retval
  retval completions zsh > \"${fpath[1]}/_retval\"
  retval completions fish > ~/.config/fish/completions/retval.fish
  retval completions nushell > retval.nu";

#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// Shell to complete in
    #[arg(value_enum)]
    pub(crate) shell: Shell,
}

/// A shell that completions can be made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Shell {
    Bash,
    Zsh,
    Fish,
    Powershell,
    Elvish,
    Nushell,
}

pub(crate) fn run(options: &CompletionsArgs) -> anyhow::Result<Exit> {
    let text = match options.shell {
        Shell::Bash => completed(clap_complete::Shell::Bash),
        Shell::Zsh => completed(clap_complete::Shell::Zsh),
        Shell::Fish => completed(clap_complete::Shell::Fish),
        Shell::Powershell => completed(clap_complete::Shell::PowerShell),
        Shell::Elvish => completed(clap_complete::Shell::Elvish),
        Shell::Nushell => completed(Nushell),
    };
    print_stdout(&text)
}

fn completed(shell: impl Generator) -> Vec<u8> {
    let mut text = Vec::new();
    generate(shell, &mut command(), "retval", &mut text);
    text
}
