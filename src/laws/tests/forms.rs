//! A document that is written as text is read as the same document, with each value at its place, and
//! is then written as the same text.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::document::lookup::places;
use crate::document::{Form, ReadOptions, read};
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

use crate::laws::generated::seeds;

/// Words that are neither labels nor marks, although they look like some.
const WORDS: [&str; 14] = [
    "tide",
    "src/a.rs:12:",
    "12:30",
    "src/__init__.py",
    "ü",
    "已完成",
    "a_b",
    "3/3",
    "C:\\x",
    "src/*.ts",
    "ok.",
    "#7",
    "-",
    "👍",
];

/// Names of which no two are equal.
const NAMES: [&str; 8] =
    ["Status", "Files changed", "STEPS", "Tests (all)", "状态", "R&D", "is_ok", "A-b"];

fn words() -> impl Strategy<Value = Value> {
    let words = vec(select(&WORDS), 0..4);
    words.prop_map(|words| json!(format!("so {}", words.join(" ")).trim()))
}

fn label() -> impl Strategy<Value = Value> {
    prop_oneof![
        words(),
        vec(words(), 1..4).prop_map(Value::from),
        btree_map("[a-z]{1,6}", words(), 1..4).prop_map(|it| json!(it)),
    ]
}

/// What stands below one heading, with its subsections.
fn section(sections: impl Strategy<Value = Value>) -> impl Strategy<Value = Value> {
    let labels = btree_map(select(&NAMES), label(), 0..4);
    let row = ("[a-z]{1,5}", words()).prop_map(|(a, b)| json!({"Check": a, "What it says": b}));
    let parts = (labels, vec(words(), 0..3), vec(row, 0..3), sections);
    parts.prop_map(|(labels, own, table, sections)| {
        let below = labels.values().filter_map(Value::as_array).flatten();
        let list: Vec<_> = below.cloned().chain(own).collect();
        json!({"labels": labels, "list": list, "table": table, "sections": sections})
    })
}

fn document() -> impl Strategy<Value = Value> {
    let none = || Just(json!({}));
    let inner = btree_map(select(&NAMES), section(none()), 0..3).prop_map(|it| json!(it));
    let outer = btree_map(select(&NAMES), section(inner), 0..3).prop_map(|it| json!(it));
    section(outer)
}

/// Writes documents, and notes the line of each value.
#[derive(Default)]
struct Writer {
    text: String,
    lines: BTreeMap<String, usize>,
}

impl Writer {
    fn line(&mut self, pointer: &str, line: impl std::fmt::Display) {
        let number = self.text.matches('\n').count() + 1;
        self.lines.insert(pointer.to_owned(), number);
        let _ = writeln!(self.text, "{line}");
    }

    fn section(&mut self, at: &str, section: &Value, level: usize) {
        let mut items = 0;
        for (name, value) in section["labels"].as_object().expect("labels") {
            let pointer = format!("{at}/labels/{name}");
            let rest = value.as_str().unwrap_or_default();
            let line = match level % 2 {
                0 => format!("{name}: {rest}"),
                _ => format!("**{name}:** {rest}"),
            };
            self.line(&pointer, line.trim_end());
            for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                let line = format!("- {}", item.as_str().expect("a text"));
                self.line(&format!("{pointer}/{index}"), line);
                let number = self.lines[&format!("{pointer}/{index}")];
                self.lines.insert(format!("{at}/list/{items}"), number);
                items += 1;
            }
            for (name, value) in value.as_object().into_iter().flatten() {
                let line = format!("  {name}: {}", value.as_str().expect("a text"));
                self.line(&format!("{pointer}/{name}"), line);
            }
        }
        self.text.push_str("\nSome prose.\n\n");
        let own = section["list"].as_array().expect("a list").iter();
        for (index, item) in own.enumerate().skip(items) {
            let line = format!("1. {}", item.as_str().expect("a text"));
            self.line(&format!("{at}/list/{index}"), line);
        }
        for (index, row) in section["table"].as_array().expect("rows").iter().enumerate() {
            if index == 0 {
                self.text.push_str("\n| Check | What it says |\n|---|---|\n");
            }
            let cell = |name: &str| row[name].as_str().expect("a text");
            let line = format!("| {} | {} |", cell("Check"), cell("What it says"));
            self.line(&format!("{at}/table/{index}"), line);
        }
        for (name, section) in section["sections"].as_object().expect("sections") {
            let pointer = format!("{at}/sections/{name}");
            self.text.push('\n');
            self.line(&pointer, format!("{} {name}", "#".repeat(level)));
            self.section(&pointer, section, level + 1);
        }
    }
}

fn written(document: &Value) -> Writer {
    let mut writer = Writer::default();
    writer.section("", document, 1);
    writer
}

/// A section without what is not written.
fn bare(section: &Value) -> Value {
    let sections = section["sections"].as_object().expect("sections").iter();
    let sections: serde_json::Map<_, _> =
        sections.map(|(name, it)| (name.clone(), bare(it))).collect();
    json!({
        "labels": section["labels"],
        "list": section["list"],
        "table": section["table"],
        "sections": sections,
    })
}

#[test]
fn a_document_that_is_written_and_read_is_the_same_at_the_same_places() {
    seeds::hold(100, &document(), |document| {
        let writer = written(&document);
        let found = read(Form::Text, &writer.text, &ReadOptions::default()).expect("a text");
        let value = serde_json::to_value(found.root()).expect("JSON");
        prop_assert_eq!(&bare(&value), &document, "{}", &writer.text);
        for (value, position) in places(&writer.text, &found) {
            let pointer = value.pointer().to_string().replace("~1", "/");
            let line = position.map(|it| it.line);
            if let Some(expected) = writer.lines.get(&pointer) {
                prop_assert_eq!(line, Some(*expected), "{} in\n{}", pointer, &writer.text);
            }
        }
        prop_assert_eq!(&written(&value).text, &writer.text);
        Ok(())
    });
}

/// Pieces of texts, in every order of which a reader must not fall.
const PIECES: [&str; 44] = [
    "\n",
    "\n",
    "\r\n",
    " ",
    "  ",
    "    ",
    "\t",
    "- ",
    "1. ",
    "* ",
    "> ",
    "# ",
    "## ",
    "**",
    "*",
    "__",
    "`",
    "```",
    "~~~",
    "```json\n",
    "---\n",
    "===\n",
    "| ",
    "|---|\n",
    "A: ",
    "b：",
    "Name:",
    "x",
    "é",
    "👍",
    "<r>",
    "</r>",
    "<s a=\"1\">",
    "</s>",
    "<p>",
    "<!--",
    "-->",
    "[a](b)",
    "![",
    "{\"a\": 1}",
    "&a",
    "[x] ",
    "\\",
    "\u{feff}",
];

#[test]
fn any_order_of_pieces_keeps_the_law() {
    let texts = vec(select(&PIECES), 0..60).prop_map(|pieces| pieces.concat());
    seeds::hold(400, &texts, |text| {
        crate::laws::hold("form", text.as_bytes());
        Ok(())
    });
}
