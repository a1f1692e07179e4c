//! `[profiles.NAME]`: what the file can say of a profile, whether it extends another one or not.

use std::path::PathBuf;
use std::str::FromStr;

use crate::config::places::{ByPlace, SamePlaces};
use crate::config::reader::{At, TomlItem};
use crate::config::scopes::RuleLevels;
use crate::config::types::{
    Entries, FromToml, OneOrMore, OrAny, OrOff, VisibleName, invalid_glob, matching, pair, parsed,
    text, toml_table, toml_types, toml_words, word,
};
use crate::document::Form;
use crate::document::part::PartMarks;
use crate::json_schema::SchemaNode;
use crate::profile::{
    Action, AllowedWords, CountRule, FilePattern, Meaning, Place, ReturnPart, Roles, SchemaRule,
};
use crate::text::escape::truncated;
use crate::text::names;

toml_table! {
    /// A profile of the file.
    ProfileTable {
        /// profile that it extends
        @extending extends: Option<At<String>>,
        /// how a return is written: json (the default), yaml or text
        @own form: Option<Form>,
        /// the part of the message that is the return
        @own part: Option<ReturnPart>,
        /// what the documents are, for instructions and schemas
        document: Option<VisibleName>,
        /// where the values stand that the steps look at
        @own at: Roles,
        /// what each word of the status claims; off takes away one that the base has, and without a base it can
        /// be what the caller does after it
        statuses: Entries<WordMeaning>,
        /// what the caller does after a status
        @extending actions: Entries<Action>,
        /// agents with words of their own, and the chain in which they work
        agents: Entries<AgentTable>,
        /// more types of artifacts than the base has; any allows all
        @extending artifact_types: OrAny<VisibleName>,
        /// more types of errors than the base has; any allows all
        @extending error_types: OrAny<VisibleName>,
        /// what must be there: dotted members of the base, where [] is every item; or, without a base, places that
        /// must hold something, be it an empty list
        required: RequiredList,
        /// members that can be there, dotted; [] is every item
        @extending optional: Vec<At<VisibleName>>,
        /// places that must hold something with these words of the status
        @own required_if: Entries<Vec<Place>>,
        /// places that must hold nothing with these words of the status
        @own empty_if: Entries<Vec<Place>>,
        /// words that values can be, by place, or in tables
        @own values: ByPlace<AllowedWords>,
        /// words that values can be with these words of the status, by place, or in tables
        @own values_if: Entries<ByPlace<AllowedWords>>,
        /// file with the JSON Schema of the document, or a table with the place of a value, too
        @own schema: Option<SchemaRule>,
        /// lists of places that have one value
        @own same: ByPlace<SamePlaces>,
        /// places of parts, by the place of their sum, or in tables
        @own sums: ByPlace<(Place, Vec<Place>)>,
        /// numbers, and what they count
        @own counts: Vec<CountRule>,
        /// folders besides the root in which artifacts and files may lie
        @own extra_roots: Vec<PathBuf>,
        /// file with an example of a return, which is held to the standard
        @own example: Option<At<String>>,
        /// file with a return that breaks the standard, for `retval init --verify`
        @own counter_example: Option<At<String>>,
        /// none if the agent's own prompt says how to return
        @own instruct: Option<Instructed>,
        /// whether a success without artifacts is an error
        @own artifacts_on_success: Option<At<OnSuccess>>,
        /// words for nothing, besides none, n/a and the like
        @own none: Vec<String>,
        /// words for a file that is gone, besides deleted, removed, moved and renamed
        @own gone: Vec<String>,
        /// limits of lengths
        limits: At<LimitTable>,
        /// path of handoff files, with {session}, {group} and {agent}
        @extending handoff_path: Option<At<PathTemplate>>,
        /// levels of rules
        rules: RuleLevels,
        /// file names that select this profile
        files: Vec<FileName>,
    }
}

toml_table! {
    /// An agent of a profile.
    AgentTable {
        /// what each word of the status claims; off takes away one that the base has, and without a base it can
        /// be what the caller does after it
        statuses: Entries<WordMeaning>,
        /// agents whose handoff file it starts from
        @extending reads_from: Option<Vec<VisibleName>>,
        /// agents whose handoff file it starts from if none of those left one
        @extending reads_otherwise: Option<Vec<VisibleName>>,
        /// whether it leaves a handoff file
        @extending writes_handoff: Option<bool>,
        /// whether a summary of its handoff that is too long is an error
        @extending limits_summary: Option<bool>,
        /// paths of files with details of its work, by name; off removes one
        @extending details: Entries<OrOff<PathTemplate>>,
        /// agents that continue after a status, the usual one first; off leaves open what follows
        next: Entries<OrOff<OneOrMore>>,
    }
}

toml_table! {
    /// The limits of a profile.
    LimitTable {
        /// most lines of the whole message with something on them
        @own lines: Option<Count>,
        /// most characters of the whole message
        @own return_characters: Option<Count>,
        /// most tokens of the whole message
        return_tokens: Option<At<OrOff<Count>>>,
        /// most tokens of the summary
        summary_tokens: Option<At<OrOff<Count>>>,
        /// most words of the summary
        summary_words: Option<At<OrOff<Count>>>,
        /// most characters of the summary
        summary_characters: Option<At<OrOff<Count>>>,
        /// fewest and most sentences of the summary
        sentences: Option<At<OrOff<Sentences>>>,
        /// fewest characters of the summary
        @extending summary_characters_at_least: Option<OrOff<Count>>,
        /// most characters of the summary of an artifact
        @extending artifact_summary_characters: Option<OrOff<Count>>,
        /// most characters of the message of an error
        @extending error_message_characters: Option<OrOff<Count>>,
        /// most characters of the next steps
        @extending next_steps_characters: Option<OrOff<Count>>,
    }
}

/// What must be there: dotted members of a profile that is extended, or else places.
#[derive(Debug, Clone, Default)]
pub(super) struct RequiredList {
    pub(super) members: Vec<At<VisibleName>>,
    pub(super) places: Vec<Place>,
}

impl FromToml for RequiredList {
    fn read(item: &TomlItem<'_>) -> Option<Self> {
        let mut own = Self::default();
        if item.has_base {
            own.members = Vec::read(item)?;
        } else {
            own.places = Vec::read(item)?;
        }
        Some(own)
    }

    fn schema(has_base: bool) -> SchemaNode {
        if has_base {
            SchemaNode::array(text())
        } else {
            <Vec<Place>>::schema(false)
        }
    }
}

/// What a word of the status means: what it claims, or what follows it. None takes the word away.
#[derive(Debug, Clone, Copy)]
pub(super) struct WordMeaning(pub(super) Option<(Meaning, Option<Action>)>);

/// The word that takes a word away from those of the extended profile.
const OFF: &str = "off";

const ACTIONS: [Action; 5] = [
    Action::Proceed,
    Action::Resume,
    Action::Retry,
    Action::Ask,
    Action::Stop,
];

impl WordMeaning {
    /// What a word can mean. In a profile that extends another one, `actions` says what follows.
    fn all(has_base: bool) -> Vec<&'static str> {
        let meanings = Meaning::ALL.map(Meaning::as_str).into_iter();
        let actions = ACTIONS.map(Action::as_str);
        let others = if has_base { &[OFF][..] } else { &actions };
        meanings.chain(others.iter().copied()).collect()
    }
}

impl FromToml for WordMeaning {
    fn read(item: &TomlItem<'_>) -> Option<Self> {
        let word = word(item, &Self::all(item.has_base))?;
        let action = word
            .parse()
            .ok()
            .map(|action| (Meaning::Other, Some(action)));
        let meaning = word.parse().ok().map(|meaning| (meaning, None));
        Some(Self(meaning.or(action)))
    }

    fn schema(has_base: bool) -> SchemaNode {
        SchemaNode::one_of(Self::all(has_base))
    }
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

toml_words!(Instructed, OnSuccess);

/// A number of characters, tokens, words or sentences.
#[derive(Debug, Clone, Copy)]
pub(super) struct Count(pub(super) usize);

/// The largest number that a limit can have.
const COUNT_AT_MOST: usize = 1_000_000_000;

/// The fewest and the most sentences.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sentences(pub(super) usize, pub(super) usize);

/// A glob of file names, and of the folders in front of them.
#[derive(Debug, Clone)]
pub(super) struct FileName(pub(super) FilePattern);

impl FromStr for FileName {
    type Err = String;

    fn from_str(glob: &str) -> Result<Self, String> {
        if glob.split('/').any(|part| ["", ".", ".."].contains(&part)) {
            return Err(
                "expected names of files, with folders such as `plans/*.json` or without"
                    .to_owned(),
            );
        }
        let pattern = FilePattern::parse(glob).map(Self);
        pattern.map_err(|error| invalid_glob(glob, &error))
    }
}

/// The path of a file below the root, with placeholders.
#[derive(Debug, Clone)]
pub(super) struct PathTemplate(pub(super) String);

impl FromStr for PathTemplate {
    type Err = &'static str;

    fn from_str(template: &str) -> Result<Self, &'static str> {
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

toml_types! {
    Count = |item| {
        let Some(number) = item.number() else {
            return item.expected("an integer");
        };
        let count = usize::try_from(number).ok();
        let count = count.filter(|count| (1..=COUNT_AT_MOST).contains(count));
        count.map(Self).or_else(|| item.invalid(format_args!(
            "invalid value: integer `{number}`, expected a number between 1 and {COUNT_AT_MOST}"
        )))
    }, SchemaNode {
        minimum: Some(1),
        maximum: Some(COUNT_AT_MOST as u64),
        ..SchemaNode::of_type("integer")
    };
    Sentences = |item| match Vec::read(item)?[..] {
        [Count(fewest), Count(most)] if fewest <= most => Some(Self(fewest, most)),
        [Count(fewest), Count(most)] => item.invalid(format_args!(
            "the fewest sentences must not be more than the most, found {fewest} and {most}"
        )),
        _ => item.invalid("expected [FEWEST, MOST] or \"off\""),
    }, pair(Count::schema(false));
    FileName = parsed, matching("^[^/]+(/[^/]+)*$".to_owned());
    PathTemplate = parsed, text();
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

/// Why no fence or tag has one of these names.
fn nothing_has(marks: &PartMarks) -> Option<String> {
    let (words, tag) = match marks {
        PartMarks::Fence(words) => (&words[..], None),
        PartMarks::Tag(name) => (std::slice::from_ref(name), Some(name)),
        PartMarks::Between(_) => return None,
    };
    if let Some(tag) = tag.filter(|tag| tag.contains(['<', '>', '/'])) {
        let is_of_name = |it: char| it.is_ascii_alphanumeric() || "_-.:".contains(it);
        let name = truncated(tag.trim_matches(|it| !is_of_name(it)));
        return Some(format!(
            "`{}` is no name of a tag; write `{name}`",
            truncated(tag)
        ));
    }
    let is_word = |it: &&String| !it.is_empty() && !it.contains(char::is_whitespace);
    let name = truncated(words.iter().find(|it| !is_word(it))?);
    Some(format!(
        "`{name}` is no single word, so that nothing has it"
    ))
}

impl FromToml for ReturnPart {
    fn read(item: &TomlItem<'_>) -> Option<Self> {
        let part = PartTable::read(item)?;
        let marks = match (part.fence, part.between, part.tag) {
            (Some(OneOrMore(words)), None, None) if words.is_empty() => {
                return item.refuse("`part`: `fence` needs a word");
            }
            (Some(OneOrMore(words)), None, None) => PartMarks::Fence(words),
            (None, Some(marks), None) => PartMarks::Between(marks),
            (None, None, Some(name)) => PartMarks::Tag(name),
            _ => return item.refuse("`part` needs one of `fence`, `between` and `tag`"),
        };
        if let Some(why) = nothing_has(&marks) {
            return item.refuse(format!("`part`: {why}"));
        }
        Some(Self {
            marks,
            is_optional: part.optional,
            is_last: part.last,
        })
    }

    fn schema(has_base: bool) -> SchemaNode {
        PartTable::schema(has_base)
    }
}
