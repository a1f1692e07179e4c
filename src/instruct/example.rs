//! An example return in each form, written from the view of its profile.

use std::fmt::Write as _;

use crate::document::Form;
use crate::document::part::PartMarks;
use crate::instruct::view::{ValueView, What, quoted};
use crate::instruct::{Instruction, places};
use crate::profile::sample::FILLER;
use crate::text::escape::multiline;

/// An example of a built-in profile. Safe to print, as all of them.
pub(super) fn json(document: &ValueView<'_>) -> String {
    let mut text = String::new();
    push_json(&mut text, document, 0);
    text
}

/// An example of a profile of one's own, between the marks of the part that is read.
pub(super) fn own(instruction: &Instruction<'_>) -> String {
    let profile = instruction.profile;
    let text = match profile.form {
        Form::Text => multiline(places::text(instruction).trim()),
        Form::Json => json(&places::document(instruction)),
        Form::Yaml => {
            let document = places::document(instruction);
            let mut text = String::new();
            push_yaml(&mut text, &document, 0);
            if text.is_empty() { json(&document) } else { multiline(text.trim()) }
        }
    };
    let Some(part) = &profile.part else {
        return text;
    };
    let text = if text.is_empty() { FILLER } else { &text };
    let [start, end] = match &part.marks {
        PartMarks::Fence(words) => {
            let word = words.first().map_or("", String::as_str);
            [format!("```{}", multiline(word)), "```".to_owned()]
        }
        PartMarks::Between(marks) => marks.each_ref().map(|it| multiline(it)),
        PartMarks::Tag(name) => [format!("<{name}>"), format!("</{name}>")],
    };
    format!("{start}\n{text}\n{end}")
}

impl<'p> ValueView<'p> {
    /// The members that an example has, in its order. A list has one item, with a name where items have names.
    fn shown(&self) -> Vec<(&'p str, &Self)> {
        match &self.what {
            What::Record(members) => {
                let shown = members.iter().filter(|(_, member)| member.is_shown);
                shown.map(|(name, member)| (*name, member)).collect()
            }
            What::List(item) if item.is_shown => vec![("One", &**item)],
            _ => Vec::new(),
        }
    }
}

fn push_json(text: &mut String, node: &ValueView<'_>, depth: usize) {
    match &node.what {
        _ if !node.sample.is_empty() => text.push_str(&node.sample),
        What::List(item) => {
            text.push('[');
            push_json(text, item, depth);
            text.push(']');
        }
        _ => {
            let (shown, indent) = (node.shown(), "  ".repeat(depth));
            text.push('{');
            for (index, (name, member)) in shown.iter().enumerate() {
                let comma = if index == 0 { "" } else { "," };
                let _ = write!(text, "{comma}\n{indent}  {}: ", quoted(name));
                push_json(text, member, depth + 1);
            }
            if !shown.is_empty() {
                let _ = write!(text, "\n{indent}");
            }
            text.push('}');
        }
    }
}

/// Scalars are those of JSON.
fn push_yaml(text: &mut String, node: &ValueView<'_>, depth: usize) {
    let indent = "  ".repeat(depth);
    let is_list = matches!(node.what, What::List(_));
    for (name, member) in node.shown() {
        let mark = if is_list { "-" } else { &(quoted(name) + ":") };
        let space = if member.sample.is_empty() { "" } else { " " };
        let _ = writeln!(text, "{indent}{mark}{space}{}", member.sample);
        if member.sample.is_empty() {
            push_yaml(text, member, depth + 1);
        }
    }
}
