//! Settings of some files (`[[overrides]]`) and of some agents (`[hook.agents."GLOB"]`), and what counts as
//! evidence (`[evidence]`).

use std::path::Path;
use std::sync::OnceLock;

use globset::{Glob, GlobBuilder, GlobMatcher};

use crate::check::rules::{self, Level, Rule};
use crate::config::reader::{At, TomlItem};
use crate::config::settings::{SettingTable, members, named};
use crate::config::types::{self, FromToml, invalid_glob, toml_types, toml_words};
use crate::json_schema::SchemaNode;
use crate::text::escape;
use crate::text::suggest::unknown_name;

/// The key of the tables for some files.
pub(super) const OVERRIDES: &str = "overrides";

/// The settings that an override can have: those that say how one document is read and checked. All
/// others are about a run, an agent, or the search for files.
const OF_FILES: &[&str] = &["profile", "strict", "extract"];

/// The other keys of an override.
const FILES: &str = "files";
const RULES: &str = "rules";

/// Settings for the files that match one of its globs.
#[derive(Debug, Clone, Default)]
pub(crate) struct Override {
    /// The globs. A file that matches one of them has the settings.
    pub files: Vec<Glob>,
    /// The settings.
    pub settings: SettingTable,
    /// Levels of rules. They take precedence over those of a profile.
    pub rules: Vec<(&'static Rule, Level)>,
}

/// A glob for paths relative to the folder of the configuration. One without a slash matches the file name in
/// any folder.
fn file_glob(text: &str) -> Result<Glob, String> {
    let below = text.trim_start_matches("./");
    if let Some(why) = matches_nothing(below) {
        let text = escape::truncated(text);
        return Err(format!("the glob `{text}` matches no file: {why}"));
    }
    let anywhere = if below.contains('/') { "" } else { "**/" };
    let glob = GlobBuilder::new(&format!("{anywhere}{below}"))
        .literal_separator(true)
        .build();
    glob.map_err(|error| invalid_glob(text, &error))
}

/// Why a glob cannot match any file below the folder of the configuration. `None` if it can.
fn matches_nothing(glob: &str) -> Option<&'static str> {
    if glob.starts_with('/') || Path::new(glob).is_absolute() {
        return Some("it must be relative to the folder of the configuration");
    }
    if glob.is_empty() || glob.ends_with('/') {
        return Some("it names a folder, so add `**`");
    }
    glob.split('/').find_map(|part| match part {
        ".." => Some("it leaves the folder of the configuration"),
        "." | "" => Some("it has an empty part or `.`"),
        _ => None,
    })
}

/// The overrides, in the order of the file.
pub(super) fn overrides(item: &TomlItem<'_>) -> Option<Vec<Override>> {
    if item.is_table() {
        return item.refuse("`overrides` is a list of tables: write [[overrides]]");
    }
    Some(
        item.items()?
            .filter_map(|item| one_override(&item))
            .collect(),
    )
}

fn one_override(item: &TomlItem<'_>) -> Option<Override> {
    let (table, mut own) = (item.table()?, Override::default());
    let items = item.reader.items(table);
    let others = [FILES, RULES];
    for item in own.settings.read(items, &named(OF_FILES), &others, &[]) {
        if item.key == FILES {
            own.files = file_globs(&item).unwrap_or_default();
        } else {
            own.rules = levels(&item).unwrap_or_default();
        }
    }
    if !table.contains_key(FILES) {
        item.refuse::<()>("an override must have `files`, a list of globs");
    }
    Some(own)
}

fn file_globs(item: &TomlItem<'_>) -> Option<Vec<Glob>> {
    let globs = item.texts(file_glob)?;
    if globs.is_empty() {
        return item.refuse("`files` must have a glob");
    }
    Some(globs)
}

/// A table of levels of rules.
#[derive(Debug, Clone, Default)]
pub(super) struct RuleLevels(pub(super) Vec<(&'static Rule, At<Level>)>);

toml_types! {
    RuleLevels = |item| {
        let level = |member: TomlItem<'_>| {
            let Some(rule) = Rule::named(member.key) else {
                let known = rules::RULES.iter().map(|rule| rule.id);
                return member.refuse_key(unknown_name("rule", member.key, known));
            };
            let level = At::<Level>::read(&member)?;
            if rule.is_indispensable() && *level != Level::Error {
                let id = rule.id;
                return member.refuse(format!(
                    "`{id}` must stay an error: nothing can be checked without it"
                ));
            }
            Some((rule, level))
        };
        let levels: Vec<_> = item.members()?.into_iter().map(level).collect();
        levels.into_iter().collect::<Option<_>>().map(Self)
    }, SchemaNode {
        reference: Some("#/$defs/rules"),
        ..SchemaNode::default()
    };
}

toml_words!(Level);

/// Every rule, and the levels that the rule can have: what [`RuleLevels`] refers to.
pub(super) fn rules_schema() -> SchemaNode {
    types::table(rules::RULES.iter().map(|rule| {
        let levels = Level::ALL.into_iter();
        let levels = levels.filter(|level| !rule.is_indispensable() || *level == Level::Error);
        let schema = SchemaNode::one_of(levels.map(Level::as_str));
        (rule.id.to_owned(), schema.described(rule.title()))
    }))
}

/// Levels of rules.
pub(super) fn levels(item: &TomlItem<'_>) -> Option<Vec<(&'static Rule, Level)>> {
    let RuleLevels(levels) = RuleLevels::read(item)?;
    let levels = levels.into_iter();
    Some(levels.map(|(rule, level)| (rule, *level)).collect())
}

/// The schema of the list of overrides.
pub(super) fn overrides_schema() -> SchemaNode {
    let files = SchemaNode {
        fewest: Some(1),
        ..<Vec<String>>::schema(false)
    };
    let files = files.described("globs of files, relative to the folder of the configuration");
    let rules = RuleLevels::schema(false).described("levels of rules");
    let members = [(FILES.to_owned(), files)]
        .into_iter()
        .chain(members(OF_FILES));
    SchemaNode::array(SchemaNode {
        required: vec![FILES.to_owned()],
        ..types::table(members.chain([(RULES.to_owned(), rules)]))
    })
}

/// The key of the tables for some agents, in `[hook]`.
pub(super) const AGENTS: &str = "agents";

/// The settings that a table can have for its agents.
const OF_AGENTS: &[&str] = &[
    "profile",
    "strict",
    "hook.retries",
    "hook.observe",
    "hook.return-file",
    "hook.tool",
];

/// The key that says whether returns of the agents are checked.
const HOLD: &str = "hold";

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
    /// The glob, as in the file.
    #[must_use]
    pub(crate) fn glob(&self) -> &str {
        self.glob.glob()
    }

    pub(super) fn is_of(&self, agent: &str) -> bool {
        let matcher = self.matcher.get_or_init(|| self.glob.compile_matcher());
        matcher.is_match(agent)
    }

    fn read(item: &TomlItem<'_>) -> Option<Self> {
        let text = item.key;
        if text.len() > BYTES_AT_MOST {
            return item.refuse_key(format!("a glob has at most {BYTES_AT_MOST} bytes"));
        }
        let glob = match Glob::new(text) {
            Ok(glob) => glob,
            Err(error) => return item.refuse_key(invalid_glob(text, &error)),
        };
        let (mut hold, mut settings) = (None, SettingTable::default());
        let items = item.reader.items(item.table()?);
        for item in settings.read(items, &named(OF_AGENTS), &[HOLD], &[]) {
            hold = bool::read(&item);
        }
        Some(Self {
            glob,
            matcher: OnceLock::new(),
            hold,
            settings,
        })
    }
}

/// The tables for some agents, in the order of the file.
pub(super) fn agents(item: &TomlItem<'_>) -> Option<Vec<AgentSettings>> {
    let tables = item.reader.items(item.table()?);
    Some(tables.iter().filter_map(AgentSettings::read).collect())
}

/// The schema of the tables for some agents.
pub(super) fn agents_schema() -> SchemaNode {
    let hold = SchemaNode::of_type("boolean")
        .described("check the returns of these agents; false leaves them out");
    let hold = (HOLD.to_owned(), hold);
    types::table_of(types::table(members(OF_AGENTS).chain([hold])))
}

/// The key at the top of the file that says how much evidence counts, as a word, or in a table with more.
pub(super) const EVIDENCE: &str = "evidence";

/// The keys in the table: the mode, and the test runners.
pub(super) const MODE: &str = "mode";
pub(super) const RUNNERS: &str = "test-runners";

/// The characters of a command of plain words, besides letters and digits. The `-` must be the last one,
/// so that it is literal in the character class of a regular expression.
const MARKS: &str = "_./:@%+=,~-";

/// The commands that run tests, besides the known ones.
pub(super) fn test_runners(item: &TomlItem<'_>) -> Option<Vec<String>> {
    item.texts(|text| {
        let words: Vec<&str> = text.split_whitespace().collect();
        let is_plain = |letter: char| letter.is_ascii_alphanumeric() || MARKS.contains(letter);
        if words.iter().all(|word| word.chars().all(is_plain)) {
            return Ok(words.join(" "));
        }
        Err(format!(
            "`{}` is no command of plain words; write the words with which it begins, such as `just check`",
            escape::truncated(text)
        ))
    })
}

/// The schema of the table, from that of the mode.
pub(super) fn evidence_schema(mode: SchemaNode) -> SchemaNode {
    let word = format!("[A-Za-z0-9{MARKS}]+");
    let runner = types::matching(format!(r"^\s*{word}(\s+{word})*\s*$"));
    let about = "commands that run tests, besides the known ones, such as `just check`";
    types::table([
        (MODE.to_owned(), mode.described("how much it counts")),
        (
            RUNNERS.to_owned(),
            SchemaNode::array(runner).described(about),
        ),
    ])
}
