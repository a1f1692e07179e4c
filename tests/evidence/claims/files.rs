//! Which agent wrote a file, under each path of the file.

use std::fs;

use serde_json::json;

use super::{Session, TIDES, claiming, value_of, written};
use crate::common::World;

#[test]
fn a_file_under_another_name_is_the_same_file() {
    let world = World::new();
    let tides = world.path("project/docs/tides.md");
    fs::hard_link(&tides, world.path("project/docs/hard.md")).expect("a link");
    std::os::unix::fs::symlink("tides.md", world.path("project/docs/soft.md")).expect("a link");
    std::os::unix::fs::symlink("docs", world.path("project/papers")).expect("a link");
    for name in ["docs/soft.md", "papers/tides.md", "papers/soft.md"] {
        let session = Session::of_one(|it| it.write("a1", name));
        assert_eq!(
            written(&world, &session),
            "shown: Write call 1 of 1 wrote it, 0 seconds after the start",
            "{name}"
        );
    }
    for (name, expected) in [
        // It may be a name of the file.
        ("docs/hard.md", "unknown: the file has several names, and Write call 1 of 1 wrote one"),
        (
            "docs/TIDES.md",
            "unknown: Write call 1 of 1 wrote a file of the same name in another place",
        ),
    ] {
        let session = Session::of_one(|it| it.write("a1", name));
        assert_eq!(written(&world, &session), expected, "{name}");
    }
}

#[test]
fn another_spelling_of_a_name_is_not_another_file() {
    let world = World::new();
    world.write("project/docs/caf\u{e9}.md", "x");
    let returned = claiming("docs/caf\u{e9}.md");
    let session = Session::of_one(|it| it.write("a1", "docs/cafe\u{301}.md"));
    let value = value_of(&world, &session, "artifact-unwritten", "", &returned);
    assert!(value.starts_with("unknown: "), "{value}");
}

#[test]
fn calls_that_may_have_written_a_file_leave_it_unknown() {
    for (calls, expected) in [
        (
            json!(["mcp__files__put", { "path": TIDES }]),
            "unknown: mcp__files__put call 1 of 1 may have written it",
        ),
        (
            json!(["Agent", { "prompt": "Write it.", "subagent_type": "writer" }]),
            "unknown: an agent that it called may have written it, Agent call 1 of 1",
        ),
        (
            json!(["MultiEdit", { "file_path": TIDES, "edits": [{ "old_string": "a", "new_string": "b" }] }]),
            "shown: MultiEdit call 1 of 1 wrote it, 0 seconds after the start",
        ),
        (
            json!(["NotebookEdit", { "notebook_path": TIDES }]),
            "shown: NotebookEdit call 1 of 1 wrote it, 0 seconds after the start",
        ),
        (
            json!(["Bash", { "command": "mv notes/draft.md docs/tides.md" }]),
            "unknown: a shell command may have written it, Bash call 1 of 1",
        ),
    ] {
        let name = calls[0].as_str().expect("a name");
        let session = Session::of_one(|it| it.call("a1", name, calls[1].clone()));
        assert_eq!(written(&World::new(), &session), expected);
    }
}

#[test]
fn a_write_that_failed_says_nothing_of_a_later_command() {
    let world = World::new();
    let failed = |it: Session| it.call_in("a1", "", "Write", json!({ "file_path": TIDES }), false);
    let expected =
        "contradicted: every call that was to write it failed, the last one Write call 1 of 1";
    assert_eq!(written(&world, &Session::of_one(failed)), expected);
    let session = Session::of_one(|it| failed(it).run("a1", "echo tides > docs/tides.md"));
    let expected = "shown: a redirection in a shell command wrote it, Bash call 2 of 2";
    assert_eq!(written(&world, &session), expected);
    let session = Session::of_one(|it| failed(it).run("a1", "make tables"));
    let expected = "unknown: a shell command may have written it, Bash call 2 of 2";
    assert_eq!(written(&world, &session), expected);
}

#[test]
fn the_work_of_an_earlier_task_is_the_agents_own() {
    let world = World::new();
    let session =
        Session::of_one(|it| it.write("a1", TIDES).answer("a1").task("a1", "Return it once more."));
    assert_eq!(
        written(&world, &session),
        "shown: Write call 1 of 1 wrote it, 0 seconds after the start"
    );
}

#[test]
fn a_file_that_the_caller_wrote_between_two_tasks_may_have_been_asked_for() {
    let world = World::new();
    let asked = |it: Session| it.call("a1", "Read", json!({})).answer("a1").write("main", TIDES);
    let once = Session::of_one(|it| it.write("main", TIDES).call("a1", "Read", json!({})));
    let expected = "contradicted: no call wrote it; the agent used only Read";
    assert_eq!(written(&world, &once), expected);
    let resumed = Session::of_one(|it| asked(it).task("a1", "It is written."));
    let expected = "unknown: Write call 1 of 1 of the main agent wrote it, maybe on request: the agent was resumed";
    assert_eq!(written(&world, &resumed), expected);
}

#[test]
fn a_working_tree_of_the_repository_is_the_project() {
    let world = World::new();
    world.commit_project();
    world.git("project", &["worktree", "add", "-q", "../tree"]);
    let tree = world.path("tree").display().to_string();
    let input = json!({ "file_path": TIDES });
    let by_cwd = Session::of_one(|it| it.call_in("a1", &tree, "Write", input.clone(), true));
    let by_path = Session::of_one(|it| it.write("a1", &format!("{tree}/{TIDES}")));
    for session in [by_cwd, by_path] {
        // The file of the project is as it was, and rightly so.
        let value = |rule| {
            value_of(
                &world,
                &session,
                rule,
                "--rev HEAD --since 2100-01-01T00:00:00Z",
                &claiming(TIDES),
            )
        };
        let elsewhere = "unknown: the agent wrote it in another working tree";
        let rules = ["artifact-unwritten", "artifact-stale", "artifact-unchanged"];
        assert_eq!(rules.map(value), [elsewhere; 3]);
    }
    for other in [
        format!("{tree}/specs/{TIDES}"),
        "/tmp/tree/docs/tides.md".to_owned(),
        format!("{tree}/../{TIDES}"),
    ] {
        let session = Session::of_one(|it| it.write("a1", &other));
        let expected = "unknown: Write call 1 of 1 wrote a file of the same name in another place";
        assert_eq!(written(&world, &session), expected, "{other}");
    }
    world.git("project", &["worktree", "remove", "--force", "../tree"]);
}
