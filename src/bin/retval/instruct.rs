//! `retval instruct`: prints the instruction that tells a subagent how to return.

use clap::Args;
use clap::builder::NonEmptyStringValueParser;

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
    /// Standard that the return will be held to [default: return]
    #[arg(long, value_name = "PROFILE", value_parser = ProfileName::Alone)]
    pub(crate) profile: Option<String>,
    /// Session id that the return must bear
    #[arg(long, value_name = "ID", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) session: Option<String>,
    /// Agent that is called
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) agent: Option<String>,
    /// Group of work, to find handoff files by
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) group: Option<String>,

    #[command(flatten)]
    pub(crate) configured: ConfigArgs,
}

pub(crate) fn run(mut options: InstructArgs) -> anyhow::Result<Exit> {
    let settings = Settings::load(&options.configured)?;
    settings.fill_instruct(&mut options)?;
    let profile = settings.profile(options.profile.as_deref())?;
    let instruction = retval::Instruction {
        profile: profile.unwrap_or(&retval::profile::RETURN),
        session: options.session.as_deref(),
        agent: options.agent.as_deref(),
        group: options.group.as_deref(),
    };
    print_stdout(instruction.to_string().as_bytes())
}
