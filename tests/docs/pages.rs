//! The generated parts of every document are current.

use std::fmt::Write as _;
use std::fs;

use crate::{accuracy, conformance, documents, read, root, session, shell, tables, text};

/// Makes what stands between two marks.
type Make = fn() -> String;

/// What is generated, by the name in its marks.
const GENERATED: [(&str, Make); 3] = [
    ("pages", tables::pages),
    ("accuracy", accuracy::tables),
    ("statements", conformance::statements),
];

#[test]
fn outputs_in_documents_are_those_of_the_commands() {
    for document in documents() {
        let found = read(&document);
        let expected = with_outputs(&with_tables(&found));
        if std::env::var_os("UPDATE").is_some() {
            fs::write(root().join(&document), expected).expect("a document");
            continue;
        }
        for (number, (found, expected)) in found.lines().zip(expected.lines()).enumerate() {
            assert_eq!(found, expected, "{document}:{}", number + 1);
        }
        assert_eq!(found, expected, "{document}");
    }
}

#[test]
fn every_generated_part_is_in_a_document() {
    let documents: Vec<_> = documents().iter().map(|document| read(document)).collect();
    for (name, _) in GENERATED {
        let mark = format!("\n<!-- {name} -->\n");
        let holders = documents.iter().filter(|text| text.contains(&mark));
        assert_eq!(holders.count(), 1, "{name}");
    }
}

fn with_tables(document: &str) -> String {
    let mut text = document.to_owned();
    for (name, table) in GENERATED {
        let (open, close) = (format!("<!-- {name} -->\n"), format!("<!-- /{name} -->"));
        let parts = text
            .split_once(&open)
            .and_then(|(before, rest)| Some((before, rest.split_once(&close)?.1)));
        if let Some((before, after)) = parts {
            text = format!("{before}{open}\n{}\n{close}{after}", table());
        }
    }
    text
}

/// The document with each command of a console block followed by what it prints. With `session` or
/// `in FOLDER` behind the word `console`, the commands run one after the other, in a new folder or in a
/// copy of that one.
fn with_outputs(document: &str) -> String {
    let mut text = String::new();
    let mut place = None;
    let mut commands = Vec::new();
    for line in document.lines() {
        if line.starts_with("```") {
            place = line.strip_prefix("```console").map(str::trim);
            commands.clear();
        }
        match (line.strip_prefix("$ "), place) {
            (Some(command), Some(place)) => {
                commands.push(command);
                let printed = match place {
                    "" => run(command),
                    place => session::run(&commands, place.strip_prefix("in ")),
                };
                let _ = write!(text, "{line}\n{printed}");
            }
            (None, Some(_)) if !line.starts_with("```") => {}
            _ => {
                let _ = writeln!(text, "{line}");
            }
        }
    }
    text
}

/// What a reader sees who runs a command at the root of the project.
fn run(command: &str) -> String {
    text(shell(&format!("{command} 2>&1"), root()).stdout)
}
