//! `[[overrides]]` of `retval.toml`: settings for the files that match a glob.

mod configuration;
mod inputs;

use std::fs;
use std::process::Output;

use crate::common::{World, run, stdout};
use serde_json::Value;

/// Turns a rule off in a folder and for a name, and on again in a folder below.
const CONFIG: &str = r#"strict = true
root = "project"

[[overrides]]
files = ["legacy/**", "*.meta.json"]
[overrides.rules]
artifact-type = "off"

[[overrides]]
files = ["./legacy/new/*.json"]
strict = false
[overrides.rules]
artifact-type = "warning"
"#;

/// A world with a return whose artifact has an unknown type, in each of these places.
fn world(config: &str, places: &[&str]) -> World {
    let world = World::new();
    world.write("retval.toml", config);
    for place in places {
        world.write(place, slip());
    }
    world
}

/// A return that breaks `artifact-type` and nothing else.
fn slip() -> String {
    let plan = crate::common::fixtures().join("profiles/return/completed-plan.json");
    let plan = fs::read_to_string(plan).expect("a return");
    plan.replace("\"plan\"", "\"plna\"")
}

/// Runs `retval check` in a folder of the world.
fn check(world: &World, folder: &str, options: &str) -> Output {
    let mut retval = world.retval();
    retval.arg("check").args(options.split_whitespace());
    run(retval.current_dir(world.path(folder)))
}

/// The source, profile, verdict and level of the first finding of each record.
fn verdicts(output: &Output) -> Vec<(String, String, bool, Option<String>)> {
    let text = stdout(output);
    let records = text.lines().map(|line| {
        let record: Value = serde_json::from_str(line).expect("a record");
        let text = |value: &Value| value.as_str().map(str::to_owned);
        (
            text(&record["source"]).expect("a source"),
            text(&record["profile"]).expect("a profile"),
            record["valid"] == true,
            text(&record["findings"][0]["level"]),
        )
    });
    records.collect()
}

/// The level of the finding in each source.
fn levels(output: &Output) -> Vec<(String, Option<String>)> {
    let verdicts = verdicts(output).into_iter();
    verdicts.map(|(source, _, _, level)| (source, level)).collect()
}

fn expected(levels: &[(&str, Option<&str>)]) -> Vec<(String, Option<String>)> {
    let levels = levels.iter();
    levels.map(|(source, level)| ((*source).to_owned(), level.map(str::to_owned))).collect()
}

#[test]
fn the_last_table_that_matches_wins_however_a_file_is_named() {
    let places = ["one.json", "legacy/a.json", "legacy/new/b.json", "x/c.meta.json"];
    let world = world(CONFIG, &places);
    let of_folder = check(&world, "", "one.json legacy x --format jsonl");
    assert_eq!(of_folder.status.code(), Some(1));
    let levels_found = [
        ("one.json", Some("error")),
        ("legacy/a.json", None),
        ("legacy/new/b.json", Some("warning")),
        ("x/c.meta.json", None),
    ];
    assert_eq!(levels(&of_folder), expected(&levels_found));
    let named = check(&world, "", &format!("{} --format jsonl -j 4", places.join(" ")));
    assert_eq!(levels(&named), expected(&levels_found));

    // From elsewhere: below, through `..`, through a link, absolute, and from a list.
    let nothing = |name: &str| vec![(name.to_owned(), None)];
    let one = |folder: &str, path: &str| {
        levels(&check(&world, folder, &format!("{path} --format jsonl")))
    };
    assert_eq!(one("x", "c.meta.json"), nothing("c.meta.json"));
    assert_eq!(one("x", "../legacy/./a.json"), nothing("../legacy/./a.json"));
    let absolute = world.path("legacy/a.json").to_str().expect("UTF-8").to_owned();
    assert_eq!(one("", &absolute), nothing(&absolute));
    std::os::unix::fs::symlink(world.path(""), world.path("project/link")).expect("a link");
    let linked = world.path("project/link/legacy/a.json");
    let linked = linked.to_str().expect("UTF-8").to_owned();
    let unmatched = vec![(linked.clone(), Some("error".to_owned()))];
    assert_eq!(one("", &linked), unmatched, "a name below the folder counts as it is");
    let elsewhere = tempfile::tempdir().expect("a folder");
    let link = elsewhere.path().join("link");
    std::os::unix::fs::symlink(world.path(""), &link).expect("a link");
    let through = link.join("legacy/a.json");
    let through = through.to_str().expect("UTF-8").to_owned();
    assert_eq!(one("", &through), nothing(&through));
    world.write("list", "legacy/a.json\none.json\n");
    let listed = check(&world, "", "--files-from list --format jsonl");
    let both = [("legacy/a.json", None), ("one.json", Some("error"))];
    assert_eq!(levels(&listed), expected(&both));

    // Whole lines, as a person sees them.
    let shown = stdout(&check(&world, "", "legacy -v"));
    assert!(
        shown.contains("== legacy/new/b.json")
            && shown.contains("[WARN] Unknown artifact type: plna")
    );
    assert!(shown.ends_with("2 returns: 2 valid, 0 invalid (1 warning)\n"), "{shown}");
}

#[test]
fn the_command_line_and_the_environment_outrank_the_tables() {
    let world = world(CONFIG, &["legacy/new/b.json"]);
    let level = |options: &str| {
        levels(&check(&world, "", &format!("legacy --format jsonl {options}"))).remove(0).1
    };
    assert_eq!(level("").as_deref(), Some("warning"));
    for (options, expected) in [
        ("--rule artifact-type=error", Some("error")),
        ("--strict", Some("error")),
        ("--rule artifact-type=off", None),
        ("--no-config --root project", Some("warning")),
    ] {
        assert_eq!(level(options).as_deref(), expected, "{options}");
    }
    world.write("retval.toml", "[[overrides]]\nfiles = [\"*\"]\nprofile = \"compact\"\n");
    let mut retval = world.retval();
    retval.args(["check", "legacy", "--root", "project", "--format", "jsonl"]);
    assert_eq!(verdicts(&run(&mut retval))[0].1, "compact");
    assert_eq!(verdicts(&run(retval.env("RETVAL_PROFILE", "return")))[0].1, "return");
}
