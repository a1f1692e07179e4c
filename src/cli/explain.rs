//! `retval explain`: what a rule means, and the list of all rules.

use clap::{Args, ValueEnum};
use serde::Serialize;

use crate::check::explain::{RuleRecord, overview, page};
use crate::check::rules::{RULES, Rule};
use crate::cli::args::{OneOf, rule, rule_names};
use crate::cli::output::{Exit, print_stdout, terminal};

#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    /// Rules to explain [default: list all rules]
    #[arg(value_name = "RULE", hide_possible_values = true, value_parser = OneOf::new(rule_names, rule))]
    rules: Vec<&'static Rule>,
    /// Output format [default: text]
    #[arg(long, value_name = "FORMAT", value_enum)]
    pub(crate) format: Option<ExplainFormat>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExplainFormat {
    Text,
    Json,
}

pub(crate) fn run(args: &ExplainArgs) -> anyhow::Result<Exit> {
    let is_json = args.format == Some(ExplainFormat::Json);
    let text = match (is_json, &*args.rules) {
        (false, []) => overview(),
        (false, rules) => pages(rules).join("\n"),
        (true, []) => json(&RULES)?,
        (true, rules) => json(rules)?,
    };
    print_stdout(text)
}

/// The page of each rule, in the width of the terminal.
fn pages(rules: &[&Rule]) -> Vec<String> {
    /// A width of lines that is easy to read, in columns, and the least one.
    const WIDTHS: (usize, usize) = (100, 40);
    let width = terminal::columns().map_or(80, |columns| columns.clamp(WIDTHS.1, WIDTHS.0));
    rules.iter().map(|rule| page(rule, width)).collect()
}

/// The output of `explain --format json`, for one rule or all.
fn json(rules: &[&Rule]) -> anyhow::Result<String> {
    #[derive(Serialize)]
    struct Rules {
        version: u32,
        rules: Vec<RuleRecord>,
    }
    let rules = rules.iter().map(|rule| RuleRecord::of(rule)).collect();
    let rules = Rules { version: 1, rules };
    Ok(serde_json::to_string_pretty(&rules)? + "\n")
}
