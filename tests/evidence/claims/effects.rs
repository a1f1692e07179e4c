//! What the client says of the effect of a call.

use serde_json::{Value, json};

use super::{Session, TIDES, written};
use crate::common::World;

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
