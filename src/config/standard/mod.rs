//! `[profiles.NAME]` without `extends`: a standard of one's own. `build` makes the profile.

mod build;
mod claims;
mod consistent;
mod statuses;

use std::fmt::{self, Formatter};
use std::path::PathBuf;
use std::str::FromStr;

use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use toml::Spanned;

use crate::config::nodes::{
    Entries, OneOrMore, OrOff, TextOr, VisibleName, toml_table, toml_types, toml_words,
};
use crate::config::profile::{Count, FileName, Sentences};
use crate::config::reader::LevelTable;
use crate::document::Form;
use crate::json_schema::SchemaNode;
use crate::profile::{Action, Meaning};
use crate::text::{NameError, names, read_name};

pub(super) use build::build;

/// A place, as the file writes it.
type PlaceText = Spanned<String>;

/// Words, by the place of the values that they allow.
type PlaceWords = Entries<VisibleName, Vec<String>>;

/// A text, a number or a boolean, as text.
#[derive(Debug, Clone)]
pub(super) struct WantedText(String);

/// A place, several places, or a table with places and what is taken there.
#[derive(Debug, Clone)]
pub(super) enum RoleValue {
    One(String),
    All(Vec<PlaceText>),
    Table(Box<RoleTable>),
}

/// One place, or several.
#[derive(Debug, Clone)]
pub(super) struct PlaceTexts(pub(super) Vec<PlaceText>);

/// A role, as the file writes it.
type RoleItem = Option<Spanned<RoleValue>>;

toml_table! {
    /// A standard of one's own.
    StandardTable {
        /// how a return is written: json (the default), yaml or text
        form: Option<Form>,
        /// the part of the message that is the return
        part: Option<Spanned<PartTable>>,
        /// what the documents are, for instructions
        document: Option<VisibleName>,
        /// where the values stand that the steps look at
        at: RolesTable,
        /// what each word of the status claims, or what the caller does after it
        statuses: Entries<VisibleName, WordMeaning>,
        /// places that must hold something, be it an empty list
        required: Vec<PlaceText>,
        /// places that must hold something with these words of the status
        required_if: Entries<VisibleName, Vec<PlaceText>>,
        /// places that must hold nothing with these words of the status
        empty_if: Entries<VisibleName, Vec<PlaceText>>,
        /// words that values can be, by place
        values: PlaceWords,
        /// words that values can be with these words of the status, by place
        values_if: Entries<VisibleName, PlaceWords>,
        /// file with the JSON Schema of the document, or a table with the place of a value, too
        schema: Option<Spanned<TextOr<SchemaTable>>>,
        /// lists of places that have one value
        same: Vec<Vec<PlaceText>>,
        /// places of parts, by the place of their sum
        sums: Entries<VisibleName, Vec<PlaceText>>,
        /// numbers, and what they count
        counts: Vec<Spanned<CountTable>>,
        /// folders besides the root in which artifacts and files may lie
        extra_roots: Vec<PathBuf>,
        /// file with an example of a return, which is held to the standard
        example: Option<Spanned<String>>,
        /// file with a return that breaks the standard, for `retval init --verify`
        counter_example: Option<Spanned<String>>,
        /// none if the agent's own prompt says how to return
        instruct: Option<Instructed>,
        /// agents with words of their own, and who is next
        agents: Entries<VisibleName, AgentWordsTable>,
        /// whether a success without artifacts is an error
        artifacts_on_success: Option<Spanned<OnSuccess>>,
        /// words for nothing, besides none, n/a and the like
        none: Vec<String>,
        /// words for a file that is gone, besides deleted, removed, moved and renamed
        gone: Vec<String>,
        /// limits of lengths
        limits: LimitsTable,
        /// levels of rules
        rules: LevelTable,
        /// file names that select this profile
        files: Vec<FileName>,
    }
}

toml_table! {
    /// An agent of a standard.
    AgentWordsTable {
        /// what each word of its status claims, or what the caller does after it
        statuses: Entries<VisibleName, WordMeaning>,
        /// agents that continue after a word, the usual one first; off leaves open what follows
        next: Entries<VisibleName, OrOff<OneOrMore>>,
    }
}

toml_table! {
    /// The part of a message that is the return.
    PartTable {
        /// first word after the fence of the code that is the return, or several
        fence: Option<OneOrMore>,
        /// the text before the return, and the one after it
        between: Option<[String; 2]>,
        /// name of the tag around the return
        tag: Option<String>,
        /// whether a message without the part is the return as a whole
        optional: bool,
        /// whether nothing may follow it
        last: bool,
    }
}

toml_table! {
    /// The roles of a standard.
    RolesTable {
        /// the status
        status: RoleItem,
        /// the session id
        session: RoleItem,
        /// the name of the agent
        agent: RoleItem,
        /// the summary
        summary: RoleItem,
        /// the files that the agent wrote
        artifacts: RoleItem,
        /// files that must be there, whoever wrote them
        files: RoleItem,
        /// the files that the agent changed
        changed: RoleItem,
        /// lines of files that it cites
        cites: RoleItem,
        /// its commits
        commits: RoleItem,
        /// the tests that it ran
        tests: RoleItem,
        /// values that must be those of --given, by name
        given: Entries<VisibleName, Spanned<RoleValue>>,
    }
}

impl RolesTable {
    /// All roles but those of `given`.
    fn all(&self) -> impl Iterator<Item = &RoleItem> {
        [
            &self.status,
            &self.session,
            &self.agent,
            &self.summary,
            &self.artifacts,
            &self.files,
            &self.changed,
            &self.cites,
            &self.commits,
            &self.tests,
        ]
        .into_iter()
    }
}

toml_table! {
    /// A role with more than a place.
    RoleTable {
        /// where the value stands: a place, or several
        at: Option<PlaceTexts>,
        /// place of objects or rows, whose members are taken
        each: Option<PlaceTexts>,
        /// member with the path of a file, by name or pointer
        path: Option<Spanned<String>>,
        /// member with the line of a cite
        line: Option<Spanned<String>>,
        /// member with the text that a cite quotes
        quote: Option<Spanned<String>>,
        /// member with the id of a commit
        commit: Option<Spanned<String>>,
        /// regular expression whose group value is taken
        r#match: Option<Spanned<String>>,
        /// value if there is none
        default: Option<String>,
        /// whether the value may be missing
        optional: bool,
    }
}

toml_table! {
    /// A number, and what it counts.
    CountTable {
        /// place of the number
        number: Option<PlaceText>,
        /// place of the values, or of a list, that it counts
        items: Option<PlaceText>,
        /// members that an object must have to count, by name or pointer
        r#where: Entries<VisibleName, WantedText>,
        /// the files that it counts
        files: Option<CountedFiles>,
    }
}

toml_table! {
    /// Files that a number counts.
    CountedFiles {
        /// place of the path of their folder
        r#in: Option<PlaceText>,
        /// glob of their names
        glob: Option<Spanned<String>>,
    }
}

toml_table! {
    /// A schema, and the value that it is for.
    SchemaTable {
        /// place of the value
        at: Option<PlaceText>,
        /// file with the JSON Schema
        file: Option<Spanned<String>>,
    }
}

toml_table! {
    /// The limits of a standard.
    LimitsTable {
        /// most lines of the whole message with something on them
        lines: Option<Count>,
        /// most characters of the whole message
        return_characters: Option<Count>,
        /// most tokens of the whole message
        return_tokens: Option<Count>,
        /// most tokens of the summary
        summary_tokens: Option<Spanned<Count>>,
        /// most words of the summary
        summary_words: Option<Spanned<Count>>,
        /// most characters of the summary
        summary_characters: Option<Spanned<Count>>,
        /// fewest and most sentences of the summary
        sentences: Option<Spanned<Sentences>>,
    }
}

/// What a word of the status means: what it claims, or what follows it.
#[derive(Debug, Clone, Copy)]
pub(super) struct WordMeaning {
    meaning: Meaning,
    action: Option<Action>,
}

names! {
    /// Whether a success needs artifacts.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(super) enum OnSuccess: "word" {
        Required = "required",
        Allowed = "allowed",
    }
}

names! {
    /// Who says how to return, if it is not retval.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(super) enum Instructed: "word" {
        /// The agent's own prompt.
        None = "none",
    }
}

const MEANINGS: [&str; 8] = [
    Meaning::Success.as_str(),
    Meaning::Unfinished.as_str(),
    Meaning::Other.as_str(),
    Action::Proceed.as_str(),
    Action::Resume.as_str(),
    Action::Retry.as_str(),
    Action::Ask.as_str(),
    Action::Stop.as_str(),
];

impl<'de> Deserialize<'de> for RoleValue {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct RoleVisitor;

        impl<'de> Visitor<'de> for RoleVisitor {
            type Value = RoleValue;

            fn expecting(&self, out: &mut Formatter<'_>) -> fmt::Result {
                out.write_str("a place, an array of places or a table")
            }

            fn visit_str<E: Error>(self, place: &str) -> Result<RoleValue, E> {
                Ok(RoleValue::One(place.to_owned()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, places: A) -> Result<RoleValue, A::Error> {
                Vec::deserialize(SeqAccessDeserializer::new(places)).map(RoleValue::All)
            }

            fn visit_map<A: MapAccess<'de>>(self, table: A) -> Result<RoleValue, A::Error> {
                let table = RoleTable::deserialize(MapAccessDeserializer::new(table))?;
                Ok(RoleValue::Table(Box::new(table)))
            }
        }

        from.deserialize_any(RoleVisitor)
    }
}

impl<'de> Deserialize<'de> for PlaceTexts {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let value: Spanned<RoleValue> = Spanned::deserialize(from)?;
        let span = value.span();
        match value.into_inner() {
            RoleValue::One(place) => Ok(Self(vec![Spanned::new(span, place)])),
            RoleValue::All(places) => Ok(Self(places)),
            RoleValue::Table(_) => Err(D::Error::custom("expected a place or an array of places")),
        }
    }
}

impl<'de> Deserialize<'de> for WordMeaning {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        read_name(from, &MEANINGS)
    }
}

impl FromStr for WordMeaning {
    type Err = NameError;

    fn from_str(word: &str) -> Result<Self, NameError> {
        if let Ok(meaning) = word.parse() {
            let action = None;
            return Ok(Self { meaning, action });
        }
        let named = MEANINGS.contains(&word).then(|| word.parse());
        let action = named.transpose()?;
        let meaning = Meaning::Other;
        match action {
            Some(_) => Ok(Self { meaning, action }),
            None => Err(NameError::new("word", word)),
        }
    }
}

impl<'de> Deserialize<'de> for WantedText {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        match serde_json::Value::deserialize(from)? {
            serde_json::Value::String(text) => Ok(Self(text)),
            value => Ok(Self(value.to_string())),
        }
    }
}

toml_words!(Instructed, OnSuccess);

toml_types! {
    RoleValue => {
        let place = String::schema;
        SchemaNode::any_of([place(), SchemaNode::array(place()), RoleTable::schema()])
    };
    PlaceTexts => OneOrMore::schema();
    WordMeaning => SchemaNode::one_of(MEANINGS);
    WantedText => SchemaNode::any_of(["string", "number", "boolean"].map(SchemaNode::of_type));
}
