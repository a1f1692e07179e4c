//! The command as users see it: streams, exit codes and files.

mod levels;
mod outputs;
mod terminal;

use std::fs;

use crate::common::{SESSION, World, piped, stderr, stdout};
use assert_cmd::assert::OutputAssertExt as _;
use predicates::str::{contains, is_empty};

const PLAN: &str = "profiles/return/completed-plan.json";

/// What a script that greps sees of a valid return, whole.
const PASSING: &str = "\
[PASS] Return is valid JSON
[PASS] All required fields present
[PASS] Status is valid: completed
[PASS] Session ID matches
[PASS] Summary length is valid: 34 of 100 tokens (137 characters)
[INFO] Artifact count: 1
[PASS] Artifact exists: specs/12_tide_tables/plans/implementation-001.md
[PASS] Artifact is non-empty: specs/12_tide_tables/plans/implementation-001.md (121 bytes)
[PASS] 1 artifacts validated
[PASS] Return validation succeeded
Status: completed
Artifacts: 1 validated
";

#[test]
fn a_valid_return_passes_from_a_file_a_pipe_and_a_dash() {
    let world = World::new();
    let options = format!("--root project --session {SESSION} --agent planner");
    let text = fs::read(world.path(PLAN)).expect("a fixture");
    for output in [
        world.check(&format!("{PLAN} {options}")),
        piped(&world, &options, &text),
        piped(&world, &format!("- {options}"), &text),
    ] {
        assert_eq!(stdout(&output), PASSING);
        output.assert().code(0).stderr(is_empty());
    }
}

#[test]
fn prose_fails_with_its_kind_and_a_recommendation() {
    let world = World::new();
    let output = piped(
        &world,
        &format!("--session {SESSION} --agent researcher"),
        "I have finished the research.\n",
    );
    let expected = format!(
        "\
[FAIL] Invalid JSON return from researcher
Error: Cannot parse return as JSON
       it is plain text
Recommendation: Fix researcher subagent return format
       return a JSON object instead of prose
       at -:1:1
       rule: json-syntax
[SKIP] Required fields: the return is not valid JSON
[SKIP] Status: the return is not valid JSON
[SKIP] Session ID: the return is not valid JSON
[SKIP] Summary length: the return is not valid JSON
[SKIP] Artifacts: the return is not valid JSON
Error: Subagent return validation failed

Subagent: researcher
Session: {SESSION}

Validation errors:
- Cannot parse return as JSON

Recommendation: Fix researcher subagent return format
1 failure, 0 warnings
"
    );
    assert_eq!(stdout(&output), expected);
    output.assert().code(1).stderr(is_empty());
}

#[test]
fn every_failure_is_reported_once_in_step_order() {
    let world = World::new();
    let text = r#"{
  "status": "done",
  "summary": "",
  "artifacts": [{"type": "plans", "path": "gone.md", "summary": "x"}, "x"],
  "metadata": {"session_id": "other", "agent_type": "planner", "delegation_depth": "1"}
}"#;
    let output = piped(&world, "--session expected", text);
    let expected = "\
[PASS] Return is valid JSON
[FAIL] Empty required field: summary
Recommendation: Fix planner subagent to fill in all required fields
       at -:3:14 (/summary)
       rule: field-empty
[FAIL] Missing required metadata field: delegation_path
Recommendation: Fix planner subagent to include all required metadata fields
       at -:5:15 (/metadata)
       rule: field-missing
[FAIL] Wrong type for field artifacts[1]: expected an object, found a string
Recommendation: Fix planner subagent to write artifacts[1] as an object
       at -:4:71 (/artifacts/1)
       rule: field-type
[FAIL] Wrong type for field metadata.delegation_depth: expected an integer, found a string
Recommendation: Fix planner subagent to write metadata.delegation_depth as an integer
       at -:5:84 (/metadata/delegation_depth)
       rule: field-type
[WARN] Unknown artifact type: plans
Recommendation: Fix planner subagent to use one of plan, report, summary, implementation, documentation
       did you mean plan?
       at -:4:26 (/artifacts/0/type)
       rule: artifact-type
[FAIL] Invalid status: done
Valid statuses: completed, partial, failed, blocked
Recommendation: Fix planner subagent to use valid status enum
       at -:2:13 (/status)
       rule: status-unknown
[FAIL] Session ID mismatch
Expected: expected
Got: other
Recommendation: Fix planner subagent to return correct session_id
       at -:5:30 (/metadata/session_id)
       rule: session-mismatch
[SKIP] Summary length: the summary is empty
[SKIP] Artifacts: the status is not known
[WARN] Claimed artifact does not exist: gone.md
Recommendation: Fix planner subagent to list only files that it wrote
       at -:4:43 (/artifacts/0/path)
       rule: claimed-artifact-missing
Error: Subagent return validation failed

Subagent: planner
Session: expected

Validation errors:
- Empty required field: summary
- Missing required metadata field: delegation_path
- Wrong type for field artifacts[1]: expected an object, found a string
- Wrong type for field metadata.delegation_depth: expected an integer, found a string
- Invalid status: done
- Session ID mismatch

Recommendation: Fix planner subagent return format
6 failures, 2 warnings
";
    // The name of the temporary folder is another one each time.
    let root = format!("Root: {}\n", world.path("").display());
    let root = root.replace("/\n", "\n");
    assert_eq!(stdout(&output).replace(&root, ""), expected);
    output.assert().code(1);
}

#[test]
fn fail_fast_skips_the_steps_after_the_first_failing_one() {
    let world = World::new();
    let output = world.check("rules/status-unknown/fail/done.json --fail-fast --root project");
    let text = stdout(&output);
    assert!(text.contains("[FAIL] Invalid status: done\n"), "{text}");
    for step in ["Session ID", "Summary length", "Artifacts"] {
        assert!(
            text.contains(&format!("[SKIP] {step}: an earlier step failed (--fail-fast)\n")),
            "{text}"
        );
    }
}

#[test]
fn quiet_says_nothing_but_failures() {
    let world = World::new();
    world.check(&format!("-q {PLAN} --root project")).assert().code(0).stdout(is_empty());
    let output = world.check("-q rules/artifact-empty/fail/zero-bytes.json --root project");
    let expected = "\
[FAIL] Artifact is empty: notes/empty.md
Error: Subagent created file but wrote no content
Recommendation: Verify planner writes content to artifacts
       at rules/artifact-empty/fail/zero-bytes.json:7:15 (/artifacts/0/path)
       rule: artifact-empty
";
    assert_eq!(stdout(&output), expected);
}

#[test]
fn another_document_is_one_finding() {
    let world = World::new();
    let package = "rules/not-a-return/fail/package.json";
    let output = world.check(&format!("{package} --format concise"));
    assert_eq!(
        stdout(&output),
        format!(
            "{package}:1:1: error[not-a-return] This is not a return: it has none of the fields status, summary, artifacts, metadata\n"
        )
    );
    let output = world.check(&format!("{package} --format concise --rule not-a-return=off"));
    assert_eq!(stdout(&output).matches("error[field-missing]").count(), 4);
    let output = piped(&world, "--format concise", "{ }");
    assert_eq!(stdout(&output).matches("error[field-missing]").count(), 4);
}

#[test]
fn errors_are_one_line_on_standard_error() {
    let world = World::new();
    let none = world.check(&format!("{PLAN} --root project --max-bytes 0"));
    none.assert().code(2).stderr(contains("invalid value '0' for '--max-bytes <SIZE>'"));
    for (options, what) in [
        ("missing.json", "cannot read missing.json"),
        ("--root nowhere", "cannot use nowhere as the root"),
        ("--root profiles/return/completed-plan.json", "as the root"),
        (
            &format!("{PLAN} --root project --format text=project"),
            "cannot write project: it is a folder",
        ),
        (
            &format!("{PLAN} --root project --format text=no/such/folder/x"),
            "cannot write no/such/folder/x",
        ),
        (
            "--format json --format jsonl",
            "--format json and --format jsonl both print to standard output",
        ),
    ] {
        let output = world.check(options);
        assert_eq!(stderr(&output).lines().count(), 1, "{options}: {}", stderr(&output));
        output.assert().code(2).stdout(is_empty()).stderr(contains(what));
    }
}

#[test]
fn help_describes_each_command() {
    let world = World::new();
    for (command, about) in [
        ("check", "Check returns: JSON, fields, status, session, summary, artifacts\n"),
        ("instruct", "Print the instruction that tells a subagent how to return\n"),
        ("hook", "Answer the hooks of an agent client: instruct at the start, check at the end\n"),
    ] {
        let output = world.retval().args([command, "--help"]).output().expect("it runs");
        assert!(stdout(&output).starts_with(about), "{}", stdout(&output));
        output.assert().code(0).stderr(is_empty());
    }
    let about = "Check what AI subagents return, before anything acts on it\n";
    for option in ["-h", "--help"] {
        let output = world.retval().arg(option).output().expect("it runs");
        assert!(stdout(&output).starts_with(about), "{}", stdout(&output));
    }
}

#[test]
fn a_mistyped_option_gets_the_nearest_name() {
    let world = World::new();
    for (options, suggestion) in [
        ("--profile retrun", "did you mean `return`?"),
        ("--rule artifact-notfound=off", "did you mean `artifact-not-found`?"),
        ("--format jsno", "did you mean `json`?"),
        ("--sesion x", "'--session'"),
    ] {
        world.check(options).assert().code(2).stdout(is_empty()).stderr(contains(suggestion));
    }
}

#[test]
fn a_file_that_may_not_be_read_is_reported() {
    let world = World::new();
    let mut retval = world.retval_as_nobody();
    let output = crate::common::run(retval.args(["check", "project/locked/plan.md"]));
    output
        .assert()
        .code(2)
        .stderr(contains("cannot read project/locked/plan.md: Permission denied"));
}

#[test]
fn a_return_that_is_given_to_no_command_is_not_checked_and_that_is_said() {
    let world = World::new();
    let output = crate::common::feed(&mut world.retval(), "{}");
    let error = "error: standard input was not read: type `retval check` to check a return\n";
    output.assert().code(1).stdout("").stderr(error);
    let alone = crate::common::run(&mut world.retval());
    assert!(stdout(&alone).contains("retval check return.json"));
    alone.assert().code(0).stderr("");
}
