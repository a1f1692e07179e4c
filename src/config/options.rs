//! The options that have a default in the configuration, as a table.

use std::ops::Range;

use crate::config::reader::{SourceText, TomlItem, unknown_name};
use crate::config::{ConfigError, Given};
use crate::format::Format;
use crate::profile::PROFILES;

/// An option that a configuration or the environment can set.
#[derive(Debug)]
pub struct Setting {
    /// The long option without its dashes, after the name of its table: `strict`,
    /// `hook.retries`.
    pub name: &'static str,
    /// What it takes.
    pub kind: SettingKind,
    /// The environment variable, which comes before the file and after the option.
    pub variable: Option<&'static str>,
    /// The default, as TOML; empty if there is none.
    pub default: &'static str,
    /// What it sets.
    pub about: &'static str,
}

/// What the names of the hook's settings begin with.
const HOOK: &str = "hook.";

/// The table of a [`Setting`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Section {
    /// The top of the file.
    All,
    /// `[hook]`
    Hook,
}

/// What a [`Setting`] takes.
#[derive(Debug, Clone, Copy)]
pub enum SettingKind {
    /// Any text.
    Text,
    /// The name of a profile.
    Profile,
    /// A path, relative to the folder of the file.
    Path,
    /// `true` or `false`
    Switch,
    /// A whole number in a half-open range.
    Number(u64, u64),
    /// One of these words.
    Word(fn() -> Vec<&'static str>),
    /// A list of texts.
    Texts,
    /// A list of globs.
    Globs,
}

/// The value of a [`Setting`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SettingValue {
    /// A text, a path or a word.
    Text(String),
    /// On or off.
    Switch(bool),
    /// A number.
    Number(u64),
    /// A list.
    Texts(Vec<String>),
}

const fn setting(name: &'static str, kind: SettingKind, about: &'static str) -> Setting {
    Setting {
        name,
        kind,
        variable: None,
        default: "",
        about,
    }
}

impl Setting {
    const fn or(mut self, default: &'static str) -> Self {
        self.default = default;
        self
    }

    const fn from(mut self, variable: &'static str) -> Self {
        self.variable = Some(variable);
        self
    }

    /// The setting of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        SETTINGS.iter().find(|setting| setting.name == name)
    }

    /// Its table.
    #[must_use]
    pub fn group(&self) -> Section {
        if self.name.starts_with(HOOK) {
            Section::Hook
        } else {
            Section::All
        }
    }

    /// The key that it has in its table.
    #[must_use]
    pub fn key(&self) -> &'static str {
        self.name.strip_prefix(HOOK).unwrap_or(self.name)
    }

    pub(super) fn read(&self, item: &TomlItem<'_>) -> Result<Given<SettingValue>, ConfigError> {
        let value = match self.kind {
            SettingKind::Text | SettingKind::Profile | SettingKind::Path => {
                SettingValue::Text(item.text()?.to_owned())
            }
            SettingKind::Switch => SettingValue::Switch(item.switch()?),
            SettingKind::Number(least, end) => SettingValue::Number(item.number(least..end)?),
            SettingKind::Word(words) => {
                let words: Vec<_> = words().into_iter().map(|word| (word, word)).collect();
                SettingValue::Text(item.word(&words)?.to_owned())
            }
            SettingKind::Texts => SettingValue::Texts(item.texts()?),
            SettingKind::Globs => SettingValue::Texts(item.globs()?),
        };
        Ok(item.given(value))
    }
}

/// Every setting, in the order of the help.
pub static SETTINGS: [Setting; 23] = [
    setting(
        "profile",
        SettingKind::Profile,
        "standard to hold returns to",
    )
    .from("RETVAL_PROFILE")
    .or("\"auto\""),
    setting(
        "session",
        SettingKind::Text,
        "session id that returns must bear",
    )
    .from("RETVAL_SESSION"),
    setting("agent", SettingKind::Text, "agent that was called").from("RETVAL_AGENT"),
    setting(
        "group",
        SettingKind::Text,
        "group of work, to find handoff files by",
    ),
    setting(
        "root",
        SettingKind::Path,
        "folder that artifacts are relative to",
    )
    .from("RETVAL_ROOT")
    .or("\".\""),
    setting(
        "strict",
        SettingKind::Switch,
        "make every warning a failure",
    )
    .or("false"),
    setting(
        "fail-fast",
        SettingKind::Switch,
        "stop after the first step that fails",
    )
    .or("false"),
    setting(
        "extract",
        SettingKind::Switch,
        "accept a return inside a fence or prose",
    )
    .or("false"),
    setting(
        "max-bytes",
        SettingKind::Number(1, 1 << 40),
        "bytes of the largest return",
    )
    .or("16777216"),
    setting(
        "include",
        SettingKind::Globs,
        "in folders, only files that match",
    )
    .or("[]"),
    setting(
        "exclude",
        SettingKind::Globs,
        "in folders, no files or folders that match",
    )
    .or("[]"),
    setting(
        "format",
        SettingKind::Word(formats),
        "format of standard output",
    )
    .or("\"text\""),
    setting(
        "errors-json",
        SettingKind::Path,
        "error log to add invalid returns to",
    ),
    setting(
        "statistics",
        SettingKind::Switch,
        "count rules, agents and statuses",
    )
    .or("false"),
    setting(
        "jobs",
        SettingKind::Number(1, 1025),
        "threads; all cores where not set",
    ),
    setting(
        "no-progress",
        SettingKind::Switch,
        "show no progress on a terminal",
    )
    .or("false"),
    setting("color", SettingKind::Word(colors), "when to colour").or("\"auto\""),
    setting(
        "baseline",
        SettingKind::Path,
        "findings that are known and accepted",
    ),
    setting(
        "hook.agents",
        SettingKind::Globs,
        "agents that the hook holds to the standard",
    )
    .or("[]"),
    setting(
        "hook.retries",
        SettingKind::Number(0, 1 << 32),
        "how often an agent is sent back",
    )
    .or("1"),
    setting(
        "hook.observe",
        SettingKind::Switch,
        "report and never send back",
    )
    .or("false"),
    setting(
        "hook.fail-closed",
        SettingKind::Switch,
        "send back when retval cannot check",
    )
    .or("false"),
    setting(
        "hook.return-file",
        SettingKind::Text,
        "check the newest file that matches",
    ),
];

fn formats() -> Vec<&'static str> {
    Format::NAMES.map(|(name, _)| name).to_vec()
}

fn colors() -> Vec<&'static str> {
    vec!["auto", "always", "never"]
}

/// The names that `profile` takes if there are no custom profiles.
pub(super) fn profile_names<'n>() -> impl Iterator<Item = &'n str> + Clone {
    std::iter::once("auto").chain(PROFILES.iter().map(|profile| &*profile.id))
}

/// The setting of that key.
pub(super) fn find(
    reader: &SourceText<'_>,
    group: Section,
    key: &str,
    place: Range<usize>,
) -> Result<&'static Setting, ConfigError> {
    let of_group = SETTINGS.iter().filter(move |known| known.group() == group);
    let mut found = of_group.clone().filter(|known| known.key() == key);
    found.next().ok_or_else(|| {
        let tables: &[&str] = match group {
            Section::All => &["rules", "profiles", "hook"],
            Section::Hook => &[],
        };
        let known = of_group.map(Setting::key).chain(tables.iter().copied());
        reader.error(place.start, unknown_name("key", key, known))
    })
}
