//! `retval explain`: what a rule means, and the list of all rules.

use anyhow::bail;
use clap::{Args, ValueEnum};
use serde::Serialize;

use crate::check::explain::{NotChecked, RuleRecord, overview, page};
use crate::check::rules::{RULES, Rule};
use crate::cli::args::{OneOf, rule, rule_names};
use crate::cli::output::{Exit, print_stdout, terminal};

#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    /// Rules to explain [default: list all rules]
    #[arg(value_name = "RULE", hide_possible_values = true, value_parser = OneOf::new(ids, ReportId::named))]
    rules: Vec<ReportId>,
    /// Output format [default: text]
    #[arg(long, value_name = "FORMAT", value_enum)]
    pub(crate) format: Option<ExplainFormat>,
}

/// An id that reports print: that of a rule, or the one for inputs that were not checked.
#[derive(Debug, Clone, Copy)]
enum ReportId {
    Rule(&'static Rule),
    NotChecked,
}

impl ReportId {
    fn named(id: &str) -> Result<Self, String> {
        match id {
            NotChecked::ID => Ok(Self::NotChecked),
            id => rule(id).map(Self::Rule),
        }
    }
}

fn ids() -> Vec<&'static str> {
    let mut ids = rule_names();
    ids.push(NotChecked::ID);
    ids
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
        (false, ids) => pages(ids).join("\n"),
        (true, []) => json(&RULES)?,
        (true, ids) => json(&rules(ids)?)?,
    };
    print_stdout(text)
}

/// The page of each id, in the width of the terminal.
fn pages(ids: &[ReportId]) -> Vec<String> {
    /// A width of lines that is easy to read, in columns, and the least one.
    const WIDTHS: (usize, usize) = (100, 40);
    let width = terminal::columns().map_or(80, |columns| columns.clamp(WIDTHS.1, WIDTHS.0));
    let page = |id: &ReportId| match id {
        ReportId::Rule(rule) => page(rule, width),
        ReportId::NotChecked => NotChecked::page(width),
    };
    ids.iter().map(page).collect()
}

fn rules(ids: &[ReportId]) -> anyhow::Result<Vec<&'static Rule>> {
    let rule = |id: &ReportId| match id {
        ReportId::Rule(rule) => Ok(*rule),
        ReportId::NotChecked => bail!(
            "{} is not a rule, and --format json prints rules: leave --format out",
            NotChecked::ID
        ),
    };
    ids.iter().map(rule).collect()
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
