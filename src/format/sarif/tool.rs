//! The tool component of a SARIF log: every rule, with its help.

use crate::check::explain::NotChecked;
use crate::check::rules::{Level, RULES, Rule};
use crate::format::RuleUrl;
use crate::format::sarif::model::{Configuration, Descriptor, Driver, Message, Tags, Tool};
use crate::format::sarif::{escaped, level, message};

/// The home page of the package, as Cargo.toml names it; empty while there is none.
const HOMEPAGE: &str = env!("CARGO_PKG_HOMEPAGE");

pub(super) fn tool(url: Option<&RuleUrl>) -> Tool {
    const VERSION: &str = env!("CARGO_PKG_VERSION");
    Tool {
        driver: Driver {
            name: env!("CARGO_PKG_NAME"),
            version: VERSION,
            semantic_version: VERSION,
            information_uri: Some(HOMEPAGE).filter(|address| !address.is_empty()),
            rules: RULES
                .map(|rule| descriptor(rule, url))
                .into_iter()
                .chain([not_checked()])
                .collect(),
        },
    }
}

fn descriptor(rule: &'static Rule, url: Option<&RuleUrl>) -> Descriptor {
    let help = |strong: &str| {
        let (why, todo, source) = (rule.explanation, rule.recommendation(), rule.source);
        let todo = format!("{strong}Recommendation:{strong} {todo}.");
        escaped(&format!("{why}\n\n{todo}\n\nSource: {source}."))
    };
    Descriptor {
        id: rule.id,
        name: pascal_case(rule.id),
        short_description: message(&rule.title()),
        full_description: message(rule.explanation),
        help_uri: url.map(|url| url.of(rule.id)),
        help: Message {
            text: help(""),
            markdown: Some(help("**")),
        },
        default_configuration: Configuration {
            enabled: rule.level != Level::Off,
            level: level(rule.level),
        },
        properties: Tags {
            tags: vec![rule.step],
        },
    }
}

/// Returns the descriptor for results about sources that could not be read. It is the last one, after
/// the rules.
fn not_checked() -> Descriptor {
    Descriptor {
        id: NotChecked::ID,
        name: pascal_case(NotChecked::ID),
        short_description: message(NotChecked::TITLE),
        full_description: message(NotChecked::MEANING),
        // This is not a rule of the program, so no page explains it.
        help_uri: None,
        help: Message {
            text: NotChecked::ADVICE.to_owned(),
            markdown: Some(NotChecked::ADVICE.to_owned()),
        },
        default_configuration: Configuration {
            enabled: true,
            level: level(Level::Error),
        },
        properties: Tags { tags: Vec::new() },
    }
}

/// Returns the name of a rule in Pascal case, which viewers of SARIF expect: `ArtifactEmpty`.
fn pascal_case(id: &str) -> String {
    let capitalized = |word: &str| {
        let (first, rest) = word.split_at(1);
        first.to_ascii_uppercase() + rest
    };
    id.split('-').map(capitalized).collect()
}
