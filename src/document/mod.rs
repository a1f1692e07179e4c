//! Documents: how a text is read into one [tree](tree::Tree) of values, whatever its form, and what is wrong with a
//! text that cannot be read.

mod clues;
pub(crate) mod error;
pub(crate) mod extract;
pub(crate) mod fault;
pub(crate) mod json;
pub(crate) mod lookup;
pub(crate) mod name;
pub(crate) mod part;
pub(crate) mod pointer;
mod text;
pub(crate) mod tree;
mod yaml;

use serde::de::IgnoredAny;

use self::error::{Budget, FormError, FormErrorKind};
use self::fault::{diagnose, half_pair, not_utf8};
use self::json::Refused;
pub(crate) use self::text::scan::fence;
pub(crate) use self::text::{in_item, is_hollow, is_label_line, is_label_name};
use self::tree::{BYTES_IN_TREE, Tree};
use crate::text::{Span, escape, is_blank, names};

/// How deep arrays and objects may be nested.
pub(crate) const DEPTH_AT_MOST: usize = 128;

/// Bytes that one return may have unless [`Checker::max_bytes`](crate::Checker::max_bytes) says otherwise: 16 MiB.
pub(crate) const BYTES_AT_MOST: u64 = 16 * 1024 * 1024;

/// Most list items and keys in one return. Each can take several hundred bytes of memory during the check,
/// but as little as two bytes of text. Real returns have a thousandth of this.
pub(crate) const ITEMS_AT_MOST: usize = 100_000;

names! {
    /// How a return is written.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
    pub(crate) enum Form: "form" {
        /// One JSON value.
        #[default]
        Json = "json",
        /// One YAML 1.2 document that JSON can hold.
        Yaml = "yaml",
        /// Text with labels, headings, lists, tags.
        Text = "text",
    }
}

/// What is read of a message.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ReadOptions<'o> {
    /// The bytes of the message that are the return. None for all.
    pub part: Option<Span>,
    /// Names of HTML elements that count as tags. All other elements of HTML are only formatting.
    pub elements: &'o [&'o str],
}

/// Reads a message in a form. All places are in bytes of the whole message.
pub(crate) fn read<'t>(
    form: Form,
    message: &'t str,
    options: &ReadOptions<'_>,
) -> Result<Tree<'t>, FormError> {
    let (start, text) = match form {
        Form::Json => part_of(message, options.part),
        Form::Yaml | Form::Text => without_mark(part_of(message, options.part)),
    };
    if message.len() as u64 > BYTES_IN_TREE {
        let what = format!("is larger than {BYTES_IN_TREE} bytes");
        return Err(FormError::limit(what, Span::default()));
    }
    if is_blank(text) {
        let (fix, place) = (
            "end with the return as the final message",
            Span::new(start, text.len()),
        );
        return Err(FormError::new(FormErrorKind::Empty, "is empty", fix, place));
    }
    let mut budget = Budget::default();
    let tree = match form {
        Form::Json => read_json(text),
        Form::Yaml => yaml::read(text, &mut budget),
        Form::Text => text::read(text, options.elements, &mut budget),
    };
    let mut tree = tree.map_err(|error| error.shifted(start))?;
    tree.shift(start, message);
    Ok(tree)
}

/// The text of a message of at most `most` bytes.
pub(crate) fn text_of(bytes: &[u8], most: u64) -> Result<&str, FormError> {
    if bytes.len() as u64 > most {
        let what = format!("is larger than {most} bytes");
        return Err(FormError::limit(what, Span::default()));
    }
    std::str::from_utf8(bytes).map_err(|error| not_utf8(bytes, error))
}

/// Reads JSON that has each key once.
fn read_json(text: &str) -> Result<Tree<'_>, FormError> {
    let tree = json::read(text).map_err(|refused| not_json(text, refused))?;
    if let Some(twice) = tree.duplicate_keys().first() {
        let place = twice.key_place().unwrap_or_default();
        let key = escape::truncated(&text[place.start..place.end]);
        let what = format!("has the key {key} twice in one object");
        return Err(FormError::twice(
            FormErrorKind::JsonDuplicateKey,
            what,
            place,
        ));
    }
    Ok(tree)
}

fn not_json(text: &str, refused: Refused) -> FormError {
    if let Err(error) = serde_json::from_str::<IgnoredAny>(text) {
        return diagnose(text, &error);
    }
    match refused {
        Refused::Depth(at) => FormError::too_deep(Span::new(at, 1)),
        Refused::Items(end) => FormError::too_many(Span::new(end, 0)),
        Refused::Syntax | Refused::HalfPair(_) => half_pair(text),
    }
}

/// Why the beginning of a text is no front matter, although it stands between two lines `---`. None if
/// it is, or if there are no such lines. It is for whoever misses the front matter in a document.
pub(crate) fn front_matter_error(message: &str, part: Option<Span>) -> Option<FormError> {
    let (start, text) = without_mark(part_of(message, part));
    let (front, _) = text::front_matter(text, &mut Budget::default())?;
    front.err().map(|error| error.shifted(start))
}

/// The same text without the byte-order mark that some editors put at the beginning.
fn without_mark((start, text): (usize, &str)) -> (usize, &str) {
    let rest = text.strip_prefix('\u{feff}').unwrap_or(text);
    (start + text.len() - rest.len(), rest)
}

/// Where the return begins in a message, and its text.
fn part_of(message: &str, part: Option<Span>) -> (usize, &str) {
    let part = part.unwrap_or(Span::new(0, message.len()));
    (part.start, &message[part.start..part.end])
}
