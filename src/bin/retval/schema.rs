//! `retval schema`: prints a profile, or the machine report, as JSON Schema.

use std::path::PathBuf;

use clap::Args;
use clap::builder::NonEmptyStringValueParser;

use crate::args::config::ConfigArgs;
use crate::args::values::{OneOf, ProfileName};

use std::io::Write as _;

use anyhow::bail;
use retval::Profile;
use retval::profile::RETURN;
use retval::schema::{Request, Target};

use crate::exit::Exit;
use crate::output::{Sink, Targets};
use crate::settings::Settings;

pub(crate) const EXAMPLES: &str = "\
Examples:
  retval schema --profile return-meta --output return-meta.schema.json
  claude -p \"$prompt\" --output-format json --json-schema \"$(retval schema --target claude-cli)\"
  retval schema --profile handoff --agent qa_expert --target openai-strict";

#[derive(Debug, Args)]
pub(crate) struct SchemaArgs {
    /// Standard to describe [default: return]
    #[arg(long, value_name = "PROFILE", value_parser = ProfileName::Alone)]
    pub(crate) profile: Option<String>,
    /// Reader of the schema; report: the output of check --format json and jsonl [default: full]
    #[arg(long, value_name = "TARGET", value_parser = OneOf::new(target_names, Target::named))]
    pub(crate) target: Option<Target>,
    /// Session id that documents must bear
    #[arg(long, value_name = "ID", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) session: Option<String>,
    /// Agent that writes them
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) agent: Option<String>,
    /// File to write, replaced as a whole
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) configured: ConfigArgs,
}

fn target_names() -> Vec<&'static str> {
    Target::NAMES.map(|(name, _)| name).to_vec()
}

pub(crate) fn run(mut options: SchemaArgs) -> anyhow::Result<Exit> {
    let settings = Settings::load(&options.configured)?;
    let is_report = options.target == Some(Target::Report);
    if !is_report {
        settings.fill_schema(&mut options)?;
    }
    let profile = settings.profile(options.profile.as_deref())?;
    let profile = profile.unwrap_or(&RETURN);
    let mut profile = profile.clone();
    profile.levels = settings.all_levels(&profile).into();
    print(&options, &profile)
}

fn print(options: &SchemaArgs, profile: &Profile) -> anyhow::Result<Exit> {
    let request = Request {
        profile,
        target: options.target.unwrap_or(Target::Full),
        session: options.session.as_deref(),
        agent: options.agent.as_deref(),
    };
    refuse_idle(options, &request)?;
    let made = request.make()?;
    let mut sink = match options.output.as_deref() {
        Some(file) if file.as_os_str() != "-" => Sink::to_file(file)?,
        _ => Sink::Stdout,
    };
    sink.write(format!("{}\n", made.schema).as_bytes())?;
    sink.finish(&Targets::default())?;
    for loss in &made.losses {
        let _ = writeln!(std::io::stderr().lock(), "note: {loss}");
    }
    Ok(Exit::Valid)
}

/// An option that would change nothing was meant to.
fn refuse_idle(options: &SchemaArgs, request: &Request<'_>) -> anyhow::Result<()> {
    let (session, agent) = (options.session.is_some(), options.agent.is_some());
    if request.target == Target::Report {
        for (option, is_given) in [
            ("--profile", options.profile.is_some()),
            ("--session", session),
            ("--agent", agent),
        ] {
            if is_given {
                bail!("{option} is of no use with --target report, which describes no profile");
            }
        }
    }
    if session && request.profile.session.is_none() {
        bail!(
            "--session is of no use here: documents of the profile {} bear no session id",
            request.profile.id
        );
    }
    Ok(())
}
