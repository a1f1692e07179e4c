//! `[hook.agents."GLOB"]`: settings of the hook for the agents that match.

use globset::Glob;

use crate::config::agent_globs::{AgentGlobs, BYTES_AT_MOST};
use crate::config::nodes::{self, TomlKey};
use crate::config::reader::{TomlTable, unknown_name};
use crate::config::{ConfigError, Setting, SettingValues};
use crate::schema::json_schema::SchemaNode;
use crate::text::Position;

/// The key of the tables in `[hook]`.
pub(super) const KEY: &str = "agents";

/// The settings that a table can have for its agents.
const OWN: [&str; 5] = [
    "profile",
    "strict",
    "hook.retries",
    "hook.observe",
    "hook.return-file",
];

/// The key that says whether returns of the agents are checked.
const HOLD: TomlKey = TomlKey::new(
    "hold",
    "check the returns of these agents; false leaves them out",
    nodes::switch,
);

/// All tables, in the order of the file.
#[derive(Debug, Default)]
pub(super) struct AgentTables {
    tables: Vec<AgentSettings>,
    /// The globs of the tables.
    globs: AgentGlobs,
}

impl AgentTables {
    pub(super) fn all(&self) -> &[AgentSettings] {
        &self.tables
    }

    pub(super) fn find(&self, name: &str) -> Option<&AgentSettings> {
        self.tables.get(self.globs.first_match(name)?)
    }
}

/// The settings of the hook for the agents that match a glob.
#[derive(Debug, Clone)]
pub struct AgentSettings {
    glob: String,
    hold: Option<bool>,
    values: SettingValues,
    positions: Vec<(&'static Setting, Position)>,
}

impl AgentSettings {
    /// The glob, as in the file.
    #[must_use]
    pub fn glob(&self) -> &str {
        &self.glob
    }

    /// Whether returns of these agents are checked. `None` if the table does not say.
    #[must_use]
    pub fn hold(&self) -> Option<bool> {
        self.hold
    }

    /// The values that differ from those of other agents.
    #[must_use]
    pub fn values(&self) -> &SettingValues {
        &self.values
    }

    /// Each value that the table sets, with its position.
    #[must_use]
    pub fn positions(&self) -> &[(&'static Setting, Position)] {
        &self.positions
    }

    fn read(glob: &str, table: TomlTable<'_>) -> Self {
        let mut own = Self {
            glob: glob.to_owned(),
            hold: None,
            values: SettingValues::default(),
            positions: Vec::new(),
        };
        for (key, place, item) in table.entries() {
            if key == HOLD.name {
                own.hold = item.keep(item.switch());
                continue;
            }
            let Some(setting) = settings().find(|setting| setting.key() == key) else {
                let keys: Vec<_> = settings().map(Setting::key).chain([HOLD.name]).collect();
                let message = unknown_name("key", key, keys.iter().copied());
                item.keep::<()>(Err(item.error_at(place.start, message)));
                continue;
            };
            if item.keep(setting.read(&mut own.values, &item)).is_some() {
                own.positions.push((setting, item.position()));
            }
        }
        own
    }
}

fn settings() -> impl Iterator<Item = &'static Setting> {
    OWN.iter().filter_map(|name| Setting::named(name))
}

/// The schema of one of the tables.
pub(super) fn schema() -> SchemaNode {
    // A setting that is missing here has the value for all agents, not its default.
    let own = settings().map(|setting| {
        let (key, mut schema) = setting.member();
        schema.default = None;
        (key, schema)
    });
    nodes::table(own.chain([HOLD.member()]))
}

/// The tables, in the order of the file.
pub(super) fn read(table: TomlTable<'_>) -> AgentTables {
    let tables = table.entries().map(|(glob, place, item)| {
        if glob.len() > BYTES_AT_MOST {
            let message = format!("a glob has at most {BYTES_AT_MOST} bytes");
            return Err(item.error_at(place.start, message));
        }
        let compiled =
            Glob::new(glob).map_err(|error| item.invalid_glob_at(place.start, glob, &error))?;
        Ok((compiled, AgentSettings::read(glob, item.table()?)))
    });
    let tables = tables.filter_map(|read: Result<_, ConfigError>| table.reader().keep(read));
    let (globs, tables) = tables.unzip();
    AgentTables {
        tables,
        globs: AgentGlobs::new(globs),
    }
}
