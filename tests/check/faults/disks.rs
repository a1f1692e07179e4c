//! Full and read-only disks, and missing folders.

use std::fs::{self};
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::Command;

use assert_cmd::assert::OutputAssertExt as _;
use predicates::str::{contains, is_empty};
use serde_json::Value;

use super::{Mounted, PHANTOM, VALID, bash, end, left_behind, records, spawn};
use crate::common::{World, is_root, run, stderr};

#[test]
fn a_full_disk_keeps_the_old_file_and_reports_an_error() {
    let world = World::new();
    let Some(disk) = Mounted::full(&world, "full") else {
        return;
    };
    let before = disk.names();
    for (options, what) in [
        ("--format json=full/old.json --format text", "full/old.json: No space left"),
        ("--format json=full/new.json --format text", "full/new.json: No space left"),
        ("--errors-json full/old.json", "cannot add to the error log"),
        ("--errors-json full/new.json", "cannot add to the error log"),
        ("--errors-json full/new/errors.json", "cannot add to the error log"),
        ("--baseline full/known.json --update-baseline", "cannot write the baseline"),
    ] {
        let output = world.check(&format!("{PHANTOM} {options} -v"));
        let told = stderr(&output);
        assert_eq!(told.lines().count(), 1, "{options}: {told}");
        output.assert().code(2).stderr(contains(what)).stderr(contains("No space left"));
    }
    assert_eq!(
        fs::read_to_string(world.path("full/old.json")).expect("a file"),
        "{\"errors\": []}"
    );
    let new = |name: &String| !before.contains(name) && disk.0.join(name).is_file();
    assert!(!disk.names().iter().any(new), "{:?}", disk.names());
    // There is room again: nothing was broken.
    fs::remove_file(disk.0.join("filler")).expect("it is there");
    world.check(&format!("{PHANTOM} --errors-json full/old.json")).assert().code(1);
    assert_eq!(records(&world, "full/old.json").len(), 1);
}

#[test]
fn a_disk_that_fills_up_leaves_a_whole_log() {
    let world = World::new();
    let Some(_disk) = Mounted::new(&world, "small", &["-t", "tmpfs", "-o", "size=256k", "tmpfs"])
    else {
        return;
    };
    world.write("in.ndjson", "not JSON\n".repeat(3_000));
    let log = "small/errors.json";
    let output = world.check(&format!("in.ndjson -q --errors-json {log}"));
    output.assert().code(2).stderr(contains("No space left"));
    assert!(records(&world, log).len() < 3_000);
    fs::remove_file(world.path(log)).expect("it is there");
    let output = world.check("in.ndjson --format jsonl=small/out.jsonl");
    output.assert().code(2).stderr(contains("No space left"));
    assert_eq!(fs::read_dir(world.path("small")).expect("a folder").count(), 0);
}

#[test]
fn a_file_that_does_not_fit_is_not_begun() {
    let world = World::new();
    world.write("empty/.keep", "");
    // No file can be given any content, as on a full disk.
    for words in ["init", "init --output own.toml", "init --from ../old"] {
        world.write("old/a.json", VALID);
        world.write("old/b.json", VALID);
        let mut bash = Command::new("bash");
        bash.args(["-c", &format!("trap '' XFSZ; ulimit -f 0; exec \"$0\" {words}")]);
        bash.arg(world.retval().get_program()).current_dir(world.path("empty"));
        let output = bash.output().expect("it runs");
        let names = fs::read_dir(world.path("empty")).expect("a folder");
        assert_eq!(names.count(), 1, "{words}");
        output.assert().code(2).stderr(contains("cannot write "));
    }
}

#[test]
fn a_read_only_disk_is_not_written_to() {
    let world = World::new();
    let Some(_disk) = Mounted::new(&world, "fixed", &["-t", "tmpfs", "tmpfs"]) else {
        return;
    };
    world.write("fixed/plan.md", "# Plan\n");
    world.write("fixed/old.json", "{\"errors\": []}");
    let mut remount = Command::new("mount");
    let remounted = remount.args(["-o", "remount,ro"]).arg(world.path("fixed")).status();
    assert!(remounted.expect("mount runs").success());
    world.write("in.json", VALID);
    world.check("in.json --root fixed").assert().code(0);
    let refused = |options: &str| {
        let output = world.check(&format!("{PHANTOM} {options} -v"));
        output.assert().code(2).stderr(contains("ead-only file"))
    };
    for options in [
        "--format json=fixed/new.json --format text",
        "--format json=fixed/old.json --format text",
        "--baseline fixed/known.json --update-baseline",
    ] {
        refused(options).stdout(contains("[INFO] Artifact count: 1"));
    }
    for options in ["--errors-json fixed/old.json", "--errors-json fixed/new.json"] {
        refused(options);
    }
}

#[test]
fn in_a_deleted_root_nothing_is_found() {
    let world = World::new();
    world.write("root/plan.md", "# Plan\n");
    world.write("root/later.md", "# Plan\n");
    let mut child = spawn(&world, "check --lines --format jsonl --root root");
    let mut stdin = child.stdin.take().expect("a pipe");
    let mut answers = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut ask = |text: &str| {
        writeln!(stdin, "{text}").expect("it reads");
        let mut answer = String::new();
        answers.read_line(&mut answer).expect("an answer");
        let record: Value = serde_json::from_str(&answer).expect("a record");
        record["artifacts"][0]["state"].as_str().expect("a state").to_owned()
    };
    assert_eq!(ask(VALID), "ok");
    fs::remove_dir_all(world.path("root")).expect("it is there");
    assert_eq!(ask(&VALID.replace("plan.md", "later.md")), "not-found");
    assert_eq!(ask(&VALID.replace("plan.md", "../other/later.md")), "outside-root");
    drop(stdin);
    end(child).assert().code(1).stderr(is_empty());

    for script in [
        "mkdir here; cd here; rmdir ../here; echo '{}' | \"$R\" check",
        "echo '{}' | \"$R\" check --root gone",
    ] {
        let output = bash(&world, script);
        output
            .assert()
            .code(2)
            .stdout("")
            .stderr(contains("as the root: No such file or directory"));
    }
}

#[test]
fn a_user_without_a_writable_folder_gets_an_error() {
    let world = World::new();
    world.rights("", 0o555);
    for options in [
        "--format json=new.json",
        "--errors-json new.json",
        "--baseline new.json --update-baseline",
    ] {
        let mut retval = world.retval_as_nobody();
        retval.arg("check").args(PHANTOM.split(' ')).args(options.split(' '));
        run(&mut retval).assert().code(2).stderr(contains("ermission denied"));
    }
    world.rights("", 0o755);
    assert!(is_root() || left_behind(&world, "").is_empty());
}
