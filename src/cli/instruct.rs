//! Options of `retval instruct`.

use clap::Args;
use clap::builder::NonEmptyStringValueParser;

use super::Configured;
use super::names::ProfileName;

pub(super) const EXAMPLES: &str = "\
Examples:
  retval instruct --session \"$session\" --agent planner >> prompt.txt
  retval instruct --profile compact --session \"$session\" --group AUTH --agent qa_expert";

#[derive(Debug, Args)]
pub(crate) struct Instruct {
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
    pub(crate) configured: Configured,
}
