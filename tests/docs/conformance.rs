//! The conformance page names the code or test for each statement of the five documents.

use retval::rules::Rule;

use crate::{MANUAL, read, retval, root, text};

/// The documents, and how many statements each has.
const STATEMENTS: [(&str, usize); 5] = [
    ("Subagent return format", 29),
    ("Subagent return format 1.0", 38),
    ("Compact return protocol", 27),
    ("Subagent return validation", 17),
    ("Return metadata file", 28),
];

/// The rows below each heading: the statement and what holds it.
fn rows(page: &str) -> Vec<(String, Vec<(String, String)>)> {
    let mut sections: Vec<(String, Vec<(String, String)>)> = Vec::new();
    for line in page.lines() {
        if let Some(title) = line.strip_prefix("## ") {
            sections.push((title.to_owned(), Vec::new()));
        }
        let cells: Vec<_> = line
            .split(" | ")
            .map(|cell| cell.trim_matches(['|', ' ']))
            .collect();
        let is_row = line.starts_with("| ") && cells.len() >= 2 && cells[0] != "statement";
        if let Some((_, rows)) = sections.last_mut().filter(|_| is_row) {
            rows.push((cells[0].to_owned(), cells[1].to_owned()));
        }
    }
    sections
}

/// Whether what holds a statement is there: a rule with fixtures, a path, or a command with options
/// that it has.
fn exists(holder: &str) -> bool {
    if let Some(command) = holder.strip_prefix("retval ") {
        let arguments: Vec<_> = command.split(' ').chain(["--help"]).collect();
        let output = retval(&arguments);
        return output.status.success() && text(output.stdout).contains("Usage: retval");
    }
    let is_rule =
        Rule::named(holder).is_some() && root().join("fixtures/rules").join(holder).is_dir();
    is_rule || root().join(holder).exists()
}

#[test]
fn every_statement_names_existing_code_or_tests() {
    let page = read(&format!("{MANUAL}/conformance.md"));
    let sections = rows(&page);
    let counts: Vec<_> = sections
        .iter()
        .map(|(title, rows)| (title.as_str(), rows.len()))
        .collect();
    assert_eq!(counts, STATEMENTS);
    for (title, rows) in &sections {
        for (statement, holders) in rows {
            let holders: Vec<_> = holders.split('`').skip(1).step_by(2).collect();
            assert!(!holders.is_empty(), "{title}: {statement}");
            for holder in holders {
                assert!(exists(holder), "{title}: {statement}: {holder}");
            }
        }
    }
}
