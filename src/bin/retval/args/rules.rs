//! Options that every command that checks takes.

use clap::Args;
use clap::builder::NonEmptyStringValueParser;
use retval::rules::Rule;

use crate::args::values::{ON, OneOf, rule_names};

// A doc comment would become the help of each.
#[derive(Debug, Args)]
pub(crate) struct RuleArgs {
    /// Group of work, to find a compact return's handoff file by
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) group: Option<String>,
    /// Make every warning a failure
    #[arg(long, num_args = 0, default_missing_value = ON)]
    pub(crate) strict: Option<bool>,
    /// Leave a rule out (repeatable)
    #[arg(long, value_name = "RULE", hide_possible_values = true, value_parser = OneOf::new(rule_names, Rule::named))]
    pub(crate) ignore: Vec<&'static Rule>,
    /// Make a rule a warning (repeatable)
    #[arg(long, value_name = "RULE", hide_possible_values = true, value_parser = OneOf::new(rule_names, Rule::named))]
    pub(crate) warn: Vec<&'static Rule>,
    /// Make a rule a failure (repeatable)
    #[arg(long, value_name = "RULE", hide_possible_values = true, value_parser = OneOf::new(rule_names, Rule::named))]
    pub(crate) error: Vec<&'static Rule>,
    /// Refuse a return of more bytes than this [default: 16777216, 16 MiB]
    #[arg(long, value_name = "BYTES", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_bytes: Option<u64>,
}
