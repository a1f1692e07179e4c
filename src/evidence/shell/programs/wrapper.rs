//! Programs that run the command after them.

use super::super::word::{ShellWord, variable};

/// The command inside wrappers.
pub(in super::super) enum Wrapped<'w> {
    Command(&'w [ShellWord]),
    /// It runs nothing.
    Nothing,
    /// A wrapper has unknown options.
    Unknown,
}

struct Wrapper {
    name: &'static str,
    /// Options without a value.
    flags: &'static [&'static str],
    /// Options whose value is the next word.
    valued: &'static [&'static str],
    /// Words between the options and the command.
    operands: usize,
}

const fn wrapper(
    name: &'static str,
    flags: &'static [&'static str],
    valued: &'static [&'static str],
) -> Wrapper {
    Wrapper {
        name,
        flags,
        valued,
        operands: 0,
    }
}

const WRAPPERS: &[Wrapper] = &[
    wrapper("sudo", &["-n", "-E", "-H", "-S"], &["-u", "-g"]),
    wrapper("doas", &["-n"], &["-u"]),
    wrapper("env", &["-i", "-"], &["-u"]),
    wrapper("command", &[], &[]),
    wrapper("builtin", &[], &[]),
    wrapper("exec", &[], &[]),
    wrapper("nohup", &[], &[]),
    wrapper("setsid", &["-w"], &[]),
    wrapper("time", &["-p", "-v"], &[]),
    wrapper("nice", &[], &["-n"]),
    wrapper("ionice", &[], &["-c", "-n"]),
    wrapper(
        "stdbuf",
        &["-oL", "-o0", "-eL", "-e0", "-i0"],
        &["-o", "-e", "-i"],
    ),
    Wrapper {
        name: "timeout",
        flags: &["--foreground"],
        valued: &["-s", "-k"],
        operands: 1,
    },
];

/// Wrappers that are commands of the shell: the command inside runs in the shell itself.
const OF_SHELL: &[&str] = &["command", "builtin", "exec", "time"];

/// Whether a command inside these wrappers runs in the shell itself.
pub(in super::super) fn is_in_shell(wrappers: &[ShellWord]) -> bool {
    let is_other = |word: &ShellWord| {
        let mut names = WRAPPERS.iter().map(|wrapper| wrapper.name);
        names.any(|name| !OF_SHELL.contains(&name) && word.literal() == Some(name))
    };
    !wrappers.iter().any(is_other)
}

/// Most wrappers around a command.
const WRAPPERS_AT_MOST: usize = 8;

/// The command inside all wrappers.
pub(in super::super) fn unwrap(words: &[ShellWord]) -> Wrapped<'_> {
    let mut words = words;
    for _ in 0..WRAPPERS_AT_MOST {
        let [first, rest @ ..] = words else {
            return Wrapped::Nothing;
        };
        let name = first.literal().unwrap_or_default();
        let Some(wrapper) = WRAPPERS.iter().find(|wrapper| wrapper.name == name) else {
            return Wrapped::Command(words);
        };
        let is_query = |word: &ShellWord| word.is("-v") || word.is("-V");
        if name == "command" && rest.first().is_some_and(is_query) {
            return Wrapped::Nothing;
        }
        match inside(wrapper, rest) {
            Some(inner) => words = inner,
            None => return Wrapped::Unknown,
        }
    }
    Wrapped::Unknown
}

fn inside<'w>(wrapper: &Wrapper, mut words: &'w [ShellWord]) -> Option<&'w [ShellWord]> {
    // `setsid` waits for its command only with `-w`.
    if wrapper.name == "setsid" && !words.first().is_some_and(|word| word.is("-w")) {
        return None;
    }
    while let Some(word) = words.first().filter(|word| word.text.starts_with('-')) {
        let option = word.literal()?;
        let takes = usize::from(wrapper.valued.contains(&option));
        if takes == 0 && !wrapper.flags.contains(&option) {
            return None;
        }
        words = words.get(1 + takes..)?;
    }
    if wrapper.name == "env" {
        while words.first().and_then(variable).is_some() {
            words = &words[1..];
        }
    }
    words.get(wrapper.operands..)
}
