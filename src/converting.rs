//! `retval convert`: one return in, another out, and on standard error what became of it.

use std::path::{Path, PathBuf};

use retval::convert::{Conversion, Error, Supplied, text};
use retval::report::{Detail, Format, Judged, Reporter as _, Source, Text};
use retval::{BYTES_AT_MOST, Checker, Report, Root};

use crate::cli::Convert;
use crate::input::{self, Origin};
use crate::output::{Sink, Targets};
use crate::settings::Settings;
use crate::{Exit, Told};

pub(crate) fn run(mut options: Convert) -> anyhow::Result<Exit> {
    let settings = Settings::load(&options.configured)?;
    settings.fill_convert(&mut options)?;
    convert(&options, &settings)
}

fn convert(options: &Convert, settings: &Settings) -> anyhow::Result<Exit> {
    let conversion = Conversion::between(options.from, options.to)?;
    let root = Root::open(options.root.as_deref().unwrap_or(Path::new(".")))?;
    let max_bytes = options.max_bytes.unwrap_or(BYTES_AT_MOST);
    let output = options
        .output
        .clone()
        .filter(|path| path.as_os_str() != "-");
    let targets = Targets::of(&[(Format::Json, output.clone())], None);
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
    said.extend(verdict(options.to.id, &report).into_bytes());
    Sink::Stderr.write(&said)?;
    Ok(if report.is_valid() {
        Exit::Valid
    } else {
        Exit::Invalid
    })
}

fn supplied(options: &Convert) -> Supplied<'_> {
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
fn refused<T>(origin: &Origin, error: Error) -> anyhow::Result<T> {
    let Error::Source(report) = error else {
        return Err(error.into());
    };
    Sink::Stderr.write(&findings(&origin.name(), &report))?;
    Sink::Stderr.write(b"Nothing was converted\n")?;
    Err(Told.into())
}

fn findings(name: &str, report: &Report<'_>) -> Vec<u8> {
    let look = Text {
        detail: Detail::Findings,
        ..Text::default()
    };
    let mut bytes = Vec::new();
    look.one(
        &Source { name, line: None },
        Judged::Report(report),
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
