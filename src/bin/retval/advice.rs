//! Advice on an option that a command does not have.

use std::ffi::OsString;

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command};
use retval::internal::suggest::nearest;

use crate::cli;

/// The most commands that a hint names. An option that more commands have is not worth a hint.
const COMMANDS_AT_MOST: usize = 3;

/// Replaces clap's hints about an unknown option. clap suggests options that are hardly similar.
pub(crate) fn with(mut error: clap::Error, args: &[OsString]) -> clap::Error {
    let named = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(named)) if error.kind() == ErrorKind::UnknownArgument => named,
        _ => return error,
    };
    let Some(word) = named.strip_prefix("--").map(str::to_owned) else {
        return error;
    };
    let command = cli::called(args);
    error.remove(ContextKind::SuggestedArg);
    if let Some(name) = positional_named(&command, &word) {
        set_hint(&mut error, format!("<{name}> is given without an option"));
        return error;
    }
    let word = option_to_suggest(&word);
    let similar = similar(&command, word);
    if let Some(option) = similar {
        let option = ContextValue::String(format!("--{option}"));
        error.insert(ContextKind::SuggestedArg, option);
    }
    if similar != Some(word)
        && let Some(tip) = hint_at_commands_with(word)
    {
        set_hint(&mut error, tip);
    }
    error
}

fn set_hint(error: &mut clap::Error, tip: String) {
    let tip = ContextValue::StyledStrs(vec![StyledStr::from(tip)]);
    error.insert(ContextKind::Suggested, tip);
}

/// The option to suggest for a word. Texts call a harness a client, but the option is `--harness`.
fn option_to_suggest(word: &str) -> &str {
    match word {
        "client" => "harness",
        word => word,
    }
}

/// The name of the command's positional argument that is spelled like the option. None if there is none.
fn positional_named(command: &Command, word: &str) -> Option<String> {
    let names = command.get_positionals().filter_map(Arg::get_value_names);
    let mut names = names.flatten().map(ToString::to_string);
    names.find(|name| name.eq_ignore_ascii_case(word))
}

fn similar<'c>(command: &'c Command, word: &str) -> Option<&'c str> {
    nearest(word, command.get_arguments().filter_map(Arg::get_long))
}

/// A hint at other commands with this option. None if there are none, or too many.
fn hint_at_commands_with(word: &str) -> Option<String> {
    let all = cli::command();
    let has = |command: &&Command| {
        let mut options = command.get_arguments().filter_map(Arg::get_long);
        options.any(|option| option == word)
    };
    let names = all.get_subcommands().filter(has).map(Command::get_name);
    let names: Vec<_> = names.map(|name| format!("`retval {name}`")).collect();
    let is_telling = (1..=COMMANDS_AT_MOST).contains(&names.len());
    is_telling.then(|| format!("'--{word}' is an option of {}", names.join(" and ")))
}
