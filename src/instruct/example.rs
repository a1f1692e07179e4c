//! An example return in each form, written from the view of its profile.

use std::fmt::Write as _;

use crate::document::Form;
use crate::document::part::PartMarks;
use crate::instruct::view::{ValueView, What, quoted};
use crate::profile::Profile;
use crate::profile::sample::FILLER;
use crate::profile::told::visible;
use crate::text::escape::multiline;

/// An example of a built-in profile. Safe to print, as all of them.
pub(super) fn json(document: &ValueView<'_>) -> String {
    let mut text = String::new();
    push_json(&mut text, document, 0);
    text
}

/// An example of a standard of one's own, between the marks of the part that is read.
pub(super) fn own(document: &ValueView<'_>, profile: &Profile) -> String {
    let mut text = String::new();
    match profile.form {
        Form::Yaml if !document.shown().is_empty() => push_yaml(&mut text, document, 0),
        Form::Json | Form::Yaml => push_json(&mut text, document, 0),
        Form::Text => push_section(&mut text, document, 2),
    }
    let text = match profile.form {
        Form::Json => text,
        Form::Yaml | Form::Text => multiline(text.trim()),
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

    fn part(&self, name: &str) -> Option<&Self> {
        let mut shown = self.shown().into_iter();
        shown.find_map(|(known, member)| (known == name).then_some(member))
    }

    /// The sample of a text without quotation marks. If there is none, that of what is inside.
    fn plain(&self) -> String {
        match self.shown().first() {
            Some((_, inner)) if self.sample.is_empty() => inner.plain(),
            _ => serde_json::from_str(&self.sample).unwrap_or_else(|_| self.sample.clone()),
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

/// Writes a document or a section of a text. What a heading stands over belongs to it, so headings come last.
fn push_section(text: &mut String, section: &ValueView<'_>, level: usize) {
    let members = |name: &str| section.part(name).map(ValueView::shown).unwrap_or_default();
    let line = |name: &str| section.part(name).map_or(String::new(), |it| it.plain() + "\n");
    if let Some(front) = section.part("front_matter") {
        text.push_str("---\n");
        push_labels(text, front, "");
        text.push_str("---\n\n");
    }
    text.push_str(&line("first"));
    if let Some(labels) = section.part("labels") {
        push_labels(text, labels, "");
    }
    text.push_str(&line("text"));
    if section.part("list").is_some() {
        let _ = write!(text, "- {}", line("list"));
    }
    if let Some((_, row)) = members("table").first() {
        let row = row.shown();
        let cells = row.iter().map(|(name, it)| (visible(name), it.plain()));
        let (names, cells): (Vec<_>, Vec<_>) = cells.unzip();
        let rulers = vec!["---"; row.len()];
        let _ = writeln!(
            text,
            "| {} |\n| {} |\n| {} |",
            names.join(" | "),
            rulers.join(" | "),
            cells.join(" | ")
        );
    }
    for (name, tag) in members("tags") {
        let mut inside = String::new();
        if let [] | [("text", _)] = tag.shown()[..] {
            inside.push_str(&tag.plain());
        } else {
            inside.push('\n');
            push_section(&mut inside, tag, level);
        }
        // A program may read a tag, and take marks as a part of a path.
        let _ = writeln!(text, "<{name}>{}</{name}>", inside.replace('`', ""));
    }
    for (name, block) in members("blocks") {
        let _ = writeln!(text, "```{name}");
        push_json(text, block, 0);
        text.push_str("\n```\n");
    }
    for (name, inner) in members("sections") {
        if !text.ends_with("\n\n") {
            text.push('\n');
        }
        let _ = writeln!(text, "{} {}\n", "#".repeat(level), visible(name));
        push_section(text, inner, level + 1);
    }
    text.push_str(&line("last"));
}

/// Writes a line for each label, with deeper ones below those that have members.
fn push_labels(text: &mut String, labels: &ValueView<'_>, indent: &str) {
    for (name, value) in labels.shown() {
        let name = visible(name);
        if value.sample.is_empty() {
            let _ = writeln!(text, "{indent}{name}:");
            push_labels(text, value, &format!("{indent}  "));
        } else {
            let _ = writeln!(text, "{indent}{name}: {}", value.plain());
        }
    }
}
