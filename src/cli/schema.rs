//! `retval schema`: prints a profile, the report, or the configuration as JSON Schema, or the columns of
//! the report's records.

use std::path::PathBuf;

use anyhow::bail;
use clap::Args;
use clap::builder::NonEmptyStringValueParser;

use crate::Profile;
use crate::cli::args::{ConfigArgs, OneOf, profile_name, unknown, visible};
use crate::cli::output::{Exit, OutputPlace, note, write_output};
use crate::cli::settings::{Settings, refuse_any};
use crate::config;
use crate::instruct::Instruction;
use crate::instruct::schema::Target;
use crate::profile::RETURN;
use crate::report::{report_schema, spark_columns};
use crate::text::Named as _;

#[derive(Debug, Args)]
pub(crate) struct SchemaArgs {
    /// Profile to describe [default: return]
    #[arg(long, value_name = "PROFILE", value_parser = profile_name())]
    profile: Option<String>,
    /// Who reads the schema; report: the output of check --format json and jsonl; config: retval.toml
    /// [default: full]
    ///
    /// spark: the columns of a record of check --format jsonl, as Apache Spark takes them.
    #[arg(long, value_name = "TARGET", value_parser = OneOf::new(reader_names, reader))]
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

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SchemaReader {
    Profile(Target),
    Report,
    Config,
    Spark,
}

/// The names of the readers of other schemas than that of a profile.
const OTHERS: [(&str, SchemaReader); 3] = [
    ("report", SchemaReader::Report),
    ("config", SchemaReader::Config),
    ("spark", SchemaReader::Spark),
];

fn reader_names() -> Vec<&'static str> {
    let others = OTHERS.iter().map(|it| it.0);
    Target::names().into_iter().chain(others).collect()
}

fn reader(name: &str) -> Result<SchemaReader, String> {
    let other = OTHERS.iter().find(|it| it.0 == name).map(|it| it.1);
    let of_profile = name.parse().ok().map(SchemaReader::Profile);
    let found = other.or(of_profile);
    found.ok_or_else(|| unknown(name, &reader_names()))
}

impl SchemaArgs {
    fn target(&self) -> SchemaReader {
        self.target.unwrap_or(SchemaReader::Profile(Target::Full))
    }

    /// The name of the target if it describes no profile.
    fn other(&self) -> Option<&'static str> {
        let mut others = OTHERS.iter();
        others.find(|it| it.1 == self.target()).map(|it| it.0)
    }

    /// Takes from the settings what was not given. Settings do not affect the schema of reports.
    /// Settings for one delegation, such as the session, do not narrow a schema.
    pub(crate) fn resolve(mut self, settings: &Settings) -> Self {
        if self.profile.is_none() && self.other().is_none() {
            self.profile.clone_from(&settings.values.profile);
        }
        self
    }
}

pub(crate) fn run(mut args: SchemaArgs) -> anyhow::Result<Exit> {
    if args.other().is_some() && args.config.config.is_none() {
        // The schema is the same in every folder, and is printed even if the configuration file has
        // errors.
        args.config.no_config = true;
    }
    let settings = Settings::load(&args.config)?;
    let args = args.resolve(&settings);
    let profile = settings.profile(args.profile.as_deref())?;
    let profile = profile.unwrap_or(&RETURN);
    refuse_unused(&args, profile)?;
    print(&args, profile)
}

fn print(args: &SchemaArgs, profile: &Profile) -> anyhow::Result<Exit> {
    let (text, losses) = match args.target() {
        SchemaReader::Config => (config::schema().to_string(), Vec::new()),
        SchemaReader::Spark => (spark_columns(), Vec::new()),
        SchemaReader::Report => (report_schema().to_string(), Vec::new()),
        SchemaReader::Profile(target) => {
            let instruction = Instruction {
                session: args.session.as_deref(),
                agent: args.agent.as_deref(),
                ..Instruction::new(profile)
            };
            let made = instruction.schema(target)?;
            (made.text, made.losses)
        }
    };
    let place = OutputPlace::of(args.output.as_deref());
    write_output(&place, format!("{text}\n").as_bytes())?;
    for loss in &losses {
        note(loss);
    }
    Ok(Exit::Valid)
}

fn refuse_unused(args: &SchemaArgs, profile: &Profile) -> anyhow::Result<()> {
    if let Some(target) = args.other() {
        let mut given = [
            ("--profile", args.profile.is_some()),
            ("--session", args.session.is_some()),
            ("--agent", args.agent.is_some()),
        ]
        .into_iter();
        if let Some((option, _)) = given.find(|it| it.1) {
            bail!("{option} has no effect with --target {target}, which describes no profile");
        }
    }
    refuse_any(profile, "schema")?;
    if args.session.is_some() && profile.roles.session.is_none() {
        let id = &profile.id;
        bail!("--session has no effect: documents of the profile {id} have no session id");
    }
    Ok(())
}
