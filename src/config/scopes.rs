//! Settings of some files (`[[overrides]]`) and of some agents (`[hook.agents."GLOB"]`), and what counts as
//! evidence (`[evidence]`).

use std::path::Path;
use std::sync::OnceLock;

use globset::{Glob, GlobBuilder, GlobMatcher};

use crate::check::rules::{self, Level, Rule};
use crate::config::reader::{TomlItem, all};
use crate::config::settings::{SettingTable, members, named};
use crate::config::types::{self, FromToml, invalid_glob, toml_types, toml_words};
use crate::json_schema::SchemaNode;
use crate::text::escape;
use crate::text::suggest::unknown_name;

pub(super) const OVERRIDES: &str = "overrides";

/// The settings that an override can have: those that say how one document is read and checked. All
/// others are about a run, an agent, or the search for files.
const OF_FILES: &[&str] = &["profile", "strict", "extract"];

const FILES: &str = "files";
const RULES: &str = "rules";

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
    let glob = GlobBuilder::new(&format!("{anywhere}{below}"))
        .literal_separator(true)
        .build();
    glob.map_err(|error| invalid_glob(text, &error))
}

pub(super) fn overrides(item: &TomlItem<'_>) -> Option<Vec<Override>> {
    if item.value().is_table() {
        return item.refuse("`overrides` is a list of tables: write [[overrides]]");
    }
    item.each(one_override)
}

fn one_override(item: &TomlItem<'_>) -> Option<Override> {
    let (members, mut own) = (item.section()?, Override::default());
    if members.iter().all(|it| it.key != FILES) {
        item.refuse::<()>("an override must have `files`, a list of globs");
    }
    let others = [FILES, RULES];
    for item in own.settings.read(members, &named(OF_FILES), &others, &[]) {
        if item.key == RULES {
            own.rules = RuleLevels::read(&item).unwrap_or_default().0;
            continue;
        }
        own.files = item.each(|item| item.read(file_glob)).unwrap_or_default();
        if item.value().as_array().is_some_and(|it| it.is_empty()) {
            item.refuse::<()>("`files` must have a glob");
        }
    }
    Some(own)
}

/// A table of levels of rules.
#[derive(Default)]
pub(super) struct RuleLevels(pub(super) Vec<(&'static Rule, Level)>);

toml_types! {
    RuleLevels = |item| {
        let level = |member: TomlItem<'_>| {
            let Some(rule) = Rule::named(member.key) else {
                let known = rules::RULES.iter().map(|rule| rule.id);
                return member.refuse_key(unknown_name("rule", member.key, known));
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

pub(super) fn overrides_schema() -> SchemaNode {
    let files = SchemaNode {
        fewest: Some(1),
        ..<Vec<String>>::schema(false)
    };
    let files = files.described("globs of files, relative to the folder of the configuration");
    let rules = RuleLevels::schema(false).described("levels of rules");
    let members = [(FILES, files)].into_iter().chain(members(OF_FILES));
    SchemaNode::array(SchemaNode {
        required: vec![FILES.to_owned()],
        ..types::table(members.chain([(RULES, rules)]))
    })
}

pub(super) const AGENTS: &str = "agents";

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
        for item in settings.read(item.section()?, &named(OF_AGENTS), &[HOLD], &[]) {
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

pub(super) fn agents(item: &TomlItem<'_>) -> Option<Vec<AgentSettings>> {
    let tables = item.section()?;
    Some(tables.iter().filter_map(AgentSettings::read).collect())
}

pub(super) fn agents_schema() -> SchemaNode {
    let hold = SchemaNode::of_type("boolean")
        .described("check the returns of these agents; false leaves them out");
    types::table_of(types::table(members(OF_AGENTS).chain([(HOLD, hold)])))
}

/// The key at the top of the file that says how much evidence counts, as a word, or in a table with more.
pub(super) const EVIDENCE: &str = "evidence";

pub(super) const MODE: &str = "mode";
pub(super) const RUNNERS: &str = "test-runners";

/// The characters of a command of plain words, besides letters and digits. The `-` must be the last one,
/// so that it is literal in the character class of a regular expression.
const MARKS: &str = "_./:@%+=,~-";

pub(super) fn test_runners(item: &TomlItem<'_>) -> Option<Vec<String>> {
    let command = |text: &str| {
        let words: Vec<&str> = text.split_whitespace().collect();
        let is_plain = |letter: char| letter.is_ascii_alphanumeric() || MARKS.contains(letter);
        if words.iter().all(|word| word.chars().all(is_plain)) {
            return Ok(words.join(" "));
        }
        Err(format!(
            "`{}` is no command of plain words; write the words with which it begins, such as `just check`",
            escape::truncated(text)
        ))
    };
    item.each(|item| item.read(command))
}

pub(super) fn evidence_schema(mode: SchemaNode) -> SchemaNode {
    let word = format!("[A-Za-z0-9{MARKS}]+");
    let runner = types::matching(format!(r"^\s*{word}(\s+{word})*\s*$"));
    let about = "commands that run tests, besides the known ones, such as `just check`";
    types::table([
        (MODE, mode.described("how much it counts")),
        (RUNNERS, SchemaNode::array(runner).described(about)),
    ])
}
