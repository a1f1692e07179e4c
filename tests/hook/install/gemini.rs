//! Gemini CLI denies an agent if its hook ends with any code but 0 and 1.

use std::fs;

use super::{hook, in_repo, said, world};
use crate::common::stdout;

const FILE: &str = ".gemini/settings.json";

/// What older versions of retval wrote.
fn older(text: &str) -> String {
    text.replace(" || exit 1", "")
}

#[test]
fn the_command_of_an_older_version_is_found_and_replaced() {
    let world = world();
    let path = in_repo(&world, FILE);
    let read = || fs::read_to_string(&path).expect("settings");
    let theirs = "{\n    \"theme\": \"x\" // mine\n}\n";
    for before in [None, Some(theirs)] {
        if let Some(text) = before {
            world.write(&format!("home/repo/{FILE}"), text);
        }
        said(&world, "install gemini --agents research*");
        let installed = read();
        assert_eq!(installed.matches("'research*' || exit 1\"").count(), 2);
        fs::write(&path, older(&installed)).expect("settings");
        let output = hook(&world, "status gemini");
        let status = stdout(&output);
        assert_eq!(output.status.code(), Some(1), "{status}");
        let expected = "    older    gemini starts no agent where it does not find this command: install again\n    \
            command  retval hook --profile any --agents 'research*'\n    \
            answers  yes\n";
        assert!(status.contains(expected), "{status}");
        let replaced = said(&world, "install gemini --agents research*");
        assert!(
            replaced.contains(
                "replaced the hook, which was: retval hook --profile any --agents 'research*'\n"
            ),
            "{replaced}"
        );
        assert_eq!(read(), installed);
        let status = said(&world, "status gemini");
        let expected =
            "command  retval hook --profile any --agents 'research*' || exit 1\n    answers  yes\n";
        assert!(status.contains(expected), "{status}");
        let other = installed.replace("exit 1", "true");
        fs::write(&path, other).expect("settings");
        assert!(!stdout(&hook(&world, "status gemini")).contains("    older    "));
        fs::write(&path, older(&installed)).expect("settings");
        said(&world, "uninstall gemini");
        assert_eq!(fs::read_to_string(&path).ok().as_deref(), before);
    }
}
