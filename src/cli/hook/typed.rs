//! The options of the hook, as they were given.

use std::any::TypeId;
use std::path::PathBuf;

use clap::parser::ValueSource;
use clap::{ArgMatches, Args, Command, Error, FromArgMatches};

use crate::cli::hook::options::HookArgs;

/// The options, parsed and as they were typed.
#[derive(Debug)]
pub(crate) struct TypedOptions {
    pub(crate) args: HookArgs,
    /// In the order of the help, whatever order they were given in.
    pub(super) typed: Vec<TypedOption>,
}

#[derive(Debug)]
pub(super) struct TypedOption {
    pub(super) name: String,
    pub(super) value: Option<String>,
    /// Whether the value is the path of a file or folder.
    pub(super) is_path: bool,
}

impl TypedOption {
    /// The words of a command line that give it.
    pub(super) fn words(&self) -> Vec<String> {
        let name = format!("--{}", self.name);
        match &self.value {
            None => vec![name],
            Some(value) if value.starts_with('-') => vec![format!("{name}={value}")],
            Some(value) => vec![name, value.clone()],
        }
    }
}

impl TypedOptions {
    /// Reads the words of a command line, from `hook` on.
    pub(super) fn parse(words: &[String]) -> Result<Self, Error> {
        let command = Command::new("hook").args_override_self(true);
        let command = HookArgs::augment_args(command);
        Self::from_arg_matches(&command.try_get_matches_from(words)?)
    }
}

impl FromArgMatches for TypedOptions {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        Self::from_arg_matches_mut(&mut matches.clone())
    }

    fn from_arg_matches_mut(matches: &mut ArgMatches) -> Result<Self, Error> {
        let typed = typed(matches);
        let args = HookArgs::from_arg_matches_mut(matches)?;
        Ok(Self { args, typed })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for TypedOptions {
    fn augment_args(command: Command) -> Command {
        HookArgs::augment_args(command)
    }

    fn augment_args_for_update(command: Command) -> Command {
        HookArgs::augment_args_for_update(command)
    }
}

fn typed(matches: &ArgMatches) -> Vec<TypedOption> {
    let command = HookArgs::augment_args(Command::new("hook"));
    let mut typed = Vec::new();
    for arg in command.get_arguments() {
        let id = arg.get_id().as_str();
        let Some(long) = arg.get_long() else { continue };
        if matches.value_source(id) != Some(ValueSource::CommandLine) {
            continue;
        }
        let takes_value = arg.get_action().takes_values()
            && arg.get_num_args().is_none_or(|count| count.takes_values());
        let values = matches.get_raw(id).into_iter().flatten();
        typed.extend(values.map(|value| TypedOption {
            name: long.to_owned(),
            value: takes_value.then(|| value.to_string_lossy().into_owned()),
            is_path: arg.get_value_parser().type_id() == TypeId::of::<PathBuf>(),
        }));
    }
    typed
}
