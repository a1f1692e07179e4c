//! Where artifacts are looked for: the root that is named, and the file that was probably meant.

use std::os::unix::fs::symlink;

use serde_json::{Value, json};

use crate::common::{World, run, stdout};

/// A return that claims these files.
fn claims(paths: &[&str]) -> String {
    let artifact = |path: &&str| json!({"type": "plan", "path": path, "summary": "A plan."});
    json!({
        "status": "completed",
        "summary": "The tides are told. They are high.",
        "artifacts": paths.iter().map(artifact).collect::<Vec<_>>(),
        "metadata": {"session_id": "s", "agent_type": "planner", "delegation_depth": 1,
            "delegation_path": ["orchestrator", "planner"]}
    })
    .to_string()
}

/// The file that is suggested for each claimed one.
fn suggested(world: &World, paths: &[&str]) -> Vec<Option<String>> {
    world.write("r.json", claims(paths));
    let output = world.check("r.json --root tides --format json");
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let findings = report["returns"][0]["findings"].as_array().expect("findings");
    assert_eq!(findings.len(), paths.len(), "{report}");
    let file = |finding: &Value| {
        let text = finding["suggestion"].as_str()?;
        assert!(finding["help"].as_str()?.ends_with(text), "{finding}");
        Some(text.strip_prefix("did you mean ")?.strip_suffix('?')?.to_owned())
    };
    findings.iter().map(file).collect()
}

fn tides() -> World {
    let world = World::new();
    for file in ["docs/Plan.md", "docs/review.md", "src/main.rs", "a/x.md"] {
        world.write(&format!("tides/{file}"), "text");
    }
    world
}

#[test]
fn a_missing_file_gets_the_one_that_was_meant() {
    for (claimed, meant) in [
        ("a/new/x.md", Some("a/x.md")),
        ("docs/reviews/review.md", Some("docs/review.md")),
        // Another name, and another place.
        ("docs/plan.md", None),
        ("docs/plans/plan.md", None),
        ("docs/reviw.md", None),
        ("main.rs", None),
        ("lib/review.md", None),
    ] {
        let found = suggested(&tides(), &[claimed]);
        assert_eq!(found, [meant.map(str::to_owned)], "{claimed}");
    }
}

#[test]
fn nothing_outside_the_root_and_no_link_is_suggested() {
    let world = tides();
    world.write("secret.md", "text");
    world.write("outside/hidden.md", "text");
    symlink("../outside", world.path("tides/linked")).expect("a link");
    symlink("../secret.md", world.path("tides/docs/linked.md")).expect("a link");
    for claimed in ["docs/secret.md", "linked/new/hidden.md", "docs/new/linked.md"] {
        assert_eq!(suggested(&world, &[claimed]), [None], "{claimed}");
    }
}

#[test]
fn a_return_with_many_missing_files_gets_few_suggestions() {
    let paths: Vec<_> = (0..100).map(|number| format!("docs/{number}/review.md")).collect();
    let paths: Vec<_> = paths.iter().map(String::as_str).collect();
    let found = suggested(&tides(), &paths);
    assert_eq!(found.iter().flatten().count(), 16);
}

#[test]
fn the_suggestion_stands_in_text_and_feedback() {
    let world = tides();
    world.write("r.json", claims(&["docs/new/review.md"]));
    let text = stdout(&world.check("r.json --root tides"));
    let lines = "Recommendation: Verify planner writes artifacts to correct paths\n\
                 \x20      did you mean docs/review.md?\n";
    assert!(text.contains(lines), "{text}");
    let text = stdout(&world.check("r.json --root tides --format feedback"));
    let advice =
        "Write the file, or return the path that you wrote to: did you mean docs/review.md?\n";
    assert!(text.contains(advice), "{text}");
}

#[test]
fn the_root_is_named_once_where_a_file_is_missing() {
    let world = tides();
    world.write("r.json", claims(&["one.md", "two.md"]));
    let text = stdout(&world.check("r.json --root tides"));
    assert_eq!(text.matches("\nRoot: tides\n").count(), 1, "{text}");
    world.write("tides/r.json", claims(&["one.md"]));
    let output = run(world.retval().current_dir(world.path("tides")).args(["check", "r.json"]));
    let root = format!("\nRoot: {}\n", world.path("tides").display());
    assert!(stdout(&output).contains(&root), "{}", stdout(&output));
    world.write("r.json", claims(&["docs/Plan.md"]).replace("completed", "done"));
    let text = stdout(&world.check("r.json --root tides"));
    assert!(!text.contains("Root: "), "{text}");
}

#[test]
fn a_file_that_is_found_makes_its_folder_the_root() {
    let world = tides();
    world.write("tides/work/r.json", claims(&["docs/Plan.md"]));
    let check = |options: &[&str]| {
        let mut retval = world.retval();
        let retval = retval.current_dir(world.path("tides/work"));
        run(retval.args(["check", "r.json"]).args(options)).status.code()
    };
    assert_eq!(check(&[]), Some(1));
    world.write("tides/retval.toml", "strict = false\n");
    assert_eq!(check(&[]), Some(0));
    // A file that is named says nothing about the place, and an option comes first.
    assert_eq!(check(&["--config", "../retval.toml"]), Some(1));
    assert_eq!(check(&["--root", "."]), Some(1));
    world.write("tides/retval.toml", "root = \"docs\"\n");
    assert_eq!(check(&[]), Some(1));
}
