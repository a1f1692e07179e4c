//! Values that have names: of profiles, of rules, of formats, of a switch.

use std::ffi::OsStr;

use clap::builder::{NonEmptyStringValueParser, PossibleValue, TypedValueParser};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command};
use retval::format::Format;
use retval::harness::Harness;
use retval::profile::PROFILES;
use retval::rules::RULES;
use retval::text::suggest::nearest;

/// What a switch says when it is typed. With no default it costs nothing when it is not, and the
/// configuration sees that it was left open.
pub(crate) const ON: &str = "true";

/// The profile that each file's name speaks for.
const AUTO: &str = "auto";

/// The name of a profile. Which there are is known when the configuration has been read; the
/// built-in ones are listed in help and completions.
#[derive(Debug, Clone, Copy)]
pub(crate) enum ProfileName {
    /// One profile for all.
    Alone,
    /// Or `auto`, by each file's name.
    OrAuto,
}

impl TypedValueParser for ProfileName {
    type Value = String;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<String, clap::Error> {
        if matches!(self, Self::Alone) && value == AUTO {
            return Err(refusal(command, arg, AUTO, built_in_names()));
        }
        NonEmptyStringValueParser::new().parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let auto = matches!(self, Self::OrAuto).then_some(AUTO);
        let names = built_in_names();
        Some(Box::new(
            auto.into_iter().chain(names).map(PossibleValue::new),
        ))
    }
}

pub(crate) fn built_in_names() -> Vec<&'static str> {
    PROFILES.map(|profile| &*profile.id).to_vec()
}

pub(crate) fn rule_names() -> Vec<&'static str> {
    RULES.map(|rule| rule.id).to_vec()
}

pub(crate) fn format_names() -> Vec<&'static str> {
    Format::NAMES.map(|(name, _)| name).to_vec()
}

pub(crate) fn harness_names() -> Vec<&'static str> {
    Harness::NAMES.map(|(name, _)| name).to_vec()
}

/// Takes one of a table's names. The table is only listed for help and for suggestions: most runs
/// need neither, and start faster.
#[derive(Clone)]
pub(crate) struct OneOf<T> {
    list: fn() -> Vec<&'static str>,
    named: fn(&str) -> Option<T>,
}

impl<T> OneOf<T> {
    pub(crate) fn new(list: fn() -> Vec<&'static str>, named: fn(&str) -> Option<T>) -> Self {
        Self { list, named }
    }
}

/// More names than this help nobody who mistyped one.
const LISTED: usize = 10;

fn refusal(
    command: &Command,
    arg: Option<&Arg>,
    value: &str,
    names: Vec<&'static str>,
) -> clap::Error {
    let mut error = clap::Error::new(ErrorKind::InvalidValue).with_cmd(command);
    let mut tell = |kind, text: Option<String>| {
        if let Some(text) = text {
            error.insert(kind, ContextValue::String(text));
        }
    };
    tell(ContextKind::InvalidArg, arg.map(ToString::to_string));
    tell(ContextKind::InvalidValue, Some(value.to_owned()));
    tell(
        ContextKind::SuggestedValue,
        nearest(value, names.iter().copied()).map(str::to_owned),
    );
    if names.len() <= LISTED {
        let names = names.into_iter().map(str::to_owned).collect();
        error.insert(ContextKind::ValidValue, ContextValue::Strings(names));
    }
    error
}

impl<T: Clone + Send + Sync + 'static> TypedValueParser for OneOf<T> {
    type Value = T;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<T, clap::Error> {
        if let Some(found) = value.to_str().and_then(self.named) {
            return Ok(found);
        }
        Err(refusal(
            command,
            arg,
            &value.to_string_lossy(),
            (self.list)(),
        ))
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new((self.list)().into_iter().map(PossibleValue::new)))
    }
}
