//! Examples that cannot be run are at least parsed.

use std::fs;

use crate::{README, blocks, documents, page_names, page_path, retval, shell, text};

/// Stands in for every program that examples call. retval only says whether it understands its
/// arguments, as it does when `--help` follows them.
const STAND_INS: &str = r#"
retval() { command retval "$@" --help >/dev/null || printf 'refused: %s\n' "$*" >>refused; }
claude() { :; }; codex() { :; }; parallel() { :; }; xargs() { :; }; cargo() { :; }
jsonschema-cli() { :; }
subagent_return= expected_session=s target_agent=a session=s prompt=
touch returns.ndjson texts.jsonl
mkdir -p returns .local/share/bash-completion/completions
"#;

#[test]
fn every_shell_example_calls_retval_with_options_that_it_has() {
    let mut found = 0;
    for document in documents() {
        for script in blocks(&document, "sh") {
            let calls = ["\nretval ", "| retval ", "(retval "];
            if !calls.iter().any(|call| format!("\n{script}").contains(call)) {
                continue;
            }
            found += 1;
            let folder = tempfile::tempdir().expect("a folder");
            let output = shell(&format!("{STAND_INS}\n{script}"), folder.path());
            assert_eq!(text(output.stderr), "", "{document}: {script}");
            let refused = fs::read_to_string(folder.path().join("refused"));
            assert!(refused.is_err(), "{document}: {refused:?}");
        }
    }
    assert!(found >= 10, "{found}");
}

#[test]
fn every_configuration_is_accepted() {
    let mut found = 0;
    for document in documents() {
        for configuration in blocks(&document, "toml") {
            found += 1;
            let folder = tempfile::tempdir().expect("a folder");
            let file = folder.path().join("retval.toml");
            fs::write(&file, configuration).expect("a file");
            let output = retval(&["config", "--config", file.to_str().expect("UTF-8")]);
            assert_eq!(text(output.stderr), "", "{document}");
        }
    }
    assert!(found >= 3, "{found}");
}

#[test]
fn every_json_example_is_json() {
    let blocks: Vec<_> = documents().iter().flat_map(|document| blocks(document, "json")).collect();
    assert!(!blocks.is_empty());
    for block in blocks {
        let value: Result<serde_json::Value, _> = serde_json::from_str(&block);
        assert!(value.is_ok(), "{block}");
    }
}

/// The compiler sees the README as a documentation of the library, and no page.
#[test]
fn rust_examples_are_compiled() {
    assert!(!blocks(README, "rust").is_empty());
    for name in page_names() {
        assert!(blocks(&page_path(&name), "rust").is_empty(), "{name}");
    }
}

#[test]
fn every_code_block_names_its_language() {
    for document in documents() {
        let source = crate::read(&document);
        let fences = source.lines().filter(|line| line.starts_with("```"));
        for (number, fence) in fences.enumerate() {
            assert_eq!(fence == "```", number % 2 == 1, "{document}: fence {number}");
        }
    }
}

#[test]
fn no_document_names_a_source_by_number() {
    for document in documents() {
        let source = crate::read(&document);
        for number in ["seed 00", "seeds 00", "| 00", " 003, step"] {
            assert!(!source.contains(number), "{document}: {number}");
        }
    }
}
