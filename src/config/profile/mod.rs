//! `[profiles.NAME]`: what a profile changes of the one that it extends. `extend` makes the changes.

mod agents;
mod checks;
mod extend;
mod statuses;
#[cfg(test)]
mod tests;

use std::fmt::{self, Formatter};

use serde::de::value::SeqAccessDeserializer;
use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Unexpected, Visitor};

use crate::check::rules::{Level, Rule};
use crate::config::nodes::{Entries, OrAny, OrOff, TomlType, matching, toml_table};
use crate::profile::{Action, Meaning};
use crate::schema::json_schema::SchemaNode;

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
        next: Entries<String, NextAgents>,
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
pub(super) struct Sentences(Vec<Count>);

/// A glob of file names.
#[derive(Debug, Clone)]
pub(super) struct FileName(String);

/// The agents that can continue, as a list or one name. Empty if that is open.
#[derive(Debug, Clone)]
pub(super) struct NextAgents(Vec<String>);

/// The largest number that a limit can have.
const COUNT_AT_MOST: u64 = 1_000_000_000;

/// The values of a status.
const CLAIMS: [&str; 4] = [
    Meaning::Success.as_str(),
    Meaning::Unfinished.as_str(),
    Meaning::Other.as_str(),
    "off",
];

impl<'de> Deserialize<'de> for Claim {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let word = String::deserialize(from)?;
        if word == "off" {
            return Ok(Self(None));
        }
        let meaning = word.parse().map(|meaning| Self(Some(meaning)));
        meaning.map_err(|_| D::Error::unknown_variant(&word, &CLAIMS))
    }
}

impl<'de> Deserialize<'de> for Count {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let number = u64::deserialize(from)?;
        let valid = (1..=COUNT_AT_MOST).contains(&number);
        let count = usize::try_from(number).ok().filter(|_| valid);
        count.map(Self).ok_or_else(|| {
            let expected = format!("between 1 and {COUNT_AT_MOST}");
            D::Error::invalid_value(Unexpected::Unsigned(number), &expected.as_str())
        })
    }
}

impl<'de> Deserialize<'de> for FileName {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let name = String::deserialize(from)?;
        if name.contains('/') {
            return Err(D::Error::custom(
                "`files` takes file names, without folders",
            ));
        }
        Ok(Self(name))
    }
}

impl<'de> Deserialize<'de> for NextAgents {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct NamesVisitor;

        impl<'de> Visitor<'de> for NamesVisitor {
            type Value = NextAgents;

            fn expecting(&self, out: &mut Formatter<'_>) -> fmt::Result {
                out.write_str("an array")
            }

            fn visit_str<E: Error>(self, name: &str) -> Result<NextAgents, E> {
                let name = (name != "off").then(|| name.to_owned());
                Ok(NextAgents(name.into_iter().collect()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, names: A) -> Result<NextAgents, A::Error> {
                Vec::deserialize(SeqAccessDeserializer::new(names)).map(NextAgents)
            }
        }

        from.deserialize_any(NamesVisitor)
    }
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
            maximum: Some(COUNT_AT_MOST),
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
