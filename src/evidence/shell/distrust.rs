//! What commands change in the shell itself, so that less is certain about the commands after them.

use super::word::{ShellWord, is_name, variable};

/// What can no longer be relied on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Distrust {
    #[default]
    Nothing,
    /// A name may lead to another program than usual, or a program may do something else.
    Programs,
    /// Commands may not run at all, or be functions.
    Everything,
}

/// Commands that run unknown text, or change what the names of commands mean.
const UNLIMITED: &[&str] = &[
    "eval",
    ".",
    "source",
    "trap",
    "alias",
    "unalias",
    "enable",
    "disable",
    "coproc",
    "logout",
    "bye",
    "bind",
    // Those of zsh.
    "setopt",
    "unsetopt",
    "emulate",
    "zmodload",
    "autoload",
    "functions",
    "noglob",
    "nocorrect",
    "-",
];

/// Commands that may set any variable.
const SETTING: &[&str] = &["let", "mapfile", "readarray", "getopts", "hash", "rehash"];

/// Options of `shopt` that only change how patterns match.
const PATTERNS: &[&str] = &["nullglob", "globstar", "dotglob", "nocaseglob"];

/// What cannot be relied on after a command.
pub(super) fn after(name: &str, arguments: &[ShellWord]) -> Distrust {
    let if_not = |is_harmless: bool, else_: Distrust| {
        if is_harmless {
            Distrust::Nothing
        } else {
            else_
        }
    };
    match name {
        _ if UNLIMITED.contains(&name) => Distrust::Everything,
        _ if SETTING.contains(&name) => Distrust::Programs,
        "shopt" => {
            let is_known = |word: &ShellWord| {
                let known = word.literal();
                known.is_some_and(|it| matches!(it, "-s" | "-u") || PATTERNS.contains(&it))
            };
            if_not(arguments.iter().all(is_known), Distrust::Everything)
        }
        "export" | "local" | "declare" | "typeset" | "readonly" => {
            if_not(arguments.iter().all(is_declared), Distrust::Programs)
        }
        "read" | "unset" => if_not(arguments.iter().all(is_plain_name), Distrust::Programs),
        // With `-v` it sets a variable.
        "printf" => if_not(
            arguments.first().is_none_or(|it| !may_be_option(it, "-v")),
            Distrust::Programs,
        ),
        "wait" => if_not(
            !arguments.iter().any(|it| may_be_option(it, "-p")),
            Distrust::Programs,
        ),
        _ => Distrust::Nothing,
    }
}

/// What cannot be relied on after a variable was set.
pub(super) fn after_setting(name: &str) -> Distrust {
    if decides(name) {
        Distrust::Programs
    } else {
        Distrust::Nothing
    }
}

/// Whether a variable decides which programs run, where they work, or how they read their options.
pub(super) fn decides(name: &str) -> bool {
    const DECIDING: &[&str] = &[
        "PATH",
        "CDPATH",
        "PWD",
        "IFS",
        "ENV",
        "SHELLOPTS",
        "BASHOPTS",
        "EXECIGNORE",
        "FUNCNEST",
        "POSIXLY_CORRECT",
        // Those of zsh.
        "path",
        "cdpath",
        "fpath",
        "options",
        "commands",
        "aliases",
        "functions",
    ];
    const PREFIXES: &[&str] = &["LD_", "DYLD_", "GIT_", "BASH_"];
    DECIDING.contains(&name) || PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

/// Whether an argument of `export` or a similar command sets a variable that decides nothing, or is a
/// harmless option.
fn is_declared(word: &ShellWord) -> bool {
    if matches!(word.literal(), Some("-x" | "-r" | "-g" | "-p")) {
        return true;
    }
    if let Some(name) = variable(word) {
        return word.begins_with(name.len() + 1) && !decides(name);
    }
    word.literal()
        .is_some_and(|name| is_name(name) && !decides(name))
}

/// Whether an argument is a variable that decides nothing, or an option whose value is not a variable.
fn is_plain_name(word: &ShellWord) -> bool {
    word.literal().is_some_and(|text| {
        matches!(text, "-r" | "-s" | "-d" | "-p" | "-n" | "-t" | "-v" | "")
            || is_name(text) && !decides(text)
    })
}

/// Whether a word begins with an option, or may do so.
fn may_be_option(word: &ShellWord, option: &str) -> bool {
    !word.begins_with(1) || word.text.starts_with(option)
}
