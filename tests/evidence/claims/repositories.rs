//! Files that cannot be compared with a repository, for each kind of repository and file.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, symlink};
use std::path::Path;

use super::{Session, TIDES, claiming, claims, value_of};
use crate::common::{World, piped};

/// What is said of a file in a folder of the world, compared with a commit.
fn compared(world: &World, folder: &str, path: &str, revision: &str) -> String {
    let options = format!("--root {folder} --rev {revision} --format jsonl");
    let claims = claims(&piped(world, &options, claiming(path)));
    let claim = claims.iter().find(|(id, ..)| id == "artifact-unchanged");
    claim.map_or_else(String::new, |(_, value, reason)| format!("{value}: {reason}"))
}

fn commit(world: &World, files: &[(&str, &str)]) {
    world.commit_project();
    for (path, text) in files {
        world.write(&format!("project/{path}"), text);
    }
    world.git("project", &["add", "-A", "--sparse"]);
    world.git("project", &["commit", "-q", "-m", "More"]);
}

fn clone(world: &World, options: &[&str]) {
    let source = format!("file://{}", world.path("project").display());
    let clone = [&["clone", "-q"], options, &[&source, "clone"]].concat();
    world.git("", &clone);
}

const UNCHANGED: &str = "contradicted: no commit since then has changed it";
const FILTERED: &str = "unknown: a filter, Git LFS or line ends change the file";
const UNSUPPORTED: &str = "unknown: the git repository has a form that is not supported";
const DIFFERS: &str = "shown: it differs from the base commit";

#[test]
fn a_file_that_a_filter_may_change_is_unknown() {
    for (path, text) in [
        (".gitattributes", "*.md filter=up\n"),
        (".gitattributes", "*.md filter=lfs diff=lfs merge=lfs -text\n"),
        ("docs/.gitattributes", "tides.md filter=lfs\n"),
        (".git/info/attributes", "docs/* filter=lfs\n"),
    ] {
        let world = World::new();
        commit(&world, &[("a.md", "a"), (path, text)]);
        assert_eq!(compared(&world, "project", TIDES, "HEAD"), FILTERED, "{path}");
    }
}

/// What is said of a file that was changed, with more lines in the configuration.
fn configured(lines: &str) -> String {
    let world = World::new();
    world.commit_project();
    world.write(&format!("project/{TIDES}"), "# TIDES\n");
    world.write("attributes", "*.md filter=up\n");
    world.write("settings", "[core] attributesFile = ../attributes\n");
    let place = world.path("project/.git/config");
    let before = fs::read_to_string(&place).unwrap_or_default();
    fs::write(&place, before + lines).expect("a configuration");
    compared(&world, "project", TIDES, "HEAD")
}

#[test]
fn attributes_that_a_configuration_sets_elsewhere_count() {
    for lines in [
        "[core]\n\tattributesFile = ../attributes\n",
        "[CORE] # a comment\n  AttributesFile=../attributes",
        "[alias \"a]\\\"b\"] [core] attributesFile = ../attributes\n",
        "[include] path = ../../settings\n",
        "[includeIf \"gitdir:**\"] path = ../../settings\n",
    ] {
        assert_eq!(configured(lines), FILTERED, "{lines}");
    }
    for lines in [
        "",
        "# [core] attributesFile = ../attributes\n",
        "[core] ; attributesFile = ../attributes\n",
        "[core \"a\"] attributesFile = ../attributes\n",
        "[core] attributesFile = ../elsewhere\n",
        "[submodule \"include\"] path = elsewhere\n",
    ] {
        assert_eq!(configured(lines), DIFFERS, "{lines}");
    }
}

#[test]
fn a_work_tree_elsewhere_is_not_supported() {
    for lines in ["[core] worktree = /elsewhere\n", "[Core]\n\tworkTree = /elsewhere\n"] {
        assert_eq!(configured(lines), UNSUPPORTED, "{lines}");
    }
}

#[test]
fn conversions_by_git_lfs_and_of_line_endings_are_no_change() {
    let world = World::new();
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n";
    commit(&world, &[("large.md", pointer), ("ends.md", "one\ntwo\n")]);
    world.write("project/large.md", "The large file.\n");
    world.write("project/ends.md", "one\r\ntwo\r\n");
    for path in ["large.md", "ends.md"] {
        assert_eq!(compared(&world, "project", path, "HEAD"), FILTERED, "{path}");
    }
}

#[test]
fn a_shallow_clone_knows_only_its_own_commits() {
    let world = World::new();
    world.commit_project();
    clone(&world, &["--depth", "1"]);
    assert_eq!(compared(&world, "clone", TIDES, "HEAD"), UNCHANGED);
    assert_eq!(compared(&world, "clone", TIDES, "HEAD~1"), "unknown: the clone is shallow");
}

#[test]
fn a_partial_clone_may_lack_the_file() {
    let world = World::new();
    world.commit_project();
    world.git("project", &["config", "uploadpack.allowFilter", "true"]);
    clone(&world, &["--filter=blob:none", "--no-checkout"]);
    world.write(&format!("clone/{TIDES}"), "# Tides\n");
    assert_eq!(
        compared(&world, "clone", TIDES, "HEAD"),
        "unknown: an object is missing in the git repository"
    );
}

#[test]
fn a_file_of_a_submodule_is_of_another_repository() {
    let world = World::new();
    world.commit_project();
    fs::create_dir(world.path("outer")).expect("a folder");
    world.git("outer", &["init", "-q"]);
    let allow = ["-c", "protocol.file.allow=always"];
    let add = ["submodule", "--quiet", "add", "../project", "inner"];
    world.git("outer", &[&allow[..], &add[..]].concat());
    world.git("outer", &["commit", "-q", "-m", "With a submodule"]);
    assert_eq!(
        compared(&world, "outer", &format!("inner/{TIDES}"), "HEAD"),
        "unknown: it is not tracked, so that it may have been there before"
    );
    assert_eq!(compared(&world, "outer/inner", TIDES, "HEAD"), UNCHANGED);
}

#[test]
fn a_sparse_checkout_has_the_files_that_are_in_it() {
    let world = World::new();
    commit(&world, &[("more/a.md", "The levels of a week.\n")]);
    clone(&world, &[]);
    world.git("clone", &["sparse-checkout", "set", "--cone", "docs"]);
    assert!(!world.path("clone/more").exists());
    assert_eq!(compared(&world, "clone", TIDES, "HEAD"), UNCHANGED);
    assert_eq!(compared(&world, "clone", "more/a.md", "HEAD"), "", "it is not there");
    world.write("clone/more/a.md", "The levels of a month.\n");
    assert_eq!(compared(&world, "clone", "more/a.md", "HEAD"), DIFFERS);
}

#[test]
fn without_a_repository_nothing_is_compared() {
    let world = World::new();
    assert!(!Path::new(&world.path("project/.git")).exists());
    assert_eq!(compared(&world, "project", TIDES, "HEAD"), "unknown: there is no git repository");
}

#[test]
fn whether_a_symlink_or_a_permission_was_changed_is_unknown() {
    let world = World::new();
    commit(&world, &[("AGENTS.md", "# Agents\n"), ("run.sh", "true\n")]);
    let changed = |path: &str| fs::symlink_metadata(world.path("project").join(path));
    let changed = |path: &str| {
        let file = changed(path).expect("it is there");
        jiff::Timestamp::new(file.ctime(), i32::try_from(file.ctime_nsec()).expect("a part"))
            .expect("a time")
    };
    let link = world.path("project").join("CLAUDE.md");
    // Until the clock of the file system has moved.
    while !link.is_symlink() || changed("CLAUDE.md") <= changed("AGENTS.md") {
        fs::remove_file(&link).ok();
        symlink("AGENTS.md", &link).expect("a link");
    }
    let tolerance = jiff::SignedDuration::new(2, 1);
    let since = changed("AGENTS.md").checked_add(tolerance).expect("a time");
    let session = Session::of_one(|it| it.run("a1", "ln -s AGENTS.md CLAUDE.md"));
    let options = format!("--rev HEAD --since {since}");
    let value = |rule, path| value_of(&world, &session, rule, &options, &claiming(path));
    let stale = "contradicted: last changed 2 seconds before the time of --since";
    assert_eq!(value("artifact-stale", "AGENTS.md"), stale);
    let linked = "unknown: it was changed since the start, but nothing shows by whom";
    assert_eq!(value("artifact-stale", "CLAUDE.md"), linked);
    let linked = "unknown: it is a symlink, which may have been changed itself";
    assert_eq!(compared(&world, "project", "CLAUDE.md", "HEAD"), linked);
    world.write("project/AGENTS.md", "# All agents\n");
    assert_eq!(compared(&world, "project", "CLAUDE.md", "HEAD"), DIFFERS);

    assert_eq!(compared(&world, "project", "run.sh", "HEAD"), UNCHANGED);
    world.rights("project/run.sh", 0o755);
    assert_eq!(
        compared(&world, "project", "run.sh", "HEAD"),
        "unknown: the file may have been made executable, or not executable any more"
    );
}

#[test]
fn what_only_the_user_ignores_is_not_asked_for() {
    let world = World::new();
    world.commit_project();
    world.write("retval.toml", "[profiles.work]\nat.status = \"/status\"\nat.changed = \"/changed\"\nstatuses = { DONE = \"success\" }\n");
    for path in ["new.rs", "docs/moon.md"] {
        world.write(&format!("project/{path}"), "new");
    }
    let session = Session::of_one(|it| it.write("a1", "new.rs").write("a1", "docs/moon.md"));
    world.write("session.jsonl", &session.lines);
    let unclaimed = || {
        let options = "--root project --transcript session.jsonl --agent-id a1 --profile work --config retval.toml --format jsonl";
        let mut command = world.retval();
        command.args(["check"]).args(options.split(' ')).env("HOME", world.path("home"));
        let output =
            crate::common::feed(&mut command, r#"{"status":"DONE","changed":["docs/moon.md"]}"#);
        let claims = claims(&output);
        claims
            .iter()
            .filter(|(rule, value, _)| rule == "change-unclaimed" && value == "contradicted")
            .count()
    };
    assert_eq!(unclaimed(), 1);
    for (file, text) in [
        ("home/.config/git/ignore", "new.*\n"),
        ("home/.gitconfig", "[core]\n\texcludesFile = ~/ignored\n"),
        ("project/.git/info/exclude", "/new.rs\n"),
        ("project/.gitignore", "*.rs\n"),
    ] {
        world.write("home/ignored", "new.rs\n");
        world.write(file, text);
        assert_eq!(unclaimed(), 0, "{file}");
        fs::remove_file(world.path(file)).expect("a file");
    }
}
