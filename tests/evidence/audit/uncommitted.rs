//! Files that runs wrote are compared with the commit that is checked out while the report is made.

use std::fs;
use std::path::Path;

use super::made::{Agent, Session, writes};
use super::{json, report};
use crate::common::World;
use serde_json::{Value, json};

/// A history in which two agents of a session in this folder wrote these files.
fn history(world: &World, cwd: &Path, files: &[&str]) -> std::path::PathBuf {
    let history = world.path("history");
    let session = Session::new(&history, "s1", &cwd.display().to_string(), 2);
    for id in ["a1", "a2"] {
        let calls = files.iter().map(|file| cwd.join(file));
        let calls: Vec<Value> = calls
            .flat_map(|path| writes(&path.display().to_string()))
            .collect();
        session.write_agent(&Agent::new(id, "planner", "All is written."), &calls);
    }
    history
}

fn uncommitted(world: &World, history: &Path) -> Value {
    json(world, history, "--no-config")["weight"]["writes"]["uncommitted"].clone()
}

#[test]
fn files_of_a_repository_that_is_there_are_compared_with_its_commit() {
    let world = World::new();
    world.commit_project();
    let project = world.path("project");
    let write = |name: &str, text: &str| world.write(&format!("project/{name}"), text);
    for name in [
        "same.md",
        "changed.md",
        "gone.md",
        "filtered.bin",
        "sub/in.md",
    ] {
        write(name, "One.\n");
    }
    write(".gitignore", "*.log\n");
    write(".gitattributes", "*.bin filter=lfs\n");
    world.git("project", &["add", "-A"]);
    world.git("project", &["commit", "-q", "-m", "More"]);
    world.git("project", &["worktree", "add", "-q", "tree"]);
    write("changed.md", "Two.\n");
    write("filtered.bin", "Two.\n");
    write("sub/in.md", "Two.\n");
    write("new.md", "Three.\n");
    write("build.log", "Four.\n");
    write("private.md", "Five.\n");
    write(".git/info/exclude", "private.md\n");
    write("tree/new.md", "Six.\n");
    write("tree/private.md", "Seven.\n");
    fs::remove_file(project.join("gone.md")).expect("removed");
    world.write("outside.md", "Eight.\n");
    let files = [
        "same.md",
        "changed.md",
        "gone.md",
        "filtered.bin",
        "sub/in.md",
        "new.md",
        "build.log",
        "private.md",
        "tree/new.md",
        "tree/private.md",
        "../outside.md",
        ".git/config",
        "sub",
    ];
    let found = history(&world, &project, &files);
    let expected = json!({"of": 5, "changed": 2, "untracked": 2});
    assert_eq!(uncommitted(&world, &found), expected);
    let text = report(&world, &found, "--no-config --format markdown");
    let note = "In a repository on this machine: 5 files. Not in the commit that was checked out when \
                this was read: 2 with another content, 2 new. Who changed a file last is not known.";
    assert!(text.contains(note), "{text}");
    assert!(!text.contains("new.md"), "{text}");
    // The session was in a folder of the repository: only files there are those of its project.
    let found = history(&world, &project.join("sub"), &["in.md", "../new.md"]);
    let expected = json!({"of": 1, "changed": 1, "untracked": 0});
    assert_eq!(uncommitted(&world, &found), expected);
    // Nothing tells whether new files are ignored by rules that a setting names.
    world.git("project", &["config", "core.excludesFile", "x"]);
    let found = history(&world, &project, &["new.md", "same.md"]);
    let expected = json!({"of": 1, "changed": 0, "untracked": 0});
    assert_eq!(uncommitted(&world, &found), expected);
}

#[test]
fn without_a_repository_or_a_file_nothing_is_said() {
    let world = World::new();
    world.write("project/new.md", "One.\n");
    let project = world.path("project");
    let none = [
        history(&world, &project, &["new.md"]),
        history(&world, Path::new("/"), &["dev/null", "dev/stdin"]),
        history(&world, Path::new("/nowhere/SECRET"), &["new.md"]),
    ];
    for found in none {
        assert_eq!(uncommitted(&world, &found), Value::Null);
        assert!(!report(&world, &found, "--no-config").contains("In a repository"));
    }
    // No commit yet, and a repository that is damaged.
    world.git("project", &["init", "-q"]);
    let found = history(&world, &project, &["new.md"]);
    assert_eq!(uncommitted(&world, &found), Value::Null);
    world.write("project/.git/HEAD", "ref: ../../../etc/passwd\n");
    assert_eq!(uncommitted(&world, &found), Value::Null);
}
