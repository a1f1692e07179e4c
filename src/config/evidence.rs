//! `evidence`: how much evidence counts, as a word, or in a table with more settings.

use crate::config::nodes;
use crate::config::reader::{ReadError, TomlItem};
use crate::json_schema::SchemaNode;
use crate::text::escape;

/// The key at the top of the file.
pub(super) const KEY: &str = "evidence";

/// The keys in the table: the mode, and the test runners.
pub(super) const MODE: &str = "mode";
pub(super) const RUNNERS: &str = "test-runners";

/// The characters of a command of plain words, besides letters and digits. The `-` must be the last one,
/// so that it is literal in the character class of a regular expression.
const MARKS: &str = "_./:@%+=,~-";

pub(super) fn runners(item: &TomlItem<'_>) -> Result<Vec<String>, ReadError> {
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
pub(super) fn schema(mode: SchemaNode) -> SchemaNode {
    let word = format!("[A-Za-z0-9{MARKS}]+");
    let runner = nodes::matching(format!(r"^\s*{word}(\s+{word})*\s*$"));
    let about = "commands that run tests, besides the known ones, such as `just check`";
    nodes::table([
        (MODE.to_owned(), mode.described("how much it counts")),
        (
            RUNNERS.to_owned(),
            SchemaNode::array(runner).described(about),
        ),
    ])
}
