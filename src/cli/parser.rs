//! The command line: the root of the commands, and the output of clap: help, versions and usage errors.

use std::ffi::OsString;
use std::path::Path;

use clap::builder::Styles;
use clap::builder::styling::AnsiColor;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

use crate::cli::check::args::CheckArgs;
use crate::cli::output::{Closed, Exit, Sink, print_stdout, terminal};
use crate::cli::{
    audit, check, config, explain, generated, help, hook, init, instruct, output, read, schema,
};
use crate::text::{escape, is_blank};

/// The version, with the commit where `.dist/build` has set the variable. No other build knows it without
/// asking git, which the sources of a package do not have.
const VERSION: &str = match option_env!("RETVAL_BUILD_VERSION") {
    Some(version) => version,
    None => env!("CARGO_PKG_VERSION"),
};

/// The text that `retval` prints without arguments.
const OVERVIEW: &str = "\
retval checks what AI subagents return: JSON, fields, status, session, summary, artifacts.

  retval demo                              show a false and a true return being checked
  retval check return.json                 check a file
  some-agent | retval check --session ID   check what an agent prints
  retval check returns/ --format json      check a folder, print JSON
  retval instruct                          print the instruction for an agent's prompt
  retval hook install claude-code          call the hook from Claude Code
  retval explain artifact-not-found        explain a rule

`retval help` lists all commands, `retval COMMAND --help` shows the options of one.
";

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
    version = VERSION,
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

#[derive(Debug, Subcommand)]
#[command(defer = true)]
#[allow(clippy::large_enum_variant, reason = "there is one of it in a run")]
pub(crate) enum Subcommands {
    /// Check returns: JSON, fields, status, session, summary, artifacts
    #[command(after_help = check::args::EXIT_CODES, after_long_help = include_str!("examples/check.txt").trim_ascii_end())]
    Check(CheckArgs),
    /// Answer the hooks of an agent client: instruct at the start, check at the end
    #[command(after_long_help = include_str!("examples/hook.txt").trim_ascii_end())]
    Hook(hook::HookCommandArgs),
    /// Print the instruction that tells a subagent how to return
    #[command(after_long_help = include_str!("examples/instruct.txt").trim_ascii_end())]
    Instruct(instruct::InstructArgs),
    /// Write a first configuration, let your agent add profiles, and verify them
    #[command(after_long_help = include_str!("examples/init.txt").trim_ascii_end())]
    Init(init::InitArgs),
    /// Print the values that a text has, and where each is
    #[command(after_long_help = include_str!("examples/read.txt").trim_ascii_end())]
    Read(read::ReadArgs),
    /// Explain a rule, with an example that fails and one that passes
    #[command(after_long_help = include_str!("examples/explain.txt").trim_ascii_end())]
    Explain(explain::ExplainArgs),
    /// Count what came back from all agents in the clients' histories
    #[command(after_help = audit::EXIT_CODES, after_long_help = include_str!("examples/audit.txt").trim_ascii_end())]
    Audit(audit::AuditArgs),
    /// Print a profile, the report format, or the configuration as JSON Schema
    #[command(after_long_help = include_str!("examples/schema.txt").trim_ascii_end())]
    Schema(schema::SchemaArgs),
    /// Show the settings in effect and where each comes from
    #[command(after_long_help = include_str!("examples/config.txt").trim_ascii_end())]
    Config(config::ConfigCommandArgs),
    /// Show how a false and a true return are checked; needs no files
    #[command(after_long_help = include_str!("examples/demo.txt").trim_ascii_end())]
    Demo,
    /// Print the help of a command, or a page of the manual
    #[command(after_long_help = include_str!("examples/help.txt").trim_ascii_end())]
    Help(help::HelpArgs),
    /// Print shell completions
    #[command(hide = true, after_long_help = include_str!("examples/completions.txt").trim_ascii_end())]
    Completions(generated::CompletionsArgs),
    /// Print pages for man, or write all of them
    #[command(hide = true, after_long_help = include_str!("examples/man.txt").trim_ascii_end())]
    Man(generated::ManArgs),
}

/// Parses the command line.
pub(crate) fn parse(args: Vec<OsString>) -> Result<Subcommands, clap::Error> {
    let command = Subcommands::augment_subcommands(Cli::command());
    let mut matches = command.try_get_matches_from(args)?;
    Subcommands::from_arg_matches_mut(&mut matches)
}

/// All commands, with all their options.
pub(crate) fn command() -> Command {
    let mut command = Subcommands::augment_subcommands(Cli::command());
    command.build();
    command
}

/// Prints help, a version, or a usage error. Only help is colored, because it contains no arguments.
pub(crate) fn print(error: clap::Error, args: &[OsString]) -> anyhow::Result<Exit> {
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        return overview();
    }
    if error.use_stderr() {
        Sink::Stderr.write(error_text(error, args).as_bytes())?;
        return Ok(Exit::Unchecked);
    }
    let is_check = args.get(1).is_some_and(|name| name == "check");
    let is_long = error.kind() == ErrorKind::DisplayHelp && args.iter().any(|arg| arg == "--help");
    let of_check = (is_check && is_long).then(command);
    let of_check = of_check.as_ref().and_then(|it| it.find_subcommand("check"));
    let help = of_check.map_or_else(|| error.render(), help::long_help);
    print_stdout(help::styled(&help))
}

/// Prints the overview, or what to type if something is passed on. Never with exit code 2: if a client drops the
/// arguments of a hook's command, it runs `retval` alone, and that code would tell it to block its agent.
fn overview() -> anyhow::Result<Exit> {
    if terminal::is_input_passed() {
        let text = "error: standard input was not read: type `retval check` to check a return\n";
        Sink::Stderr.write(text.as_bytes())?;
        return Ok(Exit::Invalid);
    }
    match print_stdout(OVERVIEW) {
        Err(error) if !error.is::<Closed>() => output::error(&error),
        _ => {}
    }
    Ok(Exit::Valid)
}

/// The text of a usage error, safe to print: arguments are escaped, because they may come from a return.
fn error_text(mut error: clap::Error, args: &[OsString]) -> String {
    if let Some(ContextValue::String(value)) = error.get(ContextKind::InvalidValue)
        && is_blank(value)
        && args.iter().any(|arg| {
            let text = arg.to_string_lossy();
            text.rsplit('=').next().is_some_and(is_blank)
        })
        && let Some(ContextValue::String(option)) = error.get(ContextKind::InvalidArg)
    {
        return format!(
            "error: {option} is empty: is the variable set?\n\nFor more information, try '--help'.\n"
        );
    }
    let escaped = |value: &ContextValue| match value {
        ContextValue::String(text) => Some(escape::truncated(text).to_string()),
        _ => None,
    };
    // Of other errors, clap writes the option itself there, such as `--session <ID>`.
    let is_typed = error.kind() == ErrorKind::UnknownArgument;
    let is_own = |kind| matches!(kind, ContextKind::InvalidArg | ContextKind::PriorArg);
    let context = error.context().filter(|it| is_typed || !is_own(it.0));
    let context: Vec<_> = context
        .filter_map(|(kind, value)| Some((kind, ContextValue::String(escaped(value)?))))
        .collect();
    for (kind, value) in context {
        if error.get(kind) != Some(&value) {
            error.insert(kind, value);
            // A suggestion repeats the argument as it is.
            error.remove(ContextKind::Suggested);
        }
    }
    if error.kind() == ErrorKind::InvalidSubcommand
        && let Some(paths) = meant_for_check(args)
    {
        let tip = format!("to check it: retval check{paths}").into();
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip]));
        error.remove(ContextKind::SuggestedSubcommand);
    }
    escape::multiline(&error.render().to_string())
}

/// The arguments that `check` would have understood: a file, also behind another word for it.
fn meant_for_check(args: &[OsString]) -> Option<String> {
    const WORDS: [&str; 4] = ["validate", "verify", "lint", "test"];
    let (first, rest) = args.get(1..)?.split_first()?;
    let paths = match first {
        file if Path::new(file).exists() => &args[1..],
        word if WORDS.iter().any(|it| word == it) => rest,
        _ => return None,
    };
    let shown = |path: &OsString| format!(" {}", escape::path(Path::new(path)));
    Some(paths.iter().map(shown).collect())
}
