//! `[profiles.NAME.limits]`

use crate::config::ConfigError;
use crate::config::reader::{TomlItem, unknown_name};
use crate::profile::{LengthLimit, Measured, ProfileBuilder, Unit};

type ReadLimit = fn(&mut ProfileBuilder, &TomlItem<'_>) -> Result<(), ConfigError>;

const KEYS: [(&str, ReadLimit); 9] = [
    ("summary-tokens", |profile, item| {
        length(profile, item, Measured::Summary, Unit::Tokens)
    }),
    ("summary-words", |profile, item| {
        length(profile, item, Measured::Summary, Unit::Words)
    }),
    ("summary-characters", |profile, item| {
        length(profile, item, Measured::Summary, Unit::Characters)
    }),
    ("return-tokens", |profile, item| {
        length(profile, item, Measured::Return, Unit::Tokens)
    }),
    ("sentences", |profile, item| {
        profile.sentences(sentences(item)?);
        item.check(profile.take_error())
    }),
    ("summary-characters-at-least", |profile, item| {
        let number = number(item)?;
        profile.limits(|limits| limits.summary_at_least = number);
        Ok(())
    }),
    ("artifact-summary-characters", |profile, item| {
        let number = number(item)?;
        profile.limits(|limits| limits.artifact_summary_at_most = number);
        Ok(())
    }),
    ("error-message-characters", |profile, item| {
        let number = number(item)?;
        profile.limits(|limits| limits.error_message_at_most = number);
        Ok(())
    }),
    ("next-steps-characters", |profile, item| {
        let number = number(item)?;
        profile.limits(|limits| limits.next_steps_at_most = number);
        Ok(())
    }),
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
        let known = KEYS.iter().find(|(known, _)| *known == key);
        let read = known.map(|(_, read)| read).ok_or_else(|| {
            let message = unknown_name("limit", key, KEYS.iter().map(|(known, _)| *known));
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

fn is_off(item: &TomlItem<'_>) -> bool {
    item.text().is_ok_and(|text| text == "off")
}

/// A number of characters, tokens or words; `"off"` is `None`.
fn number(item: &TomlItem<'_>) -> Result<Option<usize>, ConfigError> {
    const MOST: u64 = 1_000_000_000;
    if is_off(item) {
        return Ok(None);
    }
    let number = item.number(1..MOST + 1)?;
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
