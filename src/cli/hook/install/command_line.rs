//! The command of the hook, as one line for a shell.

use std::path::Path;

use crate::clients::{Client, HookLine, HookSettings};
use crate::text::escape;
use anyhow::{anyhow, bail};

use super::paths::refuse_passing;
use crate::cli::hook::options::HookOptions;
use crate::cli::hook::typed::TypedOptions;
use crate::cli::settings::Settings;

/// What a settings file should have: the command with its options, for each kind of shell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct WantedHook {
    /// Whether the client knows the newer events. None if that is unknown: the file then keeps those it
    /// has.
    pub(super) has_newer_events: Option<bool>,
    pub(super) shell: String,
    pub(super) powershell: String,
    /// The names of tools by which agents hand in their return, as globs.
    pub(super) tools: Vec<String>,
}

impl WantedHook {
    pub(super) fn new(
        client: &HookSettings,
        program: &str,
        options: &[String],
        has_newer_events: Option<bool>,
    ) -> Self {
        let line = |quoted: fn(&str) -> String| {
            let words = options.iter().map(|word| quoted(word));
            let command = [quoted(program), "hook".to_owned()];
            command
                .into_iter()
                .chain(words)
                .collect::<Vec<_>>()
                .join(" ")
        };
        Self {
            has_newer_events,
            shell: line(for_shell) + client.command_end,
            powershell: line(for_powershell),
            tools: Vec::new(),
        }
    }

    /// One item of an event's list, as JSON in one line.
    pub(super) fn item(&self, client: &HookSettings, tools: Option<&str>) -> String {
        (client.item)(tools, self.line())
    }

    pub(super) fn line(&self) -> HookLine<'_> {
        HookLine {
            shell: &self.shell,
            powershell: &self.powershell,
        }
    }

    pub(super) fn is_newer(&self) -> bool {
        self.has_newer_events.unwrap_or_default()
    }
}

/// Whether the client denies agents if it does not find the program of this command.
pub(super) fn may_deny(client: &HookSettings, command: &str) -> bool {
    // A person may have written another end.
    !client.command_end.is_empty() && !command.contains("||")
}

/// A command without what `install` writes after its words.
pub(super) fn without_end(command: &str) -> &str {
    let command = command.trim_end();
    let ends = Client::with_hooks().map(|hook| hook.command_end);
    let mut ends = ends.filter(|end| !end.is_empty());
    ends.find_map(|end| command.strip_suffix(end))
        .unwrap_or(command)
}

fn for_shell(word: &str) -> String {
    quoted(word, b"-_./:=@%+,", "'\\''")
}

fn for_powershell(word: &str) -> String {
    quoted(word, b"-_./:=", "''")
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

/// Whether a command runs the hook, wherever the program is.
pub(super) fn runs_hook(command: &str) -> bool {
    let is_hook =
        |words: [Option<&str>; 2]| words[0].is_some_and(is_retval) && words[1] == Some("hook");
    let mut plain = command.split_whitespace();
    let words = words(command);
    let mut words = words.iter().map(String::as_str);
    // A path may need quotes.
    is_hook([plain.next(), plain.next()]) || is_hook([words.next(), words.next()])
}

/// Parses the words of the hook's command. Returns its options, resolved in the folder of a project, and
/// the settings.
pub(super) fn options(words: &[String], project: &Path) -> anyhow::Result<(HookOptions, Settings)> {
    // The words after the program.
    let Some(words) = words
        .get(1..)
        .filter(|words| words.starts_with(&["hook".to_owned()]))
    else {
        bail!("it is not the hook");
    };
    // Only the first line of the error says what is wrong.
    let typed = TypedOptions::parse(words).map_err(|error| {
        let text = error.to_string();
        anyhow!("{}", text.lines().next().unwrap_or_default())
    });
    let args = typed?.args;
    if let Some(config) = &args.config.config {
        refuse_passing(&project.join(config))?;
    }
    let settings = Settings::load_for_others(&args.config, project)?;
    let options = HookOptions::resolve(args, &settings)?;
    Ok((options, settings))
}

/// A command for display: unchanged, so that it can be pasted into a shell, or escaped if it would be
/// misleading.
pub(super) fn shown(command: &str) -> String {
    let is_misleading = command.contains("##") || command.chars().any(escape::is_hidden);
    if is_misleading {
        escape::full(command).to_string()
    } else {
        command.trim().to_owned()
    }
}

/// Splits a command into its words, without their quotes. An open quote makes it none.
pub(super) fn words(command: &str) -> Vec<String> {
    // On Windows a backslash separates the parts of a path.
    if cfg!(windows) {
        let words = shlex::split(&command.replace('\\', "\0")).unwrap_or_default();
        return (words.iter().map(|word| word.replace('\0', "\\"))).collect();
    }
    shlex::split(command).unwrap_or_default()
}

pub(super) fn is_retval(program: &str) -> bool {
    let name = program.trim_matches(['"', '\'']).rsplit(['/', '\\']).next();
    name.is_some_and(|name| name == "retval" || name == "retval.exe")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_for_each_shell() {
        let options = ["--agents", "it's $x*", "--session", "", "--root", "a,b"];
        let client = Client::Copilot.facts().settings.as_ref().expect("settings");
        let line = WantedHook::new(client, "retval", &options.map(str::to_owned), None);
        assert_eq!(
            line.shell,
            r"retval hook --agents 'it'\''s $x*' --session '' --root a,b"
        );
        assert_eq!(
            line.powershell,
            "retval hook --agents 'it''s $x*' --session '' --root 'a,b'"
        );
    }

    // A backslash means something else on Windows.
    #[cfg(not(windows))]
    #[test]
    fn words_are_read_as_they_were_quoted() {
        let options = ["--agents", "it's $x*", "--session", "", "--root", "a \\b"];
        let client = Client::Gemini.facts().settings.as_ref().expect("settings");
        let line = WantedHook::new(client, "retval", &options.map(str::to_owned), None);
        assert!(line.shell.ends_with(" || exit 1"));
        assert_eq!(words(without_end(&line.shell))[2..], options);
        assert_eq!(words(r#" a  "b \"c" d\ e "#), ["a", "b \"c", "d e"]);
    }

    #[test]
    fn the_program_is_known_by_its_name() {
        for command in [
            "retval hook",
            "/opt/bin/retval  hook -x",
            r"C:\b\retval.exe hook",
            "'/opt/my tools/retval' hook",
        ] {
            assert!(runs_hook(command), "{command}");
        }
        for command in [
            "retval",
            "retval check",
            "retvalx hook",
            "echo retval hook",
            "",
        ] {
            assert!(!runs_hook(command), "{command}");
        }
    }
}
