//! The session of `--format failed-return`.

use crate::common::{World, feed, stderr, stdout};

#[test]
fn no_session_is_invisible() {
    let world = World::new();
    for (text, shown) in [
        ("", ""),
        (" \t", "\\u{20}\\t"),
        ("\u{200b}\u{feff}", "\\u{200b}\\u{feff}"),
    ] {
        let mut retval = world.retval();
        let output = feed(retval.args(["check", "--session", text]), "{}");
        assert_eq!(output.status.code(), Some(2), "{text:?}");
        let expected = format!(
            "error: invalid value '{shown}' for '--session <ID>': it has no visible character\n"
        );
        assert!(
            stderr(&output).starts_with(&expected),
            "{}",
            stderr(&output)
        );
    }
    let mut retval = world.retval();
    let returned = r#"{"metadata": {"session_id": "s"}}"#;
    let output = feed(
        retval.arg("check").env("RETVAL_SESSION", "\u{a0}"),
        returned,
    );
    let skipped = "[SKIP] Session ID: no --session was given\n";
    assert!(stdout(&output).contains(skipped), "{}", stdout(&output));
}
