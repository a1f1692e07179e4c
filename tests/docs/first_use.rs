//! The scripts and the configuration in the README do what the README says, if a reader copies them.

use std::fs;
use std::path::Path;
use std::process::Output;

use crate::{README, blocks, read, root, shell, text};

/// The script of the README with a text in it.
fn script(part: &str) -> String {
    let scripts = blocks(README, "sh");
    let mut found = scripts.into_iter().filter(|script| script.contains(part));
    let script = found.next().expect(part);
    assert_eq!(found.next(), None, "{part}");
    script
}

fn outputs(output: Output) -> (Option<i32>, String, String) {
    (
        output.status.code(),
        text(output.stdout),
        text(output.stderr),
    )
}

fn write(folder: &Path, name: &str, content: &str) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    fs::write(path, content).expect("a file");
}

#[test]
fn the_commands_that_install_name_the_packages() {
    let manifest: serde_json::Value =
        serde_json::from_str(&read(".dist/npm/retval/package.json")).expect("a manifest");
    let python = read(".dist/python/pyproject.toml");
    let (_, name) = python.split_once("\nname = \"").expect("a name");
    let expected = [
        format!("cargo install {}", env!("CARGO_PKG_NAME")),
        format!("pip install {}", name.split_once('"').expect("an end").0),
        format!("npm install {}", manifest["name"].as_str().expect("a name")),
    ];
    let shown = script("pip install");
    assert_eq!(shown.lines().collect::<Vec<_>>(), expected);
}

#[test]
fn the_script_that_checks_a_return_prints_what_failed() {
    let check = |given: &str| {
        let script = script("subagent_return");
        let set = format!("expected_session=sess_1767225600_k3m9qa subagent_return='{given}'\n");
        outputs(shell(&(set + &script), &root().join("fixtures/project")))
    };
    let good = read("fixtures/profiles/return/completed-plan.json");
    assert_eq!(check(&good), (Some(0), String::new(), String::new()));
    let (_, shown, failed) = check("Done. The plan is written.");
    assert_eq!(shown, "");
    assert_eq!(
        failed,
        "-:1:1: error[json-syntax] Invalid JSON return from researcher (Cannot parse return as JSON: it is plain text)\n"
    );
    let phantom = read("fixtures/rules/artifact-not-found/fail/phantom.json");
    let (_, _, failed) = check(&phantom);
    assert!(
        failed.contains(" error[artifact-not-found] Artifact does not exist: "),
        "{failed}"
    );
    assert_eq!(failed.lines().count(), 2, "{failed}");
}

#[test]
fn the_hook_gets_into_the_settings_of_the_project() {
    let folder = tempfile::tempdir().expect("a folder");
    let (code, _, failed) = outputs(shell(&script("hook install"), folder.path()));
    assert_eq!((code, failed.as_str()), (Some(0), ""));
    let settings = fs::read_to_string(folder.path().join(".claude/settings.json"));
    assert!(settings.expect("settings").contains("SubagentStop"));
}

#[test]
fn the_command_for_ci_annotates_and_reports() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "specs/1_a/.return-meta.json", "{");
    let (code, shown, failed) = outputs(shell(&script("sarif=retval.sarif"), folder.path()));
    assert_eq!((code, failed.as_str()), (Some(1), ""));
    assert!(
        shown.starts_with("::error file=specs/1_a/.return-meta.json,line=1,"),
        "{shown}"
    );
    let report = fs::read_to_string(folder.path().join("retval.sarif")).expect("a report");
    assert!(report.contains("specs/1_a/.return-meta.json"), "{report}");
}

#[test]
fn the_standard_of_the_example_holds_a_report() {
    let configurations = blocks(README, "toml");
    let [configuration] = configurations.as_slice() else {
        panic!("{configurations:?}");
    };
    let folder = tempfile::tempdir().expect("a folder");
    let report = "## Status: DONE\n\nReport: docs/tides.md\n";
    write(folder.path(), "retval.toml", configuration);
    write(folder.path(), "good.md", &format!("{report}Tests: 14/14\n"));
    write(folder.path(), "bad.md", report);
    let root = root().join("fixtures/project");
    let check = format!(
        "retval check good.md bad.md --profile implementer --format concise --root '{}'",
        root.display()
    );
    let (code, shown, failed) = outputs(shell(&check, folder.path()));
    assert_eq!((code, failed.as_str()), (Some(1), ""), "{shown}");
    let expected = "bad.md:1:1: error[field-missing] Missing required field: Tests\n\
                    2 returns: 1 valid, 1 invalid (0 warnings)\n";
    assert_eq!(shown, expected);
}
