//! The conformance page shows a run for each statement of the five documents, and what it prints.

use std::fs;

use crate::{MANUAL, read, root, shell, text};

/// The documents, in the order of the page.
const DOCUMENTS: [&str; 5] = [
    "Subagent return format",
    "Subagent return format 1.0",
    "Compact return protocol",
    "Subagent return validation",
    "Return metadata file",
];

/// When the agents of the fixtures are at work.
const NOW: &str = "RETVAL_NOW=2026-01-28T12:00:00Z";

/// A statement with its runs and with what they print.
#[derive(Debug)]
struct Row {
    statement: String,
    kind: String,
    runs: Vec<String>,
    prints: Vec<String>,
}

/// The texts of a cell that are marked as code.
fn codes(cell: &str) -> Vec<String> {
    cell.split('`')
        .skip(1)
        .step_by(2)
        .map(str::to_owned)
        .collect()
}

/// The rows below each heading.
fn sections(page: &str) -> Vec<(String, Vec<Row>)> {
    let mut sections: Vec<(String, Vec<Row>)> = Vec::new();
    for line in page.lines() {
        if let Some(title) = line.strip_prefix("## ") {
            sections.push((title.to_owned(), Vec::new()));
        }
        let Some(line) = line.strip_prefix("| ") else {
            continue;
        };
        let cells: Vec<_> = line.split(" | ").collect();
        let Some((_, rows)) = sections.last_mut() else {
            continue;
        };
        if cells[0] == "statement" {
            continue;
        }
        assert_eq!(cells.len(), 5, "{line}");
        rows.push(Row {
            statement: cells[0].to_owned(),
            kind: cells[1].to_owned(),
            runs: codes(cells[2]),
            prints: codes(cells[3]),
        });
    }
    sections
}

/// The rule of a run that is a return among the fixtures.
fn rule_of(run: &str) -> Option<&str> {
    let (rule, name) = run.split_once("/fail/")?;
    (!rule.contains(' ') && !name.contains(' ')).then_some(rule)
}

/// What bash is to run. The folder `$d` is empty at first.
fn script(run: &str) -> String {
    if rule_of(run).is_none() {
        return run.to_owned();
    }
    let path = format!("rules/{run}");
    let options = root().join("fixtures").join(format!("{path}.options"));
    let options = fs::read_to_string(options).unwrap_or_default();
    let options = options.trim();
    format!("cd fixtures; {NOW} retval check --format concise --root project {options} {path}.json")
}

/// Makes `retval check` in a script take `--strict=required`.
const REQUIRED: &str = r#"retval() {
    case "$1" in
    check) shift; command retval check --strict=required "$@" ;;
    *) command retval "$@" ;;
    esac
}"#;

/// What the runs print.
fn output(runs: &[String], before: &str) -> String {
    let outputs = runs.iter().map(|run| {
        let folder = tempfile::tempdir().expect("a folder");
        let place = folder.path().display();
        let script = script(run);
        let script = format!(
            "{before}\nd='{place}'; export HOME=\"$d\" XDG_RUNTIME_DIR=\"$d\"; {{ {script}\n}} 2>&1"
        );
        text(shell(&script, root()).stdout)
    });
    outputs.collect()
}

/// What becomes of a return that breaks the statement, by the first finding that is printed.
fn kind(row: &Row) -> &'static str {
    let first = row.prints.first().map(String::as_str).unwrap_or_default();
    if first.starts_with("[FAIL]") || first.starts_with("error[") {
        return "error";
    }
    let Some((rule, _)) = first
        .strip_prefix("warning[")
        .and_then(|it| it.split_once(']'))
    else {
        return "";
    };
    if output(&row.runs, REQUIRED).contains(&format!("error[{rule}]")) {
        "required"
    } else {
        "recommended"
    }
}

/// What a row says falsely. Empty if it is true.
fn mistakes(row: &Row) -> Vec<String> {
    let output = output(&row.runs, "");
    let missing = row.prints.iter().filter(|print| !output.contains(*print));
    let mut mistakes: Vec<_> = missing.map(|print| format!("no {print}")).collect();
    // A finding of another rule would not show the statement.
    for rule in row.runs.iter().filter_map(|run| rule_of(run)) {
        let levels = ["error", "warning"].map(|level| format!("{level}[{rule}]"));
        let is_shown = |print: &String| levels.iter().any(|level| print.starts_with(level));
        if !row.prints.iter().any(is_shown) {
            mistakes.push(format!("{rule} is not among what is printed"));
        }
    }
    if row.runs.is_empty() || row.prints.is_empty() {
        mistakes.push("nothing is run".to_owned());
    }
    let kind = kind(row);
    if kind != row.kind {
        mistakes.push(format!("the kind is {kind:?}"));
    }
    if output.contains("Usage: retval") {
        mistakes.push("an option is wrong".to_owned());
    }
    if !mistakes.is_empty() {
        mistakes.push(output);
    }
    mistakes
}

#[test]
fn every_statement_is_shown_by_its_run() {
    let sections = sections(&read(&format!("{MANUAL}/conformance.md")));
    let titles: Vec<_> = sections.iter().map(|(title, _)| title.as_str()).collect();
    assert_eq!(titles, DOCUMENTS);
    for (title, rows) in &sections {
        assert!(!rows.is_empty(), "{title}");
        for row in rows {
            let mistakes = mistakes(row);
            let statement = &row.statement;
            assert!(
                mistakes.is_empty(),
                "{title}: {statement}\n{}",
                mistakes.join("\n")
            );
        }
    }
}

#[test]
fn a_row_that_is_not_true_is_found() {
    let row = |kind: &str, run: &str, print: &str| Row {
        statement: "x".to_owned(),
        kind: kind.to_owned(),
        runs: vec![run.to_owned()],
        prints: vec![print.to_owned()],
    };
    let prose = "json-syntax/fail/prose";
    let is_of = |kind, run, print| mistakes(&row(kind, run, print)).is_empty();
    let is_true = |run, print| is_of("error", run, print);
    assert!(!is_of("required", prose, "error[json-syntax]"));
    let (slip, warning) = ("artifact-type/fail/slip", "warning[artifact-type]");
    assert!(is_of("required", slip, warning) && !is_of("recommended", slip, warning));
    assert!(is_true(prose, "error[json-syntax] Invalid JSON"));
    assert!(!is_true(prose, "error[json-object] Invalid JSON"));
    assert!(!is_true(prose, "it is plain text"), "the rule is left out");
    assert!(!is_true("json-syntax/fail/none", "error[json-syntax]"));
    assert!(is_true("retval check <<<prose", "[FAIL] Invalid JSON"));
    assert!(!is_of(
        "",
        "retval check <<<prose",
        "[PASS] Return is valid"
    ));
    assert!(!is_of("", "retval check --help", "Usage: retval"));
}
