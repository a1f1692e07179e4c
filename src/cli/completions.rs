//! Options of `retval completions`.

use clap::{Args, ValueEnum};

pub(super) const EXAMPLES: &str = "\
Examples:
  retval completions bash > ~/.local/share/bash-completion/completions/retval
  retval completions zsh > \"${fpath[1]}/_retval\"
  retval completions fish > ~/.config/fish/completions/retval.fish
  retval completions nushell > retval.nu";

#[derive(Debug, Args)]
pub(crate) struct Completions {
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
