//! Arguments shared by several commands: the options that select the configuration, the groups of options
//! in help, and the values of options: names of profiles, rules and formats, numbers, places, times.

use std::ffi::OsStr;
use std::fmt::Display;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::SystemTime;

use clap::builder::{NonEmptyStringValueParser, PossibleValue, StyledStr, TypedValueParser};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Args, Command};

use crate::check::rules::{Level, RULES, Rule, Strictness};
use crate::clients::{Client, HookSettings};
use crate::config::{ByteSize, Setting, TimePoint};
use crate::document::pointer::PointerPattern;
use crate::profile::{ANY, PROFILES};
use crate::report::Format;
use crate::text::suggest::nearest;
use crate::text::{Named, is_blank};

/// The groups of options in the help of `check` and `hook`.
pub(crate) mod heading {
    pub(crate) const INPUT: &str = "Input";
    pub(crate) const EXPECTED: &str = "Expected";
    pub(crate) const EVIDENCE: &str = "Evidence";
    pub(crate) const RULES: &str = "Rules";
    pub(crate) const OUTPUT: &str = "Output";
    pub(crate) const FILES: &str = "Files";
    pub(crate) const LOG: &str = "Log";
    pub(crate) const SETTINGS: &str = "Settings";
}

// A doc comment here would become part of each command's help.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct ConfigArgs {
    /// Configuration file [default: the nearest retval.toml, here or above]
    ///
    /// Paths and globs in it are relative to its folder; from a pipe or a device, to this folder.
    #[arg(long, value_name = "FILE", help_heading = heading::SETTINGS)]
    pub(crate) config: Option<PathBuf>,
    /// Read no configuration file
    #[arg(long, conflicts_with = "config", help_heading = heading::SETTINGS, hide_short_help = true)]
    pub(crate) no_config: bool,
}

/// The value of a flag that is given. Flags have no clap default: clap then does no work for a flag that
/// is not given, and its setting applies.
pub(crate) const ON: &str = "true";

/// The value that selects the profile by the name of each file.
pub(crate) const AUTO: &str = "auto";

/// The first and the last number of the range of a setting.
fn range(setting: &str) -> (u64, u64) {
    let range = Setting::named(setting).map_or(0..u64::MAX, |setting| setting.range.clone());
    (range.start, range.end - 1)
}

/// A parser for a number within the range of its setting.
pub(crate) fn number(setting: &str) -> impl TypedValueParser<Value = u64> + use<> {
    let (first, last) = range(setting);
    within(first, last)
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
    let (first, last) = range("max-bytes");
    if (first..=last).contains(&size.bytes()) {
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

pub(crate) fn built_in_names() -> Vec<&'static str> {
    let profiles = PROFILES.into_iter().chain([&ANY]);
    profiles.map(|profile| &*profile.id).collect()
}

pub(crate) fn rule_names() -> Vec<&'static str> {
    RULES.map(|rule| rule.id).to_vec()
}

/// A parser for a part of an argument and what follows it, or for names that are not all known here: help
/// and completions list the known ones.
#[derive(Clone)]
pub(crate) struct Listed<T> {
    pub(crate) list: fn() -> Vec<&'static str>,
    pub(crate) parse: fn(&Command, Option<&Arg>, &OsStr) -> Result<T, clap::Error>,
}

/// The name of a profile. Custom profiles are only known after the configuration has been read.
pub(crate) fn profile_name() -> Listed<String> {
    Listed {
        list: built_in_names,
        parse: |command, arg, value| match value {
            value if value == AUTO => {
                Err(invalid_value(command, arg, AUTO, built_in_names(), None))
            }
            value => NonEmptyStringValueParser::new().parse_ref(command, arg, value),
        },
    }
}

/// The name of a profile, or `auto`.
pub(crate) fn profile_or_auto() -> Listed<String> {
    Listed {
        list: || [AUTO].into_iter().chain(built_in_names()).collect(),
        parse: |command, arg, value| {
            NonEmptyStringValueParser::new().parse_ref(command, arg, value)
        },
    }
}

/// `RULE=LEVEL`.
pub(crate) fn rule_level() -> Listed<(&'static Rule, Level)> {
    Listed {
        list: rule_names,
        parse: |command, arg, value| {
            let (name, level) = split(value);
            let rule = OneOf::new(rule_names, Rule::named).hint(RULES_LISTED);
            let rule = rule.parse_ref(command, arg, name)?;
            let levels = OneOf::<Level>::parsed();
            let level = levels.parse_ref(command, arg, level.unwrap_or_default())?;
            if rule.is_indispensable() && level != Level::Error {
                let why = "this rule must stay an error, no other can be checked without it";
                let text = format!("--rule {}={}: {why}\n", rule.id, level.as_str());
                return Err(clap::Error::raw(ErrorKind::ValueValidation, text).with_cmd(command));
            }
            Ok((rule, level))
        },
    }
}

#[derive(Debug, Clone)]
pub(crate) struct FormatArg {
    pub(crate) format: Format,
    pub(crate) file: Option<PathBuf>,
}

/// `FORMAT` or `FORMAT=FILE`.
pub(crate) fn format_arg() -> Listed<FormatArg> {
    Listed {
        list: Format::names,
        parse: |command, arg, value| {
            let (name, file) = match split(value) {
                (name, Some(file)) if !file.is_empty() => (name, Some(file.into())),
                _ => (value, None),
            };
            let format = OneOf::<Format>::parsed().parse_ref(command, arg, name)?;
            Ok(FormatArg { format, file })
        },
    }
}

impl<T: Clone + Send + Sync + 'static> TypedValueParser for Listed<T> {
    type Value = T;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<T, clap::Error> {
        (self.parse)(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new((self.list)().into_iter().map(PossibleValue::new)))
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

/// A parser for the values of `--strict`. Without one, all warnings are errors.
pub(crate) fn strictness() -> OneOf<Strictness> {
    let names = || vec![Strictness::REQUIRED, ON];
    OneOf::new(names, |name| match name {
        Strictness::REQUIRED => Some(Strictness::Required),
        ON => Some(Strictness::All),
        _ => None,
    })
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

impl<T: Named> OneOf<T> {
    /// Accepts the names of a type.
    pub(crate) fn parsed() -> Self {
        Self::new(T::names, |name| name.parse().ok())
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
    let meant = nearest(value, names.iter().copied()).map(str::to_owned);
    let hint = hint.filter(|_| meant.is_none());
    for (kind, text) in [
        (ContextKind::InvalidArg, arg.map(ToString::to_string)),
        (ContextKind::InvalidValue, Some(value.to_owned())),
        (ContextKind::SuggestedValue, meant),
    ] {
        if let Some(text) = text {
            error.insert(kind, ContextValue::String(text));
        }
    }
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
