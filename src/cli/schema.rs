//! Options of `retval schema`.

use std::path::PathBuf;

use clap::Args;
use clap::builder::NonEmptyStringValueParser;
use retval::schema::Target;

use super::Configured;
use super::names::{OneOf, ProfileName};

pub(super) const EXAMPLES: &str = "\
Examples:
  retval schema --profile return-meta --output return-meta.schema.json
  claude -p \"$prompt\" --output-format json --json-schema \"$(retval schema --target claude-cli)\"
  retval schema --profile handoff --agent qa_expert --target openai-strict";

#[derive(Debug, Args)]
pub(crate) struct Schema {
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
    pub(crate) configured: Configured,
}

fn target_names() -> Vec<&'static str> {
    Target::NAMES.map(|(name, _)| name).to_vec()
}
