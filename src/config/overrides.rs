//! `[[overrides]]`: settings for the files that match a glob.

use globset::{Glob, GlobBuilder};
use serde::de::IgnoredAny;

use crate::check::rules::{Level, Rule};
use crate::config::Given;
use crate::config::nodes::{self, TomlType};
use crate::config::options::{SettingTable, members, named};
use crate::config::reader::{LevelTable, ReadError, Reader, TomlItem, invalid_glob};
use crate::json_schema::SchemaNode;
use crate::text::escape;

/// The key of the tables.
pub(super) const KEY: &str = "overrides";

/// The settings that an override can have: those that say how one document is read and checked. All
/// others are about a run, an agent, or the search for files.
const OWN: &[&str] = &["profile", "strict", "extract"];

/// The other keys of an override.
const FILES: &str = "files";
const RULES: &str = "rules";

/// Settings for the files that match one of its globs.
#[derive(Debug, Clone, Default)]
pub(crate) struct Override {
    /// The globs. A file that matches one of them has the settings.
    pub files: Vec<FileGlob>,
    /// The settings.
    pub settings: SettingTable,
    /// Levels of rules. They take precedence over those of a profile.
    pub rules: Vec<(&'static Rule, Given<Level>)>,
}

/// A glob of an [`Override`].
#[derive(Debug, Clone)]
pub(crate) struct FileGlob {
    text: String,
    glob: Glob,
}

impl FileGlob {
    /// The glob as it is in the file.
    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    /// The compiled glob, for paths relative to the folder of the configuration. A glob without a slash
    /// matches the file name in any folder.
    pub(crate) fn glob(&self) -> &Glob {
        &self.glob
    }

    fn parse(text: &str) -> Result<Self, String> {
        let below = text.trim_start_matches("./");
        if let Some(why) = matches_nothing(below) {
            let text = escape::truncated(text);
            return Err(format!("the glob `{text}` matches no file: {why}"));
        }
        let anywhere = if below.contains('/') { "" } else { "**/" };
        let glob = GlobBuilder::new(&format!("{anywhere}{below}"))
            .literal_separator(true)
            .build();
        let glob = glob.map_err(|error| invalid_glob(text, &error))?;
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
    fn read(reader: &Reader<'_>, item: &TomlItem<'_>) -> Result<Self, ReadError> {
        let table = item.table()?;
        let mut own = Self::default();
        let mut settings = SettingTable::default();
        settings.read(
            reader,
            table,
            &named(OWN),
            &[FILES, RULES],
            |item| match item.key.name {
                FILES => Some(own.read_files(item)),
                RULES => Some(reader.levels(item).map(|levels| own.rules = levels)),
                _ => None,
            },
        );
        own.settings = settings;
        if !table.contains_key(FILES) {
            let message = "an override must have `files`, a list of globs";
            reader.keep::<()>(Err(item.error(message.to_owned())));
        }
        Ok(own)
    }

    fn read_files(&mut self, item: &TomlItem<'_>) -> Result<(), ReadError> {
        self.files = item.texts(FileGlob::parse)?;
        if self.files.is_empty() {
            return Err(item.error("`files` must have a glob".to_owned()));
        }
        Ok(())
    }
}

/// The schema of the list of tables.
pub(super) fn schema() -> SchemaNode {
    let files = SchemaNode {
        fewest: Some(1),
        ..<Vec<String>>::schema()
    };
    let files = files.described("globs of files, relative to the folder of the configuration");
    let rules = LevelTable::schema().described("levels of rules");
    let members = [(FILES.to_owned(), files)].into_iter().chain(members(OWN));
    SchemaNode::array(SchemaNode {
        required: vec![FILES.to_owned()],
        ..nodes::table(members.chain([(RULES.to_owned(), rules)]))
    })
}

/// The tables, in the order of the file.
pub(super) fn read(reader: &Reader<'_>, item: &TomlItem<'_>) -> Result<Vec<Override>, ReadError> {
    if item.is_table() {
        return Err(item.error("`overrides` is a list of tables: write [[overrides]]".to_owned()));
    }
    item.read::<Vec<IgnoredAny>>()?;
    let tables = item.items().map(|item| Override::read(reader, &item));
    Ok(tables.filter_map(|read| reader.keep(read)).collect())
}
