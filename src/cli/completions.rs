//! `retval completions`: shell completions, generated from the clap definitions.

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Args, Command, ValueEnum};
use clap_complete::{Generator, generate};
use clap_complete_nushell::Nushell;

use crate::cli::args::config::ConfigArgs;
use crate::cli::exit::Exit;
use crate::cli::output::print_stdout;
use crate::cli::settings::Settings;

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
    // The names of one's own profiles are those of the configuration here and now.
    let names = own_profiles();
    command = command.mut_subcommands(|it| with_profiles(it, &names));
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

/// The names of the profiles of the configuration. None if there is none that can be read. They live as
/// long as the program, which ends when they are printed.
fn own_profiles() -> Vec<&'static str> {
    let settings = Settings::load(&ConfigArgs::default());
    let own = settings.iter().flat_map(|it| &it.config.profiles);
    own.map(|own| &*own.profile.id.to_string().leak()).collect()
}

/// Adds names to those that `--profile` offers.
fn with_profiles(command: Command, names: &[&'static str]) -> Command {
    command
        .mut_args(|arg| {
            if arg.get_id() != "profile" || names.is_empty() {
                return arg;
            }
            let own = names.iter().copied().map(PossibleValue::new);
            let all: Vec<_> = arg.get_possible_values().into_iter().chain(own).collect();
            arg.value_parser(PossibleValuesParser::new(all))
        })
        .mut_subcommands(|it| with_profiles(it, names))
}

fn completions(command: &mut Command, shell: impl Generator) -> Vec<u8> {
    let mut text = Vec::new();
    generate(shell, command, "retval", &mut text);
    text
}
