//! Forms: how a text is read into one [document].

pub(crate) mod document;
pub(crate) mod error;
mod json;
pub(crate) mod lookup;
pub(crate) mod name;
pub(crate) mod nearest;
pub(crate) mod part;
pub(crate) mod places;
mod text;
mod tree;
mod yaml;

use self::error::{FormError, FormErrorKind};
pub(crate) use self::text::scan::fence;
pub(crate) use self::text::{in_item, is_hollow, is_label_line, is_label_name};
use self::tree::Budget;
pub(crate) use self::yaml::number;
use crate::document::tree::{BYTES_IN_TREE, Tree};
use crate::json::fault::not_utf8;
use crate::text::{Span, is_blank, names};

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
        return Err(FormError {
            kind: FormErrorKind::Empty,
            what: "is empty".to_owned(),
            fix: "end with the return as the final message",
            place: Span::new(start, text.len()),
        });
    }
    let mut budget = Budget::default();
    let tree = match form {
        Form::Json => json::read(text),
        Form::Yaml => yaml::read(text, &mut budget),
        Form::Text => {
            let read = text::read(text, options.elements, &mut budget);
            read.map(|value| value.into_tree(text))
        }
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
    std::str::from_utf8(bytes)
        .map_err(|error| FormError::of(FormErrorKind::NotUtf8, not_utf8(bytes, error)))
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
