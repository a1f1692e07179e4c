//! Documents: how a text is read into one [tree](tree::Tree) of values, whatever its form, and what is wrong with a
//! text that cannot be read.

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
use self::extract::ReturnShape;
use self::fault::{diagnose, half_pair, not_utf8};
use self::json::Refused;
pub(crate) use self::text::{
    fence_around, in_item, is_hollow, is_label_name, outside_code, span_of,
};
use self::tree::{BYTES_IN_TREE, NodeKey, Tree};
use crate::text::{Span, escape, is_blank, names};

pub(crate) const DEPTH_AT_MOST: usize = 128;

/// Bytes that one return may have unless [`Checker::max_bytes`](crate::Checker::max_bytes) says otherwise: 16 MiB.
pub(crate) const BYTES_AT_MOST: u64 = 16 * 1024 * 1024;

/// Most list items and keys in one return. Each can take several hundred bytes of memory during the check,
/// but as little as two bytes of text. Real returns have a thousandth of this.
pub(crate) const ITEMS_AT_MOST: usize = 100_000;

names! {
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

#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ReadOptions<'o> {
    /// The bytes of the message that are the return. None for all.
    pub part: Option<Span>,
    /// Names of HTML elements that count as tags. All other elements of HTML are only formatting.
    pub elements: &'o [&'o str],
}

/// Reads a message in a form. All places are in bytes of the message.
pub(crate) fn read<'t>(
    form: Form,
    message: &'t str,
    options: &ReadOptions<'_>,
) -> Result<Tree<'t>, FormError> {
    if message.len() as u64 > BYTES_IN_TREE {
        let what = format!("is larger than {BYTES_IN_TREE} bytes");
        return Err(FormError::limit(what, Span::default()));
    }
    let part = part_of(message, options.part, form);
    // Nothing is read behind the part, and before it nothing is looked at.
    let text = &message[..part.end];
    if is_blank(&text[part.start..]) {
        let fix = "end with the return as the final message";
        return Err(FormError::new(FormErrorKind::Empty, "is empty", fix, part));
    }
    if form == Form::Text {
        return text::read(text, part.start, options.elements);
    }
    let mut tree = Tree::new(text);
    let key = NodeKey::default();
    if form == Form::Yaml {
        yaml::read_part(&mut tree, part, key, &mut Budget::default())?;
        return Ok(tree);
    }
    let read = json::read_part(&mut tree, part, key);
    read.map_err(|refused| not_json(&text[part.start..], refused).shifted(part.start))?;
    if let Some(twice) = tree.duplicate_keys().first() {
        let place = twice.key_place().unwrap_or_default();
        let key = escape::truncated(&text[place.start..place.end]);
        let what = format!("has the key {key} twice in one object");
        let kind = FormErrorKind::JsonDuplicateKey;
        return Err(FormError::twice(kind, what, place));
    }
    Ok(tree)
}

/// The text of a message of at most `most` bytes.
pub(crate) fn text_of(bytes: &[u8], most: u64) -> Result<&str, FormError> {
    if bytes.len() as u64 > most {
        let what = format!("is larger than {most} bytes");
        return Err(FormError::limit(what, Span::default()));
    }
    std::str::from_utf8(bytes).map_err(not_utf8)
}

fn not_json(text: &str, refused: Refused) -> FormError {
    if let Err(error) = serde_json::from_str::<IgnoredAny>(text) {
        return diagnose(text, &error, &ReturnShape::default());
    }
    match refused {
        Refused::Depth(at) => FormError::too_deep(Span::new(at, 1)),
        Refused::Items(end) => FormError::too_many(Span::new(end, 0)),
        Refused::Syntax | Refused::HalfPair(_) => half_pair(text),
    }
}

/// Why what stands between two lines `---` at the beginning is no front matter, for whoever misses it.
pub(crate) fn front_matter_error(message: &str, part: Option<Span>) -> Option<FormError> {
    let part = part_of(message, part, Form::Text);
    let (front, _) = text::front_matter(&message[..part.end], part.start)?;
    front.err()
}

/// Where the return is in a message, without the byte-order mark that some editors put at the beginning.
fn part_of(message: &str, part: Option<Span>, form: Form) -> Span {
    let mut part = part.unwrap_or(Span::new(0, message.len()));
    if form != Form::Json && message[part.start..part.end].starts_with('\u{feff}') {
        part.start += '\u{feff}'.len_utf8();
    }
    part
}
