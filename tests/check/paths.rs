//! Paths are compared by their targets, not by their spelling.

use crate::common::{World, feed};
use serde_json::{Value, json};

/// Rules and pointers of the findings on a return of version 1.0 that claims these paths.
fn findings(world: &World, root: &str, paths: &[&str]) -> Vec<String> {
    let artifacts = paths.iter().map(|path| json!({"type": "plan", "path": path}));
    let returned = json!({
        "status": "completed", "summary": "One thing is done. Another is, too.",
        "artifacts": artifacts.collect::<Vec<_>>(),
        "metadata": { "session_id": "s", "duration_seconds": 1, "agent_type": "a" },
    });
    let mut command = world.retval();
    command.args(["check", "--profile", "return-v1", "--format", "jsonl", "--root", root]);
    let output = feed(&mut command, returned.to_string());
    let record: Value = serde_json::from_slice(&output.stdout).expect("a record");
    let findings = record["findings"].as_array().expect("findings").iter();
    let text = |value: &Value| value.as_str().expect("text").to_owned();
    findings.map(|it| text(&it["rule"]) + " " + &text(&it["pointer"])).collect()
}

#[test]
fn a_path_that_is_spelled_otherwise_is_a_duplicate() {
    let world = World::new();
    let absolute = world.path("project/docs/./tides.md");
    let absolute = absolute.to_str().expect("UTF-8");
    for other in [
        "docs/tides.md",
        "./docs/tides.md",
        "docs//tides.md",
        "docs/./tides.md",
        "notes/../docs/tides.md",
        "./notes/.././docs/tides.md",
        absolute,
    ] {
        for paths in [["docs/tides.md", other], [other, "docs/tides.md"]] {
            let found = findings(&world, "project", &paths);
            let duplicate = "artifact-duplicate /artifacts/1/path".to_owned();
            assert!(found.contains(&duplicate), "{paths:?}: {found:?}");
        }
    }
    for other in ["notes/tides.md", "../docs/tides.md", "docs/tides.md.", "/docs/tides.md"] {
        let found = findings(&world, "project", &["docs/tides.md", other]);
        let is_duplicate = |it: &String| it.starts_with("artifact-duplicate");
        assert!(!found.iter().any(is_duplicate), "{other}: {found:?}");
    }
}

#[test]
fn an_absolute_path_is_inside_the_root_by_its_collapsed_text() {
    let world = World::new();
    let project = world.path("project");
    let project = project.to_str().expect("UTF-8");
    let inside = ["artifact-not-relative /artifacts/0/path".to_owned()];
    let outside = ["artifact-outside-root /artifacts/0/path".to_owned()];
    for root in ["project", "project/docs/..", project, "nowhere/../project/."] {
        if root.starts_with("nowhere") {
            std::fs::create_dir(world.path("nowhere")).expect("a folder");
        }
        for path in [
            "/docs/tides.md",
            "/docs/../docs/tides.md",
            "/../project/docs/tides.md",
            "/docs/../../project/docs/tides.md",
            "/gone/../docs/tides.md",
        ] {
            let path = format!("{project}{path}");
            assert_eq!(findings(&world, root, &[&path]), inside, "{root} {path}");
        }
        for path in ["/../rules", "/docs/../../formats/gone.md", "/../project2/a.md"] {
            let path = format!("{project}{path}");
            assert_eq!(findings(&world, root, &[&path]), outside, "{root} {path}");
        }
    }
}
