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
    for piece in filled {
        match pointer(piece) {
            None => match &*visible(piece.place.name().unwrap_or_default()) {
                name if is_label_name(name) => label(&mut text, name, piece),
                name => heading(&mut headings, name, piece),
            },
            Some(("labels", _)) => label(&mut text, &name(piece), piece),
            Some(("sections", _)) => {
                let _ = writeln!(text, "\n## {}\n\n{}", name(piece), piece.text);
            }
            Some(("list", _)) => push_line(&mut text, &format!("- {}", piece.text)),
            Some(_) => {}
        }
    }
    push_tags(&mut text, &below("tags"));
    text.push_str(&headings);
    push_line(&mut text, &joined(&below("last")));
    if text.is_empty() {
        push_line(&mut text, &joined(&below("text")));
    }
    multiline(text.trim_end())
}

/// Writes tags, each inside of the tags that its place names before it.
fn push_tags(text: &mut String, pieces: &[&Filled<'_>]) {
    let mut tags: Vec<_> = pieces.iter().map(|it| (tags_of(it), &it.text)).collect();
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

/// Writes a heading with the text below it.
fn heading(text: &mut String, name: &str, piece: &Filled<'_>) {
    let value = value(piece);
    let _ = match piece.place.steps().first() {
        None => writeln!(text, "\n## {name}\n\n{value}"),
        Some(PointerStep::Every) => writeln!(text, "\n## {name}\n\n- {value}"),
        Some(PointerStep::Name(member)) => writeln!(text, "\n## {name}\n\n{member}: {value}"),
    };
}

fn value(piece: &Filled<'_>) -> String {
    if piece.is_path {
        format!("`{}`", piece.text)
    } else {
        piece.text.clone()
    }
}

/// Writes a label with its value, or with the lines below it.
fn label(text: &mut String, name: &str, piece: &Filled<'_>) {
    let steps = piece.place.steps();
    let own = usize::from(piece.place.name().is_none()) * 2;
    let value = value(piece);
    let _ = match steps.get(own..).and_then(<[PointerStep]>::first) {
        None => writeln!(text, "{name}: {value}"),
        Some(PointerStep::Every) => writeln!(text, "{name}:\n  one: {value}"),
        Some(PointerStep::Name(member)) => writeln!(text, "{name}:\n  {member}: {value}"),
    };
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
