//! `retval instruct`: prints the instruction that tells a subagent how to return.

use clap::Args;
use clap::builder::NonEmptyStringValueParser;
use retval::Instruction;
use retval::profile::RETURN;

use crate::args::config::ConfigArgs;
use crate::args::values::ProfileName;
use crate::exit::Exit;
use crate::output::print_stdout;
use crate::settings::Settings;

pub(crate) const EXAMPLES: &str = "\
Examples:
  retval instruct --session \"$session\" --agent planner >> prompt.txt
  retval instruct --profile compact --session \"$session\" --group AUTH --agent qa_expert";

#[derive(Debug, Args)]
pub(crate) struct InstructArgs {
    /// Profile that the return will be checked against [default: return]
    #[arg(long, value_name = "PROFILE", value_parser = ProfileName::Named)]
    profile: Option<String>,
    /// Session id that the return must have
    #[arg(long, value_name = "ID", value_parser = NonEmptyStringValueParser::new())]
    session: Option<String>,
    /// Agent that is called
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    agent: Option<String>,
    /// Work group, to find handoff files
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    group: Option<String>,
    /// Delegation depth of the agent
    #[arg(long, value_name = "N")]
    delegation_depth: Option<u32>,
    /// Agents from the orchestrator to the one that is called
    #[arg(long, value_name = "A,B,...", value_delimiter = ',', value_parser = NonEmptyStringValueParser::new())]
    delegation_path: Vec<String>,

    #[command(flatten)]
    config: ConfigArgs,
}

#[derive(Debug)]
pub(crate) struct InstructOptions {
    profile: Option<String>,
    session: Option<String>,
    agent: Option<String>,
    group: Option<String>,
    delegation_depth: Option<u32>,
    delegation_path: Vec<String>,
}

impl InstructOptions {
    pub(crate) fn resolve(args: InstructArgs, settings: &Settings) -> Self {
        let values = settings.values.clone();
        Self {
            profile: args.profile.or(values.profile),
            session: args.session.or(values.session),
            agent: args.agent.or(values.agent),
            group: args.group.or(values.group),
            delegation_depth: args.delegation_depth,
            delegation_path: args.delegation_path,
        }
    }
}

pub(crate) fn run(args: InstructArgs) -> anyhow::Result<Exit> {
    let settings = Settings::load(&args.config)?;
    let options = InstructOptions::resolve(args, &settings);
    let profile = settings.profile(options.profile.as_deref())?;
    let instruction = Instruction::new(profile.unwrap_or(&RETURN))
        .session(options.session.as_deref())
        .agent(options.agent.as_deref())
        .group(options.group.as_deref())
        .delegation_depth(options.delegation_depth)
        .delegation_path(&options.delegation_path);
    print_stdout(instruction.to_string().as_bytes())
}
