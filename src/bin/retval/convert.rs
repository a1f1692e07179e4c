//! `retval convert`: a return of one profile as a return of another.

use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::NonEmptyStringValueParser;
use retval::Profile;

use crate::args::config::ConfigArgs;
use crate::args::values::{OneOf, built_in_names};

use retval::convert::{Conversion, ConvertError, Supplied, text};
use retval::format::{Checked, Detail, Reporter as _, Source, Text};
use retval::{BYTES_AT_MOST, Checker, Report, Root};

use crate::exit::{Exit, Reported};
use crate::input::{self, Origin};
use crate::output::{Sink, Targets};
use crate::settings::Settings;

pub(crate) const EXAMPLES: &str = "\
Conversions: return-v1 to return, return to return-v1, return to return-meta, return-v1 to
return-meta. Standard error says what was copied, mapped, supplied, defaulted and kept.

Exit codes:
  0  the output passes `retval check` for its profile
  1  it was written and does not pass; standard error says why
  2  nothing could be converted

Examples:
  retval convert --from return-v1 --to return old.json --output new.json
  retval convert --from return --to return-meta --status implemented < return.json
  retval convert --from return-v1 --to return old.json | retval check";

#[derive(Debug, Args)]
pub(crate) struct ConvertArgs {
    /// The return to convert; - or nothing is standard input
    pub(crate) file: Option<PathBuf>,
    /// Standard of the return
    #[arg(long, value_name = "PROFILE", value_parser = OneOf::new(built_in_names, Profile::named))]
    pub(crate) from: &'static Profile,
    /// Standard to convert it to
    #[arg(long, value_name = "PROFILE", value_parser = OneOf::new(built_in_names, Profile::named))]
    pub(crate) to: &'static Profile,

    /// Status in the target's words, where the return's could mean several
    #[arg(long, value_name = "WORD")]
    pub(crate) status: Option<String>,
    /// Session id, where the return has none; the output must bear it
    #[arg(long, value_name = "ID", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) session: Option<String>,
    /// Agent, where the return names none
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) agent: Option<String>,
    /// Seconds that the agent took, where the return does not say
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) duration_seconds: Option<serde_json::Number>,
    /// Depth in the chain of delegations, where the return does not say
    #[arg(long, value_name = "N")]
    pub(crate) delegation_depth: Option<u32>,
    /// Agents from the orchestrator to this one, where the return does not say
    #[arg(long, value_name = "A,B,...", value_delimiter = ',', value_parser = NonEmptyStringValueParser::new())]
    pub(crate) delegation_path: Vec<String>,

    /// Folder that artifacts are relative to [default: the current folder]
    #[arg(long, value_name = "DIR")]
    pub(crate) root: Option<PathBuf>,
    /// Refuse a return of more bytes than this [default: 16777216, 16 MiB]
    #[arg(long, value_name = "BYTES", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_bytes: Option<u64>,
    /// File for the output, replaced as a whole [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) configured: ConfigArgs,
}

/// A number that is not negative, kept as it is written.
fn seconds(text: &str) -> Result<serde_json::Number, String> {
    let number = text.parse::<serde_json::Number>().ok();
    number
        .filter(|number| number.as_f64().is_some_and(|seconds| seconds >= 0.0))
        .ok_or_else(|| "it is no number of seconds".to_owned())
}

pub(crate) fn run(mut options: ConvertArgs) -> anyhow::Result<Exit> {
    let settings = Settings::load(&options.configured)?;
    settings.fill_convert(&mut options)?;
    convert(&options, &settings)
}

fn convert(options: &ConvertArgs, settings: &Settings) -> anyhow::Result<Exit> {
    let conversion = Conversion::between(options.from, options.to)?;
    let root = Root::open(options.root.as_deref().unwrap_or(Path::new(".")))?;
    let max_bytes = options.max_bytes.unwrap_or(BYTES_AT_MOST);
    let output = options
        .output
        .clone()
        .filter(|path| path.as_os_str() != "-");
    let targets = Targets::new(output.as_deref().into_iter(), None);
    let command = format!("convert --from {} --to {}", options.from.id, options.to.id);
    let limits = (command.as_str(), max_bytes);
    let (origin, source) = input::one(options.file.as_deref(), limits, &targets)?;

    let supplied = supplied(options);
    let converted = conversion
        .convert(&source, &supplied, (&root, max_bytes))
        .or_else(|error| refused(&origin, error))?;
    let checker = settings
        .apply(options.to, Checker::new(options.to, &root))
        .strict(settings.is_strict()?)
        .session(options.session.as_deref())
        .agent(options.agent.as_deref())
        .max_bytes(max_bytes);
    let report = checker.check(&converted.json);

    let mut sink = output.as_deref().map_or(Ok(Sink::Stdout), Sink::to_file)?;
    sink.write(converted.json.as_bytes())?;
    sink.finish(&targets)?;
    let mut said = text(&converted.notes).into_bytes();
    said.extend(findings(&name(output.as_ref()), &report));
    said.extend(verdict(&options.to.id, &report).into_bytes());
    Sink::Stderr.write(&said)?;
    Ok(if report.is_valid() {
        Exit::Valid
    } else {
        Exit::Invalid
    })
}

fn supplied(options: &ConvertArgs) -> Supplied<'_> {
    Supplied {
        session: options.session.as_deref(),
        agent: options.agent.as_deref(),
        status: options.status.as_deref(),
        duration_seconds: options.duration_seconds.clone(),
        delegation_depth: options.delegation_depth,
        delegation_path: &options.delegation_path,
    }
}

/// A source that is no return is shown as `check` would show it.
fn refused<T>(origin: &Origin, error: ConvertError) -> anyhow::Result<T> {
    let ConvertError::Source(report) = error else {
        return Err(error.into());
    };
    Sink::Stderr.write(&findings(&origin.name(), &report))?;
    Sink::Stderr.write(b"Nothing was converted\n")?;
    Err(Reported.into())
}

fn findings(name: &str, report: &Report<'_>) -> Vec<u8> {
    let look = Text {
        detail: Detail::Findings,
        ..Text::default()
    };
    let mut bytes = Vec::new();
    look.one(
        &Source { name, line: None },
        Checked::Report(report),
        &mut bytes,
    );
    bytes
}

fn name(output: Option<&PathBuf>) -> String {
    output.map_or_else(
        || "-".to_owned(),
        |path| path.to_string_lossy().into_owned(),
    )
}

fn verdict(profile: &str, report: &Report<'_>) -> String {
    let plural = |number| if number == 1 { "" } else { "s" };
    let (failures, warnings) = (report.failures, report.warnings);
    let says = if report.is_valid() { "is" } else { "is not" };
    format!(
        "The output {says} a valid {profile}: {failures} failure{}, {warnings} warning{}\n",
        plural(failures),
        plural(warnings)
    )
}
