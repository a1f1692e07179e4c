//! `retval audit`: counts what came back from all agents in the histories of the clients.

mod callers;
mod checks;
mod file;
mod files;
mod head;
mod histories;
mod limits;
mod markdown;
mod numbers;
mod page;
mod read;
mod section;
mod table;
mod text;

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::audit::{AuditReport, AuditedRun, GroupBy, Uncommitted, changes};
use crate::clients::Client;
use crate::config::ColorChoice;
use crate::text::escape;
use anyhow::{Context as _, bail};
use clap::Args;

use crate::cli::args::config::ConfigArgs;
use crate::cli::args::heading;

use crate::cli::args::values::{OneOf, ProfileName, moment};
use crate::cli::color;
use crate::cli::evidence;
use crate::cli::exit::Exit;
use crate::cli::hook::scope::refuse_bad_globs;
use crate::cli::output::{Sink, Targets, target};
use crate::cli::settings::Settings;
use crate::cli::terminal::Stream;
use limits::ShareLimits;

pub(crate) const EXIT_CODES: &str = "\
Exit codes: 0 no limit is exceeded, 1 one is, or something got worse, 2 nothing could be read";

pub(crate) const EXAMPLES: &str = "\
`retval help audit` explains each figure.

Exit codes:
  0  no limit of --fail-above is exceeded, and nothing got worse than in --compare
  1  a limit is exceeded, or something got worse by more than chance
  2  there is no history, or an option or file cannot be used

Examples:
  retval audit
  retval audit --since 4w --by model
  retval audit ~/.claude/projects --format json --output audit.json
  retval audit --since 1w --compare audit.json --fail-above invalid=5%,lost=2%";

#[derive(Debug, Args)]
pub(crate) struct AuditArgs {
    /// Transcripts, and folders with transcripts [default: the histories of the clients]
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Read only the history of this client (repeatable)
    #[arg(long, value_name = "CLIENT", value_parser = OneOf::new(client_names, histories::recording), help_heading = heading::INPUT)]
    client: Vec<Client>,
    /// Count only runs that began at this time or later
    ///
    /// RFC 3339, @ and seconds since 1970, or how long ago, such as 12h, 1d or 4w.
    #[arg(long, value_name = "TIME", value_parser = moment, help_heading = heading::INPUT)]
    since: Option<SystemTime>,
    /// Count only runs that began before this time
    #[arg(long, value_name = "TIME", value_parser = moment, help_heading = heading::INPUT)]
    until: Option<SystemTime>,
    /// Count only runs in this project: a folder, or its last part (repeatable)
    #[arg(long, value_name = "FOLDER", help_heading = heading::INPUT)]
    project: Vec<PathBuf>,
    /// Count only agents whose name matches; `!GLOB` excludes (repeatable)
    #[arg(long, value_name = "GLOB", help_heading = heading::INPUT)]
    agents: Vec<String>,
    /// Group runs [default: agent]
    #[arg(long, value_name = "WHAT", value_parser = OneOf::<GroupBy>::parsed(group_names), help_heading = heading::OUTPUT)]
    by: Option<GroupBy>,
    /// Check all returns with this profile [default: that of retval.toml for the agent]
    #[arg(long, value_name = "PROFILE", value_parser = ProfileName::Named, help_heading = heading::RULES)]
    profile: Option<String>,
    /// Output format [default: text]
    #[arg(long, value_name = "FORMAT", value_parser = OneOf::<AuditFormat>::parsed(formats), help_heading = heading::OUTPUT)]
    format: Option<AuditFormat>,
    /// Write the report to this file, replaced as a whole [default: standard output]
    #[arg(long, value_name = "FILE", help_heading = heading::OUTPUT)]
    output: Option<PathBuf>,
    /// Write the report as a page for a browser to this file, too: no script, no request
    #[arg(long, value_name = "FILE", help_heading = heading::OUTPUT)]
    html: Option<PathBuf>,
    /// Fail if a share may be above a limit, such as invalid=5%,lost=2%
    ///
    /// Compared is the upper bound of the 95 % interval. Names: lost, invalid, and each outcome.
    #[arg(long, value_name = "LIMITS", value_parser = limits::parse, help_heading = heading::RULES)]
    fail_above: Option<ShareLimits>,
    /// Fail if a share got worse than in this JSON report, by more than chance
    #[arg(long, value_name = "FILE", help_heading = heading::RULES)]
    compare: Option<PathBuf>,
    /// With --format jsonl, add what the caller calls the task, and how the return begins
    #[arg(long, help_heading = heading::OUTPUT)]
    show_text: bool,

    #[command(flatten)]
    config: ConfigArgs,
}

/// The value of `--format`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum AuditFormat {
    Text,
    Json,
    Jsonl,
    Markdown,
}

impl std::str::FromStr for AuditFormat {
    type Err = ();

    fn from_str(name: &str) -> Result<Self, ()> {
        match name {
            "text" => Ok(Self::Text),
            "json" => Ok(Self::Json),
            "jsonl" => Ok(Self::Jsonl),
            "markdown" => Ok(Self::Markdown),
            _ => Err(()),
        }
    }
}

fn formats() -> Vec<&'static str> {
    vec!["text", "json", "jsonl", "markdown"]
}

fn client_names() -> Vec<&'static str> {
    histories::RECORDING.map(Client::as_str).to_vec()
}

fn group_names() -> Vec<&'static str> {
    GroupBy::ALL.map(GroupBy::as_str).to_vec()
}

pub(crate) fn run(args: &AuditArgs) -> anyhow::Result<Exit> {
    let settings = Settings::load(&args.config)?;
    if args.show_text && args.format != Some(AuditFormat::Jsonl) {
        bail!(
            "--show-text has no effect without --format jsonl: no other format shows single runs"
        );
    }
    if args
        .since
        .zip(args.until)
        .is_some_and(|(since, until)| since >= until)
    {
        bail!("--since is not before --until: no run began between them");
    }
    refuse_bad_globs(&args.agents)?;
    let named = args.output.iter().chain(&args.html);
    if let [one, other] = named.collect::<Vec<_>>()[..]
        && target(one) == target(other)
    {
        bail!(
            "--output and --html both name {}: give each its own file",
            escape::path(one)
        );
    }
    let before = args.compare.as_deref().map(limits::earlier).transpose()?;
    let (runs, sources) = read::all(args, &settings)?;
    let mut report = AuditReport::new(&runs, sources, args.by.unwrap_or_default());
    report.weight.writes.uncommitted = Uncommitted::now(&runs, evidence::user_folders());
    let changes = before.map(|before| changes(&before, &report));
    let exceeded = limits::exceeded(&args.fail_above.clone().unwrap_or_default(), &report);
    let output = args
        .output
        .as_deref()
        .filter(|file| file.as_os_str() != "-");
    let text = match args.format.unwrap_or(AuditFormat::Text) {
        AuditFormat::Text => {
            let stream = output.map_or(Stream::Stdout, |_| Stream::File);
            let choice = color::setting(settings.values.color).unwrap_or(ColorChoice::Auto);
            text::render(&report, color::is_used(choice, stream))
        }
        AuditFormat::Markdown => markdown::render(&report),
        AuditFormat::Json => {
            escape::json(&serde_json::to_string_pretty(&report)?).into_owned() + "\n"
        }
        AuditFormat::Jsonl => lines(&runs)?,
    };
    write(output, &text)?;
    if let Some(file) = args.html.as_deref() {
        write(Some(file), &page::render(&report))?;
    }
    Ok(limits::report(changes.as_deref(), &exceeded))
}

/// Writes to a file, replaced as a whole, or to standard output.
fn write(file: Option<&Path>, text: &str) -> anyhow::Result<()> {
    let mut sink = file.map_or(Ok(Sink::Stdout), Sink::to_file)?;
    sink.write(text.as_bytes())?;
    sink.finish(&Targets::default())
}

/// A record a run.
fn lines(runs: &[AuditedRun]) -> anyhow::Result<String> {
    let mut lines = String::new();
    for run in runs {
        let record = serde_json::to_string(&run.record()).context("a run has no record")?;
        lines.push_str(&escape::json(&record));
        lines.push('\n');
    }
    Ok(lines)
}
