//! Calls whose record tells less than it seems to: they leave a claim unknown, and never contradict it.

use serde_json::{Value, json};

use super::clients::told;
use super::effects::accounted;
use super::{Session, TIDES, written};
use crate::common::World;

const SHOWN: &str = "shown: Write call 1 of 1 wrote it, 0 seconds after the start";
const ONLY_OTHERS: &str =
    "contradicted: no call wrote it; the agent used only Write, and wrote only other files";

/// A call of `a1` whose result is this error.
fn refused(tool: &str, input: &Value, error: &str) -> Session {
    let call = json!([{ "type": "tool_use", "id": "t", "name": tool, "input": input }]);
    let result =
        json!([{ "type": "tool_result", "tool_use_id": "t", "content": error, "is_error": true }]);
    Session::of_one(|it| it.record("a1", "assistant", "", &call).record("a1", "user", "", &result))
}

#[test]
fn the_path_of_the_result_counts() {
    let world = World::new();
    let write = |asked: &str, account: Value| {
        let input = json!({ "file_path": asked });
        let session = Session::of_one(|it| accounted(it, "Write", &input, &account));
        written(&world, &session)
    };
    let account = |path: &str| json!({ "type": "create", "filePath": path });
    assert_eq!(write("docs/other.md", account(TIDES)), SHOWN);
    assert_eq!(write(TIDES, account("docs/other.md")), ONLY_OTHERS);
    assert_eq!(write(TIDES, json!("written")), SHOWN);

    // A record that is repeated after the result is the same call.
    let input = json!({ "file_path": "docs/other.md" });
    let mut session = Session::of_one(|it| accounted(it, "Write", &input, &account("docs/new.md")));
    let call = session.lines.lines().nth(1).expect("a call").to_owned() + "\n";
    let answer = session.lines.trim_end().rfind('\n').expect("lines") + 1;
    session.lines.insert_str(answer, &call);
    assert_eq!(written(&world, &session), ONLY_OTHERS);
}

#[test]
fn white_space_around_a_path_accuses_nobody() {
    let world = World::new();
    for path in [" docs/tides.md", "docs/tides.md\n", "\tdocs/tides.md "] {
        let session = Session::of_one(|it| it.write("a1", path));
        assert_eq!(written(&world, &session), SHOWN, "{path:?}");
        let input = json!({ "filePath": path });
        let of_file = exported(&world, &[done("write", &input)]);
        let expected = "unknown: write call 1 of 1 wrote a file of the same name in another place";
        assert_eq!(of_file, expected, "{path:?}: this client does not trim it");
    }
}

#[test]
fn a_call_that_was_stopped_may_have_run() {
    const STOPPED: &str =
        "The user doesn't want to proceed with this tool use. The tool use was rejected.";
    const INTERRUPTED: &str = "[Request interrupted by user for tool use]";
    let world = World::new();
    let command = json!({ "command": "make tables" });
    let file = json!({ "file_path": TIDES });
    for (tool, input, error, expected) in [
        (
            "Bash",
            &command,
            STOPPED,
            "unknown: a shell command may have written it, Bash call 1 of 1",
        ),
        (
            "Bash",
            &command,
            INTERRUPTED,
            "unknown: a shell command may have written it, Bash call 1 of 1",
        ),
        (
            "mcp__files__put",
            &file,
            STOPPED,
            "unknown: mcp__files__put call 1 of 1 may have written it",
        ),
        (
            "Agent",
            &command,
            STOPPED,
            "unknown: an agent that it called may have written it, Agent call 1 of 1",
        ),
        (
            "Write",
            &file,
            INTERRUPTED,
            "unknown: the transcript does not tell how Write call 1 of 1 ended",
        ),
        // What the client says of a file tool: it wrote nothing.
        (
            "Write",
            &file,
            STOPPED,
            "contradicted: every call that was to write it failed, the last one Write call 1 of 1",
        ),
        (
            "Bash",
            &command,
            "Permission to use Bash has been denied.",
            "contradicted: no call wrote it; the agent used only Bash",
        ),
    ] {
        let session = refused(tool, input, error);
        assert_eq!(written(&world, &session), expected, "{tool}: {error}");
    }
}

#[test]
fn calls_of_every_kind_are_calls() {
    let world = World::new();
    let told_of = |blocks: Value| {
        let session = Session::of_one(|it| it.record("a1", "assistant", "", &blocks));
        told(&world, &session.lines, "--agent-id a1")
    };
    let (contradicted, _) = told_of(json!([{ "type": "thinking", "thinking": "High at noon." }]));
    assert_eq!(contradicted, ["work-none"]);
    for kind in ["server_tool_use", "mcp_tool_use", "planned_tool_use"] {
        let call = json!({ "type": kind, "id": "s1", "name": "Write", "input": {} });
        let result = json!({ "type": "mcp_tool_result", "tool_use_id": "s1", "content": [] });
        let (contradicted, of_file) = told_of(json!([call, result]));
        assert_eq!(contradicted, [""; 0], "{kind}");
        assert_eq!(of_file, "unknown: Write call 1 of 1 may have written it");
    }
}

#[test]
fn a_tool_is_known_only_in_its_own_client() {
    let world = World::new();
    let session = Session::of_one(|it| it.call("a1", "read_file", json!({ "path": TIDES })));
    let expected = "unknown: read_file call 1 of 1 may have written it";
    assert_eq!(written(&world, &session), expected);
    let input = json!({ "filePath": "docs/other.md" });
    let of_file = exported(&world, &[done("Read", &input)]);
    assert_eq!(of_file, "unknown: Read call 1 of 1 may have written it");
}

#[test]
fn a_path_that_was_redacted_is_not_known() {
    let world = World::new();
    let of = |path: &str| written(&world, &Session::of_one(|it| it.write("a1", path)));
    let unknown = "unknown: Write call 1 of 1 may have written it";
    assert_eq!(of("docs/REDACTED.md"), unknown);
    assert_eq!(of("/home/[REDACTED]/notes.md"), unknown);
    assert_eq!(of("docs/other.md"), ONLY_OTHERS);
    let removed =
        Session::of_one(|it| it.write("a1", TIDES).run("a1", "rm /home/REDACTED/docs/tides.md"));
    let expected = "unknown: a shell command may have undone, moved or removed it after it was written, Bash call 2 of 2";
    assert_eq!(written(&world, &removed), expected);
}

/// A session of opencode whose call ids are redacted, with these states of calls.
fn opencode(calls: &[(&str, Value)]) -> String {
    let parts = calls.iter().map(|(tool, state)| {
        json!({ "type": "tool", "callID": "REDACTED", "tool": tool, "state": state })
    });
    let text = |text: &str| json!({ "type": "text", "text": text });
    let message = |role: &str, parts: Vec<Value>| {
        let time = json!({ "created": 1_769_598_000_000_u64, "completed": 1_769_598_000_000_u64 });
        let path = json!({ "cwd": null });
        json!({ "info": { "id": role, "role": role, "time": time, "path": path }, "parts": parts })
    };
    let messages = [
        message("user", vec![text("Plan the tide tables.")]),
        message("assistant", parts.collect()),
        message("assistant", vec![text("Done.")]),
    ];
    let info = json!({ "id": "ses_a1", "parentID": "REDACTED" });
    json!({ "info": info, "messages": messages }).to_string()
}

/// What is said of the file of a session of opencode with these calls.
fn exported(world: &World, calls: &[(&str, Value)]) -> String {
    told(world, &opencode(calls), "--agent-id ses_a1").1
}

fn done<'a>(tool: &'a str, input: &Value) -> (&'a str, Value) {
    (tool, json!({ "status": "completed", "input": input }))
}

fn failed<'a>(tool: &'a str, input: &Value, error: &str) -> (&'a str, Value) {
    (tool, json!({ "status": "error", "input": input, "error": error }))
}

#[test]
fn a_command_without_an_exit_code_may_have_been_stopped() {
    let world = World::new();
    let command = |exit: Value| {
        let input = json!({ "command": format!("echo x > {TIDES}") });
        let metadata = json!({ "output": "", "exit": exit });
        let state = json!({ "status": "completed", "input": input, "metadata": metadata });
        exported(&world, &[("bash", state)])
    };
    assert_eq!(
        command(json!(0)),
        "shown: a redirection in a shell command wrote it, bash call 1 of 1"
    );
    assert_eq!(
        command(Value::Null),
        "unknown: a shell command may have written it, bash call 1 of 1"
    );
}

#[test]
fn calls_with_redacted_ids_are_calls_of_their_own() {
    let world = World::new();
    let other = json!({ "filePath": "docs/other.md" });
    let tides = json!({ "filePath": TIDES });
    let of_file =
        exported(&world, &[done("read", &tides), done("write", &other), done("edit", &tides)]);
    assert_eq!(of_file, "shown: edit call 3 of 3 wrote it, 0 seconds after the start");
    let of_file = exported(&world, &[done("write", &other), done("read", &tides)]);
    let expected = "contradicted: no call wrote it; the agent used only write and read, and wrote only other files";
    assert_eq!(of_file, expected);

    // Two agents that it called, of which nothing is known but the ids of their sessions.
    let task = |agent: &str| {
        let metadata = json!({ "sessionId": agent });
        let input = json!({ "prompt": "Write it.", "subagent_type": "writer" });
        ("task", json!({ "status": "completed", "input": input, "metadata": metadata }))
    };
    let session = opencode(&[task("ses_b2"), task("ses_c3"), done("write", &tides)]);
    for agent in ["ses_b2", "ses_c3"] {
        let (contradicted, of_file) = told(&world, &session, &format!("--agent-id {agent}"));
        assert_eq!(contradicted, [""; 0]);
        let expected =
            "unknown: the record is not complete: the calls of the agent are in another file";
        assert_eq!(of_file, expected);
    }
}

#[test]
fn the_path_of_the_result_counts_in_an_export() {
    let world = World::new();
    let input = json!({ "filePath": "docs/other.md" });
    for (tool, metadata) in [
        ("write", json!({ "filepath": TIDES, "exists": false })),
        ("edit", json!({ "diff": "", "filediff": { "file": TIDES, "additions": 1 } })),
    ] {
        let state = json!({ "status": "completed", "input": input, "metadata": metadata });
        let of_file = exported(&world, &[(tool, state)]);
        let expected = format!("shown: {tool} call 1 of 1 wrote it, 0 seconds after the start");
        assert_eq!(of_file, expected);
    }
}

#[test]
fn a_call_that_failed_halfway_may_have_written() {
    const FAILED: &str = "contradicted: every call that was to write it failed, the last one ";
    let world = World::new();
    let of =
        |tool: &str, input: Value, error: &str| exported(&world, &[failed(tool, &input, error)]);
    let file = json!({ "filePath": TIDES, "edits": [{ "oldString": "a", "newString": "b" }] });
    let unknown =
        |tool: &str| format!("unknown: the transcript does not tell how {tool} call 1 of 1 ended");
    let not_found = "oldString not found in content";
    let rejected = "The user rejected permission to use this specific tool call.";
    assert_eq!(of("multiedit", file.clone(), not_found), unknown("multiedit"));
    assert_eq!(of("multiedit", file.clone(), rejected), unknown("multiedit"));
    let aborted = "Tool execution aborted";
    assert_eq!(of("write", file.clone(), aborted), unknown("write"));
    assert_eq!(of("edit", file.clone(), not_found), format!("{FAILED}edit call 1 of 1"));
    assert_eq!(of("write", file, rejected), format!("{FAILED}write call 1 of 1"));

    let patch = |files: &[&str]| {
        let files = files.iter().map(|file| format!("*** Add File: {file}\n+High at noon.\n"));
        let text = files.collect::<String>();
        json!({ "patchText": format!("*** Begin Patch\n{text}*** End Patch") })
    };
    let expected = "unknown: apply_patch call 1 of 1 may have written it";
    let both = patch(&[TIDES, "docs/other.md"]);
    assert_eq!(of("apply_patch", both, not_found), expected);
    let expected = format!("{FAILED}apply_patch call 1 of 1");
    assert_eq!(of("apply_patch", patch(&[TIDES]), not_found), expected);
}
