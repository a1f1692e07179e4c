//! The statuses of a profile or of an agent, in a configuration file.

use std::ops::Range;

use crate::config::ConfigError;
use crate::config::nodes;
use crate::config::reader::TomlItem;
use crate::profile::Meaning;
use crate::schema::json_schema::SchemaNode;

/// The value that removes a status of the extended profile.
pub(super) const OFF: &str = "off";

/// A status, its byte span in the text, and its meaning; `None` removes it.
pub(super) type StatusChange<'t> = (&'t str, Range<usize>, Option<Meaning>);

pub(super) fn statuses<'t>(item: &TomlItem<'t>) -> Result<Vec<StatusChange<'t>>, ConfigError> {
    let entries = item.table()?.entries();
    let status = |(word, place, item): (_, _, TomlItem<'t>)| {
        let meaning = match item.text()? {
            OFF => None,
            _ => Some(item.name(words())?),
        };
        Ok((word, place, meaning))
    };
    entries.map(status).collect()
}

/// The schema of the table.
pub(super) fn schema() -> SchemaNode {
    nodes::table_of(SchemaNode::one_of(words()))
}

fn words() -> impl Iterator<Item = &'static str> + Clone {
    Meaning::ALL.map(Meaning::as_str).into_iter().chain([OFF])
}
