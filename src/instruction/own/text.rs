//! An example return as text with labels.

use std::fmt::Write as _;

use crate::form::is_label_name;
use crate::form::lookup::PointerStep;
use crate::instruction::own::sample::Filled;
use crate::instruction::own::{joined, visible};
use crate::text::escape::multiline;

/// The example: the front matter, the first line, labels, sections, the last line.
pub(super) fn text(filled: &[Filled<'_>]) -> String {
    let below = |member: &str| {
        let pieces = filled
            .iter()
            .filter(move |it| pointer(it).is_some_and(|(first, _)| first == member));
        pieces.collect::<Vec<_>>()
    };
    let mut text = String::new();
    let front = below("front_matter");
    if !front.is_empty() {
        text.push_str("---\n");
        for piece in front {
            let _ = writeln!(text, "{}: {}", name(piece), piece.text);
        }
        text.push_str("---\n\n");
    }
    push_line(&mut text, &joined(&below("first")));
    // A label below a heading belongs to it, so these headings come after all labels.
    let mut headings = String::new();
    for (name, values) in named(filled) {
        if values.iter().any(Below::is_in_section) {
            section(&mut headings, &name, &values);
        } else {
            label(&mut text, &name, &values);
        }
    }
    for piece in filled {
        if let Some(("list", _)) = pointer(piece) {
            push_line(&mut text, &format!("- {}", piece.text));
        }
    }
    push_tags(&mut text, &below("tags"));
    text.push_str(&headings);
    push_line(&mut text, &joined(&below("last")));
    if text.is_empty() {
        push_line(&mut text, &joined(&below("text")));
    }
    multiline(text.trim())
}

/// Writes tags, each inside of the tags that its place names before it.
fn push_tags(text: &mut String, pieces: &[&Filled<'_>]) {
    let value = |piece: &Filled<'_>| match piece.place.steps().last() {
        Some(PointerStep::Name(member)) if member == "list" => format!("\n- {}\n", piece.text),
        _ => piece.text.clone(),
    };
    let mut tags: Vec<_> = pieces.iter().map(|it| (tags_of(it), value(it))).collect();
    tags.sort_by_key(|(names, _)| names[..names.len().saturating_sub(1)].to_vec());
    let mut open: Vec<&str> = Vec::new();
    for (mut outer, value) in tags {
        let inner = outer.pop().unwrap_or("name");
        let shared = open
            .iter()
            .zip(&outer)
            .take_while(|(one, other)| one == other);
        let shared = shared.count();
        close(text, &mut open, shared);
        for name in &outer[shared..] {
            let _ = writeln!(text, "<{name}>");
            open.push(name);
        }
        let _ = writeln!(text, "<{inner}>{value}</{inner}>");
    }
    close(text, &mut open, 0);
}

/// Closes all tags but the first `kept`.
fn close(text: &mut String, open: &mut Vec<&str>, kept: usize) {
    for name in open.drain(kept..).rev() {
        let _ = writeln!(text, "</{name}>");
    }
}

/// The names of the tags on the way to a place, as in `/tags/result/tags/files/list`.
fn tags_of<'f>(piece: &Filled<'f>) -> Vec<&'f str> {
    let (pairs, _) = piece.place.steps().as_chunks();
    let name = |[kind, name]: &'f [PointerStep; 2]| match (kind, name) {
        (PointerStep::Name(kind), PointerStep::Name(name)) if kind == "tags" => Some(&**name),
        _ => None,
    };
    pairs.iter().map_while(name).collect()
}

fn push_line(text: &mut String, line: &str) {
    if !line.is_empty() {
        text.push_str(line);
        text.push('\n');
    }
}

/// What stands at the end of the steps behind a name.
struct Below<'f> {
    steps: &'f [PointerStep],
    value: String,
    /// Whether the name can only be that of a heading.
    is_heading: bool,
}

impl Below<'_> {
    /// The member of a section that the first step leads to.
    fn member(&self) -> Option<&str> {
        let first = match self.steps.first()? {
            PointerStep::Name(name) => name.as_str(),
            PointerStep::Every => return None,
        };
        ["text", "labels", "list", "table", "sections"]
            .into_iter()
            .find(|it| *it == first)
    }

    fn is_in_section(&self) -> bool {
        self.is_heading || self.member().is_some()
    }

    /// The name that the last step has.
    fn last(&self) -> &str {
        match self.steps.last() {
            Some(PointerStep::Name(name)) if self.steps.len() > 1 => name,
            _ => "Name",
        }
    }
}

/// The names of an example in their order, each with what stands below it.
fn named<'f>(filled: &'f [Filled<'_>]) -> Vec<(String, Vec<Below<'f>>)> {
    let mut names: Vec<(String, Vec<Below<'f>>)> = Vec::new();
    for piece in filled {
        let (name, steps, is_heading) = match pointer(piece) {
            None => {
                let name = visible(piece.place.name().unwrap_or_default());
                let is_heading = !is_label_name(&name);
                (name, piece.place.steps(), is_heading)
            }
            Some(("labels", rest)) => (name(piece), rest.get(1..).unwrap_or_default(), false),
            Some(("sections", rest)) => (name(piece), rest.get(1..).unwrap_or_default(), true),
            Some(_) => continue,
        };
        let value = value(piece);
        let below = Below {
            steps,
            value,
            is_heading,
        };
        match names.iter_mut().find(|it| it.0 == name) {
            Some((_, values)) => values.push(below),
            None => names.push((name, vec![below])),
        }
    }
    names
}

fn value(piece: &Filled<'_>) -> String {
    if piece.is_path {
        format!("`{}`", piece.text)
    } else {
        piece.text.clone()
    }
}

/// Writes a label with its value, or with the lines below it.
fn label(text: &mut String, name: &str, values: &[Below<'_>]) {
    let inline: Vec<_> = values.iter().filter(|it| it.steps.is_empty()).collect();
    match inline[..] {
        [] => {}
        [one] => return push_line(text, &format!("{name}: {}", one.value)),
        // Expressions take each its part of the line.
        _ => {
            let values = inline.iter().map(|it| it.value.trim_matches('`'));
            let values = values.collect::<Vec<_>>().join(" ");
            return push_line(text, &format!("{name}: {values}"));
        }
    }
    let _ = writeln!(text, "{name}:");
    let is_named = |it: &&Below<'_>| matches!(it.steps.first(), Some(PointerStep::Name(_)));
    for below in values.iter().filter(is_named) {
        if let Some(PointerStep::Name(member)) = below.steps.first() {
            let _ = writeln!(text, "  {member}: {}", below.value);
        }
    }
    // Every member is there if one is.
    if let ([one, ..], None) = (values, values.iter().find(is_named)) {
        let _ = writeln!(text, "  one: {}", one.value);
    }
}

/// Writes a heading with what stands below it: text, labels, a list, a table, headings.
fn section(text: &mut String, name: &str, values: &[Below<'_>]) {
    let _ = writeln!(text, "\n## {name}\n");
    let of = |member: &'static str| values.iter().filter(move |it| it.member() == Some(member));
    for below in values {
        let _ = match (below.member(), below.steps.first()) {
            (None, Some(PointerStep::Every)) | (Some("list"), _) => {
                writeln!(text, "- {}", below.value)
            }
            (None, Some(PointerStep::Name(member))) => writeln!(text, "{member}: {}", below.value),
            (Some("labels"), _) => writeln!(text, "{}: {}", below.last(), below.value),
            (None | Some("text"), _) => writeln!(text, "{}", below.value),
            _ => continue,
        };
    }
    let cells =
        |cell: &dyn Fn(&Below<'_>) -> String| of("table").map(cell).collect::<Vec<_>>().join(" | ");
    if of("table").next().is_some() {
        let (head, row) = (
            cells(&|it| it.last().to_owned()),
            cells(&|it| it.value.clone()),
        );
        let ruler = cells(&|_| "---".to_owned());
        let _ = writeln!(text, "| {head} |\n| {ruler} |\n| {row} |");
    }
    for (index, below) in of("sections").enumerate() {
        if index == 0 {
            text.push_str("### One\n\n");
        }
        let _ = writeln!(text, "{}: {}", below.last(), below.value);
    }
}

/// The first step of a pointer, and the others. None for a name.
fn pointer<'f>(piece: &'f Filled<'_>) -> Option<(&'f str, &'f [PointerStep])> {
    if piece.place.name().is_some() {
        return None;
    }
    match piece.place.steps().split_first() {
        Some((PointerStep::Name(first), rest)) => Some((first, rest)),
        _ => Some(("text", &[])),
    }
}

/// The name in the second step of a pointer.
fn name(piece: &Filled<'_>) -> String {
    match pointer(piece).and_then(|(_, rest)| rest.first()) {
        Some(PointerStep::Name(name)) => visible(name),
        _ => "Name".to_owned(),
    }
}
