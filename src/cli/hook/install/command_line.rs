//! The command of the hook, as one line for a shell, and its options.

use std::any::TypeId;
use std::path::{Path, PathBuf};

use crate::clients::{Client, HookSettings, WantedHook};
use crate::text::escape;
use anyhow::{Context as _, anyhow, bail};
use clap::parser::ValueSource;
use clap::{ArgMatches, Args, Command, Error, FromArgMatches};

use super::place::Reach;
use super::{RETVAL, is_on_path};
use crate::cli::files;
use crate::cli::hook::options::{HookArgs, HookSetup};

/// The options of the hook, parsed and as they were typed.
#[derive(Debug)]
pub(crate) struct TypedOptions {
    pub(crate) args: HookArgs,
    /// The name and the value of each, and whether that is a path, in the order of the help.
    typed: Vec<(String, Option<String>, bool)>,
}

impl Args for TypedOptions {
    fn augment_args(command: Command) -> Command {
        HookArgs::augment_args(command)
    }

    fn augment_args_for_update(command: Command) -> Command {
        HookArgs::augment_args_for_update(command)
    }
}

impl FromArgMatches for TypedOptions {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let args = HookArgs::from_arg_matches(matches)?;
        let command = HookArgs::augment_args(Command::new("hook"));
        let mut typed = Vec::new();
        for arg in command.get_arguments() {
            let id = arg.get_id().as_str();
            let is_typed = matches.value_source(id) == Some(ValueSource::CommandLine);
            let Some(long) = arg.get_long().filter(|_| is_typed) else {
                continue;
            };
            let takes_value = arg.get_action().takes_values()
                && arg.get_num_args().is_none_or(|count| count.takes_values());
            let is_path = arg.get_value_parser().type_id() == TypeId::of::<PathBuf>();
            let values = matches.get_raw(id).into_iter().flatten();
            typed.extend(values.map(|value| {
                let value = takes_value.then(|| value.to_string_lossy().into_owned());
                (format!("--{long}"), value, is_path)
            }));
        }
        Ok(Self { args, typed })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl TypedOptions {
    /// Reads the words of a command line, from `hook` on.
    pub(super) fn parse(words: &[String]) -> Result<Self, Error> {
        let command = HookArgs::augment_args(Command::new("hook").args_override_self(true));
        Self::from_arg_matches(&command.try_get_matches_from(words)?)
    }

    /// The words of a command line that give them.
    pub(in crate::cli::hook) fn words(&self) -> Vec<String> {
        let words = self.typed.iter().flat_map(|(name, value, _)| match value {
            None => vec![name.clone()],
            Some(value) if value.starts_with('-') => vec![format!("{name}={value}")],
            Some(value) => vec![name.clone(), value.clone()],
        });
        words.collect()
    }

    /// The same for settings. Fails if a path means another place in the folder where the client calls the hook.
    pub(super) fn words_in(&self, reach: Reach, project: &Path) -> anyhow::Result<Vec<String>> {
        let is_here = files::current_folder() == Some(project);
        for (name, value, _) in self.typed.iter().filter(|(.., is_path)| *is_path) {
            let value = value.as_deref().unwrap_or_default();
            let is_same = match reach {
                _ if Path::new(value).is_absolute() => true,
                // The other paths are relative to each project.
                Reach::User => name != "--config",
                Reach::Project => is_here,
            };
            if !is_same {
                let value = escape::truncated(value);
                bail!(
                    "{name} {value}: the client calls the hook in the folder of its project: write an absolute path"
                );
            }
        }
        Ok(self.words())
    }
}

impl WantedHook {
    pub(super) fn new(client: &HookSettings, program: &str, options: &[String]) -> Self {
        let line = |plain: &[u8], quote| {
            let quoted = |word: &str| quoted(word, plain, quote);
            let options = options.iter().map(|word| quoted(word));
            let command = [quoted(program), "hook".to_owned()].into_iter();
            command.chain(options).collect::<Vec<_>>().join(" ")
        };
        Self {
            shell: line(b"-_./:=@%+,", "'\\''") + client.command_end,
            powershell: line(b"-_./:=", "''"),
            tools: Vec::new(),
        }
    }
}

/// Puts a word in single quotes, unless it has only letters, digits and plain punctuation.
fn quoted(word: &str, plain: &[u8], quote: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || plain.contains(&byte);
    if !word.is_empty() && word.bytes().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', quote))
    }
}

/// The words of a command from `hook` on, without what `install` writes after them. None if it is not the hook.
pub(super) fn hook_words(command: &str) -> Option<Vec<String>> {
    let command = command.trim_end();
    let mut ends = Client::with_hooks().map(|hook| hook.command_end);
    let end = ends.find(|end| !end.is_empty() && command.ends_with(end));
    let mut words = words(command.strip_suffix(end.unwrap_or_default())?);
    (words.get(1).is_some_and(|it| it == "hook")).then(|| words.split_off(1))
}

/// Whether a command runs the hook, wherever the program is.
pub(super) fn runs_hook(command: &str) -> bool {
    let words = words(command);
    words.first().is_some_and(|word| is_retval(word)) && words.get(1).is_some_and(|it| it == "hook")
}

fn is_retval(program: &str) -> bool {
    let name = program.rsplit(['/', '\\']).next();
    name.is_some_and(|name| name == "retval" || name == "retval.exe")
}

/// Splits a command into its words, without their quotes. An open quote makes it none.
fn words(command: &str) -> Vec<String> {
    // On Windows a backslash separates the parts of a path.
    if cfg!(windows) {
        let words = shlex::split(&command.replace('\\', "\0")).unwrap_or_default();
        return (words.iter().map(|word| word.replace('\0', "\\"))).collect();
    }
    shlex::split(command).unwrap_or_default()
}

/// A command for display: unchanged, or escaped if it would be misleading.
pub(super) fn shown(command: &str) -> String {
    if command.contains("##") || command.chars().any(escape::is_hidden) {
        escape::full(command).to_string()
    } else {
        command.trim().to_owned()
    }
}

/// The hook that a command runs, in the folder of a project. Fails if it is not the hook, or has other words.
pub(super) fn setup(command: &str, project: &Path) -> anyhow::Result<HookSetup> {
    let words = hook_words(command).context("it is not the hook")?;
    let typed = TypedOptions::parse(&words).map_err(|error| {
        // Only the first line of the error says what is wrong.
        let text = error.to_string();
        anyhow!("{}", text.lines().next().unwrap_or_default())
    });
    Ok(HookSetup::load(typed?.args, Some(project)))
}

/// Fails if the program of a command is certainly not there. A shell may make another path of one with `~` or `$`.
pub(super) fn refuse_missing(command: &str) -> anyhow::Result<()> {
    let program = words(command).into_iter().next().unwrap_or_default();
    if program == RETVAL && !is_on_path(RETVAL) {
        bail!("retval is not on PATH: install again with --absolute, which writes its path");
    }
    if Path::new(&program).is_absolute() && !Path::new(&program).is_file() {
        bail!("{program} does not exist: install again");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_for_each_shell() {
        let options = ["--agents", "it's $x*", "--session", "", "--root", "a,b"];
        let client = Client::Copilot.facts().settings.as_ref().expect("settings");
        let line = WantedHook::new(client, "retval", &options.map(str::to_owned));
        assert_eq!(line.shell, r"retval hook --agents 'it'\''s $x*' --session '' --root a,b");
        assert_eq!(line.powershell, "retval hook --agents 'it''s $x*' --session '' --root 'a,b'");
    }

    // A backslash means something else on Windows.
    #[cfg(not(windows))]
    #[test]
    fn words_are_read_as_they_were_quoted() {
        let options = ["--agents", "it's $x*", "--session", "", "--root", "a \\b"];
        let client = Client::Gemini.facts().settings.as_ref().expect("settings");
        let line = WantedHook::new(client, "retval", &options.map(str::to_owned));
        assert!(line.shell.ends_with(" || exit 1"));
        assert_eq!(hook_words(&line.shell).expect("the hook")[1..], options);
        assert_eq!(words(r#" a  "b \"c" d\ e "#), ["a", "b \"c", "d e"]);
    }

    #[test]
    fn the_program_is_known_by_its_name() {
        for command in ["retval hook", "/opt/bin/retval  hook -x", "'/opt/my tools/retval' hook"] {
            assert!(runs_hook(command), "{command}");
        }
        for command in ["retval", "retval check", "retvalx hook", "echo retval hook", ""] {
            assert!(!runs_hook(command), "{command}");
        }
    }
}
