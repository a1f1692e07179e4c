//! `retval schema`: prints a profile, or the machine report, as JSON Schema.

use std::path::PathBuf;

use anyhow::bail;
use clap::Args;
use clap::builder::NonEmptyStringValueParser;
use retval::Profile;
use retval::profile::RETURN;
use retval::schema::{Request, Target};

use crate::args::config::ConfigArgs;
use crate::args::values::{OneOf, ProfileName};
use crate::exit::Exit;
use crate::output::{Sink, Targets};
use crate::settings::Settings;
use crate::stderr::note;

pub(crate) const EXAMPLES: &str = "\
Examples:
  retval schema --profile return-meta --output return-meta.schema.json
  claude -p \"$prompt\" --output-format json --json-schema \"$(retval schema --target claude-cli)\"
  retval schema --profile handoff --agent qa_expert --target openai-strict";

#[derive(Debug, Args)]
pub(crate) struct SchemaArgs {
    /// Profile to describe [default: return]
    #[arg(long, value_name = "PROFILE", value_parser = ProfileName::Named)]
    profile: Option<String>,
    /// Who reads the schema; report: the output of check --format json and jsonl [default: full]
    #[arg(long, value_name = "TARGET", value_parser = OneOf::<Target>::parsed(target_names))]
    target: Option<Target>,
    /// Session id that documents must have
    #[arg(long, value_name = "ID", value_parser = NonEmptyStringValueParser::new())]
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

#[derive(Debug)]
pub(crate) struct SchemaOptions {
    profile: Option<String>,
    target: Target,
    session: Option<String>,
    agent: Option<String>,
    output: Option<PathBuf>,
}

impl SchemaOptions {
    /// Resolves the options. Settings do not affect the schema of reports. Settings for one
    /// delegation, such as the session, do not narrow a schema.
    pub(crate) fn resolve(args: SchemaArgs, settings: &Settings) -> Self {
        let target = args.target.unwrap_or(Target::Full);
        let profile = settings.values.profile.clone();
        Self {
            profile: args
                .profile
                .or_else(|| profile.filter(|_| target != Target::Report)),
            target,
            session: args.session,
            agent: args.agent,
            output: args.output.filter(|file| file.as_os_str() != "-"),
        }
    }
}

fn target_names() -> Vec<&'static str> {
    Target::ALL.map(Target::as_str).to_vec()
}

pub(crate) fn run(args: SchemaArgs) -> anyhow::Result<Exit> {
    let settings = Settings::load(&args.config)?;
    let options = SchemaOptions::resolve(args, &settings);
    let profile = settings.profile(options.profile.as_deref())?;
    let profile = profile.unwrap_or(&RETURN);
    let mut profile = profile.clone();
    profile.levels = settings.all_levels(&profile).into();
    refuse_unused(&options, &profile)?;
    print(&options, &profile)
}

fn print(options: &SchemaOptions, profile: &Profile) -> anyhow::Result<Exit> {
    let request = Request::new(profile, options.target)
        .session(options.session.as_deref())
        .agent(options.agent.as_deref());
    let made = request.make()?;
    let file = options.output.as_deref();
    let mut sink = file.map_or(Ok(Sink::Stdout), Sink::to_file)?;
    sink.write(format!("{}\n", made.schema).as_bytes())?;
    sink.finish(&Targets::default())?;
    made.losses.iter().for_each(|loss| note(loss));
    Ok(Exit::Valid)
}

/// Rejects options that would have no effect.
fn refuse_unused(options: &SchemaOptions, profile: &Profile) -> anyhow::Result<()> {
    if options.target == Target::Report {
        for (option, is_given) in [
            ("--profile", options.profile.is_some()),
            ("--session", options.session.is_some()),
            ("--agent", options.agent.is_some()),
        ] {
            if is_given {
                bail!("{option} has no effect with --target report, which describes no profile");
            }
        }
    }
    if options.session.is_some() && profile.session.is_none() {
        bail!(
            "--session has no effect: documents of the profile {} have no session id",
            profile.id
        );
    }
    Ok(())
}
