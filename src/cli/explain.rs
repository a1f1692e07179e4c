//! Options of `retval explain`.

use clap::{Args, ValueEnum};
use retval::rules::Rule;

use super::names::{OneOf, rule_names};

pub(super) const EXAMPLES: &str = "\
Examples:
  retval explain
  retval explain artifact-not-found
  retval explain --format json";

#[derive(Debug, Args)]
pub(crate) struct Explain {
    /// Rule to explain [default: a table of them all]
    #[arg(value_name = "RULE", hide_possible_values = true, value_parser = OneOf::new(rule_names, Rule::named))]
    pub(crate) rule: Option<&'static Rule>,
    /// Page or data [default: text]
    #[arg(long, value_name = "FORMAT", value_enum)]
    pub(crate) format: Option<Shown>,
}

/// How something known is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Shown {
    Text,
    Json,
}
