//! The command of the hook, as one line for a shell, with its options as they are for the folder in which a
//! client calls it.

use std::path::{Component, Path, PathBuf};

use crate::clients::{Client, HookLine, HookSettings};
use crate::text::escape;
use anyhow::{Context as _, anyhow, bail};

use super::settings::Reach;
use crate::cli::files;
use crate::cli::hook::decide::HookSetup;
use crate::cli::hook::options::{TypedOption, TypedOptions};

/// What a settings file should have: the command with its options, for each kind of shell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct WantedHook {
    pub(super) shell: String,
    pub(super) powershell: String,
    /// The names of tools by which agents hand in their return, as globs.
    pub(super) tools: Vec<String>,
}

impl WantedHook {
    pub(super) fn new(client: &HookSettings, program: &str, options: &[String]) -> Self {
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

/// The hook that a command runs, in the folder of a project.
///
/// # Errors
///
/// If it is not the hook, or has other words than options of the hook.
pub(super) fn setup(command: &str, project: &Path) -> anyhow::Result<HookSetup> {
    let words = words(without_end(command));
    let words = words
        .get(1..)
        .filter(|words| words.first().is_some_and(|it| it == "hook"));
    let typed = TypedOptions::parse(words.context("it is not the hook")?).map_err(|error| {
        // Only the first line of the error says what is wrong.
        let text = error.to_string();
        anyhow!("{}", text.lines().next().unwrap_or_default())
    });
    let args = typed?.args;
    if let Some(config) = &args.config.config {
        refuse_passing(&project.join(config))?;
    }
    Ok(HookSetup::load(args, Some(project)))
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

/// The words of the options. A client calls the hook in the folder of the project, so paths are written
/// relative to it; those outside are absolute. In the settings of a user, for all projects, only the
/// path of the configuration is made absolute: it is one file, while the other paths are relative to
/// each project.
pub(super) fn option_words(
    options: &[TypedOption],
    reach: Reach,
    project: &Path,
) -> anyhow::Result<Vec<String>> {
    let here = files::current_folder().context("cannot find the current folder")?;
    let words = options.iter().flat_map(|option| {
        let value = option.value.as_deref().map(|value| match reach {
            _ if !option.is_path || value.is_empty() => value.to_owned(),
            Reach::User if option.name == "config" => text(&joined(here, value)),
            Reach::User => value.to_owned(),
            Reach::Project | Reach::Local => in_project(here, value, project),
        });
        TypedOption {
            name: option.name.clone(),
            value,
            is_path: option.is_path,
        }
        .words()
    });
    Ok(words.collect())
}

fn in_project(here: &Path, value: &str, project: &Path) -> String {
    if here == project || Path::new(value).is_absolute() {
        return value.to_owned();
    }
    let path = joined(here, value);
    match path.strip_prefix(project) {
        Ok(below) if below.as_os_str().is_empty() => ".".to_owned(),
        Ok(below) => text(below),
        Err(_) => text(&path),
    }
}

/// Makes a path absolute. `..` at the start can be resolved without looking for symlinks, because the
/// path of the current folder has none.
fn joined(here: &Path, value: &str) -> PathBuf {
    let mut path = here.to_owned();
    let mut goes_up = true;
    for part in Path::new(value).components() {
        goes_up &= matches!(part, Component::CurDir | Component::ParentDir);
        match part {
            Component::CurDir => {}
            Component::ParentDir if goes_up => {
                path.pop();
            }
            part => path.push(part),
        }
    }
    path
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// Refuses a configuration that the next call of the hook could not read again, such as a pipe. A
/// missing one is reported where it is read.
fn refuse_passing(config: &Path) -> anyhow::Result<()> {
    if files::is_lasting(config) || config.symlink_metadata().is_err() {
        return Ok(());
    }
    let advice = if config == Path::new("/dev/null") {
        "--no-config reads none"
    } else {
        "write the configuration to one"
    };
    bail!(
        "--config {}: it is not a regular file, which the hook needs to read it at every call: {advice}",
        escape::path(config)
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_for_each_shell() {
        let options = ["--agents", "it's $x*", "--session", "", "--root", "a,b"];
        let client = Client::Copilot.facts().settings.as_ref().expect("settings");
        let line = WantedHook::new(client, "retval", &options.map(str::to_owned));
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
        let line = WantedHook::new(client, "retval", &options.map(str::to_owned));
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
