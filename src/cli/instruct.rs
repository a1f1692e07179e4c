//! `retval instruct`: prints the instruction that tells a subagent how to return.

use std::path::Path;

use anyhow::bail;
use clap::Args;
use clap::builder::NonEmptyStringValueParser;

use crate::Profile;
use crate::cli::args::{ConfigArgs, profile_name, visible, within};
use crate::cli::output::{Exit, print_stdout};
use crate::cli::settings::{Settings, refuse_uninstructed};
use crate::instruct::Instruction;
use crate::profile::{RETURN, Shape};
use crate::text::{count, escape};

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
    /// Delegation depth of the agent
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = within(0, u32::MAX))]
    delegation_depth: Option<u32>,
    /// Agents from the orchestrator to the one that is called
    #[arg(long, value_name = "A,B,...", value_delimiter = ',', value_parser = NonEmptyStringValueParser::new())]
    delegation_path: Vec<String>,
    /// Folder of the task, where the metadata file belongs
    #[arg(long, value_name = "DIR", value_parser = NonEmptyStringValueParser::new())]
    task_dir: Option<String>,
    /// Agent whose handoff to read [default: the one before in the profile's chain]
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    previous: Option<String>,

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
        delegation_depth: args.delegation_depth,
        delegation_path: &args.delegation_path,
        task_folder: args.task_dir.as_deref(),
        previous: args.previous.as_deref(),
        ..Instruction::new(profile)
    };
    refuse_unused(&args, profile)?;
    // The path has placeholders for the session and the group, as in the instruction.
    let agent = args.agent.as_deref().unwrap_or("{agent}");
    let file = profile.handoff_file(["{session}", "{group}", agent], |_| false);
    if let Some(handoffs) = file.and_then(|file| settings.handoff_profile(Path::new(&file))) {
        instruction.handoff = handoffs;
    }
    print_stdout(instruction.text()?)
}

/// Refuses options that have no effect on the instruction of a profile.
fn refuse_unused(args: &InstructArgs, profile: &Profile) -> anyhow::Result<()> {
    let id = escape::truncated(&profile.id);
    let has_folder = profile.file.is_some() && profile.shape != Shape::Handoff;
    if args.task_dir.is_some() && !has_folder {
        bail!("--task-dir has no effect: returns of the profile {id} are not files of a task");
    }
    let delegations = args.delegation_path.len().saturating_sub(1);
    let depth = args.delegation_depth.unwrap_or_default();
    if !args.delegation_path.is_empty() && depth as usize > delegations {
        let delegations = count(delegations, "delegation");
        bail!("--delegation-depth {depth}: the path has only {delegations}");
    }
    let Some(previous) = &args.previous else {
        return Ok(());
    };
    if !profile.has_handoff_file() {
        bail!("--previous has no effect: returns of the profile {id} have no handoff files");
    }
    let agent = profile.agent(previous);
    if agent.is_some_and(|agent| !agent.writes_handoff) {
        let previous = escape::truncated(previous);
        bail!("--previous {previous}: this agent writes no handoff file");
    }
    Ok(())
}
