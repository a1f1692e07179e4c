//! Programs that do not write files.

use super::super::syntax::{ShellWord, is_listed};
use super::literals;

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

pub(super) fn only_reads(name: &str, arguments: &[ShellWord]) -> bool {
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
    !name.is_empty() && super::is_harmless_variable(name)
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
