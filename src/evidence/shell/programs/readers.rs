//! Programs that write no file.

use super::super::word::ShellWord;
use super::literals;

/// Programs that write nothing, whatever their arguments.
const READERS: &[&str] = &[
    "cat",
    "tac",
    "nl",
    "head",
    "tail",
    "wc",
    "ls",
    "dir",
    "vdir",
    "stat",
    "du",
    "df",
    "pwd",
    "basename",
    "dirname",
    "realpath",
    "readlink",
    "grep",
    "egrep",
    "fgrep",
    "zgrep",
    "cut",
    "tr",
    "rev",
    "paste",
    "join",
    "comm",
    "diff",
    "cmp",
    "column",
    "fold",
    "expand",
    "unexpand",
    "od",
    "hexdump",
    "strings",
    "md5sum",
    "sha1sum",
    "sha224sum",
    "sha256sum",
    "sha384sum",
    "sha512sum",
    "b2sum",
    "cksum",
    "sum",
    "echo",
    "printf",
    "test",
    "[",
    "true",
    "false",
    ":",
    "expr",
    "seq",
    "yes",
    "sleep",
    "wait",
    "which",
    "type",
    "whereis",
    "whoami",
    "id",
    "groups",
    "uname",
    "uptime",
    "ps",
    "pgrep",
    "free",
    "nproc",
    "lscpu",
    "lsof",
    "printenv",
    "locale",
    "getconf",
    "tput",
    "jq",
    "export",
    "local",
    "declare",
    "unset",
    "shift",
    "read",
    "ulimit",
    "jobs",
];

pub(super) fn only_reads(name: &str, arguments: &[ShellWord]) -> bool {
    match name {
        "export" | "local" | "declare" => arguments.iter().all(sets_nothing_else),
        _ if READERS.contains(&name) => true,
        "xargs" => xargs(arguments),
        "env" => arguments.is_empty(),
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
    let none = |is_writing: fn(&str) -> bool| !arguments.iter().any(|word| is_writing(word));
    match name {
        "find" => none(|word| {
            let actions = ["-exec", "-ok", "-delete", "-fprint", "-fls"];
            actions.iter().any(|action| word.starts_with(action))
        }),
        "fd" | "fdfind" => none(|word| {
            word.starts_with("--exec")
                || !word.starts_with("--") && word.starts_with('-') && word.contains(['x', 'X'])
        }),
        "rg" => none(|word| word.starts_with("--pre") || word.starts_with("--hostname-bin")),
        "sort" => none(|word| {
            word.starts_with("--o")
                || word.starts_with("--c")
                || !word.starts_with("--") && word.starts_with('-') && word.contains('o')
        }),
        "uniq" => {
            arguments
                .iter()
                .filter(|word| !word.starts_with('-'))
                .count()
                <= 1
        }
        "tree" => none(|word| word.starts_with("-o") || word.starts_with("-R")),
        "file" => none(|word| word.starts_with("-C") || word.starts_with("--c")),
        "date" => none(|word| word.starts_with("-s") || word.starts_with("--s")),
        "hostname" => arguments.is_empty(),
        "awk" | "gawk" | "mawk" => awk(arguments),
        _ => false,
    }
}

/// Whether a program of awk has no output to files or pipes, and runs no other programs.
fn awk(arguments: &[&str]) -> bool {
    let mut rest = arguments.iter();
    loop {
        match rest.next() {
            Some(&("-F" | "-v")) => {
                rest.next();
            }
            Some(option) if option.starts_with("-F") => {}
            Some(option) if option.starts_with('-') => return false,
            Some(program) => {
                return !program.contains(['>', '|', '@']) && !program.contains("system");
            }
            None => return false,
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
            Some(program) => return READERS.contains(&program),
            None => return false,
        }
    }
    true
}
