//! Reports for CI are valid for the programs that read them, whatever the returns contain.

use std::fs;

use crate::common::xml::{Element, XmlDocument};
use crate::common::{World, fixtures, piped, stdout};
use assert_cmd::assert::OutputAssertExt as _;
use retval::Format;
use retval::RULES;
use serde_json::Value;

/// A valid blocked return of one line, by an agent.
fn blocked(agent: &str) -> String {
    format!(
        r#"{{"status":"blocked","summary":"A part is done. The rest is not.","artifacts":[],"metadata":{{"session_id":"s","agent_type":"{agent}","delegation_depth":1,"delegation_path":["orchestrator","{agent}"]}},"errors":[{{"type":"timeout","message":"m","recoverable":true,"recommendation":"r"}}]}}"#
    )
}

/// Lines of which every fifth is broken.
fn stream(lines: usize) -> String {
    let line = |number: usize| match number % 10 {
        4 => blocked("é").replace("\"blocked\"", "\"done\""),
        9 => "not JSON at all".to_owned(),
        _ => blocked("planner"),
    };
    (0..lines).map(|number| line(number) + "\n").collect()
}

/// The schema as it was published; `data/README.md` says where it is from.
const PUBLISHED: &str = include_str!("../data/sarif-schema-2.1.0.json");

fn schema() -> jsonschema::Validator {
    let mut schema: Value = serde_json::from_str(PUBLISHED).expect("JSON");
    // The pattern of a language, as published, is no regular expression: it has a bracket too many.
    for definition in ["run", "toolComponent"] {
        let language = &mut schema["definitions"][definition]["properties"]["language"];
        let pattern = language.as_object_mut().expect("a language").remove("pattern");
        assert_eq!(pattern, Some("^[a-zA-Z]{2}|^[a-zA-Z]{2}-[a-zA-Z]{2}]?$".into()));
    }
    jsonschema::options().should_validate_formats(true).build(&schema).expect("a schema")
}

/// A log that meets the schema.
fn sarif(schema: &jsonschema::Validator, text: &str) -> Value {
    let log = serde_json::from_str(text).expect("JSON");
    let errors: Vec<_> = schema.iter_errors(&log).collect();
    assert!(errors.is_empty(), "{errors:?}");
    log
}

fn results(log: &Value) -> &Vec<Value> {
    log["runs"][0]["results"].as_array().expect("results")
}

#[test]
fn sarif_meets_the_published_schema() {
    let world = World::new();
    let schema = schema();
    let many = format!("{{{}}}", vec!["\"a\":1"; 2_000].join(","));
    for (options, input) in [
        ("rules profiles --root project", ""),
        ("profiles/return --root project", ""),
        ("- gone", &many),
        ("--lines", ""),
    ] {
        let output = piped(&world, &format!("{options} --format sarif"), input);
        sarif(&schema, &stdout(&output));
    }
    let mut log = sarif(&schema, &stdout(&piped(&world, "--format sarif", "")));
    log["runs"][0]["results"][0]["level"] = "failure".into();
    assert!(!schema.is_valid(&log));
}

#[test]
fn sarif_describes_every_rule_and_points_each_result_to_its_own() {
    let world = World::new();
    let output = world.check("rules --root project --format sarif");
    let log: Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    let rules = &log["runs"][0]["tool"]["driver"]["rules"];
    let described: Vec<_> = rules.as_array().expect("rules").iter().collect();
    assert_eq!(described.len(), RULES.len() + 1);
    for (rule, described) in RULES.iter().zip(described) {
        assert_eq!(described["id"], rule.id);
        for text in ["shortDescription", "fullDescription", "help"] {
            let text = described[text]["text"].as_str().expect("a text");
            assert!(!text.is_empty());
            assert!(!text.contains(['{', '}']), "{text}");
        }
    }
    assert!(results(&log).len() > 100);
    for result in results(&log) {
        let index = result["ruleIndex"].as_u64().expect("an index");
        let index = usize::try_from(index).expect("small");
        assert_eq!(result["ruleId"], rules[index]["id"]);
    }
}

#[test]
fn sarif_keeps_a_thousand_findings_and_has_the_exit_code() {
    let world = World::new();
    let keys = vec!["\"a\":1"; 2_000].join(",");
    let output = piped(&world, "--format sarif", format!("{{{keys}}}"));
    let log: Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    assert_eq!(results(&log).len(), 1_000);

    for (options, code) in [("", 0), ("rules/field-missing/fail", 1), ("gone", 2)] {
        let output =
            world.check(&format!("profiles/return {options} --root project --format sarif"));
        let log: Value = serde_json::from_str(&stdout(&output)).expect("JSON");
        let invocation = &log["runs"][0]["invocations"][0];
        assert_eq!(invocation["exitCode"], code);
        assert_eq!(invocation["executionSuccessful"], code < 2);
        output.assert().code(code);
    }
    // An empty list of files is not a mistake.
    world.write("list", "");
    let output = world.check("profiles/return --root project --files-from list --format sarif");
    let log: Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    assert_eq!(log["runs"][0]["invocations"][0]["exitCode"], 0);
    output.assert().code(0);
}

#[test]
fn a_fingerprint_stays_when_lines_move_and_tells_findings_apart() {
    let world = World::new();
    let found = |path: &str| {
        let output = world.check(&format!("{path} --format sarif --root project"));
        let log: Value = serde_json::from_str(&stdout(&output)).expect("JSON");
        let of = |result: &Value| {
            let region = &result["locations"][0]["physicalLocation"]["region"];
            let name = result["partialFingerprints"]["retvalFinding/v1"].clone();
            (name, region["startLine"].clone())
        };
        results(&log).iter().map(of).collect::<Vec<_>>()
    };
    let path = "formats/set/windows.json";
    let before = found(path);
    assert_ne!(before[0].0, before[1].0);
    let text = fs::read_to_string(world.path(path)).expect("a file");
    world.write(path, format!("\n\n{text}"));
    let after = found(&format!("./{path}"));
    for ((name, line), (name_after, line_after)) in before.iter().zip(&after) {
        assert_eq!(name, name_after);
        assert_eq!(line.as_u64().map(|line| line + 2), line_after.as_u64());
    }
}

#[test]
fn nothing_that_a_return_says_is_a_workflow_command() {
    let world = World::new();
    let hostile = fs::read_to_string(fixtures().join("formats/set/hostile.json"));
    let hostile = hostile.expect("a fixture");
    let agent = blocked("::error::x").replace("\"blocked\"", "\"::debug::\"");
    world.write("::warning::x\n::error::y.json", hostile);
    world.write("##[group].ndjson", agent.clone() + "\n" + &agent);
    for format in Format::ALL.map(Format::as_str) {
        for detail in ["", "-q", "-v"] {
            let mut retval = world.retval();
            retval.args(["check", "::warning::x\n::error::y.json", "##[group].ndjson"]);
            retval.args(["gone::x", "--format", format]);
            let output = retval.args(detail.split_whitespace()).output();
            let text = stdout(&output.expect("it runs"));
            assert!(!text.contains("##"), "{text}");
            for line in text.lines() {
                let is_ours = line.starts_with("::error ") || line.starts_with("::warning ");
                let is_command = line.trim_start().starts_with("::");
                assert!(!is_command || (is_ours && format == "github"), "{line}");
            }
        }
    }
}

#[test]
fn quiet_annotations_are_failures_and_nothing_else() {
    let world = World::new();
    let set = "formats/set --root project --format github";
    let all = stdout(&world.check(set));
    let quiet = stdout(&world.check(&format!("{set} -q")));
    let failures: String = all.split_inclusive('\n').fold(String::new(), |text, line| {
        if line.starts_with("::error ") { text + line } else { text }
    });
    assert_eq!(quiet, failures);
    assert!(all.contains("\n::warning ") && all.ends_with(" (2 warnings)\n"));
}

/// Suites with their cases, in order, from a document of the one shape that there is.
fn suites(document: &str) -> Vec<(Element, Vec<Element>)> {
    let mut elements = XmlDocument::read(document).elements.into_iter();
    let root = elements.next().expect("a root");
    assert_eq!(root.name, "testsuites");
    assert_eq!(root.attributes["name"], "retval");
    let mut suites: Vec<(Element, Vec<Element>)> = Vec::new();
    for element in elements {
        if element.name == "testsuite" {
            suites.push((element, Vec::new()));
        } else {
            suites.last_mut().expect("a suite").1.push(element);
        }
    }
    suites
}

#[test]
fn junit_has_a_suite_with_a_case_for_each_return() {
    let world = World::new();
    world.write("in/day.ndjson", stream(25));
    world.write("in/empty.ndjson", "");
    let output = world.check("in rules gone --format junit --root project");
    let suites = suites(&stdout(&output));
    assert_eq!(suites[0].0.attributes["name"], "in/day.ndjson:1");
    assert_eq!(suites[24].0.attributes["name"], "in/day.ndjson:25");
    assert_eq!(suites.last().expect("a suite").0.attributes["name"], "gone");
    for (suite, elements) in &suites {
        let count = |name| elements.iter().filter(|it| it.name == name).count();
        for (attribute, name) in [
            ("tests", "testcase"),
            ("failures", "failure"),
            ("errors", "error"),
            ("skipped", "skipped"),
        ] {
            assert_eq!(suite.attributes[attribute], count(name).to_string());
        }
        let case = &elements[0];
        assert!(case.attributes["classname"].starts_with("retval"));
        assert_eq!(case.attributes["name"], suite.attributes["name"]);
        assert!(suite.attributes["name"].starts_with(&case.attributes["file"]));
        for fault in elements.iter().filter(|it| ["failure", "error"].contains(&it.name.as_str())) {
            assert!(!fault.attributes["message"].is_empty());
            assert!(!fault.attributes["type"].is_empty());
        }
    }
    let json = stdout(&world.check("in rules gone --format json --root project"));
    let json: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["totals"]["returns"], suites.len());
}

#[test]
fn failures_take_the_places_of_warnings_under_the_limit_of_findings() {
    let world = World::new();
    let artifacts = vec![r#"{"path":"gone.md"}"#; 1_100].join(",");
    let text = blocked("planner")
        .replace("\"blocked\"", "\"completed\"")
        .replace("\"artifacts\":[]", &format!("\"artifacts\":[{artifacts}]"));
    let document = stdout(&piped(&world, "--format junit", &text));
    let suites = suites(&document);
    assert_eq!(suites[0].0.attributes["failures"], "1");
    let failure = &suites[0].1[1];
    assert_eq!(failure.name, "failure");
    assert_eq!(failure.attributes["type"], "artifact-not-found");
    let message = "Artifact does not exist: gone.md (and 1099 more)";
    assert_eq!(failure.attributes["message"], message);
    let record = stdout(&piped(&world, "--format jsonl", &text));
    let record: Value = serde_json::from_str(&record).expect("a record");
    let omitted = &record["findings_omitted"];
    let annotations = stdout(&piped(&world, "--format github -q", &text));
    let missing = "::error title=artifact-not-found";
    assert_eq!(annotations.matches(missing).count(), 1_000);
    assert!(
        annotations.ends_with(&format!("::error title=-::{omitted} more findings are not shown\n"))
    );
}

#[test]
fn every_character_that_a_path_can_have_is_xml() {
    let world = World::new();
    let mut names: Vec<String> = (1..=0x2fff_u32)
        .chain([0xfeff, 0xfffd, 0xfffe, 0xffff, 0x1_fffe, 0x1_f30a])
        .filter_map(char::from_u32)
        .filter(|character| *character != '/' && *character != '\n')
        .map(|character| format!("x{character}x"))
        .collect();
    names.push("]]>&amp;<!--".to_owned());
    let output = piped(&world, "--files-from - --format junit", names.join("\n"));
    let document = stdout(&output);
    assert_eq!(suites(&document).len(), names.len());
}

#[test]
fn any_number_of_threads_makes_the_same_reports() {
    let world = World::new();
    for number in 0..70 {
        world.write(&format!("in/a{number:02}.json"), stream(5).lines().last().expect("a line"));
    }
    world.write("in/day.ndjson", stream(4_000));
    world.write("in/z.json", "{}");
    let reports = |jobs: u8| {
        let outputs = "--format github=g --format sarif=s --format junit=j";
        let output = world.check(&format!("in gone in/z.json {outputs} -j {jobs}"));
        output.assert().code(2);
        ["g", "s", "j"].map(|name| fs::read_to_string(world.path(name)).expect("a report"))
    };
    let alone = reports(1);
    assert_eq!(reports(8), alone);
    sarif(&schema(), &alone[1]);
    let suites = suites(&alone[2]);
    assert_eq!(suites.len(), 70 + 4_000 + 3);
}
