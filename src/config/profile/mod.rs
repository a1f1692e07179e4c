//! `[profiles.NAME]`: what a profile changes of the one that it extends. `extend` makes the changes.

mod agents;
mod checks;
mod extend;
mod statuses;
#[cfg(test)]
mod tests;

use std::str::FromStr;

use serde::de::{Deserialize, Deserializer, Error, Unexpected};

use crate::check::rules::{Level, Rule};
use crate::config::nodes::{Entries, OrAny, OrOff, TomlType, matching, toml_table};
use crate::profile::{Action, Meaning};
use crate::schema::json_schema::SchemaNode;
use crate::text::{NameError, read_name};

pub(super) use checks::{ProfileMistake, check_id};
pub(super) use extend::extend;

toml_table! {
    /// A profile of the file.
    ProfileTable {
        /// profile that it extends
        extends: Option<String>,
        /// what the documents are, for instructions and schemas
        document: Option<String>,
        /// what each status claims; off removes a status
        statuses: Entries<String, Claim>,
        /// status of work that failed
        failure: Option<String>,
        /// what the caller does after a status
        actions: Entries<String, Action>,
        /// agents, and the chain in which they work
        agents: Entries<String, AgentTable>,
        /// more types of artifacts than the base has; any allows all
        artifact_types: OrAny<Vec<String>>,
        /// more types of errors than the base has; any allows all
        error_types: OrAny<Vec<String>>,
        /// members that must be there, dotted; [] is every item
        required: Vec<String>,
        /// members that can be there, dotted; [] is every item
        optional: Vec<String>,
        /// limits of lengths
        limits: LimitTable,
        /// path of handoff files, with {session}, {group} and {agent}
        handoff_path: Option<String>,
        /// levels of rules
        rules: Entries<&'static Rule, Level>,
        /// file names that select this profile
        files: Vec<FileName>,
    }
}

toml_table! {
    /// An agent of a profile.
    AgentTable {
        /// what each status claims; off removes a status
        statuses: Entries<String, Claim>,
        /// status of work that failed; off if no word says only that
        failure: Option<OrOff<String>>,
        /// agents whose handoff file it starts from
        reads_from: Option<Vec<String>>,
        /// agents whose handoff file it starts from if none of those left one
        reads_otherwise: Option<Vec<String>>,
        /// whether it leaves a handoff file
        writes_handoff: Option<bool>,
        /// whether a summary of its handoff that is too long is an error
        limits_summary: Option<bool>,
        /// paths of files with details of its work, by name; off removes one
        details: Entries<String, OrOff<String>>,
        /// agents that continue after a status, the usual one first; off leaves open what follows
        next: Entries<String, OrOff<NextAgents>>,
    }
}

toml_table! {
    /// The limits of a profile.
    LimitTable {
        /// most tokens of the summary
        summary_tokens: Option<OrOff<Count>>,
        /// most words of the summary
        summary_words: Option<OrOff<Count>>,
        /// most characters of the summary
        summary_characters: Option<OrOff<Count>>,
        /// most tokens of the return
        return_tokens: Option<OrOff<Count>>,
        /// fewest and most sentences of the summary
        sentences: Option<OrOff<Sentences>>,
        /// fewest characters of the summary
        summary_characters_at_least: Option<OrOff<Count>>,
        /// most characters of the summary of an artifact
        artifact_summary_characters: Option<OrOff<Count>>,
        /// most characters of the message of an error
        error_message_characters: Option<OrOff<Count>>,
        /// most characters of the next steps
        next_steps_characters: Option<OrOff<Count>>,
    }
}

/// What a status claims. None removes the status.
#[derive(Debug, Clone, Copy)]
pub(super) struct Claim(Option<Meaning>);

/// A number of characters, tokens, words or sentences.
#[derive(Debug, Clone, Copy)]
pub(super) struct Count(usize);

/// The fewest and the most sentences.
#[derive(Debug, Clone, serde::Deserialize)]
#[serde(transparent)]
pub(super) struct Sentences(Vec<Count>);

/// A glob of file names.
#[derive(Debug, Clone, serde::Deserialize)]
pub(super) struct FileName(#[serde(deserialize_with = "file_name")] String);

/// The agents that can continue, as a list or one name.
#[derive(Debug, Clone, serde::Deserialize)]
#[serde(
    untagged,
    expecting = "expected the name of an agent, or an array of names"
)]
pub(super) enum NextAgents {
    One(String),
    Several(Vec<String>),
}

/// The largest number that a limit can have.
const COUNT_AT_MOST: usize = 1_000_000_000;

/// The values of a status.
const CLAIMS: [&str; 4] = [
    Meaning::Success.as_str(),
    Meaning::Unfinished.as_str(),
    Meaning::Other.as_str(),
    "off",
];

impl<'de> Deserialize<'de> for Claim {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        read_name(from, &CLAIMS)
    }
}

impl FromStr for Claim {
    type Err = NameError;

    fn from_str(word: &str) -> Result<Self, NameError> {
        (word != "off").then(|| word.parse()).transpose().map(Self)
    }
}

impl<'de> Deserialize<'de> for Count {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let number = i64::deserialize(from)?;
        let count = usize::try_from(number).ok();
        let count = count.filter(|count| (1..=COUNT_AT_MOST).contains(count));
        count.map(Self).ok_or_else(|| {
            let expected = format!("a number between 1 and {COUNT_AT_MOST}");
            D::Error::invalid_value(Unexpected::Signed(number), &&*expected)
        })
    }
}

fn file_name<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    let name = String::deserialize(from)?;
    if name.contains('/') {
        return Err(D::Error::custom("expected file names, without folders"));
    }
    Ok(name)
}

impl TomlType for Claim {
    fn schema() -> SchemaNode {
        SchemaNode::one_of(CLAIMS)
    }
}

impl TomlType for Count {
    fn schema() -> SchemaNode {
        SchemaNode {
            minimum: Some(1),
            maximum: Some(COUNT_AT_MOST as u64),
            ..SchemaNode::of_type("integer")
        }
    }
}

impl TomlType for Sentences {
    fn schema() -> SchemaNode {
        SchemaNode {
            fewest: Some(2),
            most: Some(2),
            ..<Vec<Count>>::schema()
        }
    }
}

impl TomlType for FileName {
    fn schema() -> SchemaNode {
        matching("^[^/]+$".to_owned())
    }
}

impl TomlType for NextAgents {
    fn schema() -> SchemaNode {
        SchemaNode::any_of([String::schema(), <Vec<String>>::schema()])
    }
}
