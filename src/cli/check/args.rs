//! Arguments of `retval check`.

use std::path::PathBuf;
use std::time::SystemTime;

use clap::builder::NonEmptyStringValueParser;
use clap::{Args, ValueEnum};

use crate::cli::args::{
    ConfigArgs, FormatArg, OneOf, format_arg, given, heading, moment, number, place, profile_name,
    visible, within,
};
use crate::cli::evidence::TranscriptArgs;
use crate::cli::settings::checker::CheckerArgs;
use crate::config::ColorChoice;
use crate::report::{Detail, Format};
use crate::text::Named as _;

pub(crate) const EXIT_CODES: &str = "\
Exit codes: 0 every return is valid, 1 one is invalid, 2 something could not be checked";

/// What the long help adds about the file of a format.
const FORMAT_FILE: &str = "\n\nA file is replaced as a whole when everything is checked; a device or a pipe is \
    written to.";

fn format_help() -> String {
    let names = Format::names().join(", ");
    format!("How the result is written, and where (repeatable): {names}")
}

// A doc comment here would become the description of the command.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub(crate) struct CheckArgs {
    /// Files, folders and streams (.ndjson, .jsonl); - or nothing means standard input
    ///
    /// A file is one return, a stream has one on each line. In a folder, every file below it is checked
    /// that is named like the returns of the profile, hidden ones too; links and .git are skipped.
    pub(super) paths: Vec<PathBuf>,
    /// Read one return a line; =texts: a JSON string or {"text":…} a line
    ///
    /// With =texts, the lines of streams are that, too. A text can have line ends. The other members of
    /// an object are, for this text alone, session, agent, root, and an id for its record.
    #[arg(long, value_name = "texts", num_args = 0..=1, require_equals = true, default_missing_value = "returns", hide_possible_values = true, help_heading = heading::INPUT)]
    pub(super) lines: Option<LineContent>,
    /// Accept a return inside a code fence or prose, or behind a think block
    #[arg(long, help_heading = heading::INPUT)]
    pub(super) extract: bool,
    /// Profile to check against [default: auto, by file name, else return]
    #[arg(long, value_name = "NAME", value_parser = profile_name(), hide_possible_values = true, help_heading = heading::EXPECTED)]
    pub(super) profile: Option<String>,
    /// JSON Schema that the return must fit, too
    #[arg(long, value_name = "FILE", help_heading = heading::EXPECTED, hide_short_help = true)]
    pub(super) schema: Option<PathBuf>,
    /// Expected session id
    #[arg(long, value_name = "ID", value_parser = visible, help_heading = heading::EXPECTED)]
    pub(super) session: Option<String>,
    /// Agent that was called
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new(), help_heading = heading::EXPECTED)]
    pub(super) agent: Option<String>,
    #[command(flatten)]
    pub(super) checker: CheckerArgs,
    /// Value that the return must repeat, where its profile says (repeatable)
    #[arg(long, value_name = "NAME=VALUE", value_parser = given, help_heading = heading::EXPECTED, hide_short_help = true)]
    pub(super) given: Vec<(String, String)>,
    /// When the agent was called: an older file is an invalid return
    ///
    /// RFC 3339, @ and seconds since 1970, or how long ago, such as 90s, 2h or 1d.
    #[arg(long, value_name = "TIME", value_parser = moment, help_heading = heading::EXPECTED, hide_short_help = true)]
    pub(super) since: Option<SystemTime>,
    /// Fail unless exactly N returns are found
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = within(0, u64::MAX), help_heading = heading::EXPECTED, hide_short_help = true)]
    pub(super) expect: Option<u64>,
    /// Folder of the artifacts [default: that of retval.toml, else this one]
    #[arg(long, value_name = "DIR", help_heading = heading::EXPECTED)]
    pub(super) root: Option<PathBuf>,
    #[command(flatten)]
    pub(super) transcript: TranscriptArgs,
    /// Stop after the first step that fails
    #[arg(long, help_heading = heading::RULES, hide_short_help = true)]
    pub(super) fail_fast: bool,
    #[arg(short, long, value_name = "FORMAT[=FILE]", value_parser = format_arg(), help = format_help(), long_help = format_help() + FORMAT_FILE, hide_possible_values = true, help_heading = heading::OUTPUT)]
    pub(super) format: Vec<FormatArg>,
    /// Print only this field of a valid return (repeatable)
    ///
    /// A name, such as status, summary, session, agent or artifacts (a path on each line), or a JSON Pointer
    /// such as /errors/*/message, in which * means every item. A missing value is an empty line.
    #[arg(long, value_name = "FIELD", value_parser = place, help_heading = heading::OUTPUT)]
    pub(super) field: Vec<String>,
    /// Print the input lines of these returns: valid or invalid
    #[arg(long, value_name = "WHICH", value_enum, hide_possible_values = true, help_heading = heading::OUTPUT, hide_short_help = true)]
    pub(super) filter: Option<Filter>,
    /// Print errors only, and the totals of several returns
    #[arg(short, long, conflicts_with = "verbose", help_heading = heading::OUTPUT)]
    pub(super) quiet: bool,
    /// Also print the profile, and lines and reasons of findings
    #[arg(short, long, help_heading = heading::OUTPUT)]
    pub(super) verbose: bool,
    /// When to use color: auto, always or never [default: auto]
    #[arg(long, value_name = "WHEN", value_parser = OneOf::<ColorChoice>::parsed(), hide_possible_values = true, help_heading = heading::OUTPUT, hide_short_help = true)]
    pub(super) color: Option<ColorChoice>,
    /// Exit with 0 instead of 1 if a return is invalid; 2 stays
    #[arg(long, help_heading = heading::OUTPUT, hide_short_help = true)]
    pub(super) exit_zero: bool,
    /// Check the paths in a list, one a line or NUL-separated; - means standard input
    #[arg(long, value_name = "FILE", help_heading = heading::FILES, hide_short_help = true)]
    pub(super) files_from: Option<PathBuf>,
    /// In folders, check only matching files (repeatable)
    ///
    /// A glob with a slash is matched against the path below the folder, any other against the file
    /// name alone. In retval.toml, paths are below the folder of that file.
    #[arg(long, value_name = "GLOB", help_heading = heading::FILES)]
    pub(super) include: Vec<String>,
    /// Skip matching files and folders, also those that are named (repeatable)
    #[arg(long, value_name = "GLOB", help_heading = heading::FILES)]
    pub(super) exclude: Vec<String>,
    /// Accept the findings listed in a file; new ones still fail
    #[arg(long, value_name = "FILE", help_heading = heading::FILES)]
    pub(super) baseline: Option<PathBuf>,
    /// Write all current findings to the baseline file
    #[arg(long, help_heading = heading::FILES, hide_short_help = true)]
    pub(super) update_baseline: bool,
    /// Number of threads, at most 16 are used [default: all cores]
    #[arg(short, long, value_name = "N", allow_negative_numbers = true, value_parser = number("jobs"), help_heading = heading::FILES, hide_short_help = true)]
    pub(super) jobs: Option<u64>,
    /// Append a record of each invalid return to an error log
    #[arg(long, value_name = "FILE", help_heading = heading::LOG, hide_short_help = true)]
    pub(super) errors_json: Option<PathBuf>,
    #[command(flatten)]
    pub(super) config: ConfigArgs,
}

/// The returns whose lines a filter prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Filter {
    Valid,
    Invalid,
}

/// What a line of a stream holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LineContent {
    Returns,
    /// A return as a string of JSON, alone or in an object.
    Texts,
}

impl CheckArgs {
    /// The names of the settings that overrides can change, and whether the command line sets them.
    pub(super) fn given(&self) -> [(&'static str, bool); 3] {
        [
            ("profile", self.profile.is_some()),
            ("strict", self.checker.has_strict()),
            ("extract", self.extract),
        ]
    }

    pub(super) fn detail(&self) -> Detail {
        match (self.quiet, self.verbose) {
            (true, _) => Detail::Quiet,
            (_, true) => Detail::Verbose,
            _ => Detail::Normal,
        }
    }
}
