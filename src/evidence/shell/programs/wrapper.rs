//! Programs that run the command after them, or a command line in their arguments.

use super::super::state::ShellState;
use super::super::syntax::{ShellWord, is_listed, variable};

/// The command inside wrappers.
pub(in super::super) enum Wrapped<'w> {
    Command(&'w [ShellWord]),
    /// It runs nothing.
    Nothing,
    /// A wrapper has unknown options.
    Unknown,
}

/// The wrappers, with their options. After a `:`, the value is the next word. A `*` stands for a word between
/// the options and the command.
const WRAPPERS: &[(&str, &str)] = &[
    ("sudo", "-n -E -H -S -u: -g:"),
    ("doas", "-n -u:"),
    ("env", "-i - -u:"),
    ("command", ""),
    ("builtin", ""),
    ("exec", ""),
    ("nohup", ""),
    ("setsid", "-w"),
    ("time", "-p -v"),
    ("nice", "-n:"),
    ("ionice", "-c: -n:"),
    ("stdbuf", "-oL -o0 -eL -e0 -i0 -o: -e: -i:"),
    ("timeout", "--foreground -s: -k: *"),
];

/// Whether a command inside these wrappers runs in the shell itself: all of them are commands of the shell.
pub(in super::super) fn is_in_shell(wrappers: &[ShellWord]) -> bool {
    let is_other = |word: &ShellWord| {
        let mut names = WRAPPERS.iter().map(|(name, _)| *name);
        let other = names.find(|name| word.literal() == Some(name));
        other.is_some_and(|name| !is_listed(name, "command builtin exec time"))
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
    Wrapped::Unknown
}

fn inside<'w>(name: &str, options: &str, mut words: &'w [ShellWord]) -> Option<&'w [ShellWord]> {
    // `setsid` waits for its command only with `-w`.
    if name == "setsid" && !words.first().is_some_and(|word| word.is("-w")) {
        return None;
    }
    while let Some(word) = words.first().filter(|word| word.text.starts_with('-')) {
        let option = word.literal()?;
        let mut known = options
            .split(' ')
            .filter(|it| it.trim_end_matches(':') == option);
        let takes = usize::from(known.next()?.ends_with(':'));
        words = words.get(1 + takes..)?;
    }
    if name == "env" {
        while words.first().and_then(variable).is_some() {
            words = &words[1..];
        }
    }
    words.get(usize::from(options.ends_with('*'))..)
}

/// Whether a program is a shell, which runs a command line from its arguments.
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
