//! An example return of a standard of one's own: what each of its places is filled with, and how that is
//! written as JSON, as YAML, or as text with labels.

use std::fmt::Write as _;

use serde_json::{Map, Value};

use crate::document::part::PartMarks;
use crate::document::pointer::PointerStep;
use crate::document::{Form, is_label_name};
use crate::instruction::Instruction;
use crate::instruction::own::{quoted, visible};
use crate::instruction::skeleton::{AGENT, PATH, SESSION, SUMMARY};
use crate::profile::Meaning;
use crate::profile::Profile;
use crate::profile::standard::{Expression, Place, PlacePath};
use crate::text::escape::{self, multiline};

/// An example return, safe to print.
pub(in crate::instruction) fn skeleton(
    instruction: &Instruction<'_>,
    standard: &Profile,
) -> String {
    if let Some(example) = &standard.example {
        return multiline(example.trim());
    }
    let filled = all_filled(instruction, standard);
    let text = match standard.form {
        Form::Json => json(&tree(&filled)),
        Form::Yaml => yaml(&tree(&filled)),
        Form::Text if filled.is_empty() && standard.part.is_some() => FILLER.to_owned(),
        Form::Text => text(&filled),
    };
    let text = marked(standard, text);
    if holds(standard, &text, &filled) {
        return text;
    }
    let places = filled.iter();
    let places =
        places.map(|it| format!("At {}: {}", quoted(it.place.as_str()), multiline(&it.text)));
    marked(standard, places.collect::<Vec<_>>().join("\n"))
}

/// A text between the marks of the part that is read.
fn marked(standard: &Profile, text: String) -> String {
    match standard.part.as_ref().map(|part| &part.marks) {
        None => text,
        Some(PartMarks::Fence(words)) => {
            let word = words.first().map_or("", String::as_str);
            format!("```{}\n{text}\n```", multiline(word))
        }
        Some(PartMarks::Between([start, end])) => {
            format!("{}\n{text}\n{}", multiline(start), multiline(end))
        }
        Some(PartMarks::Tag(name)) => format!("<{name}>\n{text}\n</{name}>"),
    }
}

/// Whether an example has something at each place that it was filled at. The steps of some places do not say
/// how to write what they lead to.
fn holds(standard: &Profile, text: &str, filled: &[Filled<'_>]) -> bool {
    let Ok(document) = standard.read(text) else {
        return false;
    };
    let is_there = |it: &Filled<'_>| {
        // Lists may be empty.
        let is_of_list = it.place.steps().contains(&PointerStep::Every);
        let found = it.place.find(document.root());
        found.is_ok_and(|found| is_of_list || !found.is_empty())
    };
    filled.iter().all(is_there)
}

/// A place, and the text that an example has there.
struct Filled<'s> {
    place: &'s PlacePath,
    /// The member of an object there that has the text.
    member: Option<&'s PlacePath>,
    text: String,
    /// Whether the text is the path of a file.
    is_path: bool,
}

/// What stands for a text that the agent writes.
const FILLER: &str = "...";

/// An empty list in JSON.
const EMPTY: &str = "[]";

/// The places that a return of success has, in the order of the steps.
fn all_filled<'s>(instruction: &Instruction<'_>, standard: &'s Profile) -> Vec<Filled<'s>> {
    let roles = &standard.roles;
    let status = success(instruction);
    let limit = instruction.profile.length;
    let is_short = limit.is_none_or(|it| it.allows(it.measure(SUMMARY)));
    let named = [
        (&roles.status, status.as_str()),
        (&roles.session, instruction.session.unwrap_or(SESSION)),
        (&roles.agent, instruction.agent.unwrap_or(AGENT)),
        (&roles.summary, if is_short { SUMMARY } else { FILLER }),
        (&roles.artifacts, PATH),
        (&roles.files, PATH),
    ];
    let mut filled = Vec::new();
    for (role, sample) in named {
        let role = role.as_ref().filter(|role| role.default.is_none());
        filled.extend(role.and_then(|role| of_role(role, sample)));
    }
    for (name, role) in &*roles.given {
        filled.extend(of_role(role, &format!("the {name} of this task")));
    }
    let with_status = standard.required_if.iter();
    let with_status = with_status.filter(|it| it.words.contains(&status));
    let places = with_status.flat_map(|it| &it.places);
    for place in standard.required.iter().chain(places) {
        if filled
            .iter()
            .all(|it: &Filled<'_>| it.place != place.path())
        {
            filled.extend(of_role(place, &word(standard, place)));
        }
    }
    empty(standard, &status, &mut filled);
    filled
}

/// Leaves empty what must hold nothing with this status.
fn empty<'s>(standard: &'s Profile, status: &String, filled: &mut Vec<Filled<'s>>) {
    let with_status = standard.empty_if.iter();
    let with_status = with_status.filter(|it| it.words.contains(status));
    for place in with_status.flat_map(|it| &it.places) {
        let place = place.path();
        let is_below = |it: &Filled<'_>| {
            it.place.name() == place.name() && it.place.steps().starts_with(place.steps())
        };
        let before = filled.len();
        filled.retain(|it| !is_below(it));
        if filled.len() < before {
            let is_text = standard.form == Form::Text;
            let text = if is_text { "none" } else { EMPTY };
            filled.push(Filled {
                place,
                member: None,
                text: text.to_owned(),
                is_path: false,
            });
        }
    }
}

/// None if the expression of the role takes another part of the text.
fn of_role<'s>(role: &'s Place, sample: &str) -> Option<Filled<'s>> {
    let is_taken = |it: &Expression| it.find(sample) == Some(0..sample.len());
    if !role.expression.as_ref().is_none_or(is_taken) {
        return None;
    }
    Some(Filled {
        place: role.path(),
        member: role.members.first().map(|(_, member)| member),
        text: sample.to_owned(),
        is_path: sample == PATH,
    })
}

/// A word that the standard allows at a place, or else any text.
fn word(standard: &Profile, place: &Place) -> String {
    let allowed = standard.claims.values.iter().find(|it| it.place == *place);
    let word = allowed.and_then(|it| it.words.first());
    word.map_or_else(|| FILLER.to_owned(), String::clone)
}

fn success(instruction: &Instruction<'_>) -> String {
    let statuses = || instruction.profile.statuses_of(instruction.agent);
    let success = statuses().find(|status| status.meaning == Meaning::Success);
    let word = success
        .or_else(|| statuses().next())
        .map(|status| &*status.word);
    match word {
        None | Some("*") => "status".to_owned(),
        Some(word) => word.to_owned(),
    }
}

/// The example as indented JSON.
fn json(value: &Value) -> String {
    let text = serde_json::to_string_pretty(value).unwrap_or_default();
    escape::json(&text).into_owned()
}

/// The example in YAML, whose scalars are those of JSON.
fn yaml(value: &Value) -> String {
    let mut text = String::new();
    push_yaml(&mut text, value, 0);
    escape::multiline(text.trim_end())
}

/// The example, made from the places of a standard.
fn tree(filled: &[Filled<'_>]) -> Value {
    let mut whole = Value::Null;
    for piece in filled {
        let member = piece.member.map_or(&[][..], |member| member.steps());
        let steps: Vec<_> = piece.place.steps().iter().chain(member).collect();
        put(&mut whole, &steps, &piece.text);
    }
    if whole.is_null() {
        whole = Value::Object(Map::new());
    }
    whole
}

/// Sets the value at the end of these steps. For every item, there is one.
fn put(value: &mut Value, steps: &[&PointerStep], text: &str) {
    let Some((step, rest)) = steps.split_first() else {
        if value.is_null() {
            *value = match text {
                "true" => Value::Bool(true),
                "false" => Value::Bool(false),
                EMPTY => Value::Array(Vec::new()),
                _ => Value::String(text.to_owned()),
            };
        }
        return;
    };
    match step {
        PointerStep::Name(name) => {
            if !value.is_object() {
                *value = Value::Object(Map::new());
            }
            put(&mut value[name.as_str()], rest, text);
        }
        PointerStep::Every => {
            if !value.is_array() {
                *value = Value::Array(vec![Value::Null]);
            }
            put(&mut value[0], rest, text);
        }
    }
}

fn push_yaml(text: &mut String, value: &Value, depth: usize) {
    let indent = "  ".repeat(depth);
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                let _ = write!(text, "{indent}{}:", Value::from(name.as_str()));
                push_below(text, value, depth);
            }
        }
        Value::Array(items) => {
            for item in items {
                let _ = write!(text, "{indent}-");
                push_below(text, item, depth);
            }
        }
        scalar => {
            let _ = writeln!(text, "{indent}{scalar}");
        }
    }
}

fn push_below(text: &mut String, value: &Value, depth: usize) {
    if value.is_object() || value.is_array() {
        text.push('\n');
        push_yaml(text, value, depth + 1);
    } else {
        let _ = writeln!(text, " {value}");
    }
}

/// The example: the front matter, the first line, labels, sections, the last line.
fn text(filled: &[Filled<'_>]) -> String {
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

/// The pieces that one place is filled with, in one line.
fn joined(filled: &[&Filled]) -> String {
    let pieces: Vec<_> = filled.iter().map(|it| &*it.text).collect();
    pieces.join(" ")
}
