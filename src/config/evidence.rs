//! `evidence`: how much evidence counts, as a word, or in a table with more settings.

use crate::config::nodes::{self, TomlKey};
use crate::config::reader::{TomlItem, unknown_name};
use crate::config::{ConfigError, Setting};
use crate::schema::json_schema::SchemaNode;
use crate::text::escape;

/// The key at the top of the file.
pub(super) const KEY: &str = "evidence";

/// The key of the mode in the table.
const MODE: &str = "mode";

/// The key of the test runners in the table.
const RUNNERS: TomlKey = TomlKey::new(
    "test-runners",
    "commands that run tests, besides the known ones, such as `just check`",
    runners_schema,
);

/// The characters of a command of plain words, besides letters and digits. The `-` must be the last one,
/// so that it is literal in the character class of a regular expression.
const MARKS: &str = "_./:@%+=,~-";

/// Reads the table. Returns the test runners; `set` gets the mode.
pub(super) fn read(
    value: &TomlItem<'_>,
    mut set: impl FnMut(&'static Setting, &TomlItem<'_>) -> Result<(), ConfigError>,
) -> Result<Vec<String>, ConfigError> {
    let mut runners = Vec::new();
    for (key, place, item) in value.table()?.entries() {
        let read = match (key, Setting::named(KEY)) {
            (MODE, Some(setting)) => set(setting, &item),
            (key, _) if key == RUNNERS.name => {
                self::runners(&item).map(|found| runners.extend(found))
            }
            _ => {
                let message = unknown_name("key", key, [MODE, RUNNERS.name].into_iter());
                Err(item.error_at(place.start, message))
            }
        };
        item.keep(read);
    }
    Ok(runners)
}

fn runners(item: &TomlItem<'_>) -> Result<Vec<String>, ConfigError> {
    let read = |item: &TomlItem<'_>| {
        let text = item.text()?;
        let words: Vec<&str> = text.split_whitespace().collect();
        let is_plain = |letter: char| letter.is_ascii_alphanumeric() || MARKS.contains(letter);
        if words.iter().all(|word| word.chars().all(is_plain)) {
            return Ok(words.join(" "));
        }
        Err(item.error(format!(
            "`{}` is no command of plain words; write the words with which it begins, such as `just check`",
            escape::truncated(text)
        )))
    };
    item.list()?.iter().map(read).collect()
}

fn runners_schema() -> SchemaNode {
    let word = format!("[A-Za-z0-9{MARKS}]+");
    SchemaNode::array(nodes::matching(format!(r"^\s*{word}(\s+{word})*\s*$")))
}

/// The schema of the mode, or of a table with the mode and the test runners.
pub(super) fn schema(mode: SchemaNode) -> SchemaNode {
    let description = mode.description.clone();
    let in_table = SchemaNode {
        description: Some("how much it counts".into()),
        ..mode.clone()
    };
    let table = nodes::table([(MODE.to_owned(), in_table), RUNNERS.member()]);
    SchemaNode {
        description,
        ..SchemaNode::any_of([
            SchemaNode {
                description: None,
                ..mode
            },
            table,
        ])
    }
}
