//! `[[overrides]]`: settings for the files that match a glob.

use std::ops::Range;

use globset::{Glob, GlobBuilder};

use crate::config::nodes::{self, TomlKey};
use crate::config::reader::{self, TomlItem, unknown_name};
use crate::config::{ConfigError, Given, Setting, SettingValues};
use crate::rules::{Level, Rule};
use crate::schema::json_schema::SchemaNode;
use crate::text::{Position, escape};

/// The key of the tables.
pub(super) const KEY: &str = "overrides";

/// The settings that an override can have: those that say how one document is read and checked. All
/// others are about a run, an agent, or the search for files.
const OWN: [&str; 3] = ["profile", "strict", "extract"];

const FILES: TomlKey = TomlKey::new(
    "files",
    "globs of files, relative to the folder of the configuration",
    globs,
);

const RULES: TomlKey = TomlKey::new("rules", "levels of rules", nodes::rule_levels);

/// Settings for the files that match one of its globs.
#[derive(Debug, Clone, Default)]
pub struct Override {
    files: Vec<FileGlob>,
    values: SettingValues,
    positions: Vec<(&'static Setting, Position)>,
    rules: Vec<(&'static Rule, Given<Level>)>,
}

/// A glob of an [`Override`].
#[derive(Debug, Clone)]
pub struct FileGlob {
    text: String,
    glob: Glob,
}

impl FileGlob {
    /// The glob as it is in the file.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The compiled glob, for paths relative to the folder of the configuration. A glob without a slash
    /// matches the file name in any folder.
    #[must_use]
    pub fn glob(&self) -> &Glob {
        &self.glob
    }

    fn read(item: &TomlItem<'_>) -> Result<Self, ConfigError> {
        let text = item.text()?;
        let below = text.trim_start_matches("./");
        if let Some(why) = matches_nothing(below) {
            let text = escape::truncated(text);
            return Err(item.error(format!("the glob `{text}` matches no file: {why}")));
        }
        let anywhere = if below.contains('/') { "" } else { "**/" };
        let glob = GlobBuilder::new(&format!("{anywhere}{below}"))
            .literal_separator(true)
            .build();
        let glob = glob.map_err(|error| item.invalid_glob(text, &error))?;
        let text = text.to_owned();
        Ok(Self { text, glob })
    }
}

/// Why a glob cannot match any file below the folder of the configuration. `None` if it can.
fn matches_nothing(glob: &str) -> Option<&'static str> {
    let is_absolute = glob.starts_with('/') || std::path::Path::new(glob).is_absolute();
    if is_absolute {
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

impl Override {
    /// The globs. A file that matches one of them has the settings.
    #[must_use]
    pub fn files(&self) -> &[FileGlob] {
        &self.files
    }

    /// The settings.
    #[must_use]
    pub fn values(&self) -> &SettingValues {
        &self.values
    }

    /// Each setting with the position of its value.
    #[must_use]
    pub fn positions(&self) -> &[(&'static Setting, Position)] {
        &self.positions
    }

    /// Levels of rules. They take precedence over those of a profile.
    #[must_use]
    pub fn rules(&self) -> &[(&'static Rule, Given<Level>)] {
        &self.rules
    }

    fn of(item: &TomlItem<'_>) -> Result<Self, ConfigError> {
        let table = item.table()?;
        let mut own = Self::default();
        let mut has_files = false;
        for (key, place, item) in table.entries() {
            has_files |= key == FILES.name;
            item.keep(own.read(key, &place, &item));
        }
        if !has_files {
            let message = "an override must have `files`, a list of globs";
            item.keep::<()>(Err(item.error(message.to_owned())));
        }
        Ok(own)
    }

    fn read(
        &mut self,
        key: &str,
        place: &Range<usize>,
        item: &TomlItem<'_>,
    ) -> Result<(), ConfigError> {
        if key == FILES.name {
            let list = item.list()?;
            if list.is_empty() {
                return Err(item.error("`files` must have a glob".to_owned()));
            }
            let globs = list.iter().map(|item| item.keep(FileGlob::read(item)));
            self.files = globs.flatten().collect();
        } else if key == RULES.name {
            self.rules = reader::levels(item.table()?);
        } else if let Some(setting) = settings().find(|setting| setting.key() == key) {
            setting.read(&mut self.values, item)?;
            self.positions.push((setting, item.position()));
        } else {
            let known = [FILES.name, RULES.name].into_iter();
            let known: Vec<_> = known.chain(settings().map(Setting::key)).collect();
            let message = unknown_name("key", key, known.iter().copied());
            return Err(item.error_at(place.start, message));
        }
        Ok(())
    }
}

fn settings() -> impl Iterator<Item = &'static Setting> {
    OWN.iter().filter_map(|name| Setting::named(name))
}

fn globs() -> SchemaNode {
    SchemaNode {
        fewest: Some(1),
        ..nodes::texts()
    }
}

/// The schema of the list of tables.
pub(super) fn schema() -> SchemaNode {
    // A setting that is missing here has the value for all files, not its default.
    let own = settings().map(|setting| {
        let (key, mut schema) = setting.member();
        schema.default = None;
        (key, schema)
    });
    let members = [FILES.member()].into_iter().chain(own);
    SchemaNode::array(SchemaNode {
        required: vec![FILES.name.to_owned()],
        ..nodes::table(members.chain([RULES.member()]))
    })
}

/// The tables, in the order of the file.
pub(super) fn read(item: &TomlItem<'_>) -> Result<Vec<Override>, ConfigError> {
    if item.is_table() {
        return Err(item.error("`overrides` is a list of tables: write [[overrides]]".to_owned()));
    }
    let tables = item.list()?;
    let tables = tables.iter().map(|item| item.keep(Override::of(item)));
    Ok(tables.flatten().collect())
}
