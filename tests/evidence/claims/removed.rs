//! Files that were removed or moved after a call had written them. The write does not prove the file
//! that exists now.

use serde_json::json;

use super::effects::accounted;
use super::{Session, TIDES, check, claiming, stdout, written};
use crate::common::World;

const REMOVED: &str =
    "unknown: a shell command may have undone, moved or removed it after it was written, Bash call";

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
        assert_eq!(after(|it| it, &[command]), format!("{REMOVED} 1 of 1"), "{command}");
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
        assert_eq!(after(write, &["ls", command]), format!("{REMOVED} 3 of 3"), "{command}");
    }
    let session = Session::of_one(|it| {
        let rm = json!({ "command": "rm docs/tides.md; false" });
        write(it).call_in("a1", "", "Bash", rm, false)
    });
    assert_eq!(written(&World::new(), &session), format!("{REMOVED} 2 of 2"));
}

#[test]
fn a_file_that_is_written_again_is_shown() {
    let write = |it: Session| it.write("a1", TIDES);
    let by =
        |by: &str, call: &str| format!("shown: {by} in a shell command wrote it, Bash call {call}");
    for (commands, expected) in [
        (vec!["rm docs/tides.md", "echo x > docs/tides.md"], by("a redirection", "3 of 3")),
        (vec!["rm docs/tides.md && echo x > docs/tides.md"], by("a redirection", "2 of 2")),
        (vec!["mv docs/tides.md docs/t && mv docs/t docs/tides.md"], format!("{REMOVED} 2 of 2")),
    ] {
        assert_eq!(after(write, &commands), expected, "{commands:?}");
    }
    let session = Session::of_one(|it| write(write(it).run("a1", "rm docs/tides.md")));
    let expected = "shown: Write call 3 of 3 wrote it, 0 seconds after the start";
    assert_eq!(written(&World::new(), &session), expected);
}

#[test]
fn what_removes_other_files_or_comes_before_the_write_changes_nothing() {
    let session = Session::of_one(|it| it.run("a1", "rm docs/tides.md").write("a1", TIDES));
    assert_eq!(
        written(&World::new(), &session),
        "shown: Write call 2 of 2 wrote it, 0 seconds after the start"
    );
    for command in ["rm docs/tides.md.bak", "rm -rf /tmp/docs build", "rm other/tides.md"] {
        let found = after(|it| it.write("a1", TIDES), &[command]);
        assert_eq!(
            found, "shown: Write call 1 of 2 wrote it, 0 seconds after the start",
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
        text.contains("[SKIP] 1 claim unknown: a shell command may have undone, moved or removed it after it was written, Bash call 2 of 2\n"),
        "{text}"
    );
}

#[test]
fn an_agent_that_the_agent_called_may_remove_the_file() {
    let called = |it: Session| {
        let input = json!({ "prompt": "Tidy up.", "subagent_type": "tidier" });
        let account = json!({ "agentId": "a2", "status": "completed" });
        accounted(it, "Agent", &input, &account)
    };
    for (command, expected) in [
        ("rm docs/tides.md", format!("{REMOVED} 1 of 1")),
        (
            "rm docs/levels.md",
            "shown: Write call 1 of 2 wrote it, 0 seconds after the start".to_owned(),
        ),
    ] {
        let session = Session::of_one(|it| {
            let it = it.write("a1", TIDES).task("a2", "Tidy up.");
            called(it.run("a2", command).answer("a2"))
        });
        assert_eq!(written(&World::new(), &session), expected, "{command}");
    }
}

#[test]
fn what_a_later_command_undoes_is_unknown() {
    let write = |it: Session| it.write("a1", TIDES);
    for command in [
        "sed -i '$d' docs/tides.md",
        "git checkout -- docs/tides.md",
        "git checkout docs",
        "git checkout HEAD docs/tides.md",
        "git checkout .",
        "git checkout main",
        "cd docs && git checkout -q HEAD~1 -- tides.md",
        "git restore docs/tides.md",
        "git restore --source HEAD~1 docs/",
        "git restore -- \"$FILE\"",
        "git stash",
        "git stash -u && make && git stash drop",
        "git stash push -m wip -- docs",
        "git reset --hard HEAD~1",
        "git -C docs reset --hard",
        "git clean -fd",
        "git clean -fdx -- docs",
        "git switch -",
        "git revert --no-edit HEAD",
        "git rebase --abort",
        "git diff > a.patch && git apply -R a.patch",
        "case $x in a) git stash;; esac",
        "rm *.md docs/*.md",
        "rm -f \"$FILE\"",
        "rm -rf doc*",
        "mv docs/*.md /tmp",
        "cd \"$FOLDER\" && rm docs/tides.md",
        "find . -name '*.md' -delete",
        "find docs -type f -exec rm {} +",
        "git ls-files -m | xargs git checkout --",
        "ls docs/* | xargs rm",
    ] {
        let found = after(write, &[command]);
        assert_eq!(found, format!("{REMOVED} 2 of 2"), "{command}");
        let in_one = format!("echo x > {TIDES} && {command}");
        let found = after(|it| it, &[&in_one]);
        assert!(found.starts_with("unknown: a shell command may have"), "{command}");
    }
}

#[test]
fn what_undoes_nothing_of_the_file_leaves_it_shown() {
    for command in [
        "git checkout -b tides",
        "git switch -c tides",
        "git stash list",
        "git commit -m reset",
        "rm -f build/* other/*.log",
        "rm -rf /elsewhere/x*",
        "ls | xargs wc -l",
    ] {
        let found = after(|it| it.write("a1", TIDES), &[command]);
        let shown = "shown: Write call 1 of 2 wrote it, 0 seconds after the start";
        assert_eq!(found, shown, "{command}");
    }
    let again = after(|it| it.run("a1", "git stash"), &["echo x > docs/tides.md"]);
    let shown = "shown: a redirection in a shell command wrote it, Bash call 2 of 2";
    assert_eq!(again, shown);
}
