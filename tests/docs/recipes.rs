//! The recipes for CI work.

use std::fs;

use crate::{blocks, page_path, shell, text};

/// The lines of the recipes that run retval, as a shell gets them.
fn recipes() -> Vec<String> {
    let page = page_path("ci");
    let recipes = ["yaml", "make"].map(|language| blocks(&page, language));
    let lines = recipes.iter().flatten().flat_map(|recipe| recipe.lines());
    let changed = "retval check specs/.return-meta.json specs/old.json";
    lines
        .filter(|line| line.contains("retval check"))
        .map(|line| {
            let line = line.trim().trim_start_matches("- ");
            let line = line.trim_start_matches("run: ");
            line.replace("entry: retval check", changed)
        })
        .collect()
}

#[test]
fn the_recipes_for_ci_run_as_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |below: &str| folder.path().join(below);
    fs::create_dir(path("specs")).expect("a folder");
    fs::write(path("specs/old.json"), "Done!").expect("a file");
    fs::write(path("specs/.return-meta.json"), "{}").expect("a file");
    let recipes = recipes();
    assert_eq!(recipes.len(), 5, "{recipes:?}");
    for recipe in recipes {
        let output = shell(&recipe, folder.path());
        assert_eq!(output.status.code(), Some(1), "{recipe}");
        let shown = text(output.stdout);
        assert!(shown.contains("Invalid JSON return from subagent"), "{recipe}: {shown}");
        assert!(output.stderr.is_empty(), "{recipe}");
    }
    let sarif = fs::read_to_string(path("retval.sarif")).expect("a report");
    assert!(sarif.contains("json-syntax"));
    let junit = fs::read_to_string(path("retval.xml")).expect("a report");
    assert!(junit.contains("<failure"));
}
