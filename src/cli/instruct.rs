//! `retval instruct`: prints the instruction that tells a subagent how to return.

use std::path::Path;

use clap::Args;
use clap::builder::NonEmptyStringValueParser;

use crate::cli::args::{ConfigArgs, profile_name, visible};
use crate::cli::output::{Exit, print_stdout};
use crate::cli::settings::{Settings, refuse_uninstructed};
use crate::instruct::Instruction;
use crate::profile::RETURN;

#[derive(Debug, Args)]
pub(crate) struct InstructArgs {
    /// Profile that the return will be checked against [default: return]
    #[arg(long, value_name = "PROFILE", value_parser = profile_name())]
    profile: Option<String>,
    /// Session id that the return must have
    #[arg(long, value_name = "ID", value_parser = visible)]
    session: Option<String>,
    /// Agent that is called
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    agent: Option<String>,
    /// Work group, to find handoff files
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    group: Option<String>,
    /// Agents from the orchestrator to the one that is called
    #[arg(long, value_name = "A,B,...", value_delimiter = ',', value_parser = NonEmptyStringValueParser::new())]
    delegation_path: Vec<String>,

    #[command(flatten)]
    config: ConfigArgs,
}

impl InstructArgs {
    /// Takes from the settings what was not given.
    pub(crate) fn resolve(self, settings: &Settings) -> Self {
        let values = settings.values.clone();
        Self {
            profile: self.profile.or(values.profile),
            session: self.session.or(values.session),
            agent: self.agent.or(values.agent),
            group: self.group.or(values.group),
            ..self
        }
    }
}

pub(crate) fn run(args: InstructArgs) -> anyhow::Result<Exit> {
    let settings = Settings::load(&args.config)?.for_agent(args.agent.as_deref());
    let args = args.resolve(&settings);
    let profile = settings.profile(args.profile.as_deref())?;
    let profile = profile.unwrap_or(&RETURN);
    refuse_uninstructed(profile)?;
    let mut instruction = Instruction {
        session: args.session.as_deref(),
        agent: args.agent.as_deref(),
        group: args.group.as_deref(),
        delegation_path: &args.delegation_path,
        ..Instruction::new(profile)
    };
    // The path has placeholders for the session and the group, as in the instruction.
    let agent = args.agent.as_deref().unwrap_or("{agent}");
    let file = profile.handoff_file(["{session}", "{group}", agent], |_| false);
    if let Some(handoffs) = file.and_then(|file| settings.handoff_profile(Path::new(&file))) {
        instruction.handoff = handoffs;
    }
    print_stdout(instruction.text()?)
}
