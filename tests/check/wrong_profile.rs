//! What is not the agent's fault, and what one round should correct at once.

use crate::common::{World, piped, stdout};

const METADATA: &str = r#""metadata":{"session_id":"s","agent_type":"planner","delegation_depth":1,"delegation_path":["orchestrator","planner"]}"#;

#[test]
fn a_return_of_another_profile_is_told_as_such() {
    let world = World::new();
    let handoff = r#"{"from_agent":"developer","status":"READY_FOR_QA","summary":"Built."}"#;
    let file = format!(r#"{{"status":"researched","artifacts":[],{METADATA}}}"#);
    let console = format!(
        r#"{{"status":"completed","summary":"All is made. It is short.","artifacts":[],{METADATA}}}"#
    );
    for (profile, text, looks) in [
        (
            "return",
            r#"{"status":"READY_FOR_QA"}"#,
            "a compact return: --profile compact",
        ),
        ("return", handoff, "a handoff return: --profile handoff"),
        (
            "return",
            &file,
            "a .return-meta.json file: --profile return-meta",
        ),
        ("compact", &console, "a console return: --profile return"),
        ("handoff", &console, "a console return: --profile return"),
    ] {
        let check = |format: &str| {
            let options = format!("--profile {profile} --format {format}");
            stdout(&piped(&world, &options, text))
        };
        let line = format!("       this looks like {looks}\n");
        assert!(check("text").contains(&line), "{}", check("text"));
        assert!(
            !check("feedback").contains("--profile"),
            "the agent chooses none"
        );
    }
    let slip = console.replace("completed", "complete");
    let text = stdout(&piped(&world, "", slip));
    assert!(text.contains("did you mean completed?"), "{text}");
}

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
        assert!(!check("--format feedback", text).contains("--extract"));
        assert!(check("--extract", text).contains("[PASS] Return validation succeeded"));
    }
    for text in ["Done.", &valid[..40], &format!("{valid} {valid}")] {
        assert!(!check("", text).contains("--extract"), "{text}");
    }
    assert!(!check("--profile handoff", &wrapped).contains("--extract"));
}

#[test]
fn artifacts_are_looked_at_with_a_wrong_status_too() {
    let world = World::new();
    let artifacts = r#"[{"type":"plan","path":"none.md","summary":"x"},{"type":"plan","path":"notes/empty.md","summary":"x"},{"type":"plan","path":"docs/tides.md","summary":"x"},{"type":"plan","path":"../up.md","summary":"x"}]"#;
    let text = format!(r#"{{"status":"completed","artifacts":{artifacts},{METADATA}}}"#);
    let check = |format: &str| {
        let options = format!("--profile return-meta --root project --format {format}");
        stdout(&piped(&world, &options, &text))
    };
    let lines = "\
[SKIP] Artifacts: the status is not known
[INFO] Artifact is empty: notes/empty.md
[INFO] Artifact is outside the root: ../up.md
[WARN] Claimed artifact does not exist: none.md
";
    assert!(check("text").contains(lines), "{}", check("text"));
    let feedback = "If the status claims success, these artifacts fail, too: notes/empty.md is empty; ../up.md is outside the root.\n";
    assert!(
        check("feedback").contains(feedback),
        "{}",
        check("feedback")
    );
    // A finding says it where the document asks that claimed files exist.
    let text = text.replace(
        "\"completed\"",
        "\"done\",\"summary\":\"It is made. It is short.\"",
    );
    let text = stdout(&piped(&world, "--root project", text));
    assert!(
        text.contains("[WARN] Claimed artifact does not exist: none.md\n"),
        "{text}"
    );
    assert!(
        text.contains("[INFO] Artifact is empty: notes/empty.md\n"),
        "{text}"
    );
    assert!(!text.contains("[INFO] Artifact does not exist"), "{text}");
}
