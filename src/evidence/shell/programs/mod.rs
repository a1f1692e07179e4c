//! What known programs write. Most of them only read.

mod files;
mod git;
mod sed;
pub(super) mod wrapper;

use super::FileChange;
use super::syntax::{Redirection, ShellWord, is_listed};
use super::undone;

#[derive(Debug, Default)]
pub(super) struct Effects {
    /// The changes, with the paths as the arguments have them.
    pub(super) changes: Vec<(FileChange, String)>,
    pub(super) by: &'static str,
    /// Whether the changes certainly happened if the program succeeded.
    pub(super) is_certain: bool,
    pub(super) mode: WriteMode,
    pub(super) may_write: bool,
    pub(super) commits: bool,
}

/// What happens to the old content of the files.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) enum WriteMode {
    #[default]
    Replace,
    /// The input of the program is written after it. Without input, nothing is written.
    Append,
    /// It is replaced, but these are the files only at the top of a repository.
    FromTop,
}

impl Effects {
    fn nothing() -> Self {
        Self::files("", FileChange::Written, [])
    }

    fn unknown() -> Self {
        Self::default().perhaps()
    }

    /// These files are changed, and nothing else.
    fn files<'t>(
        by: &'static str,
        change: FileChange,
        paths: impl IntoIterator<Item = &'t str>,
    ) -> Self {
        let paths = paths.into_iter();
        Self {
            changes: paths.map(|path| (change, path.to_owned())).collect(),
            by,
            is_certain: true,
            ..Self::default()
        }
    }

    /// Makes the changes uncertain, and allows for others.
    fn perhaps(mut self) -> Self {
        self.may_write = true;
        self.is_certain = false;
        self
    }

    fn only_if(self, is_known: bool) -> Self {
        if is_known { self } else { self.perhaps() }
    }
}

pub(super) fn effects(
    name: &str,
    arguments: &[ShellWord],
    redirections: &[Redirection],
) -> Effects {
    if only_reads(name, arguments) {
        return Effects::nothing();
    }
    let known = files::effects(name, arguments)
        .or_else(|| files::patch_effects(name, arguments, redirections))
        .or_else(|| git::effects(name, arguments, redirections))
        .or_else(|| sed::effects(name, arguments))
        .or_else(|| files::tool_effects(name, arguments));
    known.unwrap_or_else(|| Effects {
        changes: undone::by_search(name, arguments).into_iter().collect(),
        ..Effects::unknown()
    })
}

/// Programs that write nothing, whatever their arguments.
const READERS: &str = "cat tac nl head tail wc ls dir vdir stat du df pwd basename dirname \
    realpath readlink grep egrep fgrep zgrep cut tr rev paste join comm diff cmp column fold expand \
    unexpand od hexdump strings md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum \
    sum echo printf test [ true false : expr seq yes sleep wait which type whereis whoami id groups \
    uname uptime ps pgrep free nproc lscpu lsof printenv locale getconf tput jq unset shift read \
    ulimit jobs";

/// Programs that write, or run others, only with some options: the beginnings of these, and their letters
/// among options of one letter.
const MOSTLY_READERS: &[(&str, &[&str], &[char])] = &[
    ("find", &["-exec", "-ok", "-delete", "-fprint", "-fls"], &[]),
    ("fd fdfind", &["--exec"], &['x', 'X']),
    ("rg", &["--pre", "--hostname-bin"], &[]),
    ("sort", &["--o", "--c"], &['o']),
    ("tree", &["-o", "-R"], &[]),
    ("file", &["-C", "--c"], &[]),
    ("date", &["-s", "--s"], &[]),
];

fn only_reads(name: &str, arguments: &[ShellWord]) -> bool {
    match name {
        "export" | "local" | "declare" => arguments.iter().all(sets_nothing_else),
        _ if is_listed(name, READERS) => true,
        "xargs" => xargs(arguments),
        _ => literals_or_patterns(arguments).is_some_and(|arguments| reads(name, &arguments)),
    }
}

/// Whether an argument sets a variable that changes no program.
fn sets_nothing_else(word: &ShellWord) -> bool {
    let name = word.text.split('=').next().unwrap_or_default();
    !name.is_empty() && is_harmless_variable(name)
}

/// The arguments. None if the shell could turn one of them into an option.
fn literals_or_patterns(arguments: &[ShellWord]) -> Option<Vec<&str>> {
    literals(arguments).or_else(|| {
        let closed = |word: &ShellWord| !word.is_open();
        let words = arguments.iter().map(|word| word.text.as_str()).collect();
        arguments.iter().all(closed).then_some(words)
    })
}

/// Whether a program that could write only reads with these arguments.
fn reads(name: &str, arguments: &[&str]) -> bool {
    match name {
        "uniq" => {
            arguments
                .iter()
                .filter(|word| !word.starts_with('-'))
                .count()
                <= 1
        }
        "hostname" => arguments.is_empty(),
        "awk" | "gawk" | "mawk" => awk(arguments),
        _ => MOSTLY_READERS
            .iter()
            .find(|row| is_listed(name, row.0))
            .is_some_and(|(_, beginnings, letters)| {
                let is_short = |word: &str| word.starts_with('-') && !word.starts_with("--");
                !arguments.iter().any(|word| {
                    beginnings.iter().any(|option| word.starts_with(option))
                        || is_short(word) && word.contains(*letters)
                })
            }),
    }
}

/// Whether a program of awk has no output to files or pipes, and runs no other programs.
fn awk(arguments: &[&str]) -> bool {
    let mut rest = arguments;
    loop {
        match rest {
            ["-F" | "-v", _, after @ ..] => rest = after,
            [option, after @ ..] if option.len() > 2 && option.starts_with("-F") => rest = after,
            [program, ..] if !program.starts_with('-') => {
                return !program.contains(['>', '|', '@']) && !program.contains("system");
            }
            _ => return false,
        }
    }
}

/// Whether `xargs` runs a program that writes nothing, whatever its arguments.
fn xargs(arguments: &[ShellWord]) -> bool {
    let mut rest = arguments.iter();
    while let Some(word) = rest.next() {
        match word.literal() {
            Some("-0" | "-r" | "-t" | "--null" | "--no-run-if-empty") => {}
            Some("-n" | "-I" | "-P" | "-L" | "-d") => {
                rest.next();
            }
            Some(program) => {
                return is_listed(program, READERS) || is_listed(program, "export local declare");
            }
            None => return false,
        }
    }
    true
}

/// Whether a variable can hardly change what the programs of this module do.
pub(super) fn is_harmless_variable(name: &str) -> bool {
    const HARMLESS: &str = "LANG LANGUAGE TZ TERM CI NO_COLOR FORCE_COLOR CLICOLOR CLICOLOR_FORCE \
        COLUMNS DEBUG NODE_ENV RUST_LOG RUST_BACKTRACE";
    is_listed(name, HARMLESS)
        || name.starts_with("LC_")
        || name.bytes().all(|byte| !byte.is_ascii_uppercase())
}

pub(super) fn is_infallible(name: &str) -> bool {
    is_listed(name, "echo printf true : export pwd")
}

pub(super) fn is_silent(name: &str) -> bool {
    is_listed(name, "true : export unset")
}

/// Whether a program that prints what it reads from a pipe may leave out single lines. None for another
/// program, and for one that may read files instead.
pub(super) fn filter(name: &str, arguments: &[ShellWord]) -> Option<bool> {
    let is_operand = |word: &&ShellWord| {
        let is_option = |text: &str| {
            let text = text.trim_start_matches(['-', '+']);
            text.is_empty() || text.bytes().all(|byte| byte.is_ascii_digit())
        };
        let literal = word.literal();
        literal.is_none_or(|text| !text.starts_with('-') && !is_option(text))
    };
    let operands = arguments.iter().filter(is_operand).count();
    match name {
        "tail" | "cat" if operands == 0 => Some(false),
        "tee" => Some(false),
        "head" if operands == 0 => Some(true),
        "grep" | "egrep" if operands <= 1 => Some(true),
        _ => None,
    }
}

/// Whether a command certainly ends with a status other than 0.
pub(super) fn is_failing(name: &str, arguments: &[ShellWord]) -> bool {
    let status = |word: &ShellWord| word.literal().and_then(|text| text.parse::<u8>().ok());
    match (name, arguments) {
        ("false", _) => true,
        ("exit" | "return", [word]) => status(word).is_some_and(|status| status != 0),
        _ => false,
    }
}

/// The arguments, if the shell takes all of them literally.
fn literals(arguments: &[ShellWord]) -> Option<Vec<&str>> {
    arguments.iter().map(ShellWord::literal).collect()
}

/// Splits arguments into options and operands. No option may have a value of its own.
fn split<'t>(arguments: &[&'t str]) -> (Vec<&'t str>, Vec<&'t str>) {
    let end = arguments.iter().position(|argument| *argument == "--");
    let (before, after) = arguments.split_at(end.unwrap_or(arguments.len()));
    let is_option = |argument: &&str| argument.len() > 1 && argument.starts_with('-');
    let (options, mut operands): (Vec<&str>, Vec<&str>) =
        before.iter().copied().partition(is_option);
    operands.extend(after.iter().skip(1));
    (options, operands)
}

/// Whether each option is one of these words, or has only letters of the first one.
fn are_known(options: &[&str], known: &str) -> bool {
    let letters = known.split(' ').next().unwrap_or_default();
    options.iter().all(|option| {
        is_listed(option, known)
            || !option.starts_with("--")
                && option.chars().skip(1).all(|it| letters[1..].contains(it))
    })
}
