//! The options that the configuration can set. Each has one row in [`SETTINGS`].

use std::fmt::Write as _;
use std::ops::Range;
use std::path::{Path, PathBuf};

use toml::de::DeValue;

use crate::check::rules::Strictness;
use crate::config::reader::TomlItem;
use crate::config::types::{self, FromToml, check_glob, parsed, toml_types, toml_words};
use crate::config::units::{
    Age, BYTE_SIZE, ByteSize, OF_AGE, OF_BYTES, RootEntry, TIME_POINT, TimePoint, pattern,
};
use crate::document::Form;
use crate::evidence::EvidenceMode;
use crate::json_schema::SchemaNode;
use crate::profile::{ANY, Action, PROFILES};
use crate::report::{Format, RuleUrl};
use crate::text::{Position, escape, names};

/// An option that the configuration file can set. The environment can set some of them, too.
#[derive(Debug)]
pub(crate) struct Setting {
    /// The name of its table, if it has one, and the long option without its dashes: `strict`,
    /// `hook.retries`.
    pub name: &'static str,
    pub about: &'static str,
    /// The environment variable, which takes precedence over the file.
    pub variable: Option<&'static str>,
    /// The default, as TOML; empty if there is none.
    pub default: &'static str,
    /// The range of valid values, if it is a number.
    pub range: Range<u64>,
    schema: fn(bool) -> SchemaNode,
    /// Sets it to the text of its variable, unless that is wrong.
    read_variable: fn(&mut SettingValues, &str),
    read: fn(&mut SettingValues, &TomlItem<'_>) -> Option<()>,
    value: fn(&SettingValues) -> Option<String>,
    unset: fn(&mut SettingValues),
}

/// Declares the settings. A row generates a field of [`SettingValues`] and an entry of
/// [`SETTINGS`], so the two cannot differ.
macro_rules! settings {
    ($($field:ident: $type:ty = $name:literal, $about:literal
        $(, default $default:literal)?
        $(, range $range:expr)?
        $(, variable $variable:literal)?;)*) => {
        /// The values of settings; `None` if a setting is not set.
        #[derive(Debug, Clone, Default)]
        pub(crate) struct SettingValues {
            $(#[doc = $about] pub $field: Option<$type>,)*
        }

        impl SettingValues {
            /// Replaces each value that `over` sets.
            pub(crate) fn overlay(&mut self, over: &Self) {
                $(if let Some(value) = &over.$field {
                    self.$field = Some(value.clone());
                })*
            }
        }

        /// Every setting, in the order of the help.
        pub(crate) static SETTINGS: [Setting; [$($name),*].len()] = [$(
            Setting {
                $(default: $default,)?
                $(range: $range,)?
                $(variable: Some($variable),
                read_variable: |values, text| values.$field = text.parse().ok(),)?
                ..Setting {
                    name: $name,
                    about: $about,
                    variable: None,
                    default: "",
                    range: 0..u64::MAX,
                    schema: <$type as FromToml>::schema,
                    read_variable: |_, _| {},
                    read: |values, item| {
                        values.$field = Some(SettingType::read_setting(item)?);
                        Some(())
                    },
                    value: |values| values.$field.as_ref().map(SettingType::toml),
                    unset: |values| values.$field = None,
                }
            },
        )*];
    };
}

settings! {
    profile: String = "profile", "profile to check against", default "\"auto\"",
        variable "RETVAL_PROFILE";
    session: String = "session", "expected session id",
        variable "RETVAL_SESSION";
    agent: String = "agent", "agent that was called",
        variable "RETVAL_AGENT";
    group: String = "group", "work group, to find handoff files";
    root: PathBuf = "root", "folder that artifact paths are relative to", default "\".\"",
        variable "RETVAL_ROOT";
    strict: Strictness = "strict", "treat warnings as errors: all, or with `\"required\"` those about what the profile's document requires", default "false";
    fail_fast: bool = "fail-fast", "stop after the first step that fails", default "false";
    extract: bool = "extract", "accept a return inside a code fence or prose", default "false";
    max_bytes: ByteSize = "max-bytes", "size limit of one return, such as `16MiB`", default "16777216",
        range 1..1 << 40;
    root_has: RootEntry = "root-has", "file or folder that the root must have, or nothing is checked";
    now: TimePoint = "now", "time that timestamps are compared with; the current time if not set",
        variable "RETVAL_NOW";
    stale_after: Age = "stale-after", "age at which unfinished work is reported",
        default "\"24h\"";
    evidence: EvidenceMode = "evidence", "what counts where there is evidence of the work",
        default "\"fail\"";
    include: Vec<String> = "include", "in folders, check only matching files", default "[]";
    exclude: Vec<String> = "exclude", "in folders, skip matching files and folders", default "[]";
    format: Format = "format", "output format", default "\"text\"";
    rule_url: RuleUrl = "rule-url", "address of a rule's explanation, with `{rule}` for its id";
    errors_json: PathBuf = "errors-json", "error log to append invalid returns to";
    jobs: u64 = "jobs", "number of threads; all cores if not set", range 1..1025,
        variable "RETVAL_JOBS";
    color: ColorChoice = "color", "when to use color", default "\"auto\"";
    baseline: PathBuf = "baseline", "file of accepted findings";
    hook_agents: Vec<String> = "hook.agents", "agents that the hook checks", default "[]";
    hook_retries: u64 = "hook.retries", "how often an agent is asked again", default "1",
        range 0..1 << 32;
    hook_observe: bool = "hook.observe", "report only, never ask again", default "false";
    hook_receipt: ReceiptMode = "hook.receipt", "tell callers what the record of an agent shows: always, or only if something is unusual",
        default "\"auto\"";
    hook_fail_closed: bool = "hook.fail-closed", "ask again if the hook itself fails",
        default "false";
    hook_return_file: String = "hook.return-file", "check the newest file that matches";
    hook_log: bool = "hook.log", "keep the log of `retval hook log`", default "true",
        variable "RETVAL_HOOK_LOG";
    hook_tool: String = "hook.tool", "check what agents hand in by the tool that matches";
    hook_writes: Vec<String> = "hook.writes", "files that agents may write; others are reported";
}

impl SettingValues {
    /// Makes relative paths relative to `folder`, the folder of the configuration file.
    pub(crate) fn resolve_paths(&mut self, folder: &Path) {
        let paths = [&mut self.root, &mut self.errors_json, &mut self.baseline];
        for path in paths.into_iter().flatten() {
            *path = folder.join(&path);
        }
    }
}

impl Setting {
    pub(crate) fn named(name: &str) -> Option<&'static Self> {
        SETTINGS.iter().find(|setting| setting.name == name)
    }

    /// The settings of a table, or those at the top of the file.
    pub(crate) fn of(table: &str) -> Vec<&'static Self> {
        SETTINGS.iter().filter(|it| it.table() == table).collect()
    }

    /// The name of its table. Empty if it is at the top of the file.
    pub(crate) fn table(&self) -> &'static str {
        self.name.split_once('.').map_or("", |it| it.0)
    }

    /// Its key in its table.
    pub(crate) fn key(&self) -> &'static str {
        self.name.split_once('.').map_or(self.name, |it| it.1)
    }

    /// Its key in its table, and the schema of its value.
    pub(super) fn member(&self) -> (&'static str, SchemaNode) {
        let mut schema = SchemaNode {
            // The defaults are valid as TOML and as JSON.
            default: serde_json::from_str(self.default).ok(),
            ..(self.schema)(false)
        };
        if let Some(number) = schema.find_type_mut("integer") {
            number.minimum = Some(self.range.start);
            number.maximum = Some(self.range.end - 1);
        }
        (self.key(), schema.described(self.about))
    }

    /// Its value in `values`, as TOML.
    pub(crate) fn value(&self, values: &SettingValues) -> Option<String> {
        (self.value)(values)
    }

    /// Sets it to the text of its environment variable.
    ///
    /// # Errors
    ///
    /// What is wrong with the text, safe to print.
    pub(crate) fn set_variable(
        &self,
        values: &mut SettingValues,
        text: &str,
    ) -> Result<(), String> {
        (self.read_variable)(values, text);
        if self.value(values).is_some() && self.is_in_range(values) {
            return Ok(());
        }
        let shown = escape::truncated(text);
        let (first, last) = (self.range.start, self.range.end - 1);
        Err(match self.default {
            "true" | "false" => format!("`{shown}` is neither `true` nor `false`"),
            _ if self.name == "now" => format!("`{shown}`: {TIME_POINT}"),
            _ => format!("`{shown}` is not a number between {first} and {last}"),
        })
    }

    pub(crate) fn unset(&self, values: &mut SettingValues) {
        (self.unset)(values);
    }

    fn is_in_range(&self, values: &SettingValues) -> bool {
        let number = self.value(values).and_then(|it| it.parse().ok());
        number.is_none_or(|number| self.range.contains(&number))
    }
}

#[derive(Debug, Clone, Default)]
pub(crate) struct SettingTable {
    pub values: SettingValues,
    /// Each setting that the table sets, with the position of its value.
    pub positions: Vec<(&'static Setting, Position)>,
}

impl SettingTable {
    pub(super) fn set(&mut self, setting: &'static Setting, item: &TomlItem<'_>) {
        if (setting.read)(&mut self.values, item).is_none() {
            return;
        }
        if !setting.is_in_range(&self.values) {
            let (key, first, last) = (setting.key(), setting.range.start, setting.range.end - 1);
            item.refuse::<()>(format!("`{key}` must be between {first} and {last}"));
        }
        let position = item.reader.position(item.at());
        self.positions.push((setting, position));
    }

    /// The position of the value of a setting, if the table sets it.
    pub(crate) fn position(&self, setting: &Setting) -> Option<Position> {
        let mut positions = self.positions.iter();
        let found = positions.find(|(known, _)| std::ptr::eq(*known, setting))?;
        Some(found.1)
    }
}

names! {
    /// When to use color.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
    pub(crate) enum ColorChoice: "color choice" {
        /// If the output is a terminal, unless the environment says otherwise.
        #[default]
        Auto = "auto",
        Always = "always",
        Never = "never",
    }
}

names! {
    /// When the caller of an agent is told what its record shows.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
    pub(crate) enum ReceiptMode: "receipt mode" {
        /// Where something is unusual.
        #[default]
        Auto = "auto",
        Always = "always",
        Off = "off",
    }
}

trait SettingType: FromToml {
    fn read_setting(item: &TomlItem<'_>) -> Option<Self> {
        Self::read(item)
    }

    /// The value as TOML.
    fn toml(&self) -> String;
}

/// Globs.
impl SettingType for Vec<String> {
    fn read_setting(item: &TomlItem<'_>) -> Option<Self> {
        item.each(|item| item.read(check_glob))
    }

    fn toml(&self) -> String {
        let texts: Vec<_> = self.iter().map(|it| quoted(it)).collect();
        format!("[{}]", texts.join(", "))
    }
}

/// Says of each type how it is written.
macro_rules! setting_types {
    ($($type:ty => |$it:ident| $value:expr;)*) => {
        $(impl SettingType for $type {
            fn toml(&self) -> String {
                let $it = self;
                $value
            }
        })*
    };
}

setting_types! {
    u64 => |it| it.to_string();
    bool => |it| it.to_string();
    ByteSize => |it| it.0.to_string();
    String => |it| quoted(it);
    PathBuf => |it| quoted(&it.to_string_lossy());
    TimePoint => |it| quoted(&it.to_string());
    Age => |it| quoted(&it.to_string());
    RootEntry => |it| quoted(&it.to_string());
    RuleUrl => |it| quoted(&it.to_string());
    Format => |it| quoted(it.as_str());
    ColorChoice => |it| quoted(it.as_str());
    ReceiptMode => |it| quoted(it.as_str());
    EvidenceMode => |it| quoted(it.as_str());
    Strictness => |it| match it {
        Strictness::Required => quoted(Strictness::REQUIRED),
        _ => (*it == Strictness::All).to_string(),
    };
}

toml_words!(Form, Format, ColorChoice, ReceiptMode, EvidenceMode, Action);

toml_types! {
    Strictness = |item| match item.value() {
        DeValue::Boolean(is_strict) => Some(Self::from(*is_strict)),
        DeValue::String(word) if word == Self::REQUIRED => Some(Self::Required),
        _ => item.expected(&format!("true, false or \"{}\"", Self::REQUIRED)),
    },
        SchemaNode::any_of([bool::schema(false), SchemaNode::one_of([Self::REQUIRED])]);
    ByteSize = |item| {
        let size = match item.value().as_str() {
            Some(text) => text.parse().ok(),
            None => item.number().and_then(|it| it.try_into().ok()).map(Self),
        };
        size.or_else(|| item.invalid(BYTE_SIZE))
    }, SchemaNode::any_of([u64::schema(false), types::matching(pattern(OF_BYTES))]);
    Age = parsed, types::matching(pattern(OF_AGE));
    TimePoint = parsed, types::text();
    RootEntry = parsed, types::text();
    RuleUrl = |item| {
        let text = item.text()?;
        let wrong = |why: &String| item.invalid(format_args!("`{}`: {why}", escape::truncated(text)));
        text.parse().map_or_else(|why| wrong(&why), Some)
    }, types::matching(Self::pattern());
}

pub(super) fn named(names: &[&str]) -> Vec<&'static Setting> {
    let settings = names.iter().filter_map(|name| Setting::named(name));
    settings.collect()
}

/// The schema of a table for some files or agents. A setting that is missing there has its value for all others, not
/// its default.
pub(super) fn without_defaults(mut table: SchemaNode) -> SchemaNode {
    let members = table.properties.0.iter_mut();
    members.for_each(|(_, schema)| schema.default = None);
    table
}

/// The value that lets the file name select the profile.
pub(super) const AUTO: &str = "auto";

/// The valid values of `profile`, except for custom profiles.
pub(super) fn profile_names<'n>() -> impl Iterator<Item = &'n str> + Clone {
    let profiles = PROFILES.iter().copied().chain([&ANY]);
    std::iter::once(AUTO).chain(profiles.map(|profile| &*profile.id))
}

pub(crate) fn key(name: &str) -> String {
    let is_bare = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
    if name.bytes().all(is_bare) && !name.is_empty() { name.to_owned() } else { quoted(name) }
}

/// A TOML string with all hidden characters and tags escaped. The name of a group of an expression is no tag.
pub(crate) fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for (at, character) in text.char_indices() {
        let previous = quoted.chars().next_back();
        let names_group = character == '<' && (quoted.ends_with("(?") || quoted.ends_with("(?P"));
        if !names_group
            && !matches!(character, '"' | '\\')
            && escape::misleads(&text[at..], previous)
        {
            let _ = write!(quoted, "\\U{:08X}", u32::from(character));
            continue;
        }
        if matches!(character, '"' | '\\') {
            quoted.push('\\');
        }
        quoted.push(character);
    }
    quoted + "\""
}
