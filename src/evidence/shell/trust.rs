//! What commands change in the shell itself, so that less is certain about the commands after them.

use super::syntax::{ShellWord, is_listed, is_name, variable};

/// What can be relied on, from the least to the most.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ShellTrust {
    /// Commands may not run at all, or be functions.
    Nothing,
    /// The shell does what it is told, but a name may lead to another program than usual, or a program may
    /// do something else.
    Shell,
    #[default]
    Programs,
}

/// Commands that run unknown text, or change what the names of commands mean. The last ones are those of zsh.
const UNLIMITED: &str = "eval . source trap alias unalias enable disable coproc logout bye bind \
    setopt unsetopt emulate zmodload autoload functions noglob nocorrect -";

/// Commands that may set any variable.
const SETTING: &str = "let mapfile readarray getopts hash rehash";

/// Options of `shopt` that only change how patterns match.
const PATTERNS: &str = "-s -u nullglob globstar dotglob nocaseglob";

/// Variables that decide which programs run, where they work, or how they read their options. The last ones
/// are those of zsh.
const DECIDING: &str = "PATH CDPATH PWD IFS ENV SHELLOPTS BASHOPTS EXECIGNORE FUNCNEST \
    POSIXLY_CORRECT path cdpath fpath options commands aliases functions";

pub(super) fn after(name: &str, arguments: &[ShellWord]) -> ShellTrust {
    let all = |is_harmless: fn(&ShellWord) -> bool| arguments.iter().all(is_harmless);
    let is_harmless = match name {
        _ if is_listed(name, UNLIMITED) => return ShellTrust::Nothing,
        "shopt" if !all(|word| is_literally(word, PATTERNS)) => return ShellTrust::Nothing,
        _ if is_listed(name, SETTING) => false,
        "export" | "local" | "declare" | "typeset" | "readonly" => all(is_declared),
        "read" | "unset" => all(is_plain_name),
        // With `-v` it sets a variable.
        "printf" => !arguments.first().is_some_and(|it| may_be_option(it, "-v")),
        "wait" => all(|it| !may_be_option(it, "-p")),
        _ => true,
    };
    if is_harmless {
        ShellTrust::Programs
    } else {
        ShellTrust::Shell
    }
}

/// Whether a variable decides what programs do.
pub(super) fn decides(name: &str) -> bool {
    const PREFIXES: &[&str] = &["LD_", "DYLD_", "GIT_", "BASH_"];
    is_listed(name, DECIDING) || PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

/// Whether an argument of `export` or a similar command sets a variable that decides nothing, or is a
/// harmless option.
fn is_declared(word: &ShellWord) -> bool {
    match variable(word) {
        Some(name) => word.begins_with(name.len() + 1) && !decides(name),
        None => is_literally(word, "-x -r -g -p") || is_plain_variable(word),
    }
}

/// Whether an argument is a variable that decides nothing, or an option whose value is not a variable.
fn is_plain_name(word: &ShellWord) -> bool {
    is_literally(word, "-r -s -d -p -n -t -v")
        || word.literal() == Some("")
        || is_plain_variable(word)
}

fn is_plain_variable(word: &ShellWord) -> bool {
    let name = word.literal();
    name.is_some_and(|name| is_name(name) && !decides(name))
}

fn is_literally(word: &ShellWord, list: &str) -> bool {
    word.literal().is_some_and(|word| is_listed(word, list))
}

fn may_be_option(word: &ShellWord, option: &str) -> bool {
    !word.begins_with(1) || word.text.starts_with(option)
}
