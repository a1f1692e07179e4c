//! `[profiles.NAME.limits]`

use std::ops::Range;

use crate::config::ConfigError;
use crate::config::reader::{TomlItem, unknown_name};
use crate::profile::{LengthLimit, Measured, Unit};

/// One limit of a profile; none lifts it.
#[derive(Debug, Clone, Copy)]
pub(super) enum Limit {
    Length(Option<LengthLimit>),
    Sentences(Option<(usize, usize)>),
    SummaryAtLeast(Option<usize>),
    ArtifactSummaryAtMost(Option<usize>),
    ErrorMessageAtMost(Option<usize>),
    NextStepsAtMost(Option<usize>),
}

type ReadLimit = fn(&TomlItem<'_>) -> Result<Limit, ConfigError>;

const KEYS: [(&str, ReadLimit); 8] = [
    ("summary-tokens", |item| {
        length(item, Measured::Summary, Unit::Tokens)
    }),
    ("summary-words", |item| {
        length(item, Measured::Summary, Unit::Words)
    }),
    ("return-tokens", |item| {
        length(item, Measured::Return, Unit::Tokens)
    }),
    ("sentences", |item| sentences(item).map(Limit::Sentences)),
    ("summary-characters-at-least", |item| {
        number(item).map(Limit::SummaryAtLeast)
    }),
    ("artifact-summary-characters", |item| {
        number(item).map(Limit::ArtifactSummaryAtMost)
    }),
    ("error-message-characters", |item| {
        number(item).map(Limit::ErrorMessageAtMost)
    }),
    ("next-steps-characters", |item| {
        number(item).map(Limit::NextStepsAtMost)
    }),
];

pub(super) fn read(
    key: &str,
    place: &Range<usize>,
    item: &TomlItem<'_>,
) -> Result<Limit, ConfigError> {
    let read = KEYS.iter().find(|(known, _)| *known == key);
    let (_, read) = read.ok_or_else(|| {
        let message = unknown_name("limit", key, KEYS.iter().map(|(known, _)| *known));
        item.error_at(place.start, message)
    })?;
    read(item)
}

/// A profile measures one text in one unit.
pub(super) fn refuse_two_lengths(item: &TomlItem<'_>, limits: &[Limit]) -> Result<(), ConfigError> {
    let is_length = |limit: &&Limit| matches!(limit, Limit::Length(_));
    if limits.iter().filter(is_length).count() > 1 {
        let message = "of summary-tokens, summary-words and return-tokens only one can hold";
        return Err(item.error(message.to_owned()));
    }
    Ok(())
}

fn is_off(item: &TomlItem<'_>) -> bool {
    item.text().is_ok_and(|text| text == "off")
}

/// A number of characters, tokens or words; none is `"off"`.
fn number(item: &TomlItem<'_>) -> Result<Option<usize>, ConfigError> {
    const MOST: u64 = 1_000_000_000;
    if is_off(item) {
        return Ok(None);
    }
    let number = item.number(1..MOST + 1)?;
    Ok(usize::try_from(number).ok())
}

fn length(item: &TomlItem<'_>, of: Measured, unit: Unit) -> Result<Limit, ConfigError> {
    let limit = number(item)?.map(|most| LengthLimit {
        of,
        unit,
        most,
        inclusive: true,
    });
    Ok(Limit::Length(limit))
}

/// Least and most, both allowed.
fn sentences(item: &TomlItem<'_>) -> Result<Option<(usize, usize)>, ConfigError> {
    if is_off(item) {
        return Ok(None);
    }
    let ends = item.list()?;
    let [least, most] = ends.as_slice() else {
        return Err(item.error("sentences is to be [LEAST, MOST]".to_owned()));
    };
    let (Some(least), Some(most)) = (number(least)?, number(most)?) else {
        return Err(item.error("sentences is to be [LEAST, MOST], or \"off\"".to_owned()));
    };
    if least > most {
        return Err(item.error(format!(
            "no summary has at least {least} and at most {most} sentences"
        )));
    }
    Ok(Some((least, most)))
}
