//! Whether a client trusts the hook of a project.

use super::{hook_with, said, world};
use crate::common::stdout;

/// What Gemini CLI 0.61.0 did with the hooks of a project, as runs of it have shown.
#[test]
fn the_status_knows_whether_gemini_cli_trusts_the_project() {
    const ON: &str = r#"{"security": {"folderTrust": {"enabled": true}}}"#;
    const OFF: &str = r#"{"security": {"folderTrust": {"enabled": false}}}"#;
    let cases = [
        ("{}", "{}", None, false),
        (r#"{"~": "TRUST_FOLDER"}"#, "{}", None, true),
        ("{}", OFF, None, true),
        (
            r#"{"~/..": "DO_NOT_TRUST", "~": "TRUST_FOLDER"}"#,
            "{}",
            None,
            true,
        ),
        (r#"{"~": "DO_NOT_TRUST"}"#, ON, None, false),
        (r#"{"~/sub": "TRUST_PARENT"}"#, "{}", None, true),
        (r#"{"~/sub": "TRUST_FOLDER"}"#, "{}", None, false),
        (r#"{"~": "TRUST_FOLDER"}"#, "{}", Some("false"), false),
        (r#"{"~": "DO_NOT_TRUST"}"#, "{}", Some("true"), true),
        (r#"{"~": "TRUST_FOLDER", "/x": "YES"}"#, "{}", None, false),
    ];
    for (rules, settings, variable, is_trusted) in cases {
        let world = world();
        said(&world, "install gemini");
        let rules = rules.replace('~', &world.path("home/repo").display().to_string());
        world.write("home/.gemini/trustedFolders.json", &rules);
        world.write("home/.gemini/settings.json", settings);
        let variable = variable.map(|value| ("GEMINI_CLI_TRUST_WORKSPACE", value));
        let output = hook_with(&world, "status gemini", variable.as_slice());
        let trusted = if is_trusted {
            "    trusted  yes\n"
        } else {
            "    trusted  not yet: "
        };
        let status = stdout(&output);
        assert!(status.contains(trusted), "{rules} {settings}: {status}");
    }
}
