//! `--format failed-return`: its summary, its delegation and its session.

use crate::common::{World, feed, piped, stderr, stdout};
use serde_json::Value;

#[test]
fn the_summary_has_the_reason_and_the_depth_fits_the_path() {
    let world = World::new();
    let metadata = r#""metadata": {"session_id": "s", "agent_type": "planner", "delegation_depth": 1, "delegation_path": ["orchestrator", "plan", "planner"]}"#;
    let returned = |status: &str, artifacts: &str| {
        format!(
            r#"{{"status": "{status}", "summary": "One is done. Two is done.", "artifacts": {artifacts}, {metadata}}}"#
        )
    };
    for (text, reason) in [
        ("prose".to_owned(), "Cannot parse return as JSON"),
        ("{\"status\": \"failed\"}".to_owned(), "Missing required field: summary"),
        (returned("done", "[]"), "Invalid status: done"),
        (returned("failed", "[]"), "Session ID mismatch"),
        (returned("completed", "[]"), "Session ID mismatch"),
        // No text of the return ends the sentence.
        (returned("Done. All is well", "[]"), "Invalid status"),
    ] {
        let output = piped(&world, "--agent planner --session t --format failed-return", text);
        let failed: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let summary = failed["summary"].as_str().expect("a text");
        let begin = format!("Subagent return validation failed: {reason}. Failures: ");
        assert!(summary.starts_with(&begin), "{summary}");
        assert_eq!(failed["metadata"]["delegation_depth"], 1, "{failed}");
    }
    for (artifacts, reason) in [
        ("[]", "Phantom work detected - status=completed but no artifacts"),
        (r#"[{"path": "a/none.md"}]"#, "Artifact does not exist: a/none.md"),
    ] {
        let output = piped(&world, "--format failed-return", returned("completed", artifacts));
        let failed: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let begin = format!("Subagent return validation failed: {reason}. Failures: 1,");
        assert!(failed["summary"].as_str().expect("a text").starts_with(&begin), "{failed}");
    }
}

#[test]
fn no_session_is_invisible() {
    let world = World::new();
    for text in ["", " \t", "\u{200b}\u{feff}"] {
        let mut retval = world.retval();
        let output = feed(retval.args(["check", "--session", text]), "{}");
        assert_eq!(output.status.code(), Some(2), "{text:?}");
        assert_eq!(
            stderr(&output),
            "error: --session <ID> is empty: is the variable set?\n\nFor more information, try '--help'.\n"
        );
    }
    let mut retval = world.retval();
    let returned = r#"{"metadata": {"session_id": "s"}}"#;
    let output = feed(retval.arg("check").env("RETVAL_SESSION", "\u{a0}"), returned);
    let skipped = "[SKIP] Session ID: no --session was given\n";
    assert!(stdout(&output).contains(skipped), "{}", stdout(&output));
}
