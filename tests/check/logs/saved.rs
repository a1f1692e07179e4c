//! `--save-invalid`: invalid returns are saved unchanged.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::process::{Command, Stdio};
use std::time::Duration;

use assert_cmd::assert::OutputAssertExt as _;
use predicates::str::contains;

use super::{names, records};
use crate::common::{World, piped, run};

#[test]
fn an_invalid_return_is_saved_whole_and_named_in_its_record() {
    let world = World::new();
    let returned = b"\xff\0 no JSON \n".repeat(10_000);
    let options = "--errors-json errors.json --save-invalid kept/here -q";
    piped(&world, options, &returned).assert().code(1);
    let record = &records(&world, "errors.json")[0];
    let saved = record["returned"]["saved"].as_str().expect("a path");
    assert_eq!(
        saved,
        format!("kept/here/{}.json", record["id"].as_str().expect("an id"))
    );
    assert_eq!(fs::read(world.path(saved)).expect("a file"), returned);
    let mode = |path| {
        let found = fs::metadata(world.path(path)).expect("it is there");
        found.permissions().mode() & 0o777
    };
    assert_eq!((mode(saved), mode("kept/here")), (0o600, 0o700));
    assert_eq!(names(&world, "kept/here").len(), 1);
}

#[test]
fn each_invalid_line_has_a_file_of_its_own_and_valid_ones_have_none() {
    let world = World::new();
    let good = fs::read_to_string(world.path("profiles/return/completed-plan.json"));
    let good = good.expect("a return").replace('\n', " ");
    let bad: Vec<_> = (0..200)
        .map(|number| format!("{number} is no return"))
        .collect();
    let bad = bad.join("\n");
    let options = "--ndjson --root project --save-invalid kept -q -j 4";
    piped(&world, options, format!("{good}\n{bad}"))
        .assert()
        .code(1);
    let mut saved: Vec<_> = names(&world, "kept")
        .iter()
        .map(|name| fs::read_to_string(world.path(&format!("kept/{name}"))).expect("a file"))
        .collect();
    let mut expected: Vec<_> = bad.lines().map(str::to_owned).collect();
    saved.sort();
    expected.sort();
    assert_eq!(saved, expected);
}

#[test]
fn saved_returns_are_not_checked_by_the_same_run() {
    let world = World::new();
    world.write("in/a.json", "no JSON");
    for round in 1..=3 {
        let output = world.check("in --save-invalid in/kept/new");
        output.assert().code(1).stdout(contains("[FAIL]"));
        assert_eq!(names(&world, "in/kept/new").len(), round);
    }
    let output = world.check("in/kept/new --save-invalid in/kept/../kept/new");
    output
        .assert()
        .code(2)
        .stderr(contains("--save-invalid in/kept/new would add to an input"));
    assert_eq!(names(&world, "in/kept/new").len(), 3);
}

#[test]
fn a_place_that_cannot_be_a_folder_is_refused_before_a_return_is_read() {
    let world = World::new();
    world.write("file", "");
    std::os::unix::fs::symlink("nowhere", world.path("dangling")).expect("a link");
    for (folder, why) in [
        ("file/x", "Not a directory (os error 20)"),
        ("file", "it is not a folder"),
        ("dangling/x", "No such file or directory (os error 2)"),
    ] {
        let output = piped(&world, &format!("--save-invalid {folder}"), "no");
        let told = format!("error: cannot save invalid returns in {folder}: {why}\n");
        output.assert().code(2).stdout("").stderr(told);
    }
    assert!(!world.path("nowhere").exists());
}

#[test]
fn a_return_that_cannot_be_saved_is_reported_once() {
    let world = World::new();
    world.write("in.ndjson", "no\n".repeat(500));
    let check = "exec \"$0\" check in.ndjson --save-invalid kept -q -j 2";
    // A new file cannot have a byte.
    let script = format!("trap '' XFSZ; ulimit -f 0; {check}");
    let output = run(Command::new("bash")
        .args(["-c", &script])
        .arg(world.retval().get_program())
        .current_dir(world.path("")));
    let told = "error: cannot save invalid returns in kept: File too large (os error 27)\n";
    output
        .assert()
        .code(2)
        .stdout(contains("[FAIL]"))
        .stderr(told);
    assert!(names(&world, "kept").is_empty());
}

#[test]
fn a_process_that_is_killed_leaves_no_half_return() {
    let world = World::new();
    let returned = "x".repeat(100_000);
    world.write("in.ndjson", format!("{returned}\n").repeat(200));
    for round in 0..30_u64 {
        let mut retval = world.retval();
        retval.args("check in.ndjson -q --save-invalid kept".split(' '));
        let spawned = retval.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        let mut child = spawned.expect("it runs");
        std::thread::sleep(Duration::from_micros(3_000 + round * 1_117 % 30_000));
        child.kill().expect("a signal");
        child.wait().expect("it ends");
    }
    let kept = names(&world, "kept");
    let complete = kept.iter().filter(|name| !name.starts_with(".retval-"));
    for name in complete {
        let saved = fs::read_to_string(world.path(&format!("kept/{name}")));
        assert_eq!(saved.expect("a file").len(), returned.len(), "{name}");
        assert!(name.starts_with("err_"), "{name}");
    }
}
