//! The analysis of a shell command is bounded, and depends on the command line alone.

use crate::evidence::shell::{self, CHANGES_AT_MOST};

/// The bytes are a command line.
pub(crate) fn hold(bytes: &[u8]) {
    let command = String::from_utf8_lossy(bytes);
    let script = shell::scan(&command, &[]);
    assert!(script.changes.len() <= CHANGES_AT_MOST, "{command:?}");
    assert!(script.changes.iter().all(|named| !named.path.is_empty()), "{command:?}");
    assert!(script.may_write || script.tests.is_empty() && !script.may_run, "{command:?}");
    let apart = shell::scan(&format!("ls\n{command}"), &[]);
    assert_eq!(
        script.may_write, apart.may_write,
        "a command before it writes nothing: {command:?}"
    );
    assert_eq!(script.changes, apart.changes, "nor does it change what is certain: {command:?}");
}
