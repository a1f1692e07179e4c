//! Statuses and members that the source does not have in the form that the output requires.

use assert_cmd::assert::OutputAssertExt as _;
use predicates::prelude::PredicateBooleanExt as _;
use predicates::str::{contains, is_empty};
use serde_json::{Value, json};

use super::{convert, full_v1};
use crate::common::{World, stderr, stdout};

fn finished(agent: &str, path: &[&str], artifacts: &[&str]) -> String {
    let artifacts: Vec<_> = artifacts
        .iter()
        .map(|kind| json!({"type": kind, "path": "docs/tides.md", "summary": "x"}))
        .collect();
    json!({
        "status": "completed", "summary": "It is done. It is good.", "artifacts": artifacts,
        "metadata": {"session_id": "s", "agent_type": agent, "delegation_depth": 1, "delegation_path": path}
    })
    .to_string()
}

#[test]
fn the_success_word_follows_from_agent_command_and_artifacts() {
    let world = World::new();
    for (agent, path, artifacts, expected) in [
        (
            "lean-research-agent",
            &[][..],
            &["report"][..],
            Ok("researched"),
        ),
        ("planner", &[], &[], Ok("planned")),
        ("Planner", &[], &["summary"], Ok("planned")),
        ("implementation-planner", &[], &["plan"], Ok("planned")),
        (
            "worker",
            &["orchestrator", "research", "worker"],
            &[],
            Ok("researched"),
        ),
        (
            "worker",
            &[],
            &["implementation", "summary"],
            Ok("implemented"),
        ),
        (
            "implementer",
            &[],
            &["report", "implementation"],
            Ok("implemented"),
        ),
        ("planet-agent", &[], &["documentation"], Err(())),
        ("worker", &[], &["report", "plan"], Err(())),
        ("planner", &[], &["implementation"], Err(())),
        ("implementation-planner", &[], &[], Err(())),
    ] {
        let output = convert(
            &world,
            "--from return --to return-meta",
            finished(agent, path, artifacts),
        );
        if let Ok(word) = expected {
            let value: Value = serde_json::from_slice(&output.stdout).expect("JSON");
            assert_eq!(value["status"], word, "{agent}");
            assert!(
                stderr(&output).contains(&format!("/status: completed to {word} (")),
                "{}",
                stderr(&output)
            );
        } else {
            let why = "error: the agent and the artifacts do not show whether completed means researched, planned or implemented; set it with --status\n";
            output.assert().code(2).stdout(is_empty()).stderr(why);
        }
    }
}

#[test]
fn a_requested_status_may_not_contradict() {
    let world = World::new();
    let unclear = finished("worker", &["worker"], &["documentation"]);
    let to_meta = "--from return --to return-meta --status";
    convert(&world, &format!("{to_meta} implemented"), &unclear)
        .assert()
        .code(0)
        .stderr(contains(
            "mapped         /status: completed to implemented (--status)\n",
        ));
    convert(&world, &format!("{to_meta} failed"), &unclear)
        .assert()
        .code(2)
        .stdout(is_empty())
        .stderr("error: --status failed contradicts the status of the return, completed\n");
    convert(&world, &format!("{to_meta} completed"), &unclear)
        .assert()
        .code(2)
        .stderr("error: --status completed is not a status of return-meta; use in_progress, researched, planned, implemented, partial, failed or blocked\n");
    let failed = unclear.replace("completed", "failed");
    convert(&world, &format!("{to_meta} implemented"), failed)
        .assert()
        .code(2)
        .stdout(is_empty());
    let odd = unclear.replace("completed", "mostly");
    convert(&world, "--from return --to return-meta", &odd)
        .assert()
        .code(1)
        .stderr(contains("wrong          /status: Invalid status: mostly"))
        .stderr(contains("rule: status-unknown"));
    let output = convert(&world, &format!("{to_meta} implemented"), odd);
    assert!(stdout(&output).contains("\"/status\": \"mostly\""));
    output.assert().code(0);
}

#[test]
fn known_outcomes_become_statuses_and_are_kept() {
    let world = World::new();
    for (outcome, expected) in [
        ("success", "completed"),
        ("Done", "completed"),
        ("COMPLETED", "completed"),
        ("error", "failed"),
        ("time-out", "partial"),
        ("needs input", "blocked"),
    ] {
        let source = finished("planner", &["planner"], &["plan"]).replace("completed", outcome);
        let output = convert(&world, "--from return --to return-v1", source);
        let value: Value = serde_json::from_str(&stdout(&output)).expect("JSON");
        assert_eq!(value["status"], expected);
        assert_eq!(value["metadata"]["unmapped"]["/status"], outcome);
        let mapped = format!("mapped         /status: {outcome} to {expected} (a known outcome)\n");
        assert!(stderr(&output).contains(&mapped), "{}", stderr(&output));
    }
    let planned = finished("planner", &["planner"], &["plan"]).replace("completed", "done");
    convert(&world, "--from return-v1 --to return-meta", &planned)
        .assert()
        .stdout(contains("\"planned\""))
        .stderr(contains("done to completed (a known outcome)"));
    convert(&world, "--from return --to return-meta", &planned)
        .assert()
        .stdout(contains("\"planned\""))
        .stderr(contains(
            "/status: done to planned (agent planner, artifact plan)",
        ));
    convert(
        &world,
        "--from return --to return-meta --status failed",
        &planned,
    )
    .assert()
    .code(2)
    .stderr("error: --status failed contradicts the status of the return, completed\n");
}

#[test]
fn options_supply_missing_members_and_replace_none() {
    let world = World::new();
    let bare = r#"{"status":"failed","summary":"It did not work. Try again.","artifacts":[],"metadata":{"session_id":" "}}"#;
    let options = "--from return-v1 --to return --session s --agent planner --duration-seconds 2.50 --delegation-depth 3 --delegation-path a,planner";
    let output = convert(&world, options, bare);
    let value: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let metadata = json!({"session_id": "s", "duration_seconds": 2.5, "agent_type": "planner", "delegation_depth": 3, "delegation_path": ["a", "planner"]});
    assert_eq!(value["metadata"], metadata);
    output
        .assert()
        .code(0)
        .stderr(contains("supplied       /metadata/session_id: --session\n"))
        .stderr(contains("defaulted").not());

    let full = full_v1().to_string();
    let output = convert(&world, options, full);
    let value: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(value["metadata"]["session_id"], "s");
    assert_eq!(value["metadata"]["duration_seconds"], 3);
    output.assert().code(0).stderr(contains("supplied").not());
    let full = full_v1().to_string();
    convert(&world, "--from return-v1 --to return --session other", full)
        .assert()
        .code(1)
        .stderr(contains("[FAIL] Session ID mismatch"));
}
