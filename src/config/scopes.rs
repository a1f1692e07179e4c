//! Settings of some files (`[[overrides]]`) and of some agents (`[hook.agents."GLOB"]`), and what counts as
//! evidence (`[evidence]`).

use std::path::Path;
use std::sync::OnceLock;

use globset::{Glob, GlobBuilder, GlobMatcher};

use crate::check::rules::{self, Level, Rule};
use crate::config::Config;
use crate::config::reader::{TomlItem, all};
use crate::config::settings::{Setting, SettingTable, named, without_defaults};
use crate::config::types::{self, TomlTable, invalid_glob, toml_keys, toml_types, toml_words};
use crate::evidence::EvidenceMode;
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

/// A glob for paths relative to the folder of the configuration. One without a slash matches the file name in
/// any folder.
fn file_glob(text: &str) -> Result<Glob, String> {
    let below = text.trim_start_matches("./");
    let wrong = |part| match part {
        ".." => Some("it leaves the folder of the configuration"),
        "." | "" => Some("it has an empty part or `.`"),
        _ => None,
    };
    let why = if below.starts_with('/') || Path::new(below).is_absolute() {
        Some("it must be relative to the folder of the configuration")
    } else if below.is_empty() || below.ends_with('/') {
        Some("it names a folder, so add `**`")
    } else {
        below.split('/').find_map(wrong)
    };
    if let Some(why) = why {
        let text = escape::truncated(text);
        return Err(format!("the glob `{text}` matches no file: {why}"));
    }
    let anywhere = if below.contains('/') { "" } else { "**/" };
    let glob = GlobBuilder::new(&format!("{anywhere}{below}")).literal_separator(true).build();
    glob.map_err(|error| invalid_glob(text, &error))
}

struct FileGlobs(Vec<Glob>);

pub(super) struct OverrideList(pub(super) Vec<Override>);

toml_types! {
    FileGlobs = |item| match item.each(|item| item.read(file_glob))? {
        globs if globs.is_empty() => item.refuse("`files` must have a glob"),
        globs => Some(Self(globs)),
    }, SchemaNode {
        fewest: Some(1),
        ..<Vec<String>>::schema(false)
    };
    OverrideList = |item| {
        if item.value().is_table() {
            return item.refuse("`overrides` is a list of tables: write [[overrides]]");
        }
        let one = |item: &TomlItem<'_>| {
            // With a mistake in it, its profile is looked at all the same.
            let mut own = Override::default();
            Override::read_into(&mut own, item);
            if item.find("files").is_none() {
                item.refuse::<()>("an override must have `files`, a list of globs");
            }
            Some(own)
        };
        item.each(one).map(Self)
    }, SchemaNode::array(SchemaNode {
        required: vec!["files".to_owned()],
        ..without_defaults(Override::table_schema(false))
    });
}

toml_keys! {
    Override for Override (own, it, item; named(OF_FILES) => own.settings) {
        /// globs of files, relative to the folder of the configuration
        files: FileGlobs => own.files = it.0,
        /// levels of rules
        rules: RuleLevels => own.rules = it.0,
    }
}

/// A table of levels of rules.
#[derive(Default)]
pub(super) struct RuleLevels(pub(super) Vec<(&'static Rule, Level)>);

toml_types! {
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

/// Every rule, and the levels that the rule can have: what [`RuleLevels`] refers to.
pub(super) fn rules_schema() -> SchemaNode {
    types::table(rules::RULES.iter().map(|rule| {
        let levels = Level::ALL.into_iter();
        let levels = levels.filter(|level| !rule.is_indispensable() || *level == Level::Error);
        let schema = SchemaNode::one_of(levels.map(Level::as_str));
        (rule.id, schema.described(rule.title()))
    }))
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

/// Most bytes of a glob: names of agents are short.
const BYTES_AT_MOST: usize = 1_000;

/// The settings of the hook for the agents that match a glob.
#[derive(Debug, Clone)]
pub(crate) struct AgentSettings {
    glob: Glob,
    /// The glob, compiled when it is first needed.
    matcher: OnceLock<GlobMatcher>,
    /// Whether returns of these agents are checked. `None` if the table does not say.
    pub hold: Option<bool>,
    /// The settings that differ from those of other agents.
    pub settings: SettingTable,
}

impl AgentSettings {
    pub(crate) fn glob(&self) -> &str {
        self.glob.glob()
    }

    pub(super) fn is_of(&self, agent: &str) -> bool {
        let matcher = self.matcher.get_or_init(|| self.glob.compile_matcher());
        matcher.is_match(agent)
    }

    /// The settings of a table whose key is the glob.
    fn of(item: &TomlItem<'_>) -> Option<Self> {
        let text = item.key;
        if text.len() > BYTES_AT_MOST {
            return item.refuse_key(format!("a glob has at most {BYTES_AT_MOST} bytes"));
        }
        let glob = match Glob::new(text) {
            Ok(glob) => glob,
            Err(error) => return item.refuse_key(invalid_glob(text, &error)),
        };
        let mut own =
            Self { glob, matcher: OnceLock::new(), hold: None, settings: SettingTable::default() };
        Self::read_into(&mut own, item);
        Some(own)
    }
}

toml_keys! {
    AgentSettings for AgentSettings (own, it, item; named(OF_AGENTS) => own.settings) {
        /// check the returns of these agents; false leaves them out
        hold: bool => own.hold = Some(it),
    }
}

struct Agents(Vec<AgentSettings>);

pub(super) struct HookKeys;

toml_keys! {
    HookKeys for Config (own, it, item; Setting::of("hook") => own.settings) {
        /// settings of the hook for some agents
        agents: Agents => own.hook_agents = it.0,
    }
}

struct TestRunners(Vec<String>);

/// How much evidence counts, in a table with more.
pub(super) struct EvidenceKeys;

toml_keys! {
    EvidenceKeys for Config (own, it, item) {
        /// how much it counts
        mode: EvidenceMode => own.settings.set(Setting::named("evidence")?, item),
        /// commands that run tests, besides the known ones, such as `just check`
        test_runners: TestRunners => own.test_runners = it.0,
    }
}

/// The characters of a command of plain words, besides letters and digits. The `-` must be the last one,
/// so that it is literal in the character class of a regular expression.
const MARKS: &str = "_./:@%+=,~-";

fn test_runner(text: &str) -> Result<String, String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || MARKS.contains(letter);
    if words.iter().all(|word| word.chars().all(is_plain)) {
        return Ok(words.join(" "));
    }
    Err(format!(
        "`{}` is not a command of plain words; write the words with which it begins, such as `just check`",
        escape::truncated(text)
    ))
}

toml_types! {
    Agents = |item| {
        let tables = item.section()?;
        Some(Self(tables.iter().filter_map(AgentSettings::of).collect()))
    }, types::table_of(without_defaults(AgentSettings::table_schema(false)));
    TestRunners = |item| item.each(|item| item.read(test_runner)).map(Self), {
        let word = format!("[A-Za-z0-9{MARKS}]+");
        SchemaNode::array(types::matching(format!(r"^\s*{word}(\s+{word})*\s*$")))
    };
}
