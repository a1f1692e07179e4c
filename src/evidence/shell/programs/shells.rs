//! Shells that run a command line from their arguments.

use super::super::state::ShellState;
use super::super::syntax::{ShellWord, is_listed};

pub(in super::super) fn is_shell(name: &str) -> bool {
    let (folder, name) = name.rsplit_once('/').unwrap_or(("/bin", name));
    is_listed(folder, "/bin /usr/bin /usr/local/bin /opt/homebrew/bin")
        && is_listed(name, "bash sh zsh dash ksh")
}

/// The options of a shell and the command line after its `-c`. None if missing, or an option is
/// unknown.
pub(in super::super) fn script(arguments: &[ShellWord]) -> Option<(ShellState, &str)> {
    let mut state = ShellState::default();
    let mut is_script = false;
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let argument = argument.literal()?;
        let Some(letters) = argument.strip_prefix('-') else {
            return is_script.then_some((state, argument));
        };
        for letter in letters.chars() {
            match letter {
                'c' => is_script = true,
                'o' => state.set(&["-o", rest.next()?.literal()?])?,
                'e' => state.errexit = true,
                'l' | 'u' | 'x' => {}
                _ => return None,
            }
        }
    }
    None
}
