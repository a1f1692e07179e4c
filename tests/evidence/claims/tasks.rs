//! The session ids in an agent's task, and the feedback to the agent.

use serde_json::json;

use super::{Session, TIDES, check, claiming, value_of};
use crate::common::{SESSION, World, stdout};

#[test]
fn a_session_id_that_is_not_in_the_task_was_not_given_to_the_agent() {
    let world = World::new();
    for (task, options, expected) in [
        (format!("session_id: {SESSION}"), "", "shown: it is in the task of the agent"),
        (format!("Not sess_1, but {SESSION}."), "", "shown: it is in the task of the agent"),
        ("session_id: sess_1".to_owned(), "", "contradicted: another session id is in its task"),
        (
            "session_id: sess_1, sess_2".to_owned(),
            "",
            "contradicted: another session id is in its task",
        ),
        (
            "sess_1, sess_2".to_owned(),
            "--session sess_1767225600_k3m9qa",
            "unknown: the caller expects this id",
        ),
        (
            format!("{SESSION}-2"),
            "",
            "unknown: the id is a part of another word in the task of the agent",
        ),
        (
            "Plan it.".to_owned(),
            "",
            "unknown: no session id in the task is given as `session_id: ID`",
        ),
    ] {
        let session = Session::default().task("a1", &task).write("a1", TIDES).answer("a1");
        let value = value_of(&world, &session, "session-undelegated", options, &claiming(TIDES));
        assert_eq!(value, expected, "{task} {options}");
    }
    let resumed = Session::default().task("a1", "sess_1").write("a1", TIDES);
    let resumed = resumed.answer("a1").task("a1", "Again.").answer("a1");
    let value = value_of(&world, &resumed, "session-undelegated", "", &claiming(TIDES));
    assert_eq!(value, "unknown: the agent was given more than one task");
}

#[test]
fn a_session_id_is_given_after_the_name_of_its_field() {
    let world = World::new();
    let value = |task: &str| {
        let session = Session::default().task("a1", task).write("a1", TIDES);
        let rule = "session-undelegated";
        value_of(&world, &session.answer("a1"), rule, "", &claiming(TIDES))
    };
    for task in [
        "Plan it. Session ids look like sess_1735460684_a1b2c3.",
        "Plan it. Ids are sess_1 or sess_2.",
        "Return JSON:\n```json\n{\"session_id\": \"sess_1\"}\n```\n",
        "The previous run had session_id sess_1.",
        "Your session id is sess_1.",
        "| session_id | sess_1 |",
    ] {
        assert_eq!(
            value(task),
            "unknown: no session id in the task is given as `session_id: ID`",
            "{task}"
        );
    }
    for task in [
        "Plan it.\nSession ID: sess_1\n",
        "- **session_id**: `sess_1`",
        "Plan it. Your session id: sess_1.",
        "{\"session_id\": \"sess_1\"}",
        "## Example\n\nsess_2\n\n## Task\n\nsession_id: sess_1\n",
    ] {
        assert_eq!(value(task), "contradicted: another session id is in its task", "{task}");
    }
}

#[test]
fn feedback_to_the_agent_says_what_others_read() {
    let world = World::new();
    let nothing = Session::of_one(|it| it);
    let only_read = Session::of_one(|it| it.call("a1", "Read", json!({})));
    let failed =
        Session::of_one(|it| it.call_in("a1", "", "Write", json!({ "file_path": TIDES }), false));
    let sibling = Session::of_one(|it| it.call("a1", "Read", json!({})).write("b2", TIDES));
    for (session, options, expected) in [
        (
            &nothing,
            "",
            "1. Agent claims work that it cannot have done (the record of the agent is complete and has no tool call)",
        ),
        (
            &only_read,
            "",
            "1. Artifact was not written by the agent: docs/tides.md (no call wrote it; the agent used only Read)",
        ),
        (
            &failed,
            "",
            "1. Artifact was not written by the agent: docs/tides.md (every call that was to write it failed, the last one Write call 1 of 1)",
        ),
        (
            &sibling,
            "--strict --rule artifact-unwritten=off",
            "1. Artifact was written by another agent: docs/tides.md (Write call 1 of 1 of agent b2 wrote it)",
        ),
        (
            &only_read,
            "--strict --rule artifact-unwritten=off --since 2100-01-01T00:00:00Z",
            "1. Artifact is older than the run of the agent: docs/tides.md (last changed more than a year before the time of --since)",
        ),
    ] {
        let options = format!("--format feedback {options}");
        let text = stdout(&check(&world, session, &options, &claiming(TIDES)));
        let line = text.lines().nth(1).unwrap_or_default();
        assert!(line.starts_with(expected), "{text}");
        let told =
            check(&world, session, &options.replace("feedback", "text -q"), &claiming(TIDES));
        assert!(!stdout(&told).contains("you"), "{}", stdout(&told));
    }
}

#[test]
fn a_reason_is_reported_once() {
    let world = World::new();
    let sibling = Session::of_one(|it| it.call("a1", "Read", json!({})))
        .task("b2", "Write.")
        .write("b2", TIDES)
        .answer("b2");
    let told = check(&world, &sibling, "--format feedback", &claiming(TIDES));
    assert_eq!(
        stdout(&told),
        "\
Your return was not accepted. Correct each of these:
1. Artifact was written by another agent: docs/tides.md (Write call 1 of 1 of agent b2 wrote it) (at /artifacts/0/path). List only files that you wrote yourself.
Return the complete JSON again as your whole final report, with no text around it. It replaces the previous one.
"
    );
    let command = Session::of_one(|it| it.run("a1", "make"));
    let told = check(&world, &command, "--evidence require", &claiming(TIDES));
    let text = stdout(&told);
    for line in [
        "[FAIL] Artifact is not shown to be the work of the agent: docs/tides.md (a shell command may have written it, Bash call 1 of 1)\n",
        "[SKIP] 1 claim unknown: a shell command may have written it, Bash call 1 of 1\n",
    ] {
        assert_eq!(text.matches(line).count(), 1, "{text}");
    }
}

#[test]
fn an_agent_is_not_asked_for_its_transcript() {
    let world = World::new();
    let options = "--root project --evidence require --format";
    let told = |format: &str| {
        stdout(&crate::common::piped(&world, &format!("{options} {format}"), claiming(TIDES)))
    };
    let text = told("feedback");
    assert!(
        text.contains("(no transcript was given) (at /artifacts/0/path). Write the file with a file tool, unless that was done.\n"),
        "{text}"
    );
    assert!(told("text").contains("give its whole transcript\n"));
}

#[test]
fn the_record_of_a_claim_has_its_evidence() {
    let world = World::new();
    let session = Session::of_one(|it| it.write("a1", TIDES));
    let output = check(
        &world,
        &session,
        "--format jsonl --session sess_1767225600_k3m9qa",
        &claiming(TIDES),
    );
    let record: serde_json::Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    let claim = record["evidence"].as_array().expect("claims").last().expect("a claim");
    assert_eq!(
        *record["evidence"]
            .as_array()
            .expect("claims")
            .iter()
            .find(|it| it["rule"] == "artifact-unwritten")
            .expect("a claim"),
        json!({
            "rule": "artifact-unwritten",
            "claim": "the agent wrote the file",
            "pointer": "/artifacts/0/path",
            "file": null,
            "value": "shown",
            "reason": "Write call 1 of 1 wrote it, 0 seconds after the start",
        }),
        "{claim}"
    );
}

#[test]
fn the_clients_session_id_does_not_contradict_the_return() {
    let world = World::new();
    let transcripts = crate::common::fixtures().join("transcripts/codex");
    let transcript = transcripts.join("first-mode/agent.jsonl");
    let returned = claiming(TIDES).replace(SESSION, "01a202ca-0b90-7011-b44a-685b809ffa24");
    let record = std::fs::read_to_string(&transcript).expect("a fixture");
    let meta: serde_json::Value =
        serde_json::from_str(record.lines().next().expect("a line")).expect("JSON");
    let own = meta["payload"]["id"].as_str().expect("an id");
    world.write("agent.jsonl", &record);
    let options =
        format!("--root project --format jsonl --agent-id {own} --transcript agent.jsonl");
    let output = crate::common::piped(&world, &options, returned);
    let claims = super::claims(&output);
    let given = claims.iter().find(|(rule, ..)| rule == "session-undelegated");
    assert_eq!(given.expect("a claim").1, "shown", "{claims:?}");
}
