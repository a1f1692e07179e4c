//! What a shell keeps from one command to the next, and what of it can be relied on.

use super::syntax::{ShellWord, is_listed, is_name, variable};

/// Most bytes of a path.
const PATH_AT_MOST: usize = 4096;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct ShellState {
    pub(super) folder: Folder,
    /// `set -e`: the first command that fails ends the shell.
    pub(super) errexit: bool,
    /// `set -o pipefail`: a pipeline fails if one of its commands does.
    pub(super) pipefail: bool,
    /// Whether the shell's own errors may go elsewhere than to standard error.
    pub(super) is_muted: bool,
    /// What is uncertain about the commands that follow.
    pub(super) trust: ShellTrust,
}

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

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Folder {
    /// `path` is empty for the folder in which the command line started.
    Known {
        path: String,
        certainty: Certainty,
    },
    Unknown,
}

/// Whether something happened if the whole command line ended with status 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Certainty {
    Open,
    /// If it did not happen, the shell wrote so to standard error.
    IfSilent,
    Certain,
}

impl Certainty {
    pub(super) fn only_if(self, is_so: bool) -> Self {
        if is_so { self } else { Self::Open }
    }
}

impl Default for Folder {
    fn default() -> Self {
        Self::Known {
            path: String::new(),
            certainty: Certainty::Certain,
        }
    }
}

impl Folder {
    /// A path relative to the folder in which the command line started, and whether that is certain.
    /// None if it is unknown or too long.
    pub(super) fn resolve(&self, path: &str) -> Option<(String, Certainty)> {
        if path.is_empty() || path.len() > PATH_AT_MOST {
            return None;
        }
        if path.starts_with('/') {
            return Some((path.to_owned(), Certainty::Certain));
        }
        match self {
            Self::Known {
                path: folder,
                certainty,
            } if folder.is_empty() => Some((path.to_owned(), *certainty)),
            Self::Known {
                path: folder,
                certainty,
            } if folder.len() + path.len() < PATH_AT_MOST => Some((
                format!("{}/{path}", folder.trim_end_matches('/')),
                *certainty,
            )),
            _ => None,
        }
    }

    /// Changes to a folder, as `cd` does. `path` is None if it is unknown.
    pub(super) fn enter(&mut self, path: Option<&str>, certainty: Certainty) {
        let entered = path
            .filter(|path| !path.starts_with(['-', '+']))
            .and_then(|path| self.resolve(path));
        *self = entered.map_or(Self::Unknown, |(path, known)| Self::Known {
            path,
            certainty: certainty.min(known),
        });
    }
}

impl ShellState {
    /// Applies options of `set` or of a shell. None if an option is unknown.
    pub(super) fn set(&mut self, arguments: &[&str]) -> Option<()> {
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            if *argument == "--" {
                return Some(());
            }
            let (on, letters) = match argument.split_at_checked(1)? {
                ("-", letters) => (true, letters),
                ("+", letters) => (false, letters),
                _ => return None,
            };
            for letter in letters.chars() {
                match letter {
                    'e' => self.errexit = on,
                    'a' | 'u' | 'x' | 'v' | 'E' | 'f' | 'T' => {}
                    'o' => match *rest.next()? {
                        "errexit" => self.errexit = on,
                        "pipefail" => self.pipefail = on,
                        "allexport" | "nounset" | "xtrace" | "errtrace" | "noglob" => {}
                        _ => return None,
                    },
                    _ => return None,
                }
            }
        }
        Some(())
    }
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

/// What can still be relied on after this command.
pub(super) fn trust_after(name: &str, arguments: &[ShellWord]) -> ShellTrust {
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
