//! The notes of a conversion.

use std::borrow::Cow;
use std::fmt::Write as _;

use crate::text::escape::truncated;

/// One thing that a conversion did or could not do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Note {
    /// What happened.
    pub kind: NoteKind,
    /// RFC 6901 pointer into the source, if there is a value. Not safe to print.
    pub from: Option<String>,
    /// RFC 6901 pointer into the output, if there is a value. Not safe to print.
    pub to: Option<String>,
    /// The reason in one line, safe to print; may be empty.
    pub why: Cow<'static, str>,
}

/// What happened to a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum NoteKind {
    /// The source violates its own profile here.
    Wrong,
    /// It was copied.
    Copied,
    /// It was moved or replaced by another word.
    Mapped,
    /// It was missing and the caller supplied it.
    Supplied,
    /// It was missing and a default was used.
    Defaulted,
    /// The target does not have it; it was kept under `metadata`.
    Kept,
    /// The target cannot express it; it was left unchanged or left out.
    NotExpressed,
}

impl NoteKind {
    pub(crate) fn as_str(self) -> &'static str {
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

/// The width of the first column: the longest name and two spaces.
const COLUMN: usize = 15;

/// One line for each note, and one for everything that was copied. Safe to print.
pub(crate) fn text(notes: &[Note]) -> String {
    let mut text = String::new();
    let is_copied = |note: &&Note| note.kind == NoteKind::Copied;
    let copied = notes.iter().filter(is_copied);
    let copied = copied.filter_map(|note| Some(truncated(note.to.as_deref()?).to_string()));
    let copied = copied.collect::<Vec<_>>().join(", ");
    if !copied.is_empty() {
        let _ = writeln!(text, "{:<COLUMN$}{copied}", NoteKind::Copied.as_str());
    }
    for note in notes.iter().filter(|note| !is_copied(note)) {
        let (kind, places, reason) = (note.kind.as_str(), places(note), reason(note));
        let _ = writeln!(text, "{kind:<COLUMN$}{places}{reason}");
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
