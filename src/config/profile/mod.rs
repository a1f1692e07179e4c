//! `[profiles.NAME]`: what a profile changes of the one that it extends. `extend` makes the changes.

mod agents;
mod extend;
mod statuses;
#[cfg(test)]
mod tests;

use std::str::FromStr;

use serde::de::{Deserialize, Deserializer, Error, Unexpected};
use toml::Spanned;

use crate::config::nodes::{
    Entries, OneOrMore, OrAny, OrOff, VisibleName, matching, toml_table, toml_texts, toml_types,
};
use crate::config::reader::{LevelTable, invalid_glob};
use crate::json_schema::SchemaNode;
use crate::profile::{Action, FilePattern, Meaning};
use crate::text::{NameError, read_name};

pub(super) use agents::change_next;
pub(super) use extend::{check_id, extend};

toml_table! {
    /// A profile of the file.
    ProfileTable {
        /// profile that it extends
        extends: Option<Spanned<String>>,
        /// what the documents are, for instructions and schemas
        document: Option<VisibleName>,
        /// what each status claims; off removes a status
        statuses: Entries<VisibleName, Claim>,
        /// what the caller does after a status
        actions: Entries<VisibleName, Action>,
        /// agents, and the chain in which they work
        agents: Entries<VisibleName, AgentTable>,
        /// more types of artifacts than the base has; any allows all
        artifact_types: OrAny<Vec<VisibleName>>,
        /// more types of errors than the base has; any allows all
        error_types: OrAny<Vec<VisibleName>>,
        /// members that must be there, dotted; [] is every item
        required: Vec<Spanned<VisibleName>>,
        /// members that can be there, dotted; [] is every item
        optional: Vec<Spanned<VisibleName>>,
        /// limits of lengths
        limits: Option<Spanned<LimitTable>>,
        /// path of handoff files, with {session}, {group} and {agent}
        handoff_path: Option<Spanned<PathTemplate>>,
        /// levels of rules
        rules: LevelTable,
        /// file names that select this profile
        files: Vec<FileName>,
    }
}

toml_table! {
    /// An agent of a profile.
    AgentTable {
        /// what each status claims; off removes a status
        statuses: Entries<VisibleName, Claim>,
        /// agents whose handoff file it starts from
        reads_from: Option<Vec<VisibleName>>,
        /// agents whose handoff file it starts from if none of those left one
        reads_otherwise: Option<Vec<VisibleName>>,
        /// whether it leaves a handoff file
        writes_handoff: Option<bool>,
        /// whether a summary of its handoff that is too long is an error
        limits_summary: Option<bool>,
        /// paths of files with details of its work, by name; off removes one
        details: Entries<VisibleName, OrOff<PathTemplate>>,
        /// agents that continue after a status, the usual one first; off leaves open what follows
        next: Entries<VisibleName, OrOff<OneOrMore>>,
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
pub(super) struct Count(pub(super) usize);

/// The fewest and the most sentences.
#[derive(Debug, Clone, Copy, serde::Deserialize)]
#[serde(try_from = "Vec<Count>")]
pub(super) struct Sentences(pub(super) usize, pub(super) usize);

/// A glob of file names.
#[derive(Debug, Clone)]
pub(super) struct FileName(pub(super) FilePattern);

/// The path of a file below the root, with placeholders.
#[derive(Debug, Clone)]
pub(super) struct PathTemplate(String);

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

impl TryFrom<Vec<Count>> for Sentences {
    type Error = String;

    fn try_from(ends: Vec<Count>) -> Result<Self, String> {
        match ends[..] {
            [Count(fewest), Count(most)] if fewest <= most => Ok(Self(fewest, most)),
            [Count(fewest), Count(most)] => Err(format!(
                "the fewest sentences must not be more than the most, found {fewest} and {most}"
            )),
            _ => Err("expected [FEWEST, MOST] or \"off\"".to_owned()),
        }
    }
}

impl FileName {
    fn parse(glob: &str) -> Result<Self, String> {
        if glob.contains('/') {
            return Err("expected file names, without folders".to_owned());
        }
        let pattern = FilePattern::parse(glob).map(Self);
        pattern.map_err(|error| invalid_glob(glob, &error))
    }
}

impl PathTemplate {
    fn parse(template: &str) -> Result<Self, &'static str> {
        let rest = ["{session}", "{group}", "{agent}"]
            .iter()
            .fold(template.to_owned(), |text, place| text.replace(place, ""));
        if rest.contains(['{', '}']) {
            Err(
                "unknown placeholder in the path of handoff files; use {session}, {group} and {agent}",
            )
        } else if template.starts_with('/') {
            Err("the path of handoff files must be relative to the root")
        } else {
            Ok(Self(template.to_owned()))
        }
    }
}

toml_texts! {
    FileName => Self::parse, matching("^[^/]+$".to_owned());
    PathTemplate => Self::parse, String::schema();
}

toml_types! {
    Claim => SchemaNode::one_of(CLAIMS);
    Count => SchemaNode {
        minimum: Some(1),
        maximum: Some(COUNT_AT_MOST as u64),
        ..SchemaNode::of_type("integer")
    };
    Sentences => <[Count; 2]>::schema();
}
