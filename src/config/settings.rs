//! The options that the configuration can set. Each has one row in [`SETTINGS`].

use std::fmt::Write as _;
use std::ops::Range;
use std::path::{Path, PathBuf};

use toml::Spanned;
use toml::de::DeValue;

use crate::check::rules::Strictness;
use crate::config::keys::FromToml;
use crate::config::reader::{Reader, TomlItem};
use crate::config::types::{self, GlobTexts, parsed, toml_types, toml_words};
use crate::config::units::{Age, ByteSize, TimePoint};
use crate::document::Form;
use crate::evidence::EvidenceMode;
use crate::json_schema::SchemaNode;
use crate::profile::{ANY, PROFILES, PathGlob};
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
    schema: fn() -> SchemaNode,
    read: fn(&mut SettingValues, &TomlItem<'_>) -> Option<()>,
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
                $(variable: Some($variable),)?
                ..Setting {
                    name: $name,
                    about: $about,
                    variable: None,
                    default: "",
                    range: 0..u64::MAX,
                    schema: <$type as FromToml>::schema,
                    read: |values, item| {
                        values.$field = Some(FromToml::read(item)?);
                        Some(())
                    },
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
    root_has: PathBuf = "root-has", "file or folder that the root must have, or nothing is checked";
    now: TimePoint = "now", "time that timestamps are compared with; the current time if not set",
        variable "RETVAL_NOW";
    stale_after: Age = "stale-after", "age at which unfinished work is reported",
        default "\"24h\"";
    evidence: EvidenceMode = "evidence", "what counts where there is evidence of the work",
        default "\"fail\"";
    include: GlobTexts = "include", "in folders, check only matching files", default "[]";
    exclude: GlobTexts = "exclude", "in folders, skip matching files and folders", default "[]";
    format: Format = "format", "output format", default "\"text\"";
    rule_url: RuleUrl = "rule-url", "address of a rule's explanation, with `{rule}` for its id";
    errors_json: PathBuf = "errors-json", "error log to append invalid returns to";
    jobs: u64 = "jobs", "number of threads; all cores if not set", range 1..1025,
        variable "RETVAL_JOBS";
    color: ColorChoice = "color", "when to use color", default "\"auto\"";
    baseline: PathBuf = "baseline", "file of accepted findings";
    hook_agents: GlobTexts = "hook.agents", "agents that the hook checks", default "[]";
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
    hook_writes: Vec<PathGlob> = "hook.writes", "files that agents may write; others are reported";
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

    pub(super) fn schema(&self) -> SchemaNode {
        let is_number = self.range.end < u64::MAX;
        let schema = SchemaNode {
            // The defaults are valid as TOML and as JSON.
            default: serde_json::from_str(self.default).ok(),
            minimum: is_number.then_some(self.range.start),
            maximum: is_number.then_some(self.range.end - 1),
            ..(self.schema)()
        };
        schema.described(self.about)
    }
}

/// Settings of one table, or of the environment.
#[derive(Debug, Clone, Default)]
pub(crate) struct SettingTable {
    pub values: SettingValues,
    /// Each setting that is set, with the position of its value, and the value as TOML.
    pub set: Vec<(&'static Setting, Position, String)>,
}

impl SettingTable {
    pub(super) fn set(&mut self, setting: &'static Setting, item: &TomlItem<'_>) -> Option<()> {
        if item.value().is_integer() {
            item.number(&setting.range)?;
        }
        (setting.read)(&mut self.values, item)?;
        self.set.push((setting, item.reader.position(item.at()), written(item.value())));
        Some(())
    }

    /// Sets it to the text of its environment variable.
    ///
    /// # Errors
    ///
    /// What is wrong with the text, safe to print.
    pub(crate) fn set_variable(
        &mut self,
        setting: &'static Setting,
        text: &str,
    ) -> Result<(), String> {
        let is_text = (setting.schema)().types.0 == ["string"];
        let value = DeValue::parse(text).ok().filter(|_| !is_text);
        let value = value.unwrap_or_else(|| Spanned::new(0..0, DeValue::String(text.into())));
        let reader = Reader::new(text, None);
        self.set(setting, &TomlItem::new(&reader, setting.key(), &value));
        reader.all_or(()).map_err(|errors| errors.as_slice()[0].message.clone())
    }

    /// Where a setting is set, and to what. None if it is not.
    pub(crate) fn find(&self, setting: &Setting) -> Option<(Position, &str)> {
        let (_, at, value) = self.set.iter().find(|it| std::ptr::eq(it.0, setting))?;
        Some((*at, value))
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

toml_words!(Form, Format, ColorChoice, ReceiptMode, EvidenceMode);

toml_types! {
    Strictness = |item| match item.value() {
        DeValue::Boolean(is_strict) => Some(Self::from(*is_strict)),
        DeValue::String(word) if word == Self::REQUIRED => Some(Self::Required),
        _ => item.expected(&format!("true, false or \"{}\"", Self::REQUIRED)),
    },
        SchemaNode::any_of([bool::schema(), SchemaNode::one_of([Self::REQUIRED])]);
    ByteSize = |item| match item.value().as_integer() {
        Some(_) => u64::read(item).map(Self),
        None => parsed(item),
    }, SchemaNode::any_of([u64::schema(), types::text()]);
    Age = parsed, types::text();
    TimePoint = parsed, types::text();
    RuleUrl = parsed, types::text();
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

/// A value in one line.
fn written(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) => quoted(text),
        DeValue::Array(items) => {
            let items: Vec<_> = items.iter().map(|it| written(it.get_ref())).collect();
            format!("[{}]", items.join(", "))
        }
        DeValue::Boolean(is_on) => is_on.to_string(),
        DeValue::Integer(number) => number.to_string(),
        // No setting is one.
        DeValue::Float(_) | DeValue::Datetime(_) | DeValue::Table(_) => String::new(),
    }
}

/// A TOML string with all hidden characters and tags escaped.
pub(crate) fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for (at, character) in text.char_indices() {
        let previous = quoted.chars().next_back();
        let names_group = character == '<' && (quoted.ends_with("(?") || quoted.ends_with("(?P"));
        if matches!(character, '"' | '\\') {
            quoted.push('\\');
        } else if !names_group && escape::misleads(&text[at..], previous) {
            let _ = write!(quoted, "\\U{:08X}", u32::from(character));
            continue;
        }
        quoted.push(character);
    }
    quoted + "\""
}
