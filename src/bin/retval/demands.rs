//! What every command that checks takes from its options.

use anyhow::bail;
use retval::rules::{Level, Rule};
use retval::{BYTES_AT_MOST, Checker};

use crate::args::rules::RuleArgs;

pub(crate) fn max_bytes(options: &RuleArgs) -> u64 {
    options.max_bytes.unwrap_or(BYTES_AT_MOST)
}

/// The checker with the levels and limits of the command line.
pub(crate) fn apply<'o>(options: &'o RuleArgs, checker: Checker<'o>) -> Checker<'o> {
    let mut checker = checker
        .group(options.group.as_deref())
        .max_bytes(max_bytes(options));
    for (rules, level) in [
        (&options.ignore, Level::Off),
        (&options.warn, Level::Warning),
        (&options.error, Level::Error),
    ] {
        for rule in rules {
            checker = checker.rule(rule, level);
        }
    }
    checker.strict(options.strict.unwrap_or_default())
}

pub(crate) fn refuse_contradictions(options: &RuleArgs) -> anyhow::Result<()> {
    let named = [
        ("--ignore", &options.ignore),
        ("--warn", &options.warn),
        ("--error", &options.error),
    ];
    let mut seen: Vec<(&str, &Rule)> = Vec::new();
    for (option, rules) in named {
        for rule in rules {
            if rule.is_indispensable() && option != "--error" {
                bail!(
                    "{option} {}: without this rule nothing else can be checked",
                    rule.id
                );
            }
            if let Some((before, _)) = seen
                .iter()
                .find(|(before, known)| *before != option && known.id == rule.id)
            {
                bail!(
                    "{before} and {option} both name {}: which of them counts?",
                    rule.id
                );
            }
            seen.push((option, rule));
        }
    }
    Ok(())
}
