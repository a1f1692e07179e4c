//! `retval schema`: prints a profile, the machine reports, or the configuration as JSON Schema, or the
//! columns of the report's records.

use std::path::PathBuf;
use std::str::FromStr;

use crate::Profile;
use crate::audit;
use crate::config;
use crate::profile::RETURN;
use crate::schema::{Engine, Request, Target};
use crate::text::escape;
use anyhow::{anyhow, bail};
use clap::Args;
use clap::builder::NonEmptyStringValueParser;

use crate::cli::args::config::ConfigArgs;
use crate::cli::args::values::{OneOf, ProfileName, visible};
use crate::cli::exit::Exit;
use crate::cli::output::{Targets, write_output};
use crate::cli::settings::Settings;
use crate::cli::settings::profiles::refuse_any;
use crate::cli::stderr::note;

pub(crate) const EXAMPLES: &str = "\
Examples:
  retval schema --profile return-meta --output return-meta.schema.json
  claude -p \"$prompt\" --output-format json --json-schema \"$(retval schema --target claude-cli)\"
  retval schema --profile handoff --agent qa_expert --target openai-strict
  retval schema --target config --output retval.schema.json
  retval schema --target spark --output record.ddl";

#[derive(Debug, Args)]
pub(crate) struct SchemaArgs {
    /// Profile to describe [default: return]
    #[arg(long, value_name = "PROFILE", value_parser = ProfileName::Named)]
    profile: Option<String>,
    /// Who reads the schema; report: the output of check --format json and jsonl; audit: that of audit;
    /// config: retval.toml [default: full]
    ///
    /// spark, duckdb, polars and arrow: the columns of a record of check --format jsonl, in the form that
    /// each of these takes as its schema.
    #[arg(long, value_name = "TARGET", value_parser = OneOf::<SchemaReader>::parsed(reader_names))]
    target: Option<SchemaReader>,
    /// Session id that documents must have
    #[arg(long, value_name = "ID", value_parser = visible)]
    session: Option<String>,
    /// Agent that writes the documents
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    agent: Option<String>,
    /// Write to this file, replaced as a whole [default: standard output]
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,

    #[command(flatten)]
    config: ConfigArgs,
}

/// The targets that describe the configuration, and reports on histories.
const CONFIG: &str = "config";
const AUDIT: &str = "audit";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SchemaReader {
    Schema(Target),
    Config,
    Audit,
    Columns(Engine),
}

impl FromStr for SchemaReader {
    type Err = <Engine as FromStr>::Err;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        match name {
            CONFIG => Ok(Self::Config),
            AUDIT => Ok(Self::Audit),
            _ => {
                let target = name.parse().map(Self::Schema);
                target.or_else(|_| name.parse().map(Self::Columns))
            }
        }
    }
}

impl SchemaReader {
    fn as_str(self) -> &'static str {
        match self {
            Self::Schema(target) => target.as_str(),
            Self::Config => CONFIG,
            Self::Audit => AUDIT,
            Self::Columns(engine) => engine.as_str(),
        }
    }

    fn describes_profile(self) -> bool {
        matches!(self, Self::Schema(target) if target != Target::Report)
    }
}

fn reader_names() -> Vec<&'static str> {
    let engines = Engine::ALL.map(Engine::as_str);
    Target::ALL
        .map(Target::as_str)
        .into_iter()
        .chain([CONFIG, AUDIT])
        .chain(engines)
        .collect()
}

impl SchemaArgs {
    fn target(&self) -> SchemaReader {
        self.target.unwrap_or(SchemaReader::Schema(Target::Full))
    }

    /// Takes from the settings what was not given. Settings do not affect the schema of reports.
    /// Settings for one delegation, such as the session, do not narrow a schema.
    pub(crate) fn resolve(mut self, settings: &Settings) -> Self {
        if self.profile.is_none() && self.target().describes_profile() {
            self.profile.clone_from(&settings.values.profile);
        }
        self
    }
}

pub(crate) fn run(mut args: SchemaArgs) -> anyhow::Result<Exit> {
    if !args.target().describes_profile() && args.config.config.is_none() {
        // The schema is the same in every folder, and is printed even if the configuration file has
        // errors.
        args.config.no_config = true;
    }
    let settings = Settings::load(&args.config)?;
    let args = args.resolve(&settings);
    let profile = settings.profile(args.profile.as_deref())?;
    let mut profile = profile.unwrap_or(&RETURN).clone();
    profile.levels = settings.all_levels(&profile).into();
    refuse_unused(&args, &profile)?;
    print(&args, &profile)
}

fn print(args: &SchemaArgs, profile: &Profile) -> anyhow::Result<Exit> {
    let (text, losses) = match args.target() {
        SchemaReader::Config => (config::schema().to_string(), Vec::new()),
        SchemaReader::Audit => (audit::schema().to_string(), Vec::new()),
        SchemaReader::Columns(engine) => (engine.columns(), Vec::new()),
        SchemaReader::Schema(target) if profile.is_own_standard() && target != Target::Report => {
            let made = Request::new(profile, target).make_own();
            let made = made.map_err(|why| {
                anyhow!(
                    "there is no schema of the profile {}: it {why}",
                    escape::full(&profile.id)
                )
            })?;
            let loss = "only the places and words of the profile are in the schema, or the schema that it names";
            (made, vec![loss.to_owned()])
        }
        SchemaReader::Schema(target) => {
            let request = Request::new(profile, target)
                .session(args.session.as_deref())
                .agent(args.agent.as_deref());
            let made = request.make()?;
            (made.schema.to_string(), made.losses)
        }
    };
    let text = format!("{text}\n");
    write_output(args.output.as_deref(), text.as_bytes(), &Targets::default())?;
    for loss in &losses {
        note(loss);
    }
    Ok(Exit::Valid)
}

fn refuse_unused(args: &SchemaArgs, profile: &Profile) -> anyhow::Result<()> {
    if !args.target().describes_profile() {
        for (option, is_given) in [
            ("--profile", args.profile.is_some()),
            ("--session", args.session.is_some()),
            ("--agent", args.agent.is_some()),
        ] {
            if is_given {
                bail!(
                    "{option} has no effect with --target {}, which describes no profile",
                    args.target().as_str()
                );
            }
        }
    }
    refuse_any(profile, "schema")?;
    if args.session.is_some() && profile.session.is_none() {
        bail!(
            "--session has no effect: documents of the profile {} have no session id",
            profile.id
        );
    }
    Ok(())
}
