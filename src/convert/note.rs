//! What a conversion says of itself.

use std::borrow::Cow;
use std::fmt::Write as _;

use crate::text::escape::truncated;

/// One thing that a conversion did, or could not do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// What became of it.
    pub kind: NoteKind,
    /// RFC 6901 pointer into the source; none where nothing stood for it there. Its keys are
    /// exactly the source's: not safe to print.
    pub from: Option<String>,
    /// RFC 6901 pointer into the output; none where nothing stands for it there. Not safe to print.
    pub to: Option<String>,
    /// Why, in a line that is safe to print; empty where nothing is to be said.
    pub why: Cow<'static, str>,
}

/// What became of something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NoteKind {
    /// The source breaks its own standard here.
    Wrong,
    /// It stands in the output as it stood in the source.
    Copied,
    /// It has another place or another word.
    Mapped,
    /// The source lacked it and the caller gave it.
    Supplied,
    /// Nobody gave it: a stand-in, no fact.
    Defaulted,
    /// The target has no place of its own for it: it stands under `metadata`.
    Kept,
    /// The target has no word for it: it stands as it was, or is left out.
    NotExpressed,
}

impl NoteKind {
    /// Its name in the text.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Wrong => "wrong",
            Self::Copied => "copied",
            Self::Mapped => "mapped",
            Self::Supplied => "supplied",
            Self::Defaulted => "defaulted",
            Self::Kept => "kept",
            Self::NotExpressed => "not expressed",
        }
    }
}

/// Columns of the first word: the longest name and two spaces.
const COLUMN: usize = 15;

/// A line a note, and one for all that was copied. Safe to print.
#[must_use]
pub fn text(notes: &[Note]) -> String {
    let mut text = String::new();
    let (copied, others): (Vec<_>, Vec<_>) =
        notes.iter().partition(|note| note.kind == NoteKind::Copied);
    let copied: Vec<_> = copied
        .iter()
        .filter_map(|note| note.to.as_deref())
        .collect();
    if !copied.is_empty() {
        let copied: Vec<_> = copied
            .into_iter()
            .map(|to| truncated(to).to_string())
            .collect();
        let _ = writeln!(
            text,
            "{:<COLUMN$}{}",
            NoteKind::Copied.name(),
            copied.join(", ")
        );
    }
    for note in others {
        let _ = writeln!(
            text,
            "{:<COLUMN$}{}{}",
            note.kind.name(),
            places(note),
            reason(note)
        );
    }
    text
}

fn places(note: &Note) -> String {
    match (&note.from, &note.to) {
        (Some(from), Some(to)) if from != to => format!("{} -> {}", truncated(from), truncated(to)),
        (Some(place), _) | (None, Some(place)) => truncated(place).to_string(),
        (None, None) => String::new(),
    }
}

fn reason(note: &Note) -> String {
    let is_placed = note
        .from
        .as_ref()
        .or(note.to.as_ref())
        .is_some_and(|place| !place.is_empty());
    match note.why.as_ref() {
        "" => String::new(),
        why if is_placed => format!(": {why}"),
        why => why.to_owned(),
    }
}
