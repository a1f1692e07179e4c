//! Arguments of `retval check`.

use std::path::PathBuf;
use std::time::SystemTime;

use crate::config::ColorChoice;
use crate::form::lookup::PointerPattern;
use crate::format::{Detail, RuleUrl};
use crate::profile::OwnOptions;
use crate::{Form, Profile};
use anyhow::anyhow;
use clap::builder::NonEmptyStringValueParser;
use clap::{Args, ValueEnum};

use crate::cli::args::config::ConfigArgs;
use crate::cli::args::heading;
use crate::cli::args::since::moment;
use crate::cli::args::values::{
    ON, OneOf, ProfileName, color_names, form_names, given, marker, number, pointer, visible,
    within,
};
use crate::cli::check::outputs::OutputArgs;
use crate::cli::evidence::TranscriptArgs;
use crate::cli::settings::checker::CheckerArgs;

pub(crate) const EXIT_CODES: &str = "\
Exit codes: 0 every return is valid, 1 one is invalid, 2 something could not be checked";

pub(crate) const EXAMPLES: &str = "\
Exit codes:
  0  every return is valid
  1  at least one return is invalid; 0 with --exit-zero
  2  something could not be checked

Environment:
  RETVAL_PROFILE, RETVAL_SESSION, RETVAL_AGENT, RETVAL_ROOT, RETVAL_JOBS
                             values of the options of these names that are not given
  NO_COLOR, FORCE_COLOR      never, or always, use color with --color auto

Each finding names its rule; `retval explain RULE` explains it and shows examples.

Examples:
  echo \"$subagent_return\" | retval check --session \"$expected\" --agent qa
  retval check return.json --root ../project
  retval check specs/ --include .return-meta.json
  retval check --ndjson --format jsonl < returns.ndjson
  retval check return.json --strict --format json --output verdict.json";

// A doc comment on one of these structures would become the description of the command.
#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(super) frequent: FrequentArgs,
    #[command(flatten)]
    pub(super) rare: RareArgs,
}

// The arguments that most calls are made of. A call of them alone does not build the others.
#[derive(Debug, Args)]
pub(crate) struct FrequentArgs {
    /// Files, folders and streams (.ndjson, .jsonl) to check; - or nothing means standard input
    ///
    /// A file holds one return, a stream one on each line. In a folder, every file below it that is
    /// named *.json, *.ndjson or *.jsonl is checked, hidden ones too; links and .git are skipped.
    pub(crate) paths: Vec<PathBuf>,
    /// Read standard input as one return per line
    #[arg(long, num_args = 0, default_missing_value = ON, help_heading = heading::INPUT)]
    pub(super) ndjson: Option<bool>,
    /// Accept a return inside a code fence, prose or a think block
    #[arg(long, num_args = 0, default_missing_value = ON, help_heading = heading::INPUT)]
    pub(super) extract: Option<bool>,
    /// Profile to check against [default: auto, by file name, else return]
    #[arg(long, value_name = "PROFILE", value_parser = ProfileName::NamedOrAuto, help_heading = heading::EXPECTED)]
    pub(super) profile: Option<String>,
    /// Expected session id
    #[arg(long, value_name = "ID", value_parser = visible, help_heading = heading::EXPECTED)]
    pub(super) session: Option<String>,
    /// Agent that was called
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new(), help_heading = heading::EXPECTED)]
    pub(super) agent: Option<String>,
    /// Folder that artifact paths are relative to [default: the current folder]
    ///
    /// An artifact outside it is an error.
    #[arg(long, value_name = "DIR", help_heading = heading::EXPECTED)]
    pub(super) root: Option<PathBuf>,
    #[command(flatten)]
    pub(super) checker: CheckerArgs,
    #[command(flatten)]
    pub(super) outputs: OutputArgs,
    /// With --format return, print only the member at this JSON Pointer; * stands for every item
    #[arg(long, value_name = "POINTER", value_parser = pointer, help_heading = heading::OUTPUT)]
    pub(super) at: Option<PointerPattern>,
    /// Print errors only, and the totals of several returns
    #[arg(short, long, num_args = 0, default_missing_value = ON, conflicts_with = "verbose", help_heading = heading::OUTPUT)]
    pub(super) quiet: Option<bool>,
    /// Also print the profile and the reason for each rule
    #[arg(short, long, num_args = 0, default_missing_value = ON, help_heading = heading::OUTPUT)]
    pub(super) verbose: Option<bool>,
    /// In folders, check only matching files (repeatable)
    ///
    /// A glob with a slash is matched against the path below the folder, any other against the file
    /// name alone. In retval.toml, paths are below the folder of that file.
    #[arg(long, value_name = "GLOB", help_heading = heading::MANY)]
    pub(super) include: Vec<String>,
    /// In folders, skip matching files and folders (repeatable)
    #[arg(long, value_name = "GLOB", help_heading = heading::MANY)]
    pub(super) exclude: Vec<String>,
    /// Accept the findings listed in a file; new ones still fail
    #[arg(long, value_name = "FILE", help_heading = heading::MANY)]
    pub(super) baseline: Option<PathBuf>,
    /// Append a record of each invalid return to an error log (.jsonl: one per line)
    #[arg(long, value_name = "FILE", help_heading = heading::LOG, hide_short_help = true)]
    pub(super) errors_json: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) config: ConfigArgs,
}

// All other arguments.
#[derive(Debug, Default, Args)]
pub(crate) struct RareArgs {
    /// Read each line of standard input and of streams as one text: a JSON string, or an object
    ///
    /// A text can have line ends. The members of an object are text and, for this text alone, session,
    /// agent, root, and an id for its record.
    #[arg(long, num_args = 0, default_missing_value = ON, conflicts_with = "ndjson", help_heading = heading::INPUT, hide_short_help = true)]
    pub(super) ndjson_texts: Option<bool>,
    /// File name of the return on standard input: for reports, the profile and overrides
    #[arg(long, value_name = "PATH", help_heading = heading::INPUT, hide_short_help = true)]
    pub(super) stdin_filename: Option<PathBuf>,
    /// Refuse the output of agent clients instead of taking the return out of it
    #[arg(long, num_args = 0, default_missing_value = ON, help_heading = heading::INPUT, hide_short_help = true)]
    pub(super) no_envelope: Option<bool>,
    /// How the return is written, for a standard in a few options instead of a profile
    #[arg(long, value_name = "FORM", value_parser = OneOf::new(form_names, |name| name.parse::<Form>().ok()), conflicts_with = "profile", help_heading = heading::EXPECTED, hide_short_help = true)]
    pub(super) form: Option<Form>,
    /// Where the status stands: a name in a text, or a JSON Pointer
    #[arg(long, value_name = "PLACE", value_parser = NonEmptyStringValueParser::new(), conflicts_with = "profile", help_heading = heading::EXPECTED, hide_short_help = true)]
    pub(super) status_at: Option<String>,
    /// Word of the status that claims success; any other does not (repeatable)
    #[arg(long, value_name = "WORD", value_parser = NonEmptyStringValueParser::new(), help_heading = heading::EXPECTED, hide_short_help = true)]
    pub(super) success: Vec<String>,
    /// Where the files stand that the agent wrote: a name in a text, or a JSON Pointer (repeatable)
    #[arg(long, value_name = "PLACE", value_parser = NonEmptyStringValueParser::new(), conflicts_with = "profile", help_heading = heading::EXPECTED, hide_short_help = true)]
    pub(super) artifact_at: Vec<String>,
    /// File with the JSON Schema that the document must fit, for a standard in a few options
    #[arg(long, value_name = "FILE", conflicts_with = "profile", help_heading = heading::EXPECTED, hide_short_help = true)]
    pub(super) schema: Option<PathBuf>,
    /// Value that the return must repeat, where the profile has a place for it (repeatable)
    #[arg(long, value_name = "NAME=VALUE", value_parser = given, help_heading = heading::EXPECTED, hide_short_help = true)]
    pub(super) given: Vec<(String, String)>,
    /// When the agent was called: an older file is an invalid return
    ///
    /// RFC 3339, @ and seconds since 1970, or how long ago, such as 90s, 2h or 1d.
    #[arg(long, value_name = "TIME", value_parser = moment, help_heading = heading::EXPECTED, hide_short_help = true)]
    pub(super) since: Option<SystemTime>,
    /// Compare timestamps with this time [default: the current time]
    ///
    /// RFC 3339, @ and seconds since 1970, or how long ago, such as 90s, 2h or 1d.
    #[arg(long, value_name = "TIME", value_parser = moment, help_heading = heading::EXPECTED, hide_short_help = true)]
    pub(super) now: Option<SystemTime>,
    /// File or folder that the root must have, or nothing is checked
    ///
    /// It tells a root where nothing is mounted from returns whose artifacts are missing.
    #[arg(long, value_name = "PATH", value_parser = marker, help_heading = heading::EXPECTED, hide_short_help = true)]
    pub(super) root_has: Option<PathBuf>,
    /// Stop after the first step that fails
    #[arg(long, num_args = 0, default_missing_value = ON, help_heading = heading::RULES, hide_short_help = true)]
    pub(super) fail_fast: Option<bool>,
    #[command(flatten)]
    pub(super) transcript: TranscriptArgs,
    /// Show the line of each finding in text output; a terminal always does
    #[arg(long, num_args = 0, default_missing_value = ON, help_heading = heading::OUTPUT, hide_short_help = true)]
    pub(super) snippets: Option<bool>,
    /// In json and jsonl, add the whole return to its record
    #[arg(long, num_args = 0, default_missing_value = ON, help_heading = heading::OUTPUT, hide_short_help = true)]
    pub(super) record_return: Option<bool>,
    /// Address of the page of a rule, with {rule} for its id: makes links in text, Markdown and SARIF
    #[arg(long, value_name = "URL", help_heading = heading::OUTPUT, hide_short_help = true)]
    pub(super) rule_url: Option<RuleUrl>,
    /// When to use color [default: auto]
    #[arg(long, value_name = "WHEN", value_parser = OneOf::<ColorChoice>::parsed(color_names), help_heading = heading::OUTPUT, hide_short_help = true)]
    pub(super) color: Option<ColorChoice>,
    /// Begin the feedback with the prompt in this file, for a model that is not resumed
    #[arg(long, value_name = "FILE", help_heading = heading::OUTPUT, hide_short_help = true)]
    pub(super) task: Option<PathBuf>,
    /// Exit with 0 instead of 1 if a return is invalid
    ///
    /// Exit code 2 stays: something could not be checked.
    #[arg(long, help_heading = heading::OUTPUT, hide_short_help = true)]
    pub(super) exit_zero: bool,
    /// Check the paths listed in a file, one per line or NUL-separated; - means standard input
    #[arg(long, value_name = "FILE", help_heading = heading::MANY, hide_short_help = true)]
    pub(super) files_from: Option<PathBuf>,
    /// Apply include and exclude also to the files and folders that are named
    ///
    /// For tools that name the files themselves. To name none is no error, and standard input is only
    /// read for -.
    #[arg(long, help_heading = heading::MANY, hide_short_help = true)]
    pub(super) force_exclude: bool,
    /// Print the paths of the files that would be checked, and check none
    #[arg(long, help_heading = heading::MANY, hide_short_help = true)]
    pub(super) show_files: bool,
    /// Fail unless there are so many returns: one of several agents may have brought none
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = within(0, u64::MAX), help_heading = heading::MANY, hide_short_help = true)]
    pub(super) expect: Option<u64>,
    /// Number of threads, at most 16 are used [default: all cores]
    #[arg(short, long, value_name = "N", allow_negative_numbers = true, value_parser = number("jobs"), help_heading = heading::MANY, hide_short_help = true)]
    pub(super) jobs: Option<u64>,
    /// Print the input lines of valid or invalid returns; reports go to standard error
    #[arg(long, value_name = "WHICH", value_enum, help_heading = heading::MANY, hide_short_help = true)]
    pub(super) filter: Option<Filter>,
    /// Write all current findings to the baseline file
    #[arg(long, num_args = 0, default_missing_value = ON, help_heading = heading::MANY, hide_short_help = true)]
    pub(super) update_baseline: Option<bool>,
    /// Hide the progress line
    #[arg(long, num_args = 0, default_missing_value = ON, help_heading = heading::MANY, hide_short_help = true)]
    pub(super) no_progress: Option<bool>,
    /// Save each invalid return whole, in a file of its own in this folder
    #[arg(long, value_name = "DIR", help_heading = heading::LOG, hide_short_help = true)]
    pub(super) save_invalid: Option<PathBuf>,
}

/// The returns whose lines a filter prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Filter {
    Valid,
    Invalid,
}

impl From<FrequentArgs> for CheckArgs {
    fn from(frequent: FrequentArgs) -> Self {
        let rare = RareArgs::default();
        Self { frequent, rare }
    }
}

impl CheckArgs {
    /// The names of the settings that overrides can change, and whether the command line sets them.
    pub(super) fn given(&self) -> [(&'static str, bool); 3] {
        [
            ("profile", self.frequent.profile.is_some()),
            ("strict", self.frequent.checker.has_strict()),
            ("extract", self.frequent.extract.is_some()),
        ]
    }

    /// The profile that is made of options, if any of them is given.
    pub(super) fn own_standard(&self) -> anyhow::Result<Option<Profile>> {
        /// Its name in reports.
        const NAME: &str = "options";
        let has_places = self.rare.status_at.is_some() || !self.rare.artifact_at.is_empty();
        let has_places = has_places || self.rare.schema.is_some();
        if self.rare.form.is_none() && !has_places && self.rare.success.is_empty() {
            return Ok(None);
        }
        let options = OwnOptions {
            form: self.rare.form.unwrap_or_default(),
            status_at: self.rare.status_at.as_deref(),
            success: &self.rare.success,
            artifacts_at: &self.rare.artifact_at,
            schema: self.rare.schema.as_deref(),
        };
        let profile = Profile::of_options(NAME, &options);
        profile.map(Some).map_err(|error| anyhow!(error))
    }

    pub(super) fn detail(&self) -> Detail {
        match (self.frequent.quiet, self.frequent.verbose) {
            (Some(true), _) => Detail::Quiet,
            (_, Some(true)) => Detail::Verbose,
            _ => Detail::Normal,
        }
    }
}
