//! Collects every usage error of a command line. clap stops at the first one.
//!
//! The argument that causes an error is removed everywhere, so that it is reported once, and the rest is
//! parsed again. This is repeated as long as the next error is another wrong value or unknown option.
//! Other errors, such as a missing argument, may be a result of the removal, so they are only reported
//! if they are the first error.

use std::ffi::{OsStr, OsString};

use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::check::refusals;
use crate::cli::{CheckCommand, Subcommands};
use crate::mistakes::Mistakes;
use crate::{advice, clap_error, cli, convert, instruct, settings};

/// The text before the usage at the end of an error.
const USAGE: &str = "\n\nUsage: ";

/// The hint at the end of an error.
const ADVICE: &str = "\n\nFor more information, try '--help'.";

/// The most errors that are reported.
const ERRORS_AT_MOST: usize = 20;

/// All usage errors and other mistakes as one text, safe to print.
pub(crate) fn text(first: clap::Error, args: &[OsString]) -> String {
    let (errors, command) = errors(first, args.to_owned());
    let besides = command.and_then(|it| beside_wrong_values(&it));
    let besides = match besides {
        Some(mistakes) => mistakes.into_texts(),
        None if may_read_variables(args) => settings::wrong_variables(),
        None => Vec::new(),
    };
    let bodies = errors.iter().map(|text| body(text).to_owned());
    let besides = besides.iter().map(|text| format!("error: {text}"));
    let shows = |part: &str| errors.iter().any(|text| text.contains(part));
    let usage = shows(USAGE).then(|| cli::usage(args));
    let advice = shows(ADVICE).then(|| ADVICE.trim_start().to_owned());
    let all = bodies.chain(besides).chain(usage).chain(advice);
    all.collect::<Vec<_>>().join("\n\n") + "\n"
}

/// The mistakes in the settings and the other options of a command. None if the command has no such
/// check.
fn beside_wrong_values(command: &Subcommands) -> Option<Mistakes> {
    match command {
        Subcommands::Check(CheckCommand::Check(args)) => Some(refusals::beside_wrong_values(args)),
        Subcommands::Convert(args) => Some(convert::beside_wrong_values(args)),
        Subcommands::Instruct(args) => Some(instruct::beside_wrong_values(args)),
        _ => None,
    }
}

/// The texts of the usage errors, and the parsed command without the arguments that cause them. The
/// command is None if it cannot be parsed, or if an error is about an unknown option, which may have
/// been meant as any of the other options.
fn errors(first: clap::Error, mut args: Vec<OsString>) -> (Vec<String>, Option<Subcommands>) {
    let mut texts = Vec::new();
    let mut next = Some(first);
    let (mut command, mut are_values) = (None, true);
    while let Some(error) = next.take().filter(|_| texts.len() < ERRORS_AT_MOST) {
        are_values &= error.kind() != ErrorKind::UnknownArgument;
        let rest = without(&args, &error);
        let advised = advice::with(error, &args);
        texts.push(clap_error::text(advised));
        if let Some(rest) = rest {
            match cli::parse(rest.clone()) {
                Ok(parsed) => command = Some(parsed).filter(|_| are_values),
                Err(error) => next = Some(error).filter(is_caused_by_its_argument),
            }
            args = rest;
        }
    }
    (texts, command)
}

/// Whether an error is certainly caused by the argument that it names.
fn is_caused_by_its_argument(error: &clap::Error) -> bool {
    match error.kind() {
        ErrorKind::InvalidValue | ErrorKind::ValueValidation => true,
        // A positional argument may be the value of an unknown option before it.
        ErrorKind::UnknownArgument => {
            string(error, ContextKind::InvalidArg).is_some_and(|arg| arg.starts_with('-'))
        }
        _ => false,
    }
}

/// The arguments without the one that causes an error. None if it cannot be found. A required option is
/// given a valid value instead.
fn without(args: &[OsString], error: &clap::Error) -> Option<Vec<OsString>> {
    let named =
        string(error, ContextKind::InvalidArg).filter(|_| is_caused_by_its_argument(error))?;
    let value = string(error, ContextKind::InvalidValue).unwrap_or_default();
    let end = args.iter().position(|arg| arg == "--");
    let (options, words) = args.split_at(end.unwrap_or(args.len()));
    let rest = if error.kind() == ErrorKind::UnknownArgument {
        let is_it = |arg: &OsString| arg == named || joined(arg, named).is_some();
        removed(options, |at| usize::from(is_it(&options[at])))
    } else if let Some(option) = cli::option(args, named) {
        let rest = removed(options, |at| {
            option_length(&options[at..], &option.names, value)
        });
        let right = option
            .required_value
            .map(|value| [&*option.names[0], &*value].map(Into::into));
        [rest, right.into_iter().flatten().collect()].concat()
    } else {
        let at = args.iter().position(|arg| arg == value)?;
        return Some([&args[..at], &args[at + 1..]].concat());
    };
    (rest != options).then(|| [&rest, words].concat())
}

/// The arguments without some of them. `length` returns how many are to be removed at an index.
fn removed(args: &[OsString], length: impl Fn(usize) -> usize) -> Vec<OsString> {
    let mut rest = Vec::new();
    let mut at = 0;
    while at < args.len() {
        match length(at) {
            0 => {
                rest.push(args[at].clone());
                at += 1;
            }
            length => at += length,
        }
    }
    rest
}

/// How many of the first arguments are an option with one of these names and this value.
fn option_length(args: &[OsString], names: &[String], value: &str) -> usize {
    let next = args.get(1).and_then(|it| it.to_str());
    let length = |name: &String| {
        if joined(&args[0], name).is_some_and(|it| is_value(it, value)) {
            1
        } else if args[0] == name.as_str() && next.is_some_and(|it| is_value(it, value)) {
            2
        } else {
            0
        }
    };
    names.iter().map(length).max().unwrap_or_default()
}

/// Whether an argument is the value that an error names. Of `FORMAT=FILE`, an error names only the
/// format.
fn is_value(argument: &str, value: &str) -> bool {
    let rest = argument.strip_prefix(value);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('='))
}

/// The value of an option in the same argument: `--jobs=2`, `-j=2`, `-j2`. None if the argument is not
/// this option or has no value.
fn joined<'a>(argument: &'a OsStr, name: &str) -> Option<&'a str> {
    let rest = argument.to_str()?.strip_prefix(name)?;
    let is_short = !name.starts_with("--") && !rest.is_empty();
    rest.strip_prefix('=').or(is_short.then_some(rest))
}

fn string(error: &clap::Error, kind: ContextKind) -> Option<&str> {
    match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text),
        _ => None,
    }
}

/// The text of an error without the usage and the hint at its end, which all errors share.
fn body(text: &str) -> &str {
    let end = [USAGE, ADVICE]
        .iter()
        .filter_map(|end| text.find(end))
        .min();
    text[..end.unwrap_or(text.len())].trim_end()
}

/// Whether the command reads the settings, and `--unset` ignores none of them.
fn may_read_variables(args: &[OsString]) -> bool {
    let ignores = |arg: &OsString| arg == "--unset" || joined(arg, "--unset").is_some();
    let reads = |name: &OsString| cli::reads_settings(name);
    args.get(1).is_some_and(reads) && !args.iter().any(ignores)
}
