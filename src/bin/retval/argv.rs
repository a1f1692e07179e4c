//! Reads facts from the raw arguments. They are needed when clap cannot parse the arguments, or
//! prints help.

use std::ffi::OsString;

use retval::config::ColorChoice;

/// Facts from the raw arguments.
pub(crate) struct Hints {
    /// How the hook reacts to a usage error. None for other commands, and if a person runs the command.
    pub(crate) hook: Option<HookFallback>,
    /// The value of `--color`, for help.
    pub(crate) color: ColorChoice,
}

/// The behavior of a hook without valid options.
#[derive(Debug, Clone, Copy)]
pub(crate) struct HookFallback {
    /// Whether agents are blocked: `--fail-closed` without `--observe`.
    pub(crate) is_closed: bool,
}

impl Hints {
    /// Reads the arguments; the first one is the program's name.
    pub(crate) fn of(args: &[OsString]) -> Self {
        Self {
            hook: hook(args),
            color: color(args).unwrap_or_default(),
        }
    }
}

/// The subcommands of `retval hook` that a person runs, never a client.
const FOR_PERSONS: [&str; 3] = ["install", "uninstall", "status"];

/// How the hook reacts to a usage error. None for other commands, and if a person runs the command and
/// should see the error.
fn hook(args: &[OsString]) -> Option<HookFallback> {
    let has = |option: &str| args.iter().any(|arg| arg == option);
    let prints_config = |arg: &OsString| arg.as_encoded_bytes().starts_with(b"--print-config");
    let is_hook = args.get(1).is_some_and(|command| command == "hook");
    let is_for_person = |word: &OsString| word.to_str().is_some_and(is_for_person);
    let is_called = !args.iter().any(prints_config) && !args.get(2).is_some_and(is_for_person);
    (is_hook && is_called).then(|| HookFallback {
        is_closed: has("--fail-closed") && !has("--observe"),
    })
}

/// Whether a word is one of these subcommands, possibly misspelled. Any other word may be from the
/// settings of a client, and then exit code 2 would block its agents: `start` and `stop` are names of
/// hooks.
fn is_for_person(word: &str) -> bool {
    /// The most letters that may be missing, added, replaced or swapped.
    const SLIPS: usize = 2;
    /// Longer words are no misspellings of these. The comparison takes quadratic time.
    const LENGTH_AT_MOST: usize = 12;
    let is_near = |command: &&str| strsim::osa_distance(word, command) <= SLIPS;
    word.len() <= LENGTH_AT_MOST && FOR_PERSONS.iter().any(is_near)
}

/// The value of `--color`. The last one counts, as for clap. None if it is missing or not a color
/// choice.
fn color(args: &[OsString]) -> Option<ColorChoice> {
    let mut args = args.iter().map(|arg| arg.as_encoded_bytes());
    let mut last = None;
    while let Some(arg) = args.next() {
        let value = match arg.strip_prefix(b"--color") {
            Some(b"") => args.next(),
            Some(joined) => joined.strip_prefix(b"="),
            None => None,
        };
        let parsed = value.and_then(|value| std::str::from_utf8(value).ok()?.parse().ok());
        last = parsed.or(last);
    }
    last
}
