//! The options that the configuration can set. Each has one row in [`SETTINGS`].

use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::config::ConfigError;
use crate::config::age::Age;
use crate::config::nodes::TomlKey;
use crate::config::reader::{TomlItem, unknown_name};
use crate::config::size::ByteSize;
use crate::config::values::{ColorChoice, SettingType, SettingValue};
use crate::evidence::EvidenceMode;
use crate::format::{Format, RuleUrl};
use crate::profile::PROFILES;
use crate::schema::json_schema::SchemaNode;
use crate::text::escape;

/// An option that the configuration file can set. The environment can set some of them, too.
#[derive(Debug)]
pub struct Setting {
    /// The name of its table, if it has one, and the long option without its dashes: `strict`,
    /// `hook.retries`.
    pub name: &'static str,
    /// What it sets.
    pub about: &'static str,
    /// The environment variable, which takes precedence over the file.
    pub variable: Option<&'static str>,
    /// The default, as TOML; empty if there is none.
    pub default: &'static str,
    /// The range of valid values, if it is a number.
    pub range: Range<u64>,
    schema: fn(&Range<u64>) -> SchemaNode,
    set_variable: fn(&mut SettingValues, &Setting, String) -> Result<(), String>,
    read: fn(&mut SettingValues, &Setting, &TomlItem<'_>) -> Result<(), ConfigError>,
    value: fn(&SettingValues) -> Option<SettingValue>,
    unset: fn(&mut SettingValues),
}

/// The table of a [`Setting`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Section {
    /// The top of the file.
    All,
    /// `[hook]`
    Hook,
}

/// The prefix of the hook's settings.
const HOOK: &str = "hook.";

/// Declares the settings. A row generates a field of [`SettingValues`] and an entry of
/// [`SETTINGS`], so the two cannot differ. The closure of `variable` sets the field from the
/// environment variable.
macro_rules! settings {
    ($($field:ident: $type:ty = $name:literal, $about:literal
        $(, default $default:literal)?
        $(, range $range:expr)?
        $(, variable $variable:literal => $set_variable:expr)?;)*) => {
        /// The values of settings; `None` if a setting is not set.
        #[derive(Debug, Clone, Default)]
        pub struct SettingValues {
            $(#[doc = $about] pub $field: Option<$type>,)*
        }

        impl SettingValues {
            /// Replaces each value that `over` sets.
            pub fn overlay(&mut self, over: &Self) {
                $(if let Some(value) = &over.$field {
                    self.$field = Some(value.clone());
                })*
            }

            /// Makes relative paths relative to `folder`, the folder of the configuration file.
            pub fn resolve_paths(&mut self, folder: &Path) {
                $(if let Some(value) = &mut self.$field {
                    value.resolve_path(folder);
                })*
            }
        }

        /// Every setting, in the order of the help.
        pub static SETTINGS: [Setting; [$($name),*].len()] = [$(
            Setting {
                $(default: $default,)?
                $(range: $range,)?
                $(variable: Some($variable), set_variable: $set_variable,)?
                ..Setting {
                    name: $name,
                    about: $about,
                    variable: None,
                    default: "",
                    range: 0..u64::MAX,
                    schema: <$type as SettingType>::schema,
                    set_variable: |_, _, _| Ok(()),
                    read: |values, setting, item| {
                        values.$field = Some(SettingType::read(item, setting)?);
                        Ok(())
                    },
                    value: |values| values.$field.as_ref().map(SettingType::value),
                    unset: |values| values.$field = None,
                }
            },
        )*];
    };
}

settings! {
    profile: String = "profile", "profile to check against", default "\"auto\"",
        variable "RETVAL_PROFILE" => |values, _, text| {
            values.profile = Some(text);
            Ok(())
        };
    session: String = "session", "expected session id",
        variable "RETVAL_SESSION" => |values, _, text| {
            values.session = Some(text);
            Ok(())
        };
    agent: String = "agent", "agent that was called",
        variable "RETVAL_AGENT" => |values, _, text| {
            values.agent = Some(text);
            Ok(())
        };
    group: String = "group", "work group, to find handoff files";
    root: PathBuf = "root", "folder that artifact paths are relative to", default "\".\"",
        variable "RETVAL_ROOT" => |values, _, text| {
            values.root = Some(text.into());
            Ok(())
        };
    strict: bool = "strict", "treat warnings as errors", default "false";
    fail_fast: bool = "fail-fast", "stop after the first step that fails", default "false";
    extract: bool = "extract", "accept a return inside a code fence or prose", default "false";
    max_bytes: ByteSize = "max-bytes", "size limit of one return, such as `16MiB`", default "16777216",
        range 1..1 << 40;
    stale_after: Age = "stale-after", "age at which unfinished work is reported",
        default "\"24h\"";
    evidence: EvidenceMode = "evidence", "what counts where there is evidence of the work",
        default "\"fail\"";
    include: Vec<String> = "include", "in folders, check only matching files", default "[]";
    exclude: Vec<String> = "exclude", "in folders, skip matching files and folders", default "[]";
    format: Format = "format", "output format", default "\"text\"";
    rule_url: RuleUrl = "rule-url", "address of a rule's explanation, with `{rule}` for its id";
    errors_json: PathBuf = "errors-json", "error log to append invalid returns to";
    save_invalid: PathBuf = "save-invalid", "folder to save invalid returns in";
    statistics: bool = "statistics", "count rules, agents and statuses", default "false";
    jobs: u64 = "jobs", "number of threads; all cores if not set", range 1..1025,
        variable "RETVAL_JOBS" => |values, setting, text| {
            values.jobs = Some(setting.parse_number(&text)?);
            Ok(())
        };
    no_progress: bool = "no-progress", "hide the progress line", default "false";
    color: ColorChoice = "color", "when to use color", default "\"auto\"";
    baseline: PathBuf = "baseline", "file of accepted findings";
    hook_agents: Vec<String> = "hook.agents", "agents that the hook checks", default "[]";
    hook_retries: u64 = "hook.retries", "how often an agent is sent back", default "1",
        range 0..1 << 32;
    hook_observe: bool = "hook.observe", "report only, never send back", default "false";
    hook_fail_closed: bool = "hook.fail-closed", "send back if the hook itself fails",
        default "false";
    hook_return_file: String = "hook.return-file", "check the newest file that matches";
}

impl Setting {
    /// The setting with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        SETTINGS.iter().find(|setting| setting.name == name)
    }

    /// Its table.
    #[must_use]
    pub fn section(&self) -> Section {
        if self.name.starts_with(HOOK) {
            Section::Hook
        } else {
            Section::All
        }
    }

    /// Its key in its table.
    #[must_use]
    pub fn key(&self) -> &'static str {
        self.name.strip_prefix(HOOK).unwrap_or(self.name)
    }

    /// Its key in its table, and the schema of its value.
    pub(super) fn member(&self) -> (String, SchemaNode) {
        let schema = SchemaNode {
            // The defaults are valid as TOML and as JSON.
            default: serde_json::from_str(self.default).ok(),
            ..(self.schema)(&self.range)
        };
        (self.key().to_owned(), schema.described(self.about))
    }

    /// Its value in `values`.
    #[must_use]
    pub fn value(&self, values: &SettingValues) -> Option<SettingValue> {
        (self.value)(values)
    }

    /// Sets it to the text of its environment variable.
    ///
    /// # Errors
    ///
    /// What is wrong with the text, safe to print.
    pub fn set_variable(&self, values: &mut SettingValues, text: String) -> Result<(), String> {
        (self.set_variable)(values, self, text)
    }

    fn parse_number(&self, text: &str) -> Result<u64, String> {
        let number = text
            .parse()
            .ok()
            .filter(|number| self.range.contains(number));
        number.ok_or_else(|| {
            let (first, last) = (self.range.start, self.range.end - 1);
            let text = escape::truncated(text);
            format!("`{text}` is no number between {first} and {last}")
        })
    }

    /// Removes its value.
    pub fn unset(&self, values: &mut SettingValues) {
        (self.unset)(values);
    }

    pub(super) fn read(
        &self,
        values: &mut SettingValues,
        item: &TomlItem<'_>,
    ) -> Result<(), ConfigError> {
        (self.read)(values, self, item)
    }
}

/// The value that lets the file name select the profile.
pub(super) const AUTO: &str = "auto";

/// The valid values of `profile`, except for custom profiles.
pub(super) fn profile_names<'n>() -> impl Iterator<Item = &'n str> + Clone {
    std::iter::once(AUTO).chain(PROFILES.iter().map(|profile| &*profile.id))
}

/// The setting with this key. `tables` are the other keys of the section, for the error message.
pub(super) fn find(
    item: &TomlItem<'_>,
    section: Section,
    tables: &[TomlKey],
    key: &str,
    place: Range<usize>,
) -> Result<&'static Setting, ConfigError> {
    let of_section = SETTINGS.iter().filter(move |it| it.section() == section);
    let mut found = of_section.clone().filter(|setting| setting.key() == key);
    found.next().ok_or_else(|| {
        let tables = tables.iter().map(|table| table.name);
        let keys = of_section.map(Setting::key).chain(tables);
        item.error_at(place.start, unknown_name("key", key, keys))
    })
}
