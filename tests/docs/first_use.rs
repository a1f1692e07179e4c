//! The scripts in the README do what the README says, if a reader copies them.

use std::fs;
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
    (output.status.code(), text(output.stdout), text(output.stderr))
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
fn the_script_uses_a_valid_return_and_prints_why_another_is_invalid() {
    let check = |given: &str| {
        let script = script("claude -p");
        let claude = "claude() { sed \"s/sess_1767225600_k3m9qa/$session/\" <<<\"$given\"; }";
        let script = format!("given='{given}'\n{claude}\n{script}");
        outputs(shell(&script, &root().join("fixtures/project")))
    };
    let good = read("fixtures/profiles/return/completed-plan.json");
    let (_, shown, failed) = check(&good);
    assert!(shown.starts_with("The agent returned: Planned the tide tables"));
    assert_eq!(failed, "");
    let (_, shown, failed) = check("Done. The plan is written.");
    assert_eq!(shown, "");
    assert_eq!(
        failed,
        "-:1:1: error[json-syntax] Invalid JSON return from subagent (Cannot parse return as JSON: it is plain text)\n"
    );
}

#[test]
fn the_workflow_for_ci_annotates() {
    let workflows = blocks(README, "yaml");
    let [workflow] = workflows.as_slice() else {
        panic!("{workflows:?}");
    };
    let mut runs = workflow.lines().filter_map(|line| line.split_once("run: "));
    let (_, check) = runs.next_back().expect("a step that checks");
    let folder = tempfile::tempdir().expect("a folder");
    let returned = folder.path().join("specs/.return-meta.json");
    fs::create_dir_all(folder.path().join("specs")).expect("a folder");
    fs::write(returned, "{").expect("a file");
    let (code, shown, failed) = outputs(shell(check, folder.path()));
    assert_eq!((code, failed.as_str()), (Some(1), ""));
    assert!(shown.starts_with("::error file=specs/.return-meta.json,line=1,"), "{shown}");
}
