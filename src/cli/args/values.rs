//! Values of arguments shared by several commands: names of profiles, rules and formats, and flags.

use std::ffi::OsStr;
use std::fmt::Display;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::SystemTime;

use crate::check::rules::Level;
use crate::check::rules::{RULES, Rule, Strictness};
use crate::clients::{Client, HookSettings};
use crate::config::{ByteSize, ColorChoice, Setting, TimePoint};
use crate::document::Form;
use crate::document::lookup::PointerPattern;
use crate::evidence::EvidenceMode;
use crate::format::Format;
use crate::profile::{ANY, PROFILES};
use crate::text::is_blank;
use crate::text::suggest::nearest;
use clap::builder::{NonEmptyStringValueParser, PossibleValue, StyledStr, TypedValueParser};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command};

/// The value of a flag that is given. Flags have no clap default: clap then does no work for a flag that
/// is not given, and its setting applies.
pub(crate) const ON: &str = "true";

/// The value that selects the profile by the name of each file.
pub(crate) const AUTO: &str = "auto";

/// A parser for a number within the range of its setting.
pub(crate) fn number(setting: &str) -> impl TypedValueParser<Value = u64> + use<> {
    let range = Setting::named(setting).map_or(0..u64::MAX, |setting| setting.range.clone());
    within(range.start, range.end - 1)
}

/// A parser for a number from `first` to `last`, both included.
pub(crate) fn within<N>(first: N, last: N) -> impl TypedValueParser<Value = N>
where
    N: FromStr + PartialOrd + Display + Copy + Send + Sync + 'static,
{
    move |text: &str| {
        let number = text.parse().ok().filter(|it| (first..=last).contains(it));
        number.ok_or_else(|| format!("expected a number from {first} to {last}"))
    }
}

/// Parses a number of bytes, with or without a unit, within the range of its setting.
pub(crate) fn size(text: &str) -> Result<u64, String> {
    let size: ByteSize = text.parse().map_err(str::to_owned)?;
    let range = Setting::named("max-bytes").map_or(0..u64::MAX, |it| it.range.clone());
    let (first, last) = (range.start, range.end - 1);
    if range.contains(&size.bytes()) {
        Ok(size.bytes())
    } else {
        Err(format!("it must be between {first} and {last} bytes"))
    }
}

/// Parses a session id. It needs a visible character, because no valid return has an id without one.
pub(crate) fn visible(text: &str) -> Result<String, String> {
    if is_blank(text) {
        Err("it has no visible character".to_owned())
    } else {
        Ok(text.to_owned())
    }
}

/// Parses a time, such as a timestamp or how long ago.
pub(crate) fn moment(text: &str) -> Result<SystemTime, String> {
    let time = text.parse().map(TimePoint::system);
    time.map_err(str::to_owned)
}

/// Parses a place of a return: a name, or a JSON Pointer in which `*` stands for every item or member.
pub(crate) fn place(text: &str) -> Result<String, String> {
    let is_place =
        !text.starts_with('/') && !is_blank(text) || PointerPattern::read(text).is_some();
    let expected = "expected a name, such as status, or a JSON Pointer, such as /artifacts/*/path";
    is_place
        .then(|| text.to_owned())
        .ok_or_else(|| expected.to_owned())
}

/// Parses `NAME=VALUE`.
pub(crate) fn given(text: &str) -> Result<(String, String), String> {
    let pair = text.split_once('=').filter(|(name, _)| !is_blank(name));
    let pair = pair.map(|(name, value)| (name.to_owned(), value.to_owned()));
    pair.ok_or_else(|| "expected NAME=VALUE".to_owned())
}

/// The name of a profile. Custom profiles are only known after the configuration has been read, so help
/// and completions list the built-in ones only.
#[derive(Debug, Clone, Copy)]
pub(crate) enum ProfileName {
    /// A profile.
    Named,
    /// A profile or `auto`.
    NamedOrAuto,
}

impl TypedValueParser for ProfileName {
    type Value = String;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<String, clap::Error> {
        if matches!(self, Self::Named) && value == AUTO {
            return Err(invalid_value(command, arg, AUTO, built_in_names(), None));
        }
        NonEmptyStringValueParser::new().parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let auto = matches!(self, Self::NamedOrAuto).then_some(AUTO);
        let names = built_in_names();
        Some(Box::new(
            auto.into_iter().chain(names).map(PossibleValue::new),
        ))
    }
}

pub(crate) fn built_in_names() -> Vec<&'static str> {
    let profiles = PROFILES.into_iter().chain([&ANY]);
    profiles.map(|profile| &*profile.id).collect()
}

pub(crate) fn rule_names() -> Vec<&'static str> {
    RULES.map(|rule| rule.id).to_vec()
}

pub(crate) fn rule() -> OneOf<&'static Rule> {
    OneOf::new(rule_names, Rule::named).hint(RULES_LISTED)
}

/// `RULE=LEVEL`. Completions offer the rules.
#[derive(Clone)]
pub(crate) struct RuleLevel;

impl TypedValueParser for RuleLevel {
    type Value = (&'static Rule, Level);

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<(&'static Rule, Level), clap::Error> {
        let (name, level) = split(value);
        let rule = rule().parse_ref(command, arg, name)?;
        let levels = OneOf::<Level>::parsed(level_names);
        let level = levels.parse_ref(command, arg, level.unwrap_or_default())?;
        if rule.is_indispensable() && level != Level::Error {
            let why = "this rule must stay an error, no other can be checked without it";
            let text = format!("--rule {}={}: {why}", rule.id, level.as_str());
            return Err(clap::Error::raw(ErrorKind::ValueValidation, text + "\n").with_cmd(command));
        }
        Ok((rule, level))
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(rule_names().into_iter().map(PossibleValue::new)))
    }
}

fn level_names() -> Vec<&'static str> {
    Level::ALL.map(Level::as_str).to_vec()
}

/// `FORMAT` or `FORMAT=FILE`.
#[derive(Debug, Clone)]
pub(crate) struct FormatArg {
    pub(crate) format: Format,
    pub(crate) file: Option<PathBuf>,
}

#[derive(Clone)]
pub(crate) struct FormatParser;

impl TypedValueParser for FormatParser {
    type Value = FormatArg;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<FormatArg, clap::Error> {
        let (name, file) = match split(value) {
            (name, Some(file)) if !file.is_empty() => (name, Some(file.into())),
            _ => (value, None),
        };
        let format = OneOf::<Format>::parsed(format_names).parse_ref(command, arg, name)?;
        Ok(FormatArg { format, file })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(format_names().into_iter().map(PossibleValue::new)))
    }
}

/// The parts before and after the first `=`. A path need not be UTF-8.
#[cfg(unix)]
fn split(value: &OsStr) -> (&OsStr, Option<&OsStr>) {
    use std::os::unix::ffi::OsStrExt as _;
    let bytes = value.as_bytes();
    match memchr::memchr(b'=', bytes) {
        Some(at) => (
            OsStr::from_bytes(&bytes[..at]),
            Some(OsStr::from_bytes(&bytes[at + 1..])),
        ),
        None => (value, None),
    }
}

// On other systems, only a text can be split.
#[cfg(not(unix))]
fn split(value: &OsStr) -> (&OsStr, Option<&OsStr>) {
    match value.to_str().and_then(|text| text.split_once('=')) {
        Some((before, after)) => (OsStr::new(before), Some(OsStr::new(after))),
        None => (value, None),
    }
}

/// A hint at the ids of rules, because an error cannot list so many.
pub(crate) const RULES_LISTED: &str = "`retval explain` lists the rules";

pub(crate) fn form_names() -> Vec<&'static str> {
    Form::ALL.map(Form::as_str).to_vec()
}

pub(crate) fn format_names() -> Vec<&'static str> {
    Format::ALL.map(Format::as_str).to_vec()
}

pub(crate) fn color_names() -> Vec<&'static str> {
    ColorChoice::ALL.map(ColorChoice::as_str).to_vec()
}

pub(crate) fn evidence_modes() -> Vec<&'static str> {
    EvidenceMode::ALL.map(EvidenceMode::as_str).to_vec()
}

/// The values of `--strict`. Without one, all warnings are errors.
pub(crate) fn strictness_names() -> Vec<&'static str> {
    vec![Strictness::REQUIRED, ON]
}

pub(crate) fn strictness(name: &str) -> Option<Strictness> {
    match name {
        Strictness::REQUIRED => Some(Strictness::Required),
        ON => Some(Strictness::All),
        _ => None,
    }
}

/// A parser for the name of a client that calls hooks.
pub(crate) fn client() -> OneOf<&'static HookSettings> {
    let names = || {
        Client::with_hooks()
            .map(|hook| hook.client.as_str())
            .collect()
    };
    OneOf::new(names, |name| {
        name.parse::<Client>().ok()?.facts().settings.as_ref()
    })
}

/// Accepts one name of a table. The names are listed only for help and suggestions. Most runs need
/// neither, and this makes them start faster.
#[derive(Clone)]
pub(crate) struct OneOf<T> {
    list: fn() -> Vec<&'static str>,
    named: fn(&str) -> Option<T>,
    hint: Option<&'static str>,
}

impl<T> OneOf<T> {
    pub(crate) fn new(list: fn() -> Vec<&'static str>, named: fn(&str) -> Option<T>) -> Self {
        Self {
            list,
            named,
            hint: None,
        }
    }

    /// Adds a hint at the names, for a table with too many names to list in an error.
    pub(crate) fn hint(self, hint: &'static str) -> Self {
        Self {
            hint: Some(hint),
            ..self
        }
    }
}

impl<T: FromStr> OneOf<T> {
    pub(crate) fn parsed(list: fn() -> Vec<&'static str>) -> Self {
        Self::new(list, |name| name.parse().ok())
    }
}

/// The most names that an error lists.
const LISTED: usize = 16;

fn invalid_value(
    command: &Command,
    arg: Option<&Arg>,
    value: &str,
    names: Vec<&'static str>,
    hint: Option<&'static str>,
) -> clap::Error {
    let mut error = clap::Error::new(ErrorKind::InvalidValue).with_cmd(command);
    let mut insert = |kind, text: Option<String>| {
        if let Some(text) = text {
            error.insert(kind, ContextValue::String(text));
        }
    };
    insert(ContextKind::InvalidArg, arg.map(ToString::to_string));
    insert(ContextKind::InvalidValue, Some(value.to_owned()));
    let meant = nearest(value, names.iter().copied()).map(str::to_owned);
    let hint = hint.filter(|_| meant.is_none());
    insert(ContextKind::SuggestedValue, meant);
    if names.len() <= LISTED {
        let names = names.into_iter().map(str::to_owned).collect();
        error.insert(ContextKind::ValidValue, ContextValue::Strings(names));
    } else if let Some(hint) = hint {
        let hint = ContextValue::StyledStrs(vec![StyledStr::from(hint)]);
        error.insert(ContextKind::Suggested, hint);
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
        Err(invalid_value(
            command,
            arg,
            &value.to_string_lossy(),
            (self.list)(),
            self.hint,
        ))
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new((self.list)().into_iter().map(PossibleValue::new)))
    }
}
