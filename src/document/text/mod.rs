//! The form of text: Markdown, labels, tags, single lines.
//!
//! Characters tell where code, comments, tags and marks are (`fences`, `scan`). Lines decide what a label, a heading and a list is
//! (`pieces`, `walk`). Both only note places in the text; at the end, the tree is written (`write`).

pub(super) mod fences;
mod lines;
mod pieces;
pub(super) mod scan;
#[cfg(test)]
mod tests;
mod walk;
mod write;

pub(crate) use self::fences::fence_around;
pub(super) use self::lines::trimmed;
pub(crate) use self::lines::{in_item, is_hollow, is_label_name, span_of};
use self::walk::walk;
use self::write::{DraftKind, TextDraft, TextWriter};
use super::error::{Budget, FormError, FormErrorKind};
use super::tree::{Chars, Tree};
use super::yaml;
use crate::text::Span;

pub(super) fn span(start: usize, end: usize) -> Span {
    Span { start, end }
}

/// The parts of a text around fenced code. None if it has too much to be read.
pub(crate) fn outside_code(text: &str) -> Vec<&str> {
    let scanned = scan::scan(text, 0, &[]).map(|it| it.fences);
    let Ok(fences) = scanned else {
        return Vec::new();
    };
    let (mut parts, mut start) = (Vec::new(), 0);
    for place in fences.into_iter().map(|code| code.place) {
        // One in the content of another is passed already.
        parts.extend(text.get(start..place.start));
        start = start.max(place.end);
    }
    parts.extend(text.get(start..));
    parts
}

/// Reads a text from `start` on. `named` are the HTML elements that count as tags.
pub(super) fn read<'t>(text: &'t str, start: usize, named: &[&str]) -> Result<Tree<'t>, FormError> {
    let front = front_matter(text, start).and_then(|(front, end)| Some((front.ok()?, end)));
    let start = front.map_or(start, |(_, end)| end);
    let budget = &mut Budget::default();
    let found = &scan::scan(text, start, named)?;
    let mut members = walk(found, start, budget)?;
    if let Some((front, _)) = front {
        let front = TextDraft::new(DraftKind::FrontMatter, Some(front), None);
        members.insert(3, front.fixed("front_matter"));
    }
    let mut writer = TextWriter { found, tree: Tree::new(text), budget };
    let whole = TextDraft::group(DraftKind::Object, members);
    writer.write(whole, Chars::default())?;
    Ok(writer.tree)
}

/// What stands between two lines `---` at the beginning of a text, and where the rest begins.
pub(super) fn front_matter(text: &str, start: usize) -> Option<(Result<Span, FormError>, usize)> {
    let is_line = |line: &&str| line.trim_end() == "---";
    let mut lines = text[start..].split_inclusive('\n');
    let start = start + lines.next().filter(is_line)?.len();
    let between = lines.clone().take_while(|line| !is_line(line));
    let end = start + between.map(str::len).sum::<usize>();
    let last = lines.find(is_line)?;
    let place = span(start, end);
    let mut data = Tree::new(text);
    let read = yaml::read_part(&mut data, place, Default::default(), &mut Budget::default());
    let read = read.and_then(|()| {
        if data.root().is_object() {
            return Ok(place);
        }
        let what = "has front matter that is not a mapping";
        let fix = "write `name: value` lines between the two lines of hyphens";
        let place = span_of(text, text[start..end].trim_end());
        Err(FormError::new(FormErrorKind::YamlSyntax, what, fix, place))
    });
    Some((read, end + last.len()))
}
