//! A log that several users share keeps its owner and group.

use std::fs::{self, Metadata};
use std::io::Write as _;
use std::os::unix::fs::{MetadataExt as _, chown};
use std::process::{Command, Output};

use assert_cmd::assert::OutputAssertExt as _;
use predicates::str::contains;

use super::{PHANTOM, names, records};
use crate::common::{World, is_root, run};

/// Two users and the group that they share; no system has them.
const OWNER: u32 = 61_001;
const MEMBER: u32 = 61_002;
const TEAM: u32 = 61_100;

/// A folder that anybody may write to, and the binary where anybody may run it. None, and a word of
/// it, where this user may give nothing away.
fn shared() -> Option<World> {
    if !is_root() {
        let mut told = std::io::stderr().lock();
        writeln!(told, "skipped: only root can give files away").expect("it is told");
        return None;
    }
    let world = World::new();
    fs::create_dir(world.path("shared")).expect("a folder");
    world.rights("shared", 0o777);
    Some(world)
}

fn give(world: &World, file: &str, owner: u32, group: u32, mode: u32) {
    world.write(
        file,
        if file.ends_with('l') {
            ""
        } else {
            "{\"errors\": []}"
        },
    );
    chown(world.path(file), Some(owner), Some(group)).expect("it is given");
    world.rights(file, mode);
}

/// Runs the check as a user with one more group.
fn check_as(world: &World, user: u32, group: u32, options: &str) -> Output {
    let mut command = Command::new("setpriv");
    command
        .args([&format!("--reuid={user}"), &format!("--regid={user}")])
        .arg(format!("--groups={group}"))
        .arg(world.copied_binary())
        .arg("check")
        .args(format!("{PHANTOM} {options}").split(' '))
        .current_dir(world.path(""));
    run(&mut command)
}

fn found(world: &World, file: &str) -> (u32, u32, u32) {
    let found: Metadata = fs::metadata(world.path(file)).expect("a file");
    (found.uid(), found.gid(), found.mode() & 0o7777)
}

#[test]
fn a_member_of_the_group_keeps_the_group_of_the_log() {
    let Some(world) = shared() else { return };
    give(&world, "shared/errors.json", OWNER, TEAM, 0o660);
    for user in [MEMBER, OWNER, MEMBER] {
        let output = check_as(&world, user, TEAM, "--errors-json shared/errors.json");
        output.assert().code(1);
        assert_eq!(found(&world, "shared/errors.json"), (user, TEAM, 0o660));
    }
    assert_eq!(records(&world, "shared/errors.json").len(), 3);
}

#[test]
fn root_keeps_owner_and_group() {
    let Some(world) = shared() else { return };
    give(&world, "shared/errors.json", OWNER, TEAM, 0o2640);
    let output = world.check(&format!("{PHANTOM} --errors-json shared/errors.json"));
    output.assert().code(1);
    assert_eq!(found(&world, "shared/errors.json"), (OWNER, TEAM, 0o2640));
}

#[test]
fn a_log_is_left_alone_if_neither_can_be_kept() {
    let Some(world) = shared() else { return };
    give(&world, "shared/errors.json", OWNER, TEAM, 0o666);
    let output = check_as(&world, MEMBER, MEMBER, "--errors-json shared/errors.json");
    output
        .assert()
        .code(2)
        .stdout(contains("[FAIL]"))
        .stderr(contains(
            "this user can keep neither its owner nor its group",
        ));
    assert_eq!(found(&world, "shared/errors.json"), (OWNER, TEAM, 0o666));
    let text = fs::read_to_string(world.path("shared/errors.json")).expect("a log");
    assert_eq!(text, "{\"errors\": []}");
    assert_eq!(names(&world, "shared"), ["errors.json"]);

    // One record a line is added in place.
    give(&world, "shared/errors.jsonl", OWNER, TEAM, 0o666);
    let output = check_as(&world, MEMBER, MEMBER, "--errors-json shared/errors.jsonl");
    output.assert().code(1);
    assert_eq!(found(&world, "shared/errors.jsonl"), (OWNER, TEAM, 0o666));
    assert_eq!(records(&world, "shared/errors.jsonl").len(), 1);
}

#[test]
fn no_other_group_gets_the_rights_of_the_group_that_is_lost() {
    let Some(world) = shared() else { return };
    for (before, after) in [
        (0o664, 0o644),
        (0o660, 0o600),
        (0o2664, 0o644),
        // The members of the group could not read it, and still cannot.
        (0o604, 0o600),
    ] {
        give(&world, "shared/errors.json", OWNER, TEAM, before);
        let output = check_as(&world, OWNER, OWNER, "--errors-json shared/errors.json");
        output.assert().code(1);
        assert_eq!(found(&world, "shared/errors.json"), (OWNER, OWNER, after));
    }
    // A report may be replaced by another user, and gives no more rights either.
    give(&world, "shared/report.json", OWNER, TEAM, 0o666);
    world.rights("shared/report.json", 0o662);
    let output = check_as(&world, MEMBER, MEMBER, "--output shared/report.json");
    output.assert().code(1);
    assert_eq!(found(&world, "shared/report.json"), (MEMBER, MEMBER, 0o622));
}
