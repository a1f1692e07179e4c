//! What a profile says of each value of its documents: the one view that the example and the schemas are
//! made from, of built-in profiles and of standards of one's own.

use crate::profile::fields::Type;
use crate::profile::{Agent, FieldSpec, Need, Status};
use crate::text::escape;

/// A value that a profile describes.
pub(super) struct ValueView<'p> {
    /// Its path, as in [`FieldSpec::path`].
    pub(super) path: String,
    pub(super) need: Need,
    /// Its purpose, in a sentence.
    pub(super) about: Option<&'static str>,
    /// The words that it can be. Empty if it can be anything.
    pub(super) words: Vec<&'p str>,
    /// What an example has there, as JSON. Empty if that is made of what is inside.
    pub(super) sample: String,
    /// Whether an example has it.
    pub(super) is_shown: bool,
    /// Where it stands among the members of its object in an example.
    pub(super) rank: usize,
    pub(super) what: What<'p>,
}

pub(super) enum What<'p> {
    Leaf(Type),
    /// A value of which only the place is known.
    Unread,
    List(Box<ValueView<'p>>),
    /// An object with arbitrary keys.
    Map(Box<ValueView<'p>>),
    Record(Vec<(&'p str, ValueView<'p>)>),
}

/// Which members of a document are described.
#[derive(Clone, Copy)]
pub(super) enum Whose<'p> {
    /// The members of the documents of any agent.
    All,
    /// The members of the documents of this agent.
    Of(&'p Agent),
    /// The members that the documents of all agents have.
    Common,
    /// The members that the documents of this agent have in addition to those of all agents. None is an
    /// agent that the profile does not know.
    Own(Option<&'p Agent>),
}

impl Whose<'_> {
    pub(super) fn has(self, field: &FieldSpec, is_top: bool) -> bool {
        match self {
            Self::All => true,
            Self::Of(agent) => field.is_of(Some(agent)),
            Self::Common => field.agents.is_empty(),
            Self::Own(agent) => field.is_of(agent) && !(is_top && field.agents.is_empty()),
        }
    }
}

/// The words of statuses, each once.
pub(super) fn words<'p>(statuses: impl Iterator<Item = &'p Status>) -> Vec<&'p str> {
    let mut words = Vec::new();
    for status in statuses {
        if !words.contains(&&*status.word) {
            words.push(&*status.word);
        }
    }
    words
}

/// A text as JSON, safe to print.
pub(super) fn quoted(text: &str) -> String {
    let text = serde_json::to_string(text).unwrap_or_default();
    escape::json(&text).into_owned()
}
