//! A file that was removed or moved away after a call wrote it is not the one that is there.

use serde_json::json;

use crate::common::World;
use crate::{Session, TIDES, check, claiming, stdout, written};

const REMOVED: &str =
    "unknown: a shell command may have removed it or moved it away after it was written, Bash call";

/// What is said of the file after these commands of one agent, the first call of which may be another.
fn after(first: impl FnOnce(Session) -> Session, commands: &[&str]) -> String {
    let run = |it: Session, command: &&str| it.run("a1", command);
    let session = Session::of_one(|it| commands.iter().fold(first(it), run));
    written(&World::new(), &session)
}

#[test]
fn a_command_that_removes_what_it_wrote_shows_nothing() {
    for command in [
        "echo x > docs/tides.md && rm docs/tides.md",
        "echo x > docs/tides.md && mv docs/tides.md /tmp/y",
        "echo x > docs/tides.md && git rm -f docs/tides.md",
        "echo x > docs/tides.md && rm -rf docs",
        "cd docs && echo x > tides.md && rm tides.md",
        "echo x > docs/tides.md && (test -s docs/tides.md || rm docs/tides.md)",
    ] {
        assert_eq!(
            after(|it| it, &[command]),
            format!("{REMOVED} 1 of 1"),
            "{command}"
        );
    }
}

#[test]
fn a_later_command_that_may_remove_the_file_leaves_it_unknown() {
    let write = |it: Session| it.write("a1", TIDES);
    for command in [
        "rm docs/tides.md",
        "rm -r ./docs/",
        "mv docs old",
        "git mv docs/tides.md docs/old.md",
        "if test -e x; then rm -f docs/tides.md; fi",
    ] {
        assert_eq!(
            after(write, &["ls", command]),
            format!("{REMOVED} 3 of 3"),
            "{command}"
        );
    }
    let session = Session::of_one(|it| {
        let rm = json!({ "command": "rm docs/tides.md; false" });
        write(it).call_in("a1", "", "Bash", rm, false)
    });
    assert_eq!(
        written(&World::new(), &session),
        format!("{REMOVED} 2 of 2")
    );
}

#[test]
fn a_file_that_is_written_again_is_shown() {
    let write = |it: Session| it.write("a1", TIDES);
    let by =
        |by: &str, call: &str| format!("shown: {by} in a shell command wrote it, Bash call {call}");
    for (commands, expected) in [
        (
            vec!["rm docs/tides.md", "echo x > docs/tides.md"],
            by("a redirection", "3 of 3"),
        ),
        (
            vec!["rm docs/tides.md && echo x > docs/tides.md"],
            by("a redirection", "2 of 2"),
        ),
        (
            vec!["mv docs/tides.md docs/t && mv docs/t docs/tides.md"],
            by("mv", "2 of 2"),
        ),
    ] {
        assert_eq!(after(write, &commands), expected, "{commands:?}");
    }
    let session = Session::of_one(|it| write(write(it).run("a1", "rm docs/tides.md")));
    let expected = "shown: Write call 3 of 3 wrote it, 0 s after the start";
    assert_eq!(written(&World::new(), &session), expected);
}

#[test]
fn what_removes_other_files_or_comes_before_the_write_changes_nothing() {
    let session = Session::of_one(|it| it.run("a1", "rm docs/tides.md").write("a1", TIDES));
    assert_eq!(
        written(&World::new(), &session),
        "shown: Write call 2 of 2 wrote it, 0 s after the start"
    );
    for command in [
        "rm docs/tides.md.bak",
        "rm -rf /tmp/docs build",
        "git rm --cached docs/tides.md",
        "rm other/tides.md",
    ] {
        let found = after(|it| it.write("a1", TIDES), &[command]);
        assert_eq!(
            found, "shown: Write call 1 of 2 wrote it, 0 s after the start",
            "{command}"
        );
    }
}

#[test]
fn a_removed_file_contradicts_nothing() {
    let session = Session::of_one(|it| it.write("a1", TIDES).run("a1", "rm docs/tides.md"));
    let output = check(&World::new(), &session, "", &claiming(TIDES));
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(
        text.contains("[SKIP] Work on docs/tides.md: a shell command may have removed it or moved it away after it was written, Bash call 2 of 2\n"),
        "{text}"
    );
}
