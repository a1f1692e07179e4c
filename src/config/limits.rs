//! `[profiles.NAME.limits]`

use std::ops::Range;

use crate::config::ConfigError;
use crate::config::nodes::{self, TomlKey};
use crate::config::reader::{TomlItem, unknown_name};
use crate::profile::{LengthLimit, Measured, ProfileBuilder, Unit};
use crate::schema::json_schema::SchemaNode;

type ReadLimit = fn(&mut ProfileBuilder, &TomlItem<'_>) -> Result<(), ConfigError>;

const KEYS: [(TomlKey, ReadLimit); 9] = [
    (
        TomlKey::new(
            "summary-tokens",
            "most tokens of the summary",
            number_or_off,
        ),
        |profile, item| length(profile, item, Measured::Summary, Unit::Tokens),
    ),
    (
        TomlKey::new("summary-words", "most words of the summary", number_or_off),
        |profile, item| length(profile, item, Measured::Summary, Unit::Words),
    ),
    (
        TomlKey::new(
            "summary-characters",
            "most characters of the summary",
            number_or_off,
        ),
        |profile, item| length(profile, item, Measured::Summary, Unit::Characters),
    ),
    (
        TomlKey::new("return-tokens", "most tokens of the return", number_or_off),
        |profile, item| length(profile, item, Measured::Return, Unit::Tokens),
    ),
    (
        TomlKey::new(
            "sentences",
            "fewest and most sentences of the summary",
            sentences_or_off,
        ),
        |profile, item| {
            profile.sentences(sentences(item)?);
            item.check(profile.take_error())
        },
    ),
    (
        TomlKey::new(
            "summary-characters-at-least",
            "fewest characters of the summary",
            number_or_off,
        ),
        |profile, item| {
            let number = number(item)?;
            profile.limits(|limits| limits.summary_at_least = number);
            Ok(())
        },
    ),
    (
        TomlKey::new(
            "artifact-summary-characters",
            "most characters of the summary of an artifact",
            number_or_off,
        ),
        |profile, item| {
            let number = number(item)?;
            profile.limits(|limits| limits.artifact_summary_at_most = number);
            Ok(())
        },
    ),
    (
        TomlKey::new(
            "error-message-characters",
            "most characters of the message of an error",
            number_or_off,
        ),
        |profile, item| {
            let number = number(item)?;
            profile.limits(|limits| limits.error_message_at_most = number);
            Ok(())
        },
    ),
    (
        TomlKey::new(
            "next-steps-characters",
            "most characters of the next steps",
            number_or_off,
        ),
        |profile, item| {
            let number = number(item)?;
            profile.limits(|limits| limits.next_steps_at_most = number);
            Ok(())
        },
    ),
];

/// The keys that limit the length of a text. A profile measures one text in one unit.
const LENGTHS: [&str; 4] = [
    "summary-tokens",
    "summary-words",
    "summary-characters",
    "return-tokens",
];

pub(super) fn read(profile: &mut ProfileBuilder, item: &TomlItem<'_>) -> Result<(), ConfigError> {
    let entries = item.table()?.entries();
    let mut lengths = 0;
    for (key, place, item) in entries {
        let known = KEYS.iter().find(|(known, _)| known.name == key);
        let read = known.map(|(_, read)| read).ok_or_else(|| {
            let message = unknown_name("limit", key, KEYS.iter().map(|(known, _)| known.name));
            item.error_at(place.start, message)
        });
        item.keep(read.and_then(|read| read(profile, &item)));
        lengths += usize::from(LENGTHS.contains(&key));
    }
    if lengths > 1 {
        let message = "only one of `summary-tokens`, `summary-words`, `summary-characters` and `return-tokens` can be set";
        return Err(item.error(message.to_owned()));
    }
    Ok(())
}

/// The value that lifts a limit.
const OFF: &str = "off";

/// The valid limits.
const NUMBERS: Range<u64> = 1..1_000_000_001;

/// The schema of the table.
pub(super) fn schema() -> SchemaNode {
    nodes::table(KEYS.iter().map(|(key, _)| key.member()))
}

fn number_or_off() -> SchemaNode {
    nodes::or_word(nodes::number(&NUMBERS), OFF)
}

fn sentences_or_off() -> SchemaNode {
    let ends = SchemaNode {
        fewest: Some(2),
        most: Some(2),
        ..SchemaNode::array(nodes::number(&NUMBERS))
    };
    nodes::or_word(ends, OFF)
}

fn is_off(item: &TomlItem<'_>) -> bool {
    item.text().is_ok_and(|text| text == OFF)
}

/// A number of characters, tokens or words; `"off"` is `None`.
fn number(item: &TomlItem<'_>) -> Result<Option<usize>, ConfigError> {
    if is_off(item) {
        return Ok(None);
    }
    let number = item.number(NUMBERS)?;
    Ok(usize::try_from(number).ok())
}

fn length(
    profile: &mut ProfileBuilder,
    item: &TomlItem<'_>,
    of: Measured,
    unit: Unit,
) -> Result<(), ConfigError> {
    let most = number(item)?;
    profile.length(most.map(|most| LengthLimit::at_most(most, unit, of)));
    Ok(())
}

/// The minimum and the maximum, both inclusive.
fn sentences(item: &TomlItem<'_>) -> Result<Option<(usize, usize)>, ConfigError> {
    if is_off(item) {
        return Ok(None);
    }
    let ends = item.list()?;
    let [fewest, most] = ends.as_slice() else {
        return Err(item.error("`sentences` must be [FEWEST, MOST] or \"off\"".to_owned()));
    };
    let (Some(fewest), Some(most)) = (number(fewest)?, number(most)?) else {
        return Err(item.error("`sentences` must be [FEWEST, MOST] or \"off\"".to_owned()));
    };
    Ok(Some((fewest, most)))
}
