//! `retval explain`: its examples and names are correct.

use std::fs;

use crate::common::{World, add_words, fixtures, piped, run, stderr, stdout};
use retval::RULES;
use serde_json::Value;

fn explain(world: &World, options: &[&str]) -> String {
    let output = world.retval().arg("explain").args(options).output().expect("it runs");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    stdout(&output)
}

/// The rules that one side of an example breaks, and their levels.
fn broken(world: &World, side: &Value) -> Vec<(String, String)> {
    let options = side["options"].as_str().unwrap_or_default();
    let has_evidence = options.contains("--rev") || options.contains("--transcript");
    if options.contains("--rev") {
        world.commit_project();
    }
    let text = |value: &Value, key: &str| value[key].as_str().expect("a text").to_owned();
    world.provide_all(&text(side, "options"));
    let project = world.path("project").display().to_string();
    let example = text(side, "text").replace("{root}", &project);
    // Git reads no repository of somebody else.
    let mut retval = if has_evidence { world.retval() } else { world.retval_as_nobody() };
    retval
        .args(["check", "--format", "jsonl", "--root", "project", "--profile"])
        .arg(text(side, "profile"));
    let options = text(side, "options");
    // An example that is about its place names it.
    let place = options.split(' ').find(|it| it.starts_with("specs/"));
    add_words(&mut retval, &options.replace(place.unwrap_or("\n"), ""));
    if let Some(config) = side["config"].as_str() {
        world.write("own.toml", config);
        let schema = fixtures().join("standards/review.schema.json");
        world.write("review.schema.json", fs::read(schema).expect("a schema"));
        retval.args(["--config", "own.toml"]);
    }
    let place = place.unwrap_or("example.json");
    world.write(place, example);
    let output = run(retval.arg(place));
    let record: Value = serde_json::from_str(&stdout(&output)).expect("a record");
    let findings = record["findings"].as_array().expect("findings").iter();
    findings.map(|finding| (text(finding, "rule"), text(finding, "level"))).collect()
}

/// The level in the profile of the example.
fn level_told(told: &Value) -> &str {
    let levels = told["levels"].as_array().expect("levels");
    let profile = &told["fails"]["profile"];
    let level = levels.iter().find(|level| &level["profile"] == profile);
    // A standard of one's own sets no other level.
    level.unwrap_or(told)["level"].as_str().expect("a level")
}

#[test]
fn every_example_breaks_its_own_rule_alone_at_its_level() {
    let world = World::new();
    for rule in RULES {
        let told: Value = serde_json::from_str(&explain(&world, &[rule.id, "--format", "json"]))
            .expect("a document");
        let told = &told["rules"][0];
        assert_eq!(told["rule"], rule.id);
        let found = broken(&world, &told["fails"]);
        assert!(!found.is_empty(), "{}", told["fails"]);
        let level = level_told(told);
        for (id, found) in found {
            // What stands in place of a return is no JSON either.
            if (rule.id, &*id) == ("return-missing", "json-syntax") {
                continue;
            }
            assert_eq!(id, rule.id, "{}", told["fails"]);
            assert!(found == level || level == "off", "{id}: {found}, not {level}");
        }
        let kept = broken(&world, &told["passes"]);
        assert!(kept.is_empty(), "{kept:?}: {}", told["passes"]);
    }
}

#[test]
fn a_rule_has_a_page() {
    let world = World::new();
    assert_eq!(
        explain(&world, &["artifact-not-relative"]),
        include_str!("../data/explain-artifact-not-relative.txt")
    );
}

#[test]
fn an_id_that_no_rule_has_is_refused() {
    let output = run(World::new().retval().args(["explain", "E501"]));
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(
        stderr(&output),
        "error: invalid value 'E501' for '[RULE]...': `retval explain` lists the rules\n\nFor more information, try '--help'.\n"
    );
}

#[test]
fn explain_without_a_rule_prints_the_table_of_all() {
    let world = World::new();
    let table = explain(&world, &[]);
    for rule in RULES {
        assert!(table.contains(rule.id), "{}", rule.id);
    }
    let all: Value =
        serde_json::from_str(&explain(&world, &["--format", "json"])).expect("a document");
    assert_eq!(all["version"], 1);
    assert_eq!(all["rules"].as_array().map(Vec::len), Some(RULES.len()));
}

#[test]
fn a_misspelt_name_gets_a_suggestion() {
    let output =
        World::new().retval().args(["explain", "artifact-missing"]).output().expect("it runs");
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
    assert!(stderr(&output).contains("artifact"), "{}", stderr(&output));
}

#[test]
fn no_level_is_offered_that_a_rule_cannot_have() {
    let world = World::new();
    for rule in RULES {
        let is_offered = explain(&world, &[rule.id]).contains("To change:");
        let checked = piped(&world, &format!("--rule {}=off", rule.id), "");
        let is_refused = stderr(&checked).contains("must stay an error");
        assert_eq!(is_offered, !is_refused, "{}", rule.id);
    }
}

#[test]
fn an_example_that_is_only_a_place_is_shown_as_its_command() {
    let page = explain(&World::new(), &["metadata-location"]);
    let command = "retval check --profile return-meta specs";
    let examples = format!(
        "\n\nFailing example: {command}/007_Tide-Tables/.return-meta.json\n\
         \nPassing example: {command}/7_tide_tables/.return-meta.json\n"
    );
    assert!(page.ends_with(&examples), "{page}");
}
