//! `[hook.agents."GLOB"]`: settings of the hook for the agents that match.

use std::sync::OnceLock;

use globset::{Glob, GlobMatcher};
use toml::de::DeTable;

use crate::config::nodes;
use crate::config::options::{SettingTable, members, named};
use crate::config::reader::{ReadError, Reader, TomlItem, entries, invalid_glob};
use crate::json_schema::SchemaNode;

/// The key of the tables in `[hook]`.
pub(super) const KEY: &str = "agents";

/// The settings that a table can have for its agents.
const OWN: &[&str] = &[
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

    fn read(reader: &Reader<'_>, item: &TomlItem<'_>) -> Result<Self, ReadError> {
        let text = item.key.name;
        if text.len() > BYTES_AT_MOST {
            let message = format!("a glob has at most {BYTES_AT_MOST} bytes");
            return Err(item.key.error(message));
        }
        let glob = Glob::new(text).map_err(|error| item.key.error(invalid_glob(text, &error)))?;
        let (mut hold, mut settings) = (None, SettingTable::default());
        settings.read(reader, item.table()?, &named(OWN), &[HOLD], |item| {
            (item.key.name == HOLD).then(|| item.read().map(|read| hold = Some(read)))
        });
        Ok(Self {
            glob,
            matcher: OnceLock::new(),
            hold,
            settings,
        })
    }
}

/// The schema of the tables.
pub(super) fn schema() -> SchemaNode {
    let hold = SchemaNode::of_type("boolean")
        .described("check the returns of these agents; false leaves them out");
    let hold = (HOLD.to_owned(), hold);
    nodes::table_of(nodes::table(members(OWN).chain([hold])))
}

/// The tables, in the order of the file.
pub(super) fn read(reader: &Reader<'_>, table: &DeTable<'_>) -> Vec<AgentSettings> {
    let tables = entries(table).map(|item| AgentSettings::read(reader, &item));
    tables.filter_map(|read| reader.keep(read)).collect()
}
