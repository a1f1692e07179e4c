//! `retval completions`: shell completions, generated from the clap definitions.

use clap::{Args, Command, ValueEnum};
use clap_complete::{Generator, generate};
use clap_complete_nushell::Nushell;

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
    /// Shell to print completions for
    #[arg(value_enum)]
    pub(crate) shell: Shell,
}

/// A shell that completions are available for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Shell {
    Bash,
    Zsh,
    Fish,
    Powershell,
    Elvish,
    Nushell,
}

pub(crate) fn run(args: &CompletionsArgs, mut command: Command) -> anyhow::Result<Exit> {
    let text = match args.shell {
        Shell::Bash => completions(&mut command, clap_complete::Shell::Bash),
        Shell::Zsh => completions(&mut command, clap_complete::Shell::Zsh),
        Shell::Fish => completions(&mut command, clap_complete::Shell::Fish),
        Shell::Powershell => completions(&mut command, clap_complete::Shell::PowerShell),
        Shell::Elvish => completions(&mut command, clap_complete::Shell::Elvish),
        Shell::Nushell => completions(&mut command, Nushell),
    };
    print_stdout(&text)
}

fn completions(command: &mut Command, shell: impl Generator) -> Vec<u8> {
    let mut text = Vec::new();
    generate(shell, command, "retval", &mut text);
    text
}
