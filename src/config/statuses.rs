//! The statuses of a profile or of an agent, in a configuration file.

use std::ops::Range;

use crate::config::ConfigError;
use crate::config::reader::TomlItem;
use crate::profile::Meaning;

/// The value that removes a status of the extended profile.
pub(super) const OFF: &str = "off";

/// A status, its byte span in the text, and its meaning; `None` removes it.
pub(super) type StatusChange<'t> = (&'t str, Range<usize>, Option<Meaning>);

pub(super) fn statuses<'t>(item: &TomlItem<'t>) -> Result<Vec<StatusChange<'t>>, ConfigError> {
    let entries = item.table()?.entries();
    let status = |(word, place, item): (_, _, TomlItem<'t>)| {
        let meaning = match item.text()? {
            OFF => None,
            _ => Some(item.name(Meaning::ALL.map(Meaning::as_str).into_iter().chain([OFF]))?),
        };
        Ok((word, place, meaning))
    };
    entries.map(status).collect()
}
