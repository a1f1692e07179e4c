//! Options of `retval check`: as arguments, and resolved.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::{Context as _, bail};
use clap::builder::NonEmptyStringValueParser;
use clap::{Args, ValueEnum};
use retval::config::ColorChoice;
use retval::format::{Detail, Format};
use retval::internal::escape;

use crate::args::config::ConfigArgs;
use crate::args::since::moment;
use crate::args::values::{ON, OneOf, ProfileName, color_names, number};
use crate::check::outputs::{OutputArgs, OutputSpec};
use crate::color;
use crate::evidence::TranscriptArgs;
use crate::exit::Exit;
use crate::settings::checker::{CheckerArgs, CheckerOptions, Wrappings};
use crate::settings::{Settings, is_on};

pub(crate) const EXAMPLES: &str = "\
Exit codes:
  0  every return is valid
  1  at least one return is invalid; 0 with --exit-zero
  2  something could not be checked

Each finding names its rule; `retval explain RULE` explains it and shows examples.

Examples:
  echo \"$subagent_return\" | retval check --session \"$expected\" --agent researcher
  retval check return.json --root ../project
  retval check specs/ --include .return-meta.json
  retval check --ndjson --format jsonl < returns.ndjson
  retval check return.json --strict --format json --output verdict.json";

#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// Files, folders and streams (.ndjson, .jsonl) to check; - or nothing means standard input
    ///
    /// A file holds one return, a stream one on each line. In a folder, every file below it that is
    /// named *.json, *.ndjson or *.jsonl is checked, hidden ones too; links and .git are skipped.
    pub(crate) paths: Vec<PathBuf>,
    /// Check the paths listed in a file, one per line or NUL-separated; - means standard input
    #[arg(long, value_name = "FILE")]
    files_from: Option<PathBuf>,
    /// Read standard input as one return per line
    #[arg(long, num_args = 0, default_missing_value = ON)]
    ndjson: Option<bool>,
    /// File name of the return on standard input: chooses the profile and overrides
    #[arg(long, value_name = "PATH")]
    stdin_filename: Option<PathBuf>,
    /// In folders, check only matching files (repeatable)
    ///
    /// A glob with a slash is matched against the path below the folder, any other against the file
    /// name alone.
    #[arg(long, value_name = "GLOB")]
    include: Vec<String>,
    /// In folders, skip matching files and folders (repeatable)
    #[arg(long, value_name = "GLOB")]
    exclude: Vec<String>,

    /// Profile to check against [default: auto, by file name, else return]
    #[arg(long, value_name = "PROFILE", value_parser = ProfileName::NamedOrAuto)]
    profile: Option<String>,
    /// Expected session id
    #[arg(long, value_name = "ID", value_parser = NonEmptyStringValueParser::new())]
    pub(super) session: Option<String>,
    /// Agent that was called
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    agent: Option<String>,
    /// When the agent was called: an older file is an invalid return
    ///
    /// RFC 3339, @ and seconds since 1970, or how long ago, such as 90s, 2h or 1d.
    #[arg(long, value_name = "TIME", value_parser = moment)]
    pub(super) since: Option<SystemTime>,
    #[command(flatten)]
    transcript: TranscriptArgs,
    /// Folder that artifact paths are relative to [default: the current folder]
    ///
    /// An artifact outside it is an error.
    #[arg(long, value_name = "DIR")]
    root: Option<PathBuf>,

    #[command(flatten)]
    checker: CheckerArgs,
    /// Begin the feedback with the prompt in this file, for a model that is not resumed
    #[arg(long, value_name = "FILE")]
    task: Option<PathBuf>,
    /// Stop after the first step that fails
    #[arg(long, num_args = 0, default_missing_value = ON)]
    fail_fast: Option<bool>,
    /// Accept a return inside a code fence, prose or a think block
    #[arg(long, num_args = 0, default_missing_value = ON)]
    extract: Option<bool>,

    /// Refuse the output of agent clients instead of taking the return out of it
    #[arg(long, num_args = 0, default_missing_value = ON)]
    no_envelope: Option<bool>,
    /// Compare timestamps with this time, such as 2026-01-28T10:30:00Z [default: the current time]
    #[arg(long, value_name = "TIME", value_parser = clap::value_parser!(jiff::Timestamp))]
    now: Option<jiff::Timestamp>,

    #[command(flatten)]
    outputs: OutputArgs,
    /// Print the input lines of valid or invalid returns; reports go to standard error
    #[arg(long, value_name = "WHICH", value_enum)]
    filter: Option<Filter>,
    /// Append a record of each invalid return to an error log (.jsonl: one per line)
    #[arg(long, value_name = "FILE")]
    errors_json: Option<PathBuf>,
    /// Save each invalid return whole, in a file of its own in this folder
    #[arg(long, value_name = "DIR")]
    save_invalid: Option<PathBuf>,
    /// Accept the findings listed in a file; new ones still fail
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Write all current findings to the baseline file
    #[arg(long, num_args = 0, default_missing_value = ON)]
    update_baseline: Option<bool>,
    /// Count rules, agents and statuses
    #[arg(long, num_args = 0, default_missing_value = ON)]
    statistics: Option<bool>,
    /// Exit with 0 instead of 1 if a return is invalid
    ///
    /// Exit code 2 stays: something could not be checked.
    #[arg(long)]
    exit_zero: bool,
    /// Number of threads, at most 16 are used [default: all cores]
    #[arg(short, long, value_name = "N", value_parser = number("jobs"))]
    jobs: Option<u64>,
    /// Show the line of each finding in text output; a terminal always does
    #[arg(long, num_args = 0, default_missing_value = ON)]
    snippets: Option<bool>,
    /// Hide the progress line
    #[arg(long, num_args = 0, default_missing_value = ON)]
    no_progress: Option<bool>,
    /// When to use color [default: auto]
    #[arg(long, value_name = "WHEN", value_parser = OneOf::<ColorChoice>::parsed(color_names))]
    color: Option<ColorChoice>,
    /// Print errors only, and the totals of several returns
    #[arg(short, long, num_args = 0, default_missing_value = ON, conflicts_with = "verbose")]
    quiet: Option<bool>,
    /// Also print the profile and the reason for each rule
    #[arg(short, long, num_args = 0, default_missing_value = ON)]
    verbose: Option<bool>,

    /// List the metadata and handoff files below a folder whose session has ended; check nothing
    ///
    /// A session has ended when none of its files has changed since --since, 24 hours ago unless it
    /// is given; that of --session has not.
    #[arg(long, value_name = "DIR", conflicts_with_all = NOT_WITH_LEFTOVERS)]
    pub(super) list_leftovers: Option<PathBuf>,
    /// End each path of --list-leftovers with a NUL, not a line feed
    #[arg(short = '0', long, num_args = 0, default_missing_value = ON, requires = "list_leftovers")]
    pub(super) null: Option<bool>,

    #[command(flatten)]
    pub(crate) config: ConfigArgs,
}

/// Options that mean nothing where nothing is checked.
const NOT_WITH_LEFTOVERS: [&str; 16] = [
    "transcript",
    "rev",
    "paths",
    "files_from",
    "ndjson",
    "include",
    "exclude",
    "profile",
    "agent",
    "root",
    "format",
    "output",
    "filter",
    "errors_json",
    "baseline",
    "statistics",
];

/// The returns that a filter lets through.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Filter {
    Valid,
    Invalid,
}

/// Where text output shows the lines of findings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Excerpts {
    OnTerminals,
    Everywhere,
}

/// The file of accepted findings.
#[derive(Debug)]
pub(crate) struct BaselineOptions {
    pub(crate) path: PathBuf,
    /// Whether it is written, not only read.
    pub(crate) is_updated: bool,
}

/// The resolved options of `retval check`.
#[derive(Debug)]
pub(crate) struct CheckOptions {
    pub(crate) paths: Vec<PathBuf>,
    pub(crate) files_from: Option<PathBuf>,
    pub(crate) stdin_filename: Option<PathBuf>,
    pub(crate) ndjson: bool,
    pub(crate) include: Vec<String>,
    pub(crate) exclude: Vec<String>,
    /// A name; none is `auto`, too.
    pub(crate) profile: Option<String>,
    pub(crate) root: PathBuf,
    pub(crate) checker: CheckerOptions,
    /// The record of the agent's run, and which agent it is.
    pub(crate) transcript: Option<PathBuf>,
    pub(crate) agent_id: Option<String>,
    /// The commit before the run.
    pub(crate) rev: Option<String>,
    pub(crate) outputs: Vec<OutputSpec>,
    /// The prompt that feedback begins with.
    pub(crate) task: Option<String>,
    pub(crate) filter: Option<Filter>,
    pub(crate) errors_json: Option<PathBuf>,
    pub(crate) save_invalid: Option<PathBuf>,
    pub(crate) baseline: Option<BaselineOptions>,
    pub(crate) statistics: bool,
    /// What a run with invalid returns ends with.
    pub(crate) exit_if_invalid: Exit,
    /// All cores if none.
    pub(crate) jobs: Option<usize>,
    pub(crate) progress: bool,
    pub(crate) color: ColorChoice,
    pub(crate) excerpts: Excerpts,
    pub(crate) detail: Detail,
}

impl CheckArgs {
    /// Whether the settings that overrides can change are given.
    pub(super) fn given(&self) -> [(&'static str, bool); 3] {
        [
            ("profile", self.profile.is_some()),
            ("strict", self.checker.has_strict()),
            ("extract", self.extract.is_some()),
        ]
    }
}

impl CheckOptions {
    /// The arguments, else the settings, else the defaults.
    pub(crate) fn resolve(args: CheckArgs, settings: &Settings) -> anyhow::Result<Self> {
        let values = settings.values.clone();
        let default_format = values.format.unwrap_or(Format::Text);
        let jobs = args.jobs.or(values.jobs);
        let detail = detail(&args);
        let outputs = args.outputs.pair(default_format)?;
        let has_feedback = outputs.iter().any(|it| it.format == Format::Feedback);
        if args.task.is_some() && !has_feedback {
            bail!("--task needs --format feedback");
        }
        Ok(Self {
            task: args.task.as_deref().map(read_task).transpose()?,
            detail,
            paths: args.paths,
            files_from: args.files_from,
            stdin_filename: args.stdin_filename,
            ndjson: is_on(args.ndjson, None),
            include: given(args.include, values.include),
            exclude: given(args.exclude, values.exclude),
            profile: args.profile.or(values.profile),
            root: args.root.or(values.root).unwrap_or_else(|| ".".into()),
            checker: CheckerOptions {
                session: args.session.or(values.session),
                agent: args.agent.or(values.agent),
                since: args.since,
                fail_fast: is_on(args.fail_fast, values.fail_fast),
                accepts: Wrappings {
                    prose: is_on(args.extract, values.extract),
                    envelope: !is_on(args.no_envelope, None),
                },
                now: args.now.map(Into::into),
                ..CheckerOptions::resolve(args.checker, settings)?
            },
            transcript: args.transcript.transcript,
            agent_id: args.transcript.agent_id,
            rev: args.transcript.rev,
            outputs,
            filter: args.filter,
            errors_json: args.errors_json.or(values.errors_json),
            save_invalid: args.save_invalid.or(values.save_invalid),
            baseline: baseline(args.baseline.or(values.baseline), args.update_baseline)?,
            statistics: is_on(args.statistics, values.statistics),
            exit_if_invalid: if args.exit_zero {
                Exit::Valid
            } else {
                Exit::Invalid
            },
            jobs: jobs.and_then(|jobs| usize::try_from(jobs).ok()),
            progress: !is_on(args.no_progress, values.no_progress),
            color: args
                .color
                .or_else(|| color::setting(values.color))
                .unwrap_or_default(),
            excerpts: if is_on(args.snippets, None) {
                Excerpts::Everywhere
            } else {
                Excerpts::OnTerminals
            },
        })
    }
}

fn read_task(path: &Path) -> anyhow::Result<String> {
    std::fs::read_to_string(path).with_context(|| format!("cannot read {}", escape::path(path)))
}

/// A list of the command line replaces that of the settings.
fn given(arguments: Vec<String>, setting: Option<Vec<String>>) -> Vec<String> {
    if arguments.is_empty() {
        setting.unwrap_or_default()
    } else {
        arguments
    }
}

fn baseline(
    path: Option<PathBuf>,
    update: Option<bool>,
) -> anyhow::Result<Option<BaselineOptions>> {
    let is_updated = is_on(update, None);
    if is_updated && path.is_none() {
        bail!("--update-baseline needs --baseline FILE");
    }
    Ok(path.map(|path| BaselineOptions { path, is_updated }))
}

fn detail(args: &CheckArgs) -> Detail {
    match (args.quiet, args.verbose) {
        (Some(true), _) => Detail::Quiet,
        (_, Some(true)) => Detail::Verbose,
        _ => Detail::Normal,
    }
}
