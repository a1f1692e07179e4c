//! The report for GitLab.

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;

use super::gitlab;
use crate::common::{World, fixtures, run, stdout};

#[test]
fn gitlab_gets_the_members_that_it_documents() {
    let keys = |value: &Value| {
        value
            .as_object()
            .expect("an object")
            .keys()
            .cloned()
            .collect()
    };
    for issue in gitlab() {
        let members: Vec<String> = keys(&issue);
        let known = [
            "check_name",
            "description",
            "fingerprint",
            "location",
            "severity",
        ];
        assert_eq!(members, known);
        assert_eq!(keys(&issue["location"]), ["lines", "path"]);
        let severity = issue["severity"].as_str().expect("a severity");
        assert!(["minor", "major", "critical"].contains(&severity));
        let print = issue["fingerprint"].as_str().expect("a fingerprint");
        assert!(print.len() == 32 && print.bytes().all(|byte| byte.is_ascii_hexdigit()));
    }
}

/// Moving a return in its file, or reordering what it lists, makes no new issue.
#[test]
fn fingerprints_for_gitlab_stay_when_lines_move() {
    let world = World::new();
    let prints = |text: &str| {
        world.write("returns/a.json", text);
        let output = world.check("returns/a.json --format gitlab");
        let issues: Vec<Value> = serde_json::from_str(&stdout(&output)).expect("a list");
        let prints = issues.iter().map(|it| it["fingerprint"].to_string());
        prints.collect::<BTreeSet<_>>()
    };
    let path = fixtures().join("rules/artifact-not-found/fail/phantom.json");
    let text = fs::read_to_string(path).expect("a return");
    let before = prints(&text);
    assert!(!before.is_empty());
    assert_eq!(prints(&format!("\n\n{text}")), before);
}

#[test]
fn absolute_paths_below_the_current_folder_are_relative_for_gitlab_alone() {
    let world = World::new();
    world.write("returns/a.json", "{}");
    let whole = world.path("returns/a.json").display().to_string();
    let gone = world.path("gone.json").display().to_string();
    let up = world
        .path("returns/../returns/a.json")
        .display()
        .to_string();
    let output = world.check(&format!("{whole} {gone} {up} /gone.json --format gitlab"));
    let issues: Vec<Value> = serde_json::from_slice(&output.stdout).expect("a list");
    let mut paths: Vec<_> = issues.iter().map(|it| &it["location"]["path"]).collect();
    paths.dedup();
    assert_eq!(
        paths,
        ["returns/a.json", "gone.json", up.as_str(), "/gone.json"]
    );
    let relative = world.check("returns/a.json --format gitlab");
    let typed: Vec<Value> = serde_json::from_slice(&relative.stdout).expect("a list");
    assert_eq!(issues[..typed.len()], typed, "its fingerprints, too");
    for format in ["sarif", "github", "jsonl", "concise"] {
        let output = world.check(&format!("{whole} --format {format}"));
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        assert!(text.contains(&whole), "{text}");
    }
}

/// A shell tells the path with the links that it went through, and the system one without links.
#[test]
fn a_folder_that_was_entered_through_a_link_is_the_same_for_gitlab() {
    let world = World::new();
    world.write("real/returns/a.json", "{}");
    world.write("other/returns/a.json", "{}");
    let link = world.path("link");
    std::os::unix::fs::symlink(world.path("real"), &link).expect("a link");
    let paths = |shell: &str| {
        let mut retval = world.retval();
        retval.current_dir(&link).env("PWD", shell).arg("check");
        for folder in ["link", "real", "other"] {
            retval.arg(world.path(folder).join("returns/a.json"));
        }
        let output = run(retval.args(["--format", "gitlab"]));
        let issues: Vec<Value> = serde_json::from_slice(&output.stdout).expect("a list");
        let paths = issues.iter().map(|it| it["location"]["path"].as_str());
        let mut paths: Vec<_> = paths.map(|it| it.expect("a path").to_owned()).collect();
        paths.dedup();
        paths
    };
    let whole = |folder: &str| world.path(folder).join("returns/a.json");
    let whole = |folder: &str| whole(folder).display().to_string();
    let relative = "returns/a.json".to_owned();
    assert_eq!(
        paths(&link.display().to_string()),
        [relative.clone(), whole("other")]
    );
    for wrong in [
        world.path("other").display().to_string(),
        "link".into(),
        String::new(),
    ] {
        let expected = [whole("link"), relative.clone(), whole("other")];
        assert_eq!(paths(&wrong), expected, "{wrong}");
    }
}
