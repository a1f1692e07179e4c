//! The result for each kind of claimed path.

use std::os::unix::net::UnixListener;

use assert_cmd::assert::OutputAssertExt as _;

use super::{check, checked, claiming, each, record, world};
use crate::common::{is_root, run};

#[test]
fn paths_that_stay_inside_are_followed() {
    let inside = ["docs/tides.md", "./docs//tides.md", "in/../docs/tides.md", "hop20/tides.md"];
    each(&world(), &inside, "", "ok");
}

#[test]
fn paths_that_leave_the_root_are_outside() {
    let world = world();
    let secret = world.path("secret/key.pem").display().to_string();
    let high = "../".repeat(5_000) + "etc/passwd";
    let outside = [
        "..",
        "../secret/key.pem",
        "../other/docs/tides.md",
        "docs/../../secret/key.pem",
        "nowhere/../../secret/key.pem",
        &high,
        "/",
        "/etc/passwd",
        &secret,
        "/proc/self/root/etc/passwd",
        "/proc/self/fd/0",
        "/dev/stdin",
        "out.pem",
        "out-folder",
        "out-folder/key.pem",
        "out-folder/pipe",
        "out-absolute/key.pem",
        "out-absolute/../project/docs/tides.md",
        "out-twice/key.pem",
        "in/out/key.pem",
        "out-process/key.pem",
        "out-root/etc/passwd",
        "to-zero",
    ];
    each(&world, &outside, "artifact-outside-root", "outside-root");
}

#[test]
fn paths_to_nothing_are_not_found() {
    let long = "x".repeat(5_000);
    let deep = "x/".repeat(2_500) + "x";
    let dots = "./".repeat(20_000) + "docs/tides.md";
    let nowhere = [
        "round",
        "round/x",
        "one",
        "hop59/tides.md",
        "dangling",
        "docs/tides.md/x",
        "docs/tides.md/",
        "docs/tides.md/..",
        &long,
        &deep,
        &dots,
    ];
    each(&world(), &nowhere, "artifact-not-found", "not-found");
}

#[test]
fn a_fifo_or_device_does_not_block() {
    let world = world();
    let _socket = UnixListener::bind(world.path("project/socket")).expect("a socket");
    let mut others = vec!["docs", "docs/", ".", "docs/..", "pipe", "socket"];
    if is_root() {
        others.extend(["device", "disk"]);
    }
    each(&world, &others, "artifact-not-a-file", "not-a-file");
}

#[test]
fn a_text_that_is_no_path_is_not_looked_up() {
    let texts = [
        "a\0b",
        "docs/tides.md\0",
        "docs\\tides.md",
        "C:/Windows",
        "file:///etc/passwd",
        "~/.ssh/id",
    ];
    each(&world(), &texts, "artifact-path", "invalid-path");
}

#[test]
fn the_links_of_proc_are_not_followed() {
    let world = world();
    for path in ["exe", "cwd/secret/key.pem", "root/etc/passwd", "fd/0", "task/../exe"] {
        let record = check(&world, "--root /proc/self", path);
        let (_, state) = checked(&record);
        assert!(matches!(state, "outside-root" | "not-found"), "{path}: {state}");
    }
}

#[test]
fn a_file_without_permission_is_unreadable() {
    let world = world();
    world.write("project/shut/plan.md", "# Plan\n");
    world.rights("project/shut", 0o000);
    for path in ["locked/plan.md", "shut/plan.md", "shut/../docs/tides.md"] {
        let mut retval = world.retval_as_nobody();
        retval.args(["check", "--root", "project", "--format", "jsonl", "in.json"]);
        world.write("in.json", claiming(path));
        let output = run(&mut retval);
        assert_eq!(
            checked(&record(&output)),
            (vec!["artifact-unreadable"], "unreadable"),
            "{path}"
        );
        output.assert().code(1);
    }
    world.rights("project/shut", 0o755);
}
