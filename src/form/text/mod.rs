//! The form of text: Markdown, labels, tags, single lines.
//!
//! Lines decide what a label, a heading and a list is. A Markdown reader says which lines are code,
//! a comment or a table, and which marks there are inside of lines.

mod blocks;
mod commonmark;
mod entries;
mod hollow;
mod html;
mod line;
mod marks;
mod plain;
pub(super) mod scan;
mod section;
pub(super) mod tags;
#[cfg(test)]
mod tests;
mod walk;

use std::borrow::Cow;

pub(crate) use self::hollow::{in_item, is_hollow};
pub(crate) use self::line::{is_label_line, is_label_name};
use self::walk::TextWalk;
use super::document::{Content, PlacedValue};
use super::error::{FormError, FormErrorKind};
use super::tree::Budget;
use super::yaml;
use crate::text::Span;

/// Reads a text. `named` are the HTML elements that count as tags.
pub(super) fn read<'t>(
    text: &'t str,
    named: &[&str],
    budget: &mut Budget,
) -> Result<PlacedValue<'t>, FormError> {
    let front = front_matter(text, budget);
    let (front, start) = match front {
        Some((Ok(value), end)) => (Some(value), end),
        _ => (None, 0),
    };
    let elements = tags::elements(text, start, named)?;
    let markup = commonmark::read(text, start, &elements, budget)?;
    let walk = TextWalk::new(text, start, &markup, &elements, budget);
    let mut members = walk.run(start)?;
    if let Some(front) = front {
        members.insert(3, (Cow::Borrowed("front_matter"), front));
    }
    Ok(PlacedValue::unplaced(section::fixed(members)))
}

/// What stands between two lines `---` at the beginning of a text, and where it ends. None if there are
/// no two such lines.
pub(super) fn front_matter<'t>(
    text: &'t str,
    budget: &mut Budget,
) -> Option<(Result<PlacedValue<'t>, FormError>, usize)> {
    let is_line = |line: &str| line.trim_end() == "---";
    let mut lines = text.split_inclusive('\n');
    let first = lines.next().filter(|line| is_line(line))?;
    let start = first.len();
    let mut end = start;
    for line in lines {
        if is_line(line) {
            let value = mapping(&text[start..end], start, budget);
            return Some((value, end + line.len()));
        }
        end += line.len();
    }
    None
}

/// A YAML mapping that begins at `start`.
fn mapping<'t>(
    text: &'t str,
    start: usize,
    budget: &mut Budget,
) -> Result<PlacedValue<'t>, FormError> {
    let mut data = yaml::read(text, budget).map_err(|error| error.shifted(start))?;
    if data.root().is_object() {
        data.mark(0, true, None);
        return Ok(PlacedValue::unplaced(Content::Data(data, start)));
    }
    Err(FormError {
        kind: FormErrorKind::YamlSyntax,
        what: "has front matter that is not a mapping".to_owned(),
        fix: "write `name: value` lines between the two lines of hyphens",
        place: Span::new(start, text.trim_end().len()),
    })
}
