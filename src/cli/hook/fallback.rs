//! How `retval hook` reacts to a usage error.

use std::ffi::OsString;

/// The behavior of a hook without valid options.
#[derive(Debug, Clone, Copy)]
pub(crate) struct HookFallback {
    /// Whether agents are blocked: `--fail-closed` without `--observe`.
    pub(super) is_closed: bool,
}

/// The subcommands of `retval hook` that a person runs, never a client.
const FOR_PERSONS: [&str; 5] = ["install", "uninstall", "status", "log", "try"];

impl HookFallback {
    /// The behavior that the arguments ask for; the first one is the program's name. None for other
    /// commands, and if a person runs the command and should see the error.
    pub(crate) fn of(args: &[OsString]) -> Option<Self> {
        let has = |option: &str| args.iter().any(|arg| arg == option);
        let prints_config = |arg: &OsString| arg.as_encoded_bytes().starts_with(b"--print-config");
        let is_hook = args.get(1).is_some_and(|command| command == "hook");
        let is_for_person = |word: &OsString| word.to_str().is_some_and(is_for_person);
        let is_called = !args.iter().any(prints_config) && !args.get(2).is_some_and(is_for_person);
        (is_hook && is_called).then(|| Self {
            is_closed: has("--fail-closed") && !has("--observe"),
        })
    }
}

/// Whether a word is one of these subcommands, possibly misspelled. Any other word may be from the
/// settings of a client, and then exit code 2 would block its agents: `start` and `stop` are names of
/// hooks.
fn is_for_person(word: &str) -> bool {
    /// The most letters that may be missing, added, replaced or swapped; of a short word, one in three.
    const SLIPS: usize = 2;
    /// Longer words are no misspellings of these. The comparison takes quadratic time.
    const LENGTH_AT_MOST: usize = 12;
    let is_near =
        |command: &&str| strsim::osa_distance(word, command) <= SLIPS.min(command.len() / 3);
    word.len() <= LENGTH_AT_MOST && FOR_PERSONS.iter().any(is_near)
}
