//! Claims of handoff files, such as tests and decisions, and of the compact returns that refer to them.

use serde_json::{Value, json};

use super::{Session, check, claims, value_of};
use crate::common::{World, stdout};

const HANDOFF: &str = "project/bazinga/artifacts/s/G/handoffs/handoff_developer.json";
pub(crate) const TABLE: &str = "src/tides/table.rs";

/// A handoff of a developer.
fn handoff(files: &Value, passing: u64) -> String {
    json!({
        "from_agent": "developer", "to_agent": "qa_expert", "timestamp": "2026-01-01T10:30:00Z",
        "session_id": "s", "group_id": "G", "status": "READY_FOR_QA", "summary": "The tables are printed.",
        "files_modified": files, "files_created": [], "artifacts": {}, "branch": "tides", "concerns": [],
        "tests": { "total": passing, "passing": passing, "failing": 0, "coverage": "90%" },
        "tech_debt_logged": false,
    })
    .to_string()
}

/// What the evidence says of the tests, by whichever rule. One rule says it.
pub(crate) fn tested(world: &World, session: &Session) -> String {
    let returned = handoff(&json!([TABLE]), 3);
    let value = |rule| value_of(world, session, rule, "--profile handoff", &returned);
    let values = ["claim-untested", "claim-tests-failed"].map(value);
    assert!(values.iter().any(String::is_empty), "{values:?}");
    values.concat()
}

#[test]
fn test_runners_of_the_configuration_count() {
    let world = World::new();
    let run = |command: &str| Session::of_one(|it| it.write("a1", TABLE).run("a1", command));
    let unknown = "unknown: Bash call 2 of 2 may have run tests";
    for command in ["just check", "./run-tests.sh --all", "scripts/verify"] {
        assert_eq!(tested(&world, &run(command)), unknown, "{command}");
    }
    world.write(
        "retval.toml",
        "[evidence]\ntest-runners = [\"just  check\", \"./run-tests.sh\", \"scripts/verify\"]\n",
    );
    for (command, expected) in [
        ("just check", "shown: just check passed, Bash call 2 of 2"),
        ("./run-tests.sh --all", "shown: ./run-tests.sh passed, Bash call 2 of 2"),
        ("cd x && /project/run-tests.sh", "shown: ./run-tests.sh passed, Bash call 2 of 2"),
        ("./scripts/verify", "shown: scripts/verify passed, Bash call 2 of 2"),
        (
            "just check | tail -3",
            "unknown: the status of Bash call 2 of 2 says nothing of the tests: it is in a pipe, in a group or beside ||",
        ),
        ("just build", unknown),
        ("./verify", unknown),
        ("cargo test", "shown: cargo test passed, Bash call 2 of 2"),
    ] {
        assert_eq!(tested(&world, &run(command)), expected, "{command}");
    }
    let failed = Session::of_one(|it| {
        let input = json!({ "command": "just check" });
        it.write("a1", TABLE).call_in("a1", "", "Bash", input, false)
    });
    // It may have failed for another reason than a test.
    let expected = "unknown: the record does not tell how the tests of Bash call 2 of 2 ended";
    assert_eq!(tested(&world, &failed), expected);
    let text = |session: &Session| {
        stdout(&check(&world, session, "--profile handoff", &handoff(&json!([TABLE]), 3)))
    };
    let shown = text(&run("just check"));
    assert!(
        shown.contains("[PASS] Claims are shown: 3 of 3\n")
            && shown.contains("; tests: just check passed, "),
        "{shown}"
    );
    let unknown = text(&run("just build"));
    assert!(
        unknown.contains("[SKIP] 1 claim unknown: Bash call 2 of 2 may have run tests\n"),
        "{unknown}"
    );
}

#[test]
fn code_that_may_have_changed_leaves_tests_unknown() {
    let world = World::new();
    let command = |command: &str| json!({ "command": command });
    for (tool, input, is_done, stale) in [
        ("Write", json!({ "file_path": TABLE }), true, "contradicted"),
        ("Bash", command("echo > src/tides/table.rs"), true, "contradicted"),
        ("Bash", command("echo > src/tides/table.rs"), false, ""),
    ] {
        let session = Session::of_one(|it| {
            let it = it.write("a1", TABLE).run("a1", "cargo test");
            it.call_in("a1", "", tool, input, is_done)
        });
        let expected =
            format!("unknown: {tool} call 3 of 3 may have changed code after the last tests");
        assert_eq!(tested(&world, &session), expected);
        let returned = handoff(&json!([TABLE]), 3);
        let rule = "claim-tests-stale";
        let value = value_of(&world, &session, rule, "--profile handoff", &returned);
        assert!(value.starts_with(stale) && value.is_empty() == stale.is_empty(), "{value}");
    }
}

#[test]
fn tests_and_decisions_without_a_call_are_no_work() {
    let world = World::new();
    let nothing = Session::of_one(|it| it);
    let read = Session::of_one(|it| it.call("a1", "Read", json!({})));
    let none = |session: &Session, returned: &str| {
        value_of(&world, session, "work-none", "--profile handoff", returned)
    };
    let decision = |text: &str| {
        json!({
            "from_agent": "tech_lead", "to_agent": "project_manager", "timestamp": "2026-01-01T10:30:00Z",
            "session_id": "s", "group_id": "G", "status": "APPROVED", "summary": "Approved.", "decision": text,
        })
        .to_string()
    };
    let expected = "contradicted: the record of the agent is complete and has no tool call";
    assert_eq!(none(&nothing, &handoff(&json!([]), 3)), expected);
    assert_eq!(none(&nothing, &decision("APPROVED")), expected);
    for (session, returned) in [
        (&nothing, handoff(&json!([]), 0)),
        (&nothing, decision(" ")),
        (&read, handoff(&json!([]), 3)),
        (&read, decision("APPROVED")),
    ] {
        assert_eq!(none(session, &returned), "", "{returned}");
    }
}

#[test]
fn a_compact_return_claims_what_its_handoff_claims() {
    let world = World::new();
    world.write(HANDOFF, handoff(&json!([TABLE]), 3));
    world.write("project/src/tides/table.rs", "fn main() {}");
    let options = "--profile compact --session s --group G --agent developer";
    let compact = r#"{"status":"READY_FOR_QA"}"#;
    let output = |session: &Session, more: &str| {
        check(&world, session, &format!("{options} {more}"), compact)
    };
    let worked = Session::of_one(|it| it.write("a1", TABLE).run("a1", "cargo test"));
    let claims = claims(&output(&worked, "--format jsonl"));
    let of = |rule: &str| {
        claims
            .iter()
            .filter(|(id, ..)| id == rule)
            .map(|(_, value, _)| value.as_str())
            .collect::<Vec<_>>()
    };
    assert_eq!(of("artifact-unwritten"), ["shown"]);
    assert_eq!(of("claim-untested"), ["shown"]);
    assert_eq!(of("return-missing"), ["shown"]);
    let text = stdout(&output(&worked, ""));
    assert!(text.contains("[PASS] Claims are shown: 3 of 3\n"), "{text}");

    let only_read = Session::of_one(|it| it.call("a1", "Read", json!({})));
    let told = output(&only_read, "--format jsonl");
    assert_eq!(told.status.code(), Some(1));
    let record: Value = serde_json::from_str(&stdout(&told)).expect("JSON");
    let found = record["findings"].as_array().expect("findings").iter();
    let rules: Vec<_> = found.map(|it| it["rule"].as_str().expect("a rule")).collect();
    assert_eq!(rules, ["claim-untested", "artifact-unwritten"]);
    let message = record["findings"][1]["message"].as_str().expect("a message");
    let place = "bazinga/artifacts/s/G/handoffs/handoff_developer.json";
    assert!(
        message.starts_with("Artifact was not written by the agent: src/tides/table.rs"),
        "{message}"
    );
    assert!(message.contains(&format!("in {place}:1:")), "{message}");
    let claim = record["evidence"]
        .as_array()
        .expect("claims")
        .iter()
        .find(|it| it["rule"] == "artifact-unwritten");
    assert_eq!(claim.expect("a claim")["file"], place);
    assert_eq!(claim.expect("a claim")["pointer"], "/files_modified/0");
}

#[test]
fn the_run_of_a_compact_return_is_that_of_its_handoff() {
    let world = World::new();
    world.write(HANDOFF, handoff(&json!([TABLE]), 0));
    world.write("project/src/tides/table.rs", "fn main() {}");
    let said = json!([{ "type": "text", "text": r#"{"status":"READY_FOR_QA"}"# }]);
    let session = Session::of_one(|it| {
        it.write("a1", TABLE).record("a1", "assistant", "", &said).task("b2", "Look.")
    });
    // The end of a1 is in the record, and b2 answers something else.
    let lines = session.lines.replace("\"Done.\"", "\"Nothing.\"");
    let lines: String = lines
        .lines()
        .filter(|line| !(line.contains("\"a1\"") && line.contains("Nothing.")))
        .fold(String::new(), |all, line| all + line + "\n");
    world.write("session.jsonl", lines);
    let options = "--root project --transcript session.jsonl --profile compact --session s --group G --agent developer --format jsonl";
    let output = crate::common::piped(&world, options, r#"{"status":"READY_FOR_QA"}"#);
    let claims = claims(&output);
    let written = claims.iter().find(|(rule, ..)| rule == "artifact-unwritten").expect("a claim");
    assert_eq!(written.1, "shown", "{written:?}");
}
