//! Arguments shared by several commands: the options that select the configuration, the groups of options
//! in help, and the values of options: names of profiles, rules and formats, numbers, places, times.

use std::ffi::OsStr;
use std::fmt::Display;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::SystemTime;

use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Arg, Args, Command};

use crate::check::rules::{Level, RULES, Rule, Strictness, meant_rule};
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
    if (first..=last).contains(&size.0) {
        Ok(size.0)
    } else {
        Err(format!("it must be between {first} and {last} bytes"))
    }
}

/// Parses a session id. It needs a visible character, because no valid return has an id without one.
pub(crate) fn visible(text: &str) -> Result<String, String> {
    if is_blank(text) { Err("it is empty".to_owned()) } else { Ok(text.to_owned()) }
}

/// Parses a time, such as a timestamp or how long ago.
pub(crate) fn moment(text: &str) -> Result<SystemTime, String> {
    let time = text.parse().map(|it: TimePoint| it.0);
    time.map_err(str::to_owned)
}

/// Parses a place of a return: a name, or a JSON Pointer in which `*` stands for every item or member.
pub(crate) fn place(text: &str) -> Result<String, String> {
    let is_place =
        !text.starts_with('/') && !is_blank(text) || PointerPattern::read(text).is_some();
    let expected = "expected a name, such as status, or a JSON Pointer, such as /artifacts/*/path";
    is_place.then(|| text.to_owned()).ok_or_else(|| expected.to_owned())
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

/// A value that begins with one name of a list. The names are listed only for help, completions and suggestions.
/// Most runs need none of these, and this makes them start faster.
#[derive(Clone)]
pub(crate) struct OneOf<T> {
    list: fn() -> Vec<&'static str>,
    parse: fn(&str) -> Result<T, String>,
}

impl<T> OneOf<T> {
    pub(crate) fn new(
        list: fn() -> Vec<&'static str>,
        parse: fn(&str) -> Result<T, String>,
    ) -> Self {
        Self { list, parse }
    }
}

impl<T: Named> OneOf<T> {
    /// Accepts the names of a type.
    pub(crate) fn parsed() -> Self {
        Self::new(T::names, named)
    }
}

impl<T: Clone + Send + Sync + 'static> TypedValueParser for OneOf<T> {
    type Value = T;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<T, clap::Error> {
        let parse = self.parse;
        (move |text: &str| parse(text)).parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new((self.list)().into_iter().map(PossibleValue::new)))
    }
}

/// Reads a name of a type.
fn named<T: Named>(name: &str) -> Result<T, String> {
    name.parse().map_err(|_| unknown(name, &T::names()))
}

/// What to write instead of an unknown name.
pub(crate) fn unknown(name: &str, names: &[&'static str]) -> String {
    match nearest(name, names.iter().copied()) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => format!("expected one of {}", names.join(", ")),
    }
}

/// A rule by its id.
pub(crate) fn rule(id: &str) -> Result<&'static Rule, String> {
    Rule::named(id).ok_or_else(|| meant_rule(id))
}

/// The name of a profile, or `auto`. Custom profiles are only known after the configuration has been read.
pub(crate) fn profile_name() -> OneOf<String> {
    OneOf::new(built_in_names, |name| match name {
        "" => Err(unknown(name, &built_in_names())),
        name => Ok(name.to_owned()),
    })
}

/// `RULE=LEVEL`.
pub(crate) fn rule_level() -> OneOf<(&'static Rule, Level)> {
    OneOf::new(rule_names, |text| {
        let (name, level) = text.split_once('=').unwrap_or((text, ""));
        let rule = rule(name)?;
        let level = named(level)?;
        if rule.is_indispensable() && level != Level::Error {
            let why = "this rule must stay an error, no other can be checked without it";
            return Err(why.to_owned());
        }
        Ok((rule, level))
    })
}

#[derive(Debug, Clone)]
pub(crate) struct FormatArg {
    pub(crate) format: Format,
    pub(crate) file: Option<PathBuf>,
}

/// `FORMAT` or `FORMAT=FILE`.
pub(crate) fn format_arg() -> OneOf<FormatArg> {
    OneOf::new(Format::names, |text| {
        let parts = text.split_once('=').filter(|it| !it.1.is_empty());
        Ok(FormatArg {
            format: named(parts.map_or(text, |it| it.0))?,
            file: parts.map(|it| it.1.into()),
        })
    })
}

/// A parser for the values of `--strict`. Without one, all warnings are errors.
pub(crate) fn strictness() -> OneOf<Strictness> {
    const NAMES: [&str; 2] = [Strictness::REQUIRED, ON];
    OneOf::new(
        || NAMES.to_vec(),
        |name| match name {
            Strictness::REQUIRED => Ok(Strictness::Required),
            ON => Ok(Strictness::All),
            _ => Err(unknown(name, &NAMES)),
        },
    )
}

/// A parser for the name of a client that calls hooks.
pub(crate) fn client() -> OneOf<&'static HookSettings> {
    fn names() -> Vec<&'static str> {
        let clients = Client::with_hooks();
        clients.map(|hook| hook.client.as_str()).collect()
    }
    OneOf::new(names, |name| {
        let found = Client::with_hooks().find(|hook| hook.client.as_str() == name);
        found.ok_or_else(|| unknown(name, &names()))
    })
}
