//! Commands that print what the library knows.

mod generated;
mod in_force;

use retval::explain::{Explanation, Overview, Record};
use retval::rules::RULES;
use serde::Serialize;

pub(crate) use generated::{completions, man};

use crate::Exit;
use crate::cli::{Config, Explain, Instruct, Shown};
use crate::output::Sink;
use crate::settings::Settings;

pub(crate) fn instruct(mut options: Instruct) -> anyhow::Result<Exit> {
    let settings = Settings::load(&options.configured)?;
    settings.fill_instruct(&mut options)?;
    let profile = settings.profile(options.profile.as_deref())?;
    let instruction = retval::Instruction {
        profile: profile.unwrap_or(&retval::profile::RETURN),
        session: options.session.as_deref(),
        agent: options.agent.as_deref(),
        group: options.group.as_deref(),
    };
    print(instruction.to_string().as_bytes())
}

pub(crate) fn explain(options: &Explain) -> anyhow::Result<Exit> {
    let text = match (options.format.unwrap_or(Shown::Text), options.rule) {
        (Shown::Text, Some(rule)) => Explanation(rule).to_string(),
        (Shown::Text, None) => Overview.to_string(),
        (Shown::Json, Some(rule)) => json(&Rules::of(&[rule]))?,
        (Shown::Json, None) => json(&Rules::of(&RULES))?,
    };
    print(text.as_bytes())
}

pub(crate) fn config(options: &Config) -> anyhow::Result<Exit> {
    let settings = Settings::load(&options.configured)?;
    settings.refuse_stranger()?;
    print(in_force::text(&settings)?.as_bytes())
}

/// What `explain --format json` prints, whether one rule is asked for or all.
#[derive(Serialize)]
struct Rules {
    version: u32,
    rules: Vec<Record>,
}

impl Rules {
    fn of(rules: &[&retval::rules::Rule]) -> Self {
        Self {
            version: 1,
            rules: rules.iter().map(|rule| Record::of(rule)).collect(),
        }
    }
}

fn json(value: &impl Serialize) -> anyhow::Result<String> {
    Ok(serde_json::to_string_pretty(value)? + "\n")
}

fn print(text: &[u8]) -> anyhow::Result<Exit> {
    Sink::Stdout.write(text)?;
    Ok(Exit::Valid)
}
