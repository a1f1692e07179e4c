//! The command line: clap types and nothing else. Names of profiles, rules and formats come from
//! the library's tables.

use std::ffi::OsStr;
use std::path::PathBuf;

use clap::builder::{NonEmptyStringValueParser, PossibleValue, TypedValueParser};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Args, Command, Parser, Subcommand, ValueEnum};
use retval::Profile;
use retval::nearest::nearest;
use retval::profile::PROFILES;
use retval::report::Format;
use retval::rules::{RULES, Rule};

/// Holds what a subagent returns to what its orchestrator was promised.
// Options have no clap defaults, and subcommands are built when called: a run costs what it uses.
#[derive(Debug, Parser)]
#[command(
    name = "retval",
    version,
    max_term_width = 100,
    subcommand_required = true,
    arg_required_else_help = true
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Subcommands,
}

#[derive(Debug, Subcommand)]
#[command(defer = true)]
#[allow(clippy::large_enum_variant, reason = "there is one of it in a run")]
pub(crate) enum Subcommands {
    /// Judge returns: JSON, fields, status, session, summary, artifacts
    #[command(after_help = CHECK_EXAMPLES)]
    Check(Check),
    /// Print the instruction that tells a subagent how to return
    #[command(after_help = INSTRUCT_EXAMPLES)]
    Instruct(Instruct),
    /// Answer an agent harness's hook: instruct at the start, judge at the stop
    #[command(after_help = HOOK_EXAMPLES)]
    Hook(Hook),
}

const HOOK_EXAMPLES: &str = "\
The exit code is always 0; the answer is JSON on standard output.

Examples:
  retval hook --print-config claude-code
  retval hook --observe --errors-json errors.json
  retval hook --agents 'research*' --retries 2";

#[derive(Debug, Args)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is a switch of the command line"
)]
pub(crate) struct Hook {
    /// Standard to hold returns to [default: return]
    #[arg(long, value_name = "PROFILE", value_parser = OneOf::new(built_in_names, Profile::named))]
    pub(crate) profile: Option<&'static Profile<'static>>,
    /// Session id to instruct and to expect [default: `RETVAL_SESSION`, else the harness's]
    #[arg(long, value_name = "ID", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) session: Option<String>,
    /// Folder that artifacts are relative to [default: the one that the agent works in]
    #[arg(long, value_name = "DIR")]
    pub(crate) root: Option<PathBuf>,
    /// Judge the newest file that matches, below the root, in the place of the final message
    #[arg(long, value_name = "GLOB")]
    pub(crate) return_file: Option<String>,
    /// Hold only agents whose name matches to the standard (repeatable)
    #[arg(long, value_name = "GLOB")]
    pub(crate) agents: Vec<String>,
    /// How often an agent is sent back [default: 1]
    #[arg(long, value_name = "N")]
    pub(crate) retries: Option<u32>,
    /// Report and never send back
    #[arg(long)]
    pub(crate) observe: bool,
    /// Send back when retval itself cannot judge, too
    #[arg(long)]
    pub(crate) fail_closed: bool,
    #[command(flatten)]
    pub(crate) demands: Demands,
    /// Add a record of each return that stays invalid to an error log (.jsonl: a line each)
    #[arg(long, value_name = "FILE")]
    pub(crate) errors_json: Option<PathBuf>,
    /// Take the payload for this harness's [default: told by the payload]
    #[arg(long, value_name = "HARNESS", value_enum)]
    pub(crate) harness: Option<Harness>,
    /// Print the settings to paste for a harness
    #[arg(long, value_name = "HARNESS", value_enum, exclusive = true)]
    pub(crate) print_config: Option<Harness>,
}

/// An agent harness that calls hooks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Harness {
    ClaudeCode,
    Codex,
    Copilot,
    Gemini,
    Cursor,
}

const INSTRUCT_EXAMPLES: &str = "\
Examples:
  retval instruct --session \"$session\" --agent planner >> prompt.txt
  retval instruct --profile compact --session \"$session\" --group AUTH --agent qa_expert";

#[derive(Debug, Args)]
pub(crate) struct Instruct {
    /// Standard that the return will be held to [default: return]
    #[arg(long, value_name = "PROFILE", value_parser = OneOf::new(built_in_names, Profile::named))]
    pub(crate) profile: Option<&'static Profile<'static>>,
    /// Session id that the return must bear
    #[arg(long, value_name = "ID", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) session: Option<String>,
    /// Agent that is called
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) agent: Option<String>,
    /// Group of work, to find handoff files by
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) group: Option<String>,
}

const CHECK_EXAMPLES: &str = "\
Exit codes:
  0  every return is valid
  1  at least one is not
  2  something could not be checked

Examples:
  echo \"$subagent_return\" | retval check --session \"$expected\" --agent researcher
  retval check return.json --root ../project
  retval check specs/ --include .return-meta.json
  retval check --ndjson --format jsonl < returns.ndjson
  retval check return.json --strict --format json --output verdict.json";

#[derive(Debug, Args)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is a switch of the command line"
)]
pub(crate) struct Check {
    /// Files, folders and streams (.ndjson, .jsonl) to judge; - or nothing is standard input
    pub(crate) paths: Vec<PathBuf>,
    /// Judge the paths that a file lists, one a line or NUL-separated; - is standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) files_from: Option<PathBuf>,
    /// Read standard input as one return a line
    #[arg(long)]
    pub(crate) ndjson: bool,
    /// In folders, only files that match; with a slash the path below the folder (repeatable)
    #[arg(long, value_name = "GLOB")]
    pub(crate) include: Vec<String>,
    /// In folders, no files or folders that match (repeatable)
    #[arg(long, value_name = "GLOB")]
    pub(crate) exclude: Vec<String>,

    /// Standard to hold returns to [default: auto, by the file's name, else return]
    #[arg(long, value_name = "PROFILE", value_parser = OneOf::new(profile_names, profile_choice))]
    pub(crate) profile: Option<ProfileChoice>,
    /// Session id that the return must bear
    #[arg(long, value_name = "ID", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) session: Option<String>,
    /// Agent that was called
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) agent: Option<String>,
    /// Folder that artifacts are relative to and must not leave [default: the current folder]
    #[arg(long, value_name = "DIR")]
    pub(crate) root: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) demands: Demands,
    /// Stop after the first step that fails
    #[arg(long)]
    pub(crate) fail_fast: bool,
    /// Accept a return inside a fence, prose or a think block
    #[arg(long)]
    pub(crate) extract: bool,

    /// Output format (repeatable, each with an --output after it but one)
    #[arg(long, value_name = "FORMAT", value_parser = OneOf::new(format_names, Format::named))]
    pub(crate) format: Vec<Format>,
    /// File for the --format before it, replaced as a whole
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Vec<PathBuf>,
    /// Pass the lines of valid, or of invalid, returns through; reports go to standard error
    #[arg(long, value_name = "WHICH", value_enum)]
    pub(crate) filter: Option<Which>,
    /// Add a record of each invalid return to an error log (.jsonl: a line each)
    #[arg(long, value_name = "FILE")]
    pub(crate) errors_json: Option<PathBuf>,
    /// Count rules, agents and statuses
    #[arg(long)]
    pub(crate) statistics: bool,
    /// Threads [default: all cores]
    #[arg(short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) jobs: Option<u16>,
    /// Show no progress, even on a terminal
    #[arg(long)]
    pub(crate) no_progress: bool,
    /// When to colour [default: auto]
    #[arg(long, value_name = "WHEN", value_enum)]
    pub(crate) color: Option<ColorChoice>,
    /// Nothing but failures
    #[arg(short, long, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Profile and the reason behind each rule, too
    #[arg(short, long)]
    pub(crate) verbose: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorChoice {
    Auto,
    Always,
    Never,
}

// What every command that judges takes. A doc comment would become the help of each.
#[derive(Debug, Args)]
pub(crate) struct Demands {
    /// Group of work, to find a compact return's handoff file by
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) group: Option<String>,
    /// Make every warning a failure
    #[arg(long)]
    pub(crate) strict: bool,
    /// Leave a rule out (repeatable)
    #[arg(long, value_name = "RULE", hide_possible_values = true, value_parser = OneOf::new(rule_names, Rule::named))]
    pub(crate) ignore: Vec<&'static Rule>,
    /// Make a rule a warning (repeatable)
    #[arg(long, value_name = "RULE", hide_possible_values = true, value_parser = OneOf::new(rule_names, Rule::named))]
    pub(crate) warn: Vec<&'static Rule>,
    /// Make a rule a failure (repeatable)
    #[arg(long, value_name = "RULE", hide_possible_values = true, value_parser = OneOf::new(rule_names, Rule::named))]
    pub(crate) error: Vec<&'static Rule>,
    /// Refuse a return of more bytes than this [default: 16777216, 16 MiB]
    #[arg(long, value_name = "BYTES")]
    pub(crate) max_bytes: Option<u64>,
}

/// The returns that a filter lets through.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Which {
    Valid,
    Invalid,
}

/// A profile, or the one that each file's name speaks for.
#[derive(Debug, Clone, Copy)]
pub(crate) enum ProfileChoice {
    Auto,
    Named(&'static Profile<'static>),
}

fn built_in_names() -> Vec<&'static str> {
    PROFILES.map(|profile| profile.id).to_vec()
}

fn profile_names() -> Vec<&'static str> {
    std::iter::once("auto")
        .chain(PROFILES.map(|profile| profile.id))
        .collect()
}

fn profile_choice(name: &str) -> Option<ProfileChoice> {
    if name == "auto" {
        Some(ProfileChoice::Auto)
    } else {
        Profile::named(name).map(ProfileChoice::Named)
    }
}

fn rule_names() -> Vec<&'static str> {
    RULES.map(|rule| rule.id).to_vec()
}

fn format_names() -> Vec<&'static str> {
    Format::NAMES.map(|(name, _)| name).to_vec()
}

/// Takes one of a table's names. The table is only listed for help and for suggestions: most runs
/// need neither, and start faster.
#[derive(Clone)]
struct OneOf<T> {
    list: fn() -> Vec<&'static str>,
    named: fn(&str) -> Option<T>,
}

impl<T> OneOf<T> {
    fn new(list: fn() -> Vec<&'static str>, named: fn(&str) -> Option<T>) -> Self {
        Self { list, named }
    }
}

impl<T> OneOf<T> {
    /// More names than this help nobody who mistyped one.
    const LISTED: usize = 10;

    fn refusal(&self, command: &Command, arg: Option<&Arg>, value: &str) -> clap::Error {
        let names = (self.list)();
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
        if names.len() <= Self::LISTED {
            let names = names.into_iter().map(str::to_owned).collect();
            error.insert(ContextKind::ValidValue, ContextValue::Strings(names));
        }
        error
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
        if let Some(found) = value.to_str().and_then(self.named) {
            return Ok(found);
        }
        Err(self.refusal(command, arg, &value.to_string_lossy()))
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new((self.list)().into_iter().map(PossibleValue::new)))
    }
}
