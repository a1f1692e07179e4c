//! The command line: the root of the commands.

use std::ffi::{OsStr, OsString};
use std::mem::ManuallyDrop;

use clap::builder::Styles;
use clap::builder::styling::AnsiColor;
use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

use crate::{
    check, completions, config, convert, demo, explain, help, hook, instruct, man, schema,
};

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

/// Check what AI subagents return, before anything acts on it
// Options have no clap defaults, and subcommands are built on demand, so a run pays only for what
// it uses.
#[derive(Debug, Parser)]
#[command(
    name = "retval",
    // Otherwise the usage would show the name under which the program was started.
    bin_name = "retval",
    version,
    styles = STYLES,
    max_term_width = 100,
    // If an option is given twice, the last one counts, in every command: wrapper scripts add options to
    // a command line that may already have them. Options that are lists still collect all values.
    args_override_self = true,
    disable_help_subcommand = true,
    subcommand_required = true,
    arg_required_else_help = true
)]
struct Cli {}

// The command that scripts call for each return. It has an enum of its own, so that no other command is
// built for such a call. A doc comment here would become the description of the program.
#[derive(Debug, Subcommand)]
#[command(defer = true)]
#[allow(clippy::large_enum_variant, reason = "there is one of it in a run")]
pub(crate) enum CheckCommand {
    /// Check returns: JSON, fields, status, session, summary, artifacts
    #[command(after_long_help = check::args::EXAMPLES)]
    Check(check::args::CheckArgs),
}

#[derive(Debug, Subcommand)]
#[command(defer = true)]
#[allow(clippy::large_enum_variant, reason = "there is one of it in a run")]
pub(crate) enum Subcommands {
    #[command(flatten)]
    Check(CheckCommand),
    /// Show a good and a bad return being checked, without any file
    #[command(after_long_help = demo::EXAMPLES)]
    Demo,
    /// Print the instruction that tells a subagent how to return
    #[command(after_long_help = instruct::EXAMPLES)]
    Instruct(instruct::InstructArgs),
    /// Convert a return between profiles and report every change
    #[command(after_long_help = convert::EXAMPLES)]
    Convert(convert::ConvertArgs),
    /// Answer the hooks of an agent harness: instruct at the start, check at the end
    #[command(after_long_help = hook::command::EXAMPLES)]
    Hook(hook::command::HookCommandArgs),
    /// Explain a rule, with an example that fails and one that passes
    #[command(after_long_help = explain::EXAMPLES)]
    Explain(explain::ExplainArgs),
    /// Show the settings in effect and where each comes from
    #[command(after_long_help = config::EXAMPLES)]
    Config(config::ConfigCommandArgs),
    /// Print a profile, the report format, or the configuration as JSON Schema
    #[command(after_long_help = schema::EXAMPLES)]
    Schema(schema::SchemaArgs),
    /// Print shell completions
    #[command(after_long_help = completions::EXAMPLES)]
    Completions(completions::CompletionsArgs),
    /// Print pages for man, or write all of them
    #[command(after_long_help = man::EXAMPLES)]
    Man(man::ManArgs),
    /// Print the help of a command, or a page of the manual
    #[command(after_long_help = help::EXAMPLES)]
    Help(help::HelpArgs),
}

/// Parses the command line. For `check`, the other commands are not built, not even their names.
pub(crate) fn parse(args: Vec<OsString>) -> Result<Subcommands, clap::Error> {
    let augment = match args.get(1) {
        Some(name) if name == "check" => CheckCommand::augment_subcommands,
        _ => Subcommands::augment_subcommands,
    };
    // clap's structures are not dropped, because the process ends soon anyway.
    let mut command = ManuallyDrop::new(augment(Cli::command()));
    let matches = command.try_get_matches_from_mut(args)?;
    Subcommands::from_arg_matches_mut(&mut ManuallyDrop::new(matches))
}

/// An option and its names.
pub(crate) struct NamedOption {
    /// Every name, with its dashes. The first one is a long name if the option has one.
    pub(crate) names: Vec<String>,
    /// A valid value, if the command requires the option.
    pub(crate) required_value: Option<String>,
}

/// The option that clap names in an error. None if it names a positional argument.
pub(crate) fn option(args: &[OsString], named: &str) -> Option<NamedOption> {
    let command = called(args);
    let mut options = command.get_opts();
    let option = options.find(|option| option.to_string() == named)?;
    let long = option.get_long_and_visible_aliases().unwrap_or_default();
    let hidden = option.get_all_aliases().unwrap_or_default();
    let short = option.get_short_and_visible_aliases().unwrap_or_default();
    let long = long.into_iter().chain(hidden);
    let long = long.map(|name| format!("--{name}"));
    let short = short.into_iter().map(|name| format!("-{name}"));
    let mut values = option.get_possible_values().into_iter();
    let value = values.next().filter(|_| option.is_required_set());
    Some(NamedOption {
        names: long.chain(short).collect(),
        required_value: value.map(|value| value.get_name().to_owned()),
    })
}

/// The usage of the command that these arguments call. clap's own errors show the arguments given so far
/// without brackets, as if they were required.
pub(crate) fn usage(args: &[OsString]) -> String {
    called(args).render_usage().to_string()
}

/// The command that these arguments call.
pub(crate) fn called(args: &[OsString]) -> clap::Command {
    let mut called = command();
    for word in args.iter().skip(1) {
        match called.find_subcommand(word) {
            Some(found) => called = found.clone(),
            None => break,
        }
    }
    called
}

/// Whether a command of this name reads the settings.
pub(crate) fn reads_settings(name: &OsStr) -> bool {
    let commands = command();
    let found = commands.get_subcommands().find(|it| it.get_name() == name);
    found.is_some_and(|it| it.get_arguments().any(|arg| arg.get_id() == "no_config"))
}

/// All commands, with all their options.
pub(crate) fn command() -> clap::Command {
    let mut command = Subcommands::augment_subcommands(Cli::command());
    command.build();
    command
}
