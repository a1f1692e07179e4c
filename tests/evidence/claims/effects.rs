//! Calls of file tools that change no file.

use serde_json::{Value, json};

use super::{Session, TIDES, value_of, written};
use crate::common::World;

fn edit(old: &str, new: &str) -> Value {
    json!({ "file_path": TIDES, "old_string": old, "new_string": new })
}

/// A call, and the client's own account of what it changed.
pub(crate) fn accounted(session: Session, tool: &str, input: &Value, account: &Value) -> Session {
    accounting(session, account, |it| it.call("a1", tool, input.clone()))
}

/// What `call` adds, with this account of the client in its result.
pub(crate) fn accounting(
    mut session: Session,
    account: &Value,
    call: impl FnOnce(Session) -> Session,
) -> Session {
    let before = session.lines.len();
    session = call(session);
    let mut added = String::new();
    for line in session.lines[before..].lines() {
        let mut record: Value = serde_json::from_str(line).expect("a record");
        if record["type"] == "user" {
            record["toolUseResult"] = account.clone();
        }
        added += &(record.to_string() + "\n");
    }
    session.lines.replace_range(before.., &added);
    session
}

#[test]
fn a_call_that_changes_nothing_is_no_work_on_the_file() {
    let world = World::new();
    let idle = |tool: &str| {
        format!("contradicted: no call changed it; {tool} call 2 of 2 changed nothing")
    };
    for (tool, input, expected) in [
        ("Edit", edit("tide", "tide"), idle("Edit")),
        ("MultiEdit", json!({ "file_path": TIDES, "edits": [] }), idle("MultiEdit")),
        (
            "MultiEdit",
            json!({ "file_path": TIDES, "edits": [edit("a", "a"), edit("b", "b")] }),
            idle("MultiEdit"),
        ),
        (
            "Edit",
            edit("tide", "tides"),
            "shown: Edit call 2 of 2 wrote it, 0 seconds after the start".to_owned(),
        ),
    ] {
        let session = Session::of_one(|it| {
            let read = json!({ "file_path": TIDES });
            it.call("a1", "Read", read).call("a1", tool, input)
        });
        assert_eq!(written(&world, &session), expected);
    }
}

#[test]
fn a_file_that_is_written_as_it_was_is_unknown() {
    let world = World::new();
    let input = json!({ "file_path": TIDES, "content": "High at noon.\n" });
    let write = |kind: &str| {
        let account = json!({ "type": kind, "filePath": TIDES, "structuredPatch": [] });
        let session = Session::of_one(|it| accounted(it, "Write", &input, &account));
        written(&world, &session)
    };
    assert_eq!(write("update"), "unknown: Write call 1 of 1 wrote it as it was before");
    assert_eq!(write("create"), "shown: Write call 1 of 1 wrote it, 0 seconds after the start");
}

#[test]
fn another_call_that_changes_the_file_counts() {
    let world = World::new();
    let session =
        Session::of_one(|it| {
            it.call("a1", "Edit", edit("tide", "tide"))
                .call("a1", "Edit", edit("tide", "tides"))
                .call("a1", "Edit", edit("high", "high"))
        });
    assert_eq!(
        written(&world, &session),
        "shown: Edit call 2 of 3 wrote it, 0 seconds after the start"
    );
    let session = Session::of_one(|it| {
        let it = it.call("a1", "Edit", edit("tide", "tide"));
        it.run("a1", "make tables")
    });
    assert_eq!(
        written(&world, &session),
        "unknown: a shell command may have written it, Bash call 2 of 2"
    );
    let by_another = Session::of_one(|it| {
        let it = it.call("b2", "Edit", edit("tide", "tide"));
        it.call("a1", "Read", json!({ "file_path": TIDES }))
    });
    let expected = "contradicted: no call wrote it; the agent used only Read";
    assert_eq!(written(&world, &by_another), expected);
    let rule = "artifact-by-another";
    let value = value_of(&world, &by_another, rule, "", &super::claiming(TIDES));
    assert_eq!(value, "", "the other one changed nothing");
}

#[test]
fn a_redirection_before_other_commands_counts_if_the_shell_wrote_no_error() {
    let world = World::new();
    let command = "cat > docs/tides.md <<'EOF'\nHigh at noon.\nEOF\nwc -l docs/tides.md";
    let value = |account: &Value| {
        let input = json!({ "command": command });
        written(&world, &Session::of_one(|it| accounted(it, "Bash", &input, account)))
    };
    let output = |stdout: &str, stderr: &str| value(&json!({ "stdout": stdout, "stderr": stderr }));
    let shown = "shown: a redirection in a shell command wrote it, Bash call 1 of 1";
    let unknown = "unknown: a shell command may have written it, Bash call 1 of 1";
    assert_eq!(output("1 docs/tides.md", ""), shown);
    assert_eq!(output("1 docs/tides.md", "bash: docs/tides.md: Read-only file system"), unknown);
    for told in [
        "/bin/bash: line 1: docs/tides.md: No such file or directory\n0",
        "(eval):1: permission denied: docs/tides.md",
    ] {
        assert_eq!(output(told, ""), unknown, "{told}");
    }
    assert_eq!(output(&"x\n".repeat(16 << 10), ""), unknown);
    assert_eq!(value(&json!({ "stdout": "" })), unknown);
    assert_eq!(value(&json!("1 docs/tides.md")), unknown);
}
