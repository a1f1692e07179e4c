//! Levels of rules (`[rules]`), and settings of some files (`[[overrides]]`) and of some agents
//! (`[hook.agents."GLOB"]`).

use globset::{Glob, GlobBuilder, GlobMatcher};

use crate::check::rules::{self, Level, Rule};
use crate::config::keys::{self, FromToml, Keys, TomlTable};
use crate::config::reader::{TomlItem, all};
use crate::config::settings::{Setting, SettingTable};
use crate::config::types::{self, glob, toml_types, toml_words};
use crate::json_schema::SchemaNode;
use crate::text::escape;

/// The settings that an override can have: those that say how one document is read and checked. All
/// others are about a run, an agent, or the search for files.
const OF_FILES: &[&str] = &["profile", "strict", "extract"];

/// Settings for the files that match one of its globs.
#[derive(Debug, Clone, Default)]
pub(crate) struct Override {
    pub files: Vec<Glob>,
    pub settings: SettingTable,
    /// Levels of rules. They take precedence over those of a profile.
    pub rules: Vec<(&'static Rule, Level)>,
}

impl TomlTable for Override {
    fn read_keys(keys: &mut Keys<'_>) -> Option<Self> {
        let files: Option<FileGlobs> =
            keys.get("files", "globs of files, relative to the folder of the configuration");
        let RuleLevels(rules) = keys.get("rules", "levels of rules").unwrap_or_default();
        let mut settings = SettingTable::default();
        keys.settings(OF_FILES.iter().filter_map(|it| Setting::named(it)), &mut settings);
        if files.as_ref().is_none_or(|it| it.0.is_empty()) {
            keys.refuse::<()>("an override must have `files`, a list of globs");
        }
        // With a mistake in it, its profile is looked at all the same.
        Some(Self { files: files.map(|it| it.0).unwrap_or_default(), settings, rules })
    }
}

/// A glob for paths relative to the folder of the configuration. One without a slash matches the file name in
/// any folder.
fn file_glob(text: &str) -> Result<Glob, String> {
    let below = text.trim_start_matches("./");
    if below.split('/').any(|part| matches!(part, "" | "." | "..")) {
        let text = escape::truncated(text);
        return Err(format!(
            "the glob `{text}` matches no file: write names below the folder of the configuration, such as `old/**`"
        ));
    }
    let anywhere = if below.contains('/') { "" } else { "**/" };
    glob(text, |_| GlobBuilder::new(&format!("{anywhere}{below}")).literal_separator(true).build())
}

struct FileGlobs(Vec<Glob>);

/// A table of levels of rules.
#[derive(Default)]
pub(super) struct RuleLevels(pub(super) Vec<(&'static Rule, Level)>);

toml_types! {
    FileGlobs = |item| item.each(|item| item.read(file_glob)).map(Self), <Vec<String>>::schema();
    RuleLevels = |item| {
        let level = |member: TomlItem<'_>| {
            let Some(rule) = Rule::named(member.key) else {
                let (id, meant) = (escape::truncated(member.key), rules::meant_rule(member.key));
                return member.refuse_key(format!("unknown rule `{id}`; {meant}"));
            };
            let level = Level::read(&member)?;
            if rule.is_indispensable() && level != Level::Error {
                let id = rule.id;
                return member.refuse(format!(
                    "`{id}` must stay an error: nothing can be checked without it"
                ));
            }
            Some((rule, level))
        };
        all(item.members()?.into_iter().map(level)).map(Self)
    }, types::reference("#/$defs/rules");
}

toml_words!(Level);

/// Every rule with its levels: what [`RuleLevels`] refers to.
pub(super) fn rules_schema() -> SchemaNode {
    keys::table(rules::RULES.iter().map(|rule| (rule.id, Level::schema().described(rule.title()))))
}

const OF_AGENTS: &[&str] = &[
    "profile",
    "strict",
    "hook.retries",
    "hook.observe",
    "hook.receipt",
    "hook.return-file",
    "hook.tool",
    "hook.writes",
];

/// The settings of the hook for the agents that match a glob.
#[derive(Debug, Clone)]
pub(crate) struct AgentSettings {
    pub(crate) glob: GlobMatcher,
    /// Whether returns of these agents are checked. `None` if the table does not say.
    pub hold: Option<bool>,
    /// The settings that differ from those of other agents.
    pub settings: SettingTable,
}

impl AgentSettings {
    pub(crate) fn glob(&self) -> &str {
        self.glob.glob().glob()
    }

    fn read_keys(keys: &mut Keys<'_>) -> (Option<bool>, SettingTable) {
        let hold = keys.get("hold", "check the returns of these agents; false leaves them out");
        let mut settings = SettingTable::default();
        keys.settings(OF_AGENTS.iter().filter_map(|it| Setting::named(it)), &mut settings);
        (hold, settings)
    }
}

/// One for each glob, in the order of the text.
pub(super) struct Agents(pub(super) Vec<AgentSettings>);

toml_types! {
    Agents = |item| {
        let agent = |item: TomlItem<'_>| {
            let (hold, settings) = Keys::read(&item, AgentSettings::read_keys)?;
            let glob = glob(item.key, |it| Glob::new(it).map(|it| it.compile_matcher()));
            let glob = glob.map_err(|why| item.refuse_key::<()>(why)).ok()?;
            Some(AgentSettings { glob, hold, settings })
        };
        Some(Self(item.members()?.into_iter().filter_map(agent).collect()))
    }, keys::table_of(Keys::schema(AgentSettings::read_keys));
}

/// Commands that run tests, by the words with which they begin.
pub(super) struct TestRunners(pub(super) Vec<String>);

/// What another sign is in is no plain word, and would never be found at the start of a command.
fn test_runner(text: &str) -> Result<String, String> {
    let is_plain = |it: char| it.is_ascii_alphanumeric() || " _./:@%+=,~-".contains(it);
    if text.chars().all(is_plain) {
        return Ok(text.split_whitespace().collect::<Vec<_>>().join(" "));
    }
    Err(format!(
        "`{}` is not a command of plain words; write the words with which it begins, such as `just check`",
        escape::truncated(text)
    ))
}

toml_types! {
    TestRunners = |item| item.each(|item| item.read(test_runner)).map(Self), <Vec<String>>::schema();
}
