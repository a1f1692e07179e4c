//! Each statement of the five documents is shown by a run, and what it prints. The page `conformance`
//! lists those where retval differs.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;

use crate::{read, root, shell, text};

/// The statements with their runs.
const STATEMENTS: &str = "tests/docs/conformance.md";

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
    cell.split('`').skip(1).step_by(2).map(str::to_owned).collect()
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

/// For each document the number of its statements, and a table of those with a difference. What is below the
/// statements stays.
pub(crate) fn statements() -> String {
    let source = read(STATEMENTS);
    let documents = source.split("\n## ").skip(1);
    documents.map(differences).collect::<Vec<_>>().join("\n")
}

fn differences(document: &str) -> String {
    let (title, body) = document.split_once('\n').expect("a title");
    let is_row = |line: &&str| line.starts_with("| ") && !line.starts_with("| statement");
    let rows: Vec<Vec<_>> =
        body.lines().filter(is_row).map(|line| line.split(" | ").collect()).collect();
    let kinds = ["error", "required", "recommended", ""].map(|kind| {
        let count = rows.iter().filter(|row| row[1].trim() == kind).count();
        let kind = if kind.is_empty() { "about a command" } else { kind };
        format!("{count} {kind}")
    });
    let (count, kinds) = (rows.len(), kinds.join(", "));
    let mut page = format!("## {title}\n\n{count} statements: {kinds}.\n\n");
    page += "| statement | kind | rules | difference |\n|---|---|---|---|\n";
    for row in &rows {
        let [statement, kind, runs, prints, difference] = row[..] else {
            panic!("{row:?}");
        };
        if difference != "|" {
            let rules = rules(&codes(runs), &codes(prints));
            let _ = writeln!(page, "{statement} | {kind} | {rules} | {difference}");
        }
    }
    let (_, rest) = body.split_once("\nNot done:").expect("what is not done");
    page + "\nNot done:" + rest
}

/// The rules that show a statement.
fn rules(runs: &[String], prints: &[String]) -> String {
    let of_returns = runs.iter().flat_map(|run| {
        let files = run.split("fixtures/rules/").skip(1);
        let rules = files.filter_map(|rest| Some(rest.split_once("/fail/")?.0));
        rules.chain(rule_of(run))
    });
    let of_prints = prints.iter().filter_map(|print| {
        let (level, rest) = print.split_once('[')?;
        ["error", "warning"].contains(&level).then_some(rest.split_once(']')?.0)
    });
    let rules: BTreeSet<_> = of_returns.chain(of_prints).collect();
    let rules: Vec<_> = rules.iter().map(|rule| format!("`{rule}`")).collect();
    rules.join(" ")
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
    let Some((rule, _)) = first.strip_prefix("warning[").and_then(|it| it.split_once(']')) else {
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
    let sections = sections(&read(STATEMENTS));
    let titles: Vec<_> = sections.iter().map(|(title, _)| title.as_str()).collect();
    assert_eq!(titles, DOCUMENTS);
    for (title, rows) in &sections {
        assert!(!rows.is_empty(), "{title}");
        for row in rows {
            let mistakes = mistakes(row);
            let statement = &row.statement;
            assert!(mistakes.is_empty(), "{title}: {statement}\n{}", mistakes.join("\n"));
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
    assert!(!is_of("", "retval check <<<prose", "[PASS] Return is valid"));
    assert!(!is_of("", "retval check --help", "Usage: retval"));
}
