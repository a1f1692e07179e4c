//! `retval convert`: converts a return from one profile to another.

use std::path::{Path, PathBuf};

use crate::convert::{Conversion, ConvertError, Supplied, text};
use crate::format::{Checked, Detail, ReportOptions, Reporter as _, Source};
use crate::text::count;
use crate::{Profile, Report, Root};
use clap::Args;
use clap::builder::NonEmptyStringValueParser;

use crate::cli::args::config::ConfigArgs;
use crate::cli::args::values::{OneOf, built_in_names, size, visible, within};
use crate::cli::exit::{Exit, Reported};
use crate::cli::input::{self, Origin};
use crate::cli::output::{Sink, Targets, write_output};
use crate::cli::settings::Settings;
use crate::cli::settings::checker::CheckerOptions;

pub(crate) const EXAMPLES: &str = "\
Conversions: return-v1 to return, return to return-v1, return to return-meta, return-v1 to
return-meta. Standard error lists what was copied, mapped, supplied, defaulted and kept.

Exit codes:
  0  the output is valid for its profile
  1  the output was written and is invalid; standard error says why
  2  nothing could be converted

Examples:
  retval convert --from return-v1 --to return old.json --output new.json
  retval convert --from return --to return-meta --status implemented < return.json
  retval convert --from return-v1 --to return old.json | retval check";

#[derive(Debug, Args)]
pub(crate) struct ConvertArgs {
    /// File to convert; - or nothing means standard input
    file: Option<PathBuf>,
    /// Profile of the return
    #[arg(long, value_name = "PROFILE", value_parser = OneOf::new(sources, Profile::named))]
    from: &'static Profile,
    /// Profile to convert to
    #[arg(long, value_name = "PROFILE", value_parser = OneOf::new(targets, Profile::named))]
    to: &'static Profile,

    /// Status of the output, if the status of the return could mean several
    #[arg(long, value_name = "WORD")]
    status: Option<String>,
    /// Session id, if the return has none; the output must have it
    #[arg(long, value_name = "ID", value_parser = visible)]
    session: Option<String>,
    /// Agent, if the return names none
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    agent: Option<String>,
    /// Duration in seconds, if the return has none
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    duration_seconds: Option<serde_json::Number>,
    /// Delegation depth, if the return has none
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = within(0, u32::MAX))]
    delegation_depth: Option<u32>,
    /// Agents from the orchestrator to this one, if the return does not name them
    #[arg(long, value_name = "A,B,...", value_delimiter = ',', value_parser = NonEmptyStringValueParser::new())]
    delegation_path: Vec<String>,

    /// Folder that artifact paths are relative to [default: the current folder]
    #[arg(long, value_name = "DIR")]
    root: Option<PathBuf>,
    /// Size limit of the return, such as 1000000, 1MB or 16MiB [default: 16MiB]
    #[arg(long, value_name = "SIZE", allow_negative_numbers = true, value_parser = size)]
    max_bytes: Option<u64>,
    /// Write to this file, replaced as a whole [default: standard output]
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,

    #[command(flatten)]
    config: ConfigArgs,
}

fn sources() -> Vec<&'static str> {
    let is_source = |id: &&str| Conversion::all().any(|it| it.from().id == *id);
    built_in_names().into_iter().filter(is_source).collect()
}

fn targets() -> Vec<&'static str> {
    let is_target = |id: &&str| Conversion::all().any(|it| it.to().id == *id);
    built_in_names().into_iter().filter(is_target).collect()
}

impl ConvertArgs {
    /// Takes from the settings what was not given, and the options of the checker.
    pub(crate) fn resolve(mut self, settings: &Settings) -> (Self, CheckerOptions) {
        let values = settings.values.clone();
        let checker = CheckerOptions::of_settings(settings);
        let checker = CheckerOptions {
            session: self.session.take().or(values.session),
            agent: self.agent.take().or(values.agent),
            max_bytes: self.max_bytes.take().unwrap_or(checker.max_bytes),
            ..checker
        };
        self.root = Some(settings.root(self.root));
        (self, checker)
    }
}

/// Parses a number that is not negative, and keeps its spelling.
fn seconds(text: &str) -> Result<serde_json::Number, String> {
    let number = text.parse::<serde_json::Number>().ok();
    number
        .filter(|number| number.as_f64().is_some_and(|seconds| seconds >= 0.0))
        .ok_or_else(|| "not a number of seconds".to_owned())
}

pub(crate) fn run(args: ConvertArgs) -> anyhow::Result<Exit> {
    let settings = Settings::load(&args.config)?;
    let (args, checker) = args.resolve(&settings);
    let conversion = Conversion::between(args.from, args.to)?.max_bytes(checker.max_bytes);
    let root = Root::open(args.root.unwrap_or_default())?;
    let output = args.output.as_deref();
    let targets = Targets::new(output.into_iter(), None);
    let command = format!("convert --from {} --to {}", args.from.id, args.to.id);
    let file = args.file.as_deref();
    let (origin, source) = input::read_one(file, &command, checker.max_bytes, &targets)?;

    let supplied = Supplied {
        session: checker.session.as_deref(),
        agent: checker.agent.as_deref(),
        status: args.status.as_deref(),
        duration_seconds: args.duration_seconds,
        delegation_depth: args.delegation_depth,
        delegation_path: &args.delegation_path,
    };
    let converted = conversion
        .convert(&source, &supplied, &root)
        .or_else(|error| refused(&origin, error))?;
    let checker = checker.checker(&settings, args.to, &root);
    let report = checker.check(&converted.json);

    write_output(output, converted.json.as_bytes(), &targets)?;
    let mut log = text(&converted.notes).into_bytes();
    let name = output.map_or("-".into(), Path::to_string_lossy);
    log.extend(findings(&name, &report));
    log.extend(verdict(&args.to.id, &report).into_bytes());
    Sink::Stderr.write(&log)?;
    Ok(if report.is_valid() {
        Exit::Valid
    } else {
        Exit::Invalid
    })
}

/// Prints the findings of an invalid source as `check` would, and fails.
fn refused<T>(origin: &Origin, error: ConvertError) -> anyhow::Result<T> {
    let ConvertError::Source(report) = error else {
        return Err(error.into());
    };
    Sink::Stderr.write(&findings(&origin.name(), &report))?;
    Sink::Stderr.write(b"Nothing was converted\n")?;
    Err(Reported.into())
}

fn findings(name: &str, report: &Report<'_>) -> Vec<u8> {
    let format = ReportOptions {
        detail: Detail::Findings,
        ..ReportOptions::default()
    };
    let mut bytes = Vec::new();
    format.report(&Source::new(name), Checked::Report(report), &mut bytes);
    bytes
}

fn verdict(profile: &str, report: &Report<'_>) -> String {
    let failures = count(report.failures, "failure");
    let warnings = count(report.warnings, "warning");
    let says = if report.is_valid() { "is" } else { "is not" };
    format!("The output {says} a valid {profile}: {failures}, {warnings}\n")
}
