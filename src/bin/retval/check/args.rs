//! Options of `retval check`.

use std::path::PathBuf;

use clap::builder::NonEmptyStringValueParser;
use clap::{Args, ValueEnum};
use retval::format::Format;

use crate::args::config::ConfigArgs;
use crate::args::rules::RuleArgs;
use crate::args::values::{ON, OneOf, ProfileName, format_names};

pub(crate) const EXAMPLES: &str = "\
Exit codes:
  0  every return is valid
  1  at least one is not
  2  something could not be checked

Each finding names its rule; `retval explain RULE` tells what it means and what keeps it.

Examples:
  echo \"$subagent_return\" | retval check --session \"$expected\" --agent researcher
  retval check return.json --root ../project
  retval check specs/ --include .return-meta.json
  retval check --ndjson --format jsonl < returns.ndjson
  retval check return.json --strict --format json --output verdict.json";

#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// Files, folders and streams (.ndjson, .jsonl) to check; - or nothing is standard input
    pub(crate) paths: Vec<PathBuf>,
    /// Check the paths that a file lists, one a line or NUL-separated; - is standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) files_from: Option<PathBuf>,
    /// Read standard input as one return a line
    #[arg(long, num_args = 0, default_missing_value = ON)]
    pub(crate) ndjson: Option<bool>,
    /// In folders, only files that match; with a slash the path below the folder (repeatable)
    #[arg(long, value_name = "GLOB")]
    pub(crate) include: Vec<String>,
    /// In folders, no files or folders that match (repeatable)
    #[arg(long, value_name = "GLOB")]
    pub(crate) exclude: Vec<String>,

    /// Standard to hold returns to [default: auto, by the file's name, else return]
    #[arg(long, value_name = "PROFILE", value_parser = ProfileName::OrAuto)]
    pub(crate) profile: Option<String>,
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
    pub(crate) demands: RuleArgs,
    /// Stop after the first step that fails
    #[arg(long, num_args = 0, default_missing_value = ON)]
    pub(crate) fail_fast: Option<bool>,
    /// Accept a return inside a fence, prose or a think block
    #[arg(long, num_args = 0, default_missing_value = ON)]
    pub(crate) extract: Option<bool>,

    /// Output format (repeatable, each with an --output after it but one)
    #[arg(long, value_name = "FORMAT", value_parser = OneOf::new(format_names, Format::named))]
    pub(crate) format: Vec<Format>,
    /// The format where none is asked for.
    #[arg(skip)]
    pub(crate) default_format: Option<Format>,
    /// File for the --format before it, or alone for the text, replaced as a whole
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Vec<PathBuf>,
    /// Pass the lines of valid, or of invalid, returns through; reports go to standard error
    #[arg(long, value_name = "WHICH", value_enum)]
    pub(crate) filter: Option<Which>,
    /// Add a record of each invalid return to an error log (.jsonl: a line each)
    #[arg(long, value_name = "FILE")]
    pub(crate) errors_json: Option<PathBuf>,
    /// Accept the findings that a file lists; more of them, or others, still fail
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,
    /// Write all that is found into the baseline
    #[arg(long, num_args = 0, default_missing_value = ON)]
    pub(crate) update_baseline: Option<bool>,
    /// Count rules, agents and statuses
    #[arg(long, num_args = 0, default_missing_value = ON)]
    pub(crate) statistics: Option<bool>,
    /// Threads, of which up to 16 are used [default: all cores]
    #[arg(short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) jobs: Option<u16>,
    /// Show no progress, even on a terminal
    #[arg(long, num_args = 0, default_missing_value = ON)]
    pub(crate) no_progress: Option<bool>,
    /// When to colour [default: auto]
    #[arg(long, value_name = "WHEN", value_enum)]
    pub(crate) color: Option<ColorChoice>,
    /// Nothing but failures
    #[arg(short, long, num_args = 0, default_missing_value = ON, conflicts_with = "verbose")]
    pub(crate) quiet: Option<bool>,
    /// Profile and the reason behind each rule, too
    #[arg(short, long, num_args = 0, default_missing_value = ON)]
    pub(crate) verbose: Option<bool>,

    #[command(flatten)]
    pub(crate) configured: ConfigArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorChoice {
    Auto,
    Always,
    Never,
}

/// The returns that a filter lets through.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Which {
    Valid,
    Invalid,
}
