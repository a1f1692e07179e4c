//! What a shell keeps from one command to the next, what of it can be relied on, and the programs that run
//! others in it.

use super::Certainty;
use super::syntax::{ShellWord, is_listed, is_name};

/// Most bytes of a path.
const PATH_AT_MOST: usize = 4096;

/// What a shell keeps from one command to the next.
#[derive(Clone)]
pub(super) struct ShellState {
    /// The path from the folder in which the command line started, and how certain it is. None if it is
    /// not known.
    pub(super) folder: Option<(String, Certainty)>,
    /// Whether the shell's own errors may go elsewhere than to standard error.
    pub(super) is_muted: bool,
    pub(super) trust: ShellTrust,
}

impl Default for ShellState {
    fn default() -> Self {
        Self {
            folder: Some((String::new(), Certainty::Certain)),
            is_muted: false,
            trust: ShellTrust::default(),
        }
    }
}

impl ShellState {
    /// A path relative to the folder in which the command line started, and whether that is certain.
    /// None if it is unknown or too long.
    pub(super) fn resolve(&self, path: &str) -> Option<(String, Certainty)> {
        if path.is_empty() || path.len() > PATH_AT_MOST {
            return None;
        }
        if path.starts_with('/') {
            return Some((path.to_owned(), Certainty::Certain));
        }
        let (folder, certainty) = self.folder.as_ref()?;
        if folder.is_empty() {
            return Some((path.to_owned(), *certainty));
        }
        let path = format!("{}/{path}", folder.trim_end_matches('/'));
        (path.len() <= PATH_AT_MOST).then_some((path, *certainty))
    }
}

/// Variables that decide how the shell reads commands and where they work. The last ones are those of zsh.
const DECIDING: &str = "PATH CDPATH PWD IFS ENV SHELLOPTS BASHOPTS EXECIGNORE FUNCNEST \
    POSIXLY_CORRECT path cdpath fpath options commands aliases functions";

/// Whether a variable decides what commands do.
pub(super) fn decides(name: &str) -> bool {
    const PREFIXES: &[&str] = &["LD_", "DYLD_", "GIT_", "BASH_"];
    is_listed(name, DECIDING) || PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

/// Whether a variable can hardly change what known programs do.
pub(super) fn is_harmless_variable(name: &str) -> bool {
    const HARMLESS: &str = "LANG LANGUAGE TZ TERM CI NO_COLOR FORCE_COLOR CLICOLOR CLICOLOR_FORCE \
        COLUMNS DEBUG NODE_ENV RUST_LOG RUST_BACKTRACE";
    is_listed(name, HARMLESS)
        || name.starts_with("LC_")
        || name.bytes().all(|byte| !byte.is_ascii_uppercase())
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

/// Commands that run unknown text, or change what the names of commands mean. The last ones are those of zsh.
const UNLIMITED: &str = "eval . source trap alias unalias enable disable coproc logout bye bind \
    setopt unsetopt emulate zmodload autoload functions noglob nocorrect -";

/// What can still be relied on after this command of the shell.
pub(super) fn trust_after(name: &str, arguments: &[ShellWord]) -> ShellTrust {
    let all = |is_harmless: fn(&ShellWord) -> bool| arguments.iter().all(is_harmless);
    let begins = |option: &str| {
        let first = arguments.first().map(ShellWord::beginning);
        first.is_some_and(|first| first.is_empty() || first.starts_with(option))
    };
    let is_harmless = match name {
        _ if is_listed(name, UNLIMITED) => return ShellTrust::Nothing,
        "shopt" if !all(|word| is_literally(word, "-s -u nullglob globstar dotglob")) => {
            return ShellTrust::Nothing;
        }
        "let" | "mapfile" | "readarray" | "getopts" | "hash" | "rehash" => false,
        "export" | "local" | "declare" | "typeset" | "readonly" => {
            all(|word| match word.variable() {
                Some(name) => !decides(name),
                None => is_literally(word, "-x -r -g -p") || is_plain_variable(word),
            })
        }
        "read" | "unset" => {
            all(|word| is_literally(word, "-r -s -d -p -n -t -v") || is_plain_variable(word))
        }
        // With these options they set a variable.
        "printf" => !begins("-v"),
        "wait" => !begins("-p"),
        _ => true,
    };
    if is_harmless {
        ShellTrust::Programs
    } else {
        ShellTrust::Shell
    }
}

fn is_plain_variable(word: &ShellWord) -> bool {
    let name = word.literal();
    name.is_some_and(|name| name.is_empty() || is_name(name) && !decides(name))
}

fn is_literally(word: &ShellWord, list: &str) -> bool {
    word.literal().is_some_and(|word| is_listed(word, list))
}

/// The program and the arguments inside wrappers, which run the command after them.
pub(super) enum Wrapped<'w> {
    Command(&'w [ShellWord]),
    /// It runs nothing.
    Nothing,
    /// A wrapper has unknown options.
    Unknown,
}

/// The wrappers, with their options. After a `:`, the value is the next word. A `*` stands for a word between
/// the options and the command. The first ones are commands of the shell.
const WRAPPERS: [(&str, &str); 13] = [
    ("command", ""),
    ("builtin", ""),
    ("exec", ""),
    ("time", "-p -v"),
    ("sudo", "-n -E -H -S -u: -g:"),
    ("doas", "-n -u:"),
    ("env", "-i - -u:"),
    ("nohup", ""),
    // Without the option it does not wait for the command.
    ("setsid", "-w!"),
    ("nice", "-n:"),
    ("ionice", "-c: -n:"),
    ("stdbuf", "-oL -o0 -eL -e0 -i0 -o: -e: -i:"),
    ("timeout", "--foreground -s: -k: *"),
];

/// Whether a command inside these wrappers runs in the shell itself.
pub(super) fn is_in_shell(wrappers: &[ShellWord]) -> bool {
    let mut others = WRAPPERS[4..].iter();
    !others.any(|(name, _)| wrappers.iter().any(|word| word.literal() == Some(name)))
}

pub(super) fn unwrap(mut words: &[ShellWord]) -> Wrapped<'_> {
    loop {
        let [first, rest @ ..] = words else {
            return Wrapped::Nothing;
        };
        let name = first.literal().unwrap_or_default();
        let Some((_, options)) = WRAPPERS.iter().find(|wrapper| wrapper.0 == name) else {
            return Wrapped::Command(words);
        };
        let is_query = |word: &ShellWord| word.is("-v") || word.is("-V");
        if name == "command" && rest.first().is_some_and(is_query) {
            return Wrapped::Nothing;
        }
        match inside(name, options, rest) {
            Some(inner) => words = inner,
            None => return Wrapped::Unknown,
        }
    }
}

fn inside<'w>(name: &str, options: &str, mut words: &'w [ShellWord]) -> Option<&'w [ShellWord]> {
    if options.ends_with('!') && !words.first().is_some_and(|word| word.is("-w")) {
        return None;
    }
    while let Some(word) = words.first().filter(|word| word.text.starts_with('-')) {
        let option = word.literal()?;
        let mut known = options.split(' ');
        let known = known.find(|it| it.trim_end_matches([':', '!']) == option)?;
        words = words.get(1 + usize::from(known.ends_with(':'))..)?;
    }
    if name == "env" {
        let is_variable = |word: &&ShellWord| word.variable().is_some();
        words = &words[words.iter().take_while(is_variable).count()..];
    }
    words.get(usize::from(options.ends_with('*'))..)
}

/// Whether a program is a shell, which runs a command line from its arguments.
pub(super) fn is_shell(name: &str) -> bool {
    let (folder, name) = name.rsplit_once('/').unwrap_or(("/bin", name));
    is_listed(folder, "/bin /usr/bin /usr/local/bin /opt/homebrew/bin")
        && is_listed(name, "bash sh zsh dash ksh")
}

/// Whether options of `set` or of a shell change nothing but what happens after a failure, and what is
/// printed. With others, such as `-n`, no command may run any more.
pub(super) fn are_harmless(options: &[&str]) -> bool {
    const NAMES: &str = "errexit pipefail allexport nounset xtrace errtrace noglob";
    let mut options = options.iter().take_while(|option| **option != "--");
    options.all(|option| match option.strip_prefix(['-', '+']) {
        Some(letters) => letters.chars().all(|letter| "eauxvEfTo".contains(letter)),
        None => is_listed(option, NAMES),
    })
}

/// The command line after the `-c` of a shell. None if missing, or an option is unknown.
pub(super) fn script_of(arguments: &[ShellWord]) -> Option<&str> {
    let words: Vec<&str> = arguments.iter().map_while(ShellWord::literal).collect();
    let at = words
        .iter()
        .position(|word| word.starts_with('-') && word.contains('c'))?;
    // `-lc`, and `-o pipefail -c`.
    let letters: String = words[at].chars().filter(|it| !"cl".contains(*it)).collect();
    let options = [&words[..at], &[&letters]].concat();
    let is_known = letters != "--" && are_harmless(&options);
    words.get(at + 1).copied().filter(|_| is_known)
}
