//! `retval audit`: counts what came back from all agents in the histories of the clients.

mod checks;
mod page;
mod read;
mod report;

use std::path::PathBuf;
use std::time::SystemTime;

use anyhow::Context as _;
use clap::Args;

use crate::audit::{AuditReport, AuditedRun};
use crate::cli::args::{ConfigArgs, OneOf, heading, moment, profile_name};
use crate::cli::hook::options::refuse_bad_globs;
use crate::cli::output::terminal::color_setting;
use crate::cli::output::{Exit, OutputPlace, write_output};
use crate::cli::settings::Settings;
use crate::text::{escape, names};

pub(crate) const EXIT_CODES: &str = "\
Exit codes: 0 the report is made, 2 nothing could be read";

#[derive(Debug, Args)]
pub(crate) struct AuditArgs {
    /// Transcripts, and folders with transcripts [default: the histories of the clients]
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Count only runs that began at this time or later
    ///
    /// RFC 3339, @ and seconds since 1970, or how long ago, such as 12h, 1d or 4w.
    #[arg(long, value_name = "TIME", value_parser = moment, help_heading = heading::INPUT)]
    since: Option<SystemTime>,
    /// Count only runs in this project: a folder, or its last part (repeatable)
    #[arg(long, value_name = "FOLDER", help_heading = heading::INPUT)]
    project: Vec<PathBuf>,
    /// Count only agents whose name matches; `!GLOB` excludes (repeatable)
    #[arg(long, value_name = "GLOB", help_heading = heading::INPUT)]
    agents: Vec<String>,
    /// Check all returns with this profile [default: that of retval.toml for the agent]
    #[arg(long, value_name = "PROFILE", value_parser = profile_name(), help_heading = heading::RULES)]
    profile: Option<String>,
    /// Output format [default: text]
    #[arg(long, value_name = "FORMAT", value_parser = OneOf::<AuditFormat>::parsed(), help_heading = heading::OUTPUT)]
    format: Option<AuditFormat>,
    /// Write the report to this file, replaced as a whole [default: standard output]
    #[arg(long, value_name = "FILE", help_heading = heading::OUTPUT)]
    output: Option<PathBuf>,
    /// Write the report as a page for a browser to this file, too: no script, no request
    #[arg(long, value_name = "FILE", help_heading = heading::OUTPUT)]
    html: Option<PathBuf>,

    #[command(flatten)]
    config: ConfigArgs,
}

names! {
    /// The value of `--format`.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    enum AuditFormat: "format" {
        Text = "text",
        Json = "json",
        Jsonl = "jsonl",
    }
}

pub(crate) fn run(args: &AuditArgs) -> anyhow::Result<Exit> {
    let settings = Settings::load(&args.config)?;
    refuse_bad_globs(&args.agents)?;
    let (runs, sources) = read::all(args, &settings)?;
    let report = AuditReport::new(&runs, sources);
    let output = OutputPlace::of(args.output.as_deref());
    let text = match args.format.unwrap_or(AuditFormat::Text) {
        AuditFormat::Text => {
            let choice = color_setting(settings.values.color).unwrap_or_default();
            report::text(&report, output.is_colored(choice))
        }
        AuditFormat::Json => {
            escape::json(&serde_json::to_string_pretty(&report)?).into_owned() + "\n"
        }
        AuditFormat::Jsonl => lines(&runs)?,
    };
    write_output(&output, text.as_bytes())?;
    if let Some(file) = &args.html {
        let page = page::render(&report, &runs);
        write_output(&OutputPlace::File(file.clone()), page.as_bytes())?;
    }
    Ok(Exit::Valid)
}

/// A record a run.
fn lines(runs: &[AuditedRun]) -> anyhow::Result<String> {
    let mut lines = String::new();
    for run in runs {
        let record = serde_json::to_string(run).context("a run has no record")?;
        lines.push_str(&escape::json(&record));
        lines.push('\n');
    }
    Ok(lines)
}
