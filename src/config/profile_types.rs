//! The values of keys that only profiles have.

use crate::config::reader::TomlItem;
use crate::config::types::{
    FromToml, OneOrMore, invalid_glob, matching, pair, text, toml_table, toml_types, word,
};
use crate::document::part::PartMarks;
use crate::json_schema::SchemaNode;
use crate::profile::{Action, FilePattern, Meaning, ReturnPart, fill_placeholders};
use crate::text::escape::truncated;

/// What a word of the status means: what it claims, or what follows it. None takes the word away.
#[derive(Clone, Copy)]
pub(super) struct WordMeaning(pub(super) Option<(Meaning, Option<Action>)>);

impl WordMeaning {
    /// What a word can mean. In a profile that extends another one, `actions` says what follows.
    fn all(has_base: bool) -> Vec<&'static str> {
        let meanings = Meaning::ALL.map(Meaning::as_str);
        // An agent's own word ends nothing and leaves nothing open.
        let actions = Action::ALL[..5].iter().map(|it| it.as_str());
        let others = if has_base { vec!["off"] } else { actions.collect() };
        [&meanings[..], &others].concat()
    }
}

impl FromToml for WordMeaning {
    fn read(item: &TomlItem<'_>) -> Option<Self> {
        let word = word(item, &Self::all(item.has_base))?;
        let meaning = word.parse().map(|meaning| (meaning, None));
        let action = |_| word.parse().map(|action| (Meaning::Other, Some(action)));
        Some(Self(meaning.or_else(action).ok()))
    }

    fn schema(has_base: bool) -> SchemaNode {
        SchemaNode::one_of(Self::all(has_base))
    }
}

/// Whether a success needs artifacts.
pub(super) struct OnSuccess(pub(super) bool);

/// The agent's own prompt says how to return, not retval.
pub(super) struct Uninstructed;

const COUNT_AT_MOST: usize = 1_000_000_000;

pub(super) struct PathTemplate(pub(super) String);

toml_types! {
    OnSuccess = |item| word(item, &["required", "allowed"]).map(|it| Self(it == "required")),
        SchemaNode::one_of(["required", "allowed"]);
    Uninstructed = |item| word(item, &["none"]).map(|_| Self), SchemaNode::one_of(["none"]);
    usize = |item| {
        let Some(number) = item.number() else {
            return item.expected("an integer");
        };
        let count = usize::try_from(number).ok();
        let count = count.filter(|count| (1..=COUNT_AT_MOST).contains(count));
        count.or_else(|| item.invalid(format_args!(
            "invalid value: integer `{number}`, expected a number between 1 and {COUNT_AT_MOST}"
        )))
    }, SchemaNode {
        minimum: Some(1),
        maximum: Some(COUNT_AT_MOST as u64),
        ..SchemaNode::of_type("integer")
    };
    (usize, usize) = |item| match Vec::read(item)?[..] {
        [fewest, most] if fewest <= most => Some((fewest, most)),
        [fewest, most] => item.invalid(format_args!(
            "the fewest sentences must not be more than the most, found {fewest} and {most}"
        )),
        _ => item.invalid("expected [FEWEST, MOST] or \"off\""),
    }, pair(usize::schema(false));
    FilePattern = |item| {
        let glob = item.text()?;
        if glob.split('/').any(|part| ["", ".", ".."].contains(&part)) {
            return item.invalid(
                "expected names of files, with folders such as `plans/*.json` or without"
            );
        }
        let pattern = Self::parse(glob);
        pattern.map_or_else(|error| item.invalid(invalid_glob(glob, &error)), Some)
    }, matching("^[^/]+(/[^/]+)*$".to_owned());
    PathTemplate = |item| {
        let template = item.text()?;
        if fill_placeholders(template, "", "", "").contains(['{', '}']) {
            return item.invalid(
                "unknown placeholder in the path of handoff files; use {session}, {group} and {agent}"
            );
        }
        if template.starts_with('/') {
            return item.invalid("the path of handoff files must be relative to the root");
        }
        Some(Self(template.to_owned()))
    }, text();
    ReturnPart = |item| {
        let part = PartTable::read(item)?;
        let marks = match (part.fence, part.between, part.tag) {
            (Some(OneOrMore(words)), None, None) => PartMarks::Fence(words),
            (None, Some(marks), None) => PartMarks::Between(marks),
            (None, None, Some(name)) => PartMarks::Tag(name),
            _ => return item.refuse("`part` needs one of `fence`, `between` and `tag`"),
        };
        if let Some(why) = nothing_has(&marks) {
            return item.refuse(format!("`part`: {why}"));
        }
        Some(Self { marks, is_optional: part.optional, is_last: part.last })
    }, PartTable::schema(false);
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
    let words = match marks {
        PartMarks::Between(_) => return None,
        PartMarks::Fence(words) if words.is_empty() => {
            return Some("`fence` needs a word".to_owned());
        }
        PartMarks::Fence(words) => words,
        PartMarks::Tag(tag) if tag.contains(['<', '>', '/']) => {
            let is_of_name = |it: char| it.is_ascii_alphanumeric() || "_-.:".contains(it);
            let name = truncated(tag.trim_matches(|it| !is_of_name(it)));
            let tag = truncated(tag);
            return Some(format!("`{tag}` is not the name of a tag; write `{name}`"));
        }
        PartMarks::Tag(tag) => std::slice::from_ref(tag),
    };
    let is_word = |it: &&String| !it.is_empty() && !it.contains(char::is_whitespace);
    let name = truncated(words.iter().find(|it| !is_word(it))?);
    Some(format!("`{name}` is not a single word, so that nothing has it"))
}
