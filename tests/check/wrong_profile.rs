//! What is not the agent's fault.

use crate::common::{World, piped, run, stderr, stdout};

const METADATA: &str = r#""metadata":{"session_id":"s","agent_type":"planner","delegation_depth":1,"delegation_path":["orchestrator","planner"]}"#;

#[test]
fn extract_is_offered_where_it_would_help() {
    let world = World::new();
    let valid = format!(
        r#"{{"status":"failed","summary":"It failed. Nothing is there.","artifacts":[],{METADATA}}}"#
    );
    let check = |options: &str, text: &str| stdout(&piped(&world, options, text));
    let offer = "or accept it with --extract\n";
    let wrapped = format!("Done.\n{valid}\n");
    let fenced = format!("```json\n{valid}\n```\n");
    for text in [&wrapped, &fenced] {
        assert!(check("", text).contains(offer), "{}", check("", text));
        let concise = check("--format concise", text);
        assert!(concise.ends_with("; accept it with --extract\n"), "{concise}");
        assert!(!check("--format feedback", text).contains("--extract"));
        assert!(check("--extract", text).contains("[PASS] Return validation succeeded"));
    }
    for text in ["Done.", &valid[..40], &format!("{valid} {valid}")] {
        assert!(!check("", text).contains("--extract"), "{text}");
    }
    assert!(!check("--profile handoff", &wrapped).contains("--extract"));
}

const REVIEW: &str = "[profiles.review]\nform = \"text\"\nat.status = \"Statuss\"\n\
                      statuses = { completed = \"success\", failed = \"other\" }\n";

/// The lines of a finding, without those that every finding has.
fn check(world: &World, arguments: &str) -> String {
    let mut retval = world.retval();
    let output = run(retval.arg("check").args(arguments.split(' ')));
    assert_eq!(stderr(&output), "");
    stdout(&output)
}

#[test]
fn the_only_profile_of_texts_is_named_to_who_names_none() {
    let world = World::new();
    world.write("retval.toml", REVIEW);
    world.write("a.md", "# Report\nStatus: completed\n");
    let said = check(&world, "-q a.md");
    assert_eq!(
        said,
        "\
[FAIL] Invalid JSON return from subagent
Error: Cannot parse return as JSON
       it is plain text
Recommendation: Fix the subagent return format
       return a JSON object instead of prose, or check it with --profile review
       at a.md:1:1
       rule: json-syntax
"
    );
    let line = "a.md:1:1: error[json-syntax] Invalid JSON return from subagent (Cannot parse return as JSON: it is plain text)";
    let hint = "; check it with --profile review\n";
    assert_eq!(check(&world, "--format concise a.md"), format!("{line}{hint}"));
    assert_eq!(check(&world, "--format concise --profile return a.md"), format!("{line}\n"));
    // It is not known which one is meant.
    let plan = REVIEW.replace("review", "plan");
    world.write("retval.toml", format!("{REVIEW}{plan}"));
    assert_eq!(check(&world, "--format concise a.md"), format!("{line}\n"));
}

#[test]
fn a_field_whose_name_is_nearly_that_of_the_return_is_the_fault_of_the_profile() {
    let world = World::new();
    let json = "[profiles.json]\nform = \"json\"\nat.status = \"/verdict/stauts\"\nrequired = [\"/summay\", \"/risks\", \"/risk\"]\n\
                statuses = { completed = \"success\", failed = \"other\" }\n";
    world.write("retval.toml", format!("{REVIEW}{json}"));
    world.write("a.md", "# Report\nStatus: completed\n");
    assert_eq!(
        check(&world, "-q --profile review a.md"),
        "\
[FAIL] Missing required field: Statuss
Recommendation: Fix the subagent to include all required fields
       add a line `Statuss:` with one of completed, failed, or correct the profile: it looks for \"Statuss\", and the return has \"Status\"
       at a.md:1:1
       rule: field-missing
"
    );
    let feedback = check(&world, "--format feedback --profile review a.md");
    assert!(!feedback.contains("profile"), "{feedback}");
    // What the profile looks for elsewhere is no misspelling.
    world.write(
        "a.json",
        r#"{"verdict":{"status":"completed"},"summary":"All is read.","risk":"none"}"#,
    );
    assert_eq!(
        check(&world, "--format concise --profile json a.json"),
        "\
a.json:1:12: error[field-missing] Missing required field: /verdict/stauts; correct the profile: it looks for \"stauts\", and the return has \"status\"
a.json:1:1: error[field-missing] Missing required field: /summay; correct the profile: it looks for \"summay\", and the return has \"summary\"
a.json:1:1: error[field-missing] Missing required field: /risks
"
    );
}

#[test]
fn a_file_of_many_that_is_no_return_can_be_skipped() {
    let world = World::new();
    world.write("some/package.json", r#"{"name":"tides","private":true}"#);
    let named = "some/package.json:1:1: error[not-a-return] This is not a return: it has none of the fields status, summary, artifacts, metadata";
    assert_eq!(
        check(&world, "--format concise some"),
        format!(
            "{named}; if no subagent wrote it, skip it with --exclude package.json\n1 return: 0 valid, 1 invalid (0 warnings)\n"
        )
    );
    assert_eq!(check(&world, "--format concise some/package.json"), format!("{named}\n"));
}
