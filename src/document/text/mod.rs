//! The form of text: Markdown, labels, tags, single lines.
//!
//! Lines decide what a label, a heading and a list is. A Markdown reader says which lines are code,
//! a comment or a table, and which marks there are inside of lines.

mod draft;
mod entries;
mod lines;
mod markdown;
pub(super) mod scan;
mod sections;
#[cfg(test)]
mod tests;
mod walk;

use self::draft::TextDraft;
pub(super) use self::lines::span_of;
pub(crate) use self::lines::{in_item, is_hollow, is_label_line, is_label_name};
use self::markdown::Markup;
use self::walk::walk;
use super::error::{Budget, FormError, FormErrorKind};
use super::tree::Tree;
use super::yaml;
use crate::text::Span;

/// How many bytes the Markdown reader gets at once. It keeps a node for each line and mark.
const PIECE: usize = 1 << 18;

pub(super) fn span(start: usize, end: usize) -> Span {
    Span { start, end }
}

/// Reads a text. `named` are the HTML elements that count as tags.
pub(super) fn read<'t>(
    text: &'t str,
    named: &[&str],
    budget: &mut Budget,
) -> Result<Tree<'t>, FormError> {
    let (front, start) = match front_matter(text, budget) {
        Some((Ok(data), range)) => (Some(TextDraft::data(data, range.start)), range.end),
        _ => (None, 0),
    };
    let elements = scan::elements(text, start, named)?;
    let markup = Markup::read(text, start, &elements, budget)?;
    let mut members = walk(start, &markup, &elements.all, budget)?;
    if let Some(front) = front {
        members.insert(3, front.named("front_matter"));
    }
    Ok(TextDraft::fixed(members).into_tree(text))
}

/// What stands between two lines `---` at the beginning of a text, with the bytes from its own beginning to that of
/// the rest. None if there are no two such lines.
pub(super) fn front_matter<'t>(
    text: &'t str,
    budget: &mut Budget,
) -> Option<(Result<Tree<'t>, FormError>, Span)> {
    let is_line = |line: &&str| line.trim_end() == "---";
    let mut lines = text.split_inclusive('\n');
    let start = lines.next().filter(is_line)?.len();
    let between = lines.clone().take_while(|line| !is_line(line));
    let end = start + between.map(str::len).sum::<usize>();
    let last = lines.find(is_line)?;
    let data = yaml::read(&text[start..end], budget).map_err(|error| error.shifted(start));
    let data = data.and_then(|mut data| {
        if data.root().is_object() {
            data.mark(0, true, None);
            return Ok(data);
        }
        let what = "has front matter that is not a mapping";
        let fix = "write `name: value` lines between the two lines of hyphens";
        let place = span_of(text, text[start..end].trim_end());
        Err(FormError::new(FormErrorKind::YamlSyntax, what, fix, place))
    });
    Some((data, span(start, end + last.len())))
}
