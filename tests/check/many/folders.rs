//! Folders and lists of files.

use std::fs;
use std::process::{Command, Stdio};

use assert_cmd::assert::OutputAssertExt as _;
use predicates::str::{contains, is_empty};

use super::{blocked, records, stream};
use crate::common::{World, piped, run, stderr};

#[test]
fn a_folder_is_walked_in_order_with_its_hidden_files() {
    let world = World::new();
    for name in [
        "b.json",
        "a/.return-meta.json",
        "a/z.json",
        "a/.hidden/x.json",
        "c.ndjson",
        "d.jsonl",
        "e.txt",
        ".git/f.json",
    ] {
        world.write(&format!("in/{name}"), blocked(1) + "\n");
    }
    std::os::unix::fs::symlink("../in", world.path("in/loop")).expect("a link");
    std::os::unix::fs::symlink("b.json", world.path("in/link.json")).expect("a link");
    let output = world.check("in --format jsonl");
    let found: Vec<_> = records(&output)
        .iter()
        .map(|record| format!("{}:{}", record["source"], record["line"]))
        .collect();
    let expected = [
        r#""in/a/.hidden/x.json":null"#,
        r#""in/a/.return-meta.json":null"#,
        r#""in/a/z.json":null"#,
        r#""in/b.json":null"#,
        r#""in/c.ndjson":1"#,
        r#""in/d.jsonl":1"#,
    ];
    assert_eq!(found, expected);
    assert_eq!(records(&output)[1]["profile"], "return-meta");
    output.assert().code(0).stderr(is_empty());
}

#[test]
fn globs_narrow_a_folder() {
    let world = World::new();
    for name in ["a.json", "x/a.json", "x/b.json", "node_modules/a.json", "x/.return-meta.json"] {
        world.write(&format!("in/{name}"), blocked(1));
    }
    for (options, expected) in [
        ("--include a.json", vec!["in/a.json", "in/node_modules/a.json", "in/x/a.json"]),
        ("--include x/*.json", vec!["in/x/.return-meta.json", "in/x/a.json", "in/x/b.json"]),
        ("--include .return-meta.json", vec!["in/x/.return-meta.json"]),
        (
            "--exclude node_modules --exclude b.*",
            vec!["in/a.json", "in/x/.return-meta.json", "in/x/a.json"],
        ),
        ("--include **/a.json --exclude x", vec!["in/a.json", "in/node_modules/a.json"]),
    ] {
        let found = records(&world.check(&format!("in --format jsonl {options}")));
        let found: Vec<_> =
            found.iter().map(|record| record["source"].as_str().expect("a source")).collect();
        assert_eq!(found, expected, "{options}");
    }
    world.check("in --include [").assert().code(2).stderr(contains("cannot use the glob ["));
    world.check("in --include none.json").assert().code(2).stderr(contains("no returns in in"));
}

#[test]
fn files_can_be_listed_by_another_program() {
    let world = World::new();
    world.write("a b.json", blocked(1));
    world.write("in/c.json", blocked(2));
    world.write("s.ndjson", stream(3));
    world.write("list", "a b.json\r\n\nin\ns.ndjson\n");
    assert_eq!(records(&world.check("--files-from list --format jsonl")).len(), 5);
    assert_eq!(
        records(&piped(&world, "--files-from - --format jsonl", "a b.json\nin/c.json")).len(),
        2
    );
    world.write("new\nline.json", blocked(1));
    let found =
        records(&piped(&world, "--files-from - --format jsonl", "new\nline.json\0a b.json\0"));
    assert_eq!(found[0]["source"], "new\nline.json");
    piped(&world, "--files-from - -", "")
        .assert()
        .code(2)
        .stderr(contains("standard input can be read only once"));
    world.check("--files-from gone").assert().code(2).stderr(contains("cannot read gone"));
}

#[test]
fn unreadable_input_is_reported_and_the_rest_is_checked() {
    let world = World::new();
    world.write("in/a.json", blocked(1));
    world.write("in/z.json", blocked(2));
    world.write("in/locked.json", blocked(3));
    world.write("in/shut/b.json", blocked(4));
    world.write("in/\u{1b}[31m\n.json", "x");
    let fifo = std::process::Command::new("mkfifo")
        .arg(world.path("in/pipe.json"))
        .status()
        .expect("mkfifo runs");
    assert!(fifo.success());
    let _socket =
        std::os::unix::net::UnixListener::bind(world.path("in/socket.json")).expect("a socket");
    let invalid = std::os::unix::ffi::OsStrExt::as_bytes(world.path("in").as_os_str()).to_vec();
    let invalid = std::os::unix::ffi::OsStringExt::from_vec([&invalid[..], b"/\xff.json"].concat());
    let invalid: std::ffi::OsString = invalid;
    fs::write(invalid, blocked(5)).expect("a file");
    world.rights("in/locked.json", 0o000);
    world.rights("in/shut", 0o000);
    let output =
        crate::common::run(world.retval_as_nobody().args(["check", "in", "--format", "jsonl"]));
    world.rights("in/shut", 0o755);
    let records = records(&output);
    let unread: Vec<_> = records
        .iter()
        .filter(|record| record["valid"].is_null())
        .map(|record| &record["source"])
        .collect();
    assert_eq!(unread, ["in/locked.json", "in/pipe.json", "in/shut", "in/socket.json"]);
    let checked = records.iter().filter(|record| record["valid"] == true).count();
    assert_eq!(checked, 3, "{records:?}");
    assert_eq!(stderr(&output).lines().count(), 4, "{}", stderr(&output));
    assert!(stderr(&output).contains("cannot read in/pipe.json: it is not a regular file"));
    output.assert().code(2);
}

#[test]
fn files_are_in_the_order_of_the_bytes_of_their_names() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;

    let world = World::new();
    let numbers = (0..70).map(|number| format!("return-{number:03}.json").into_bytes());
    let others: [&[u8]; 6] = [
        b"return-0.json",
        b"return-01.json",
        b"return-0\xff.json",
        b"return-02\xff.json",
        b"\xff.json",
        "return-0\u{e4}.json".as_bytes(),
    ];
    let mut names: Vec<_> = (numbers.chain(others.map(<[u8]>::to_vec))).collect();
    fs::create_dir(world.path("in")).expect("a folder");
    for name in &names {
        let path = world.path("in").join(OsStr::from_bytes(name));
        fs::write(path, blocked(1)).expect("a file");
    }
    names.sort_unstable();
    let expected: Vec<_> =
        (names.iter()).map(|name| format!("in/{}", String::from_utf8_lossy(name))).collect();
    for threads in [1, 2] {
        let output = world.check(&format!("in --format jsonl -j {threads}"));
        let records = records(&output);
        let found: Vec<_> =
            (records.iter()).filter_map(|record| record["source"].as_str()).collect();
        assert_eq!(found, expected);
        output.assert().code(0);
    }
}

#[test]
fn a_link_loop_ends() {
    let world = World::new();
    world.write("in/a.json", blocked(1));
    std::os::unix::fs::symlink(".", world.path("in/round")).expect("a link");
    std::os::unix::fs::symlink("self", world.path("in/self")).expect("a link");
    world.check("in").assert().code(0).stdout("1 return: 1 valid, 0 invalid (0 warnings)\n");
    world.check("in/self").assert().code(2).stderr(contains("cannot read in/self: "));
}

#[test]
fn a_low_limit_of_open_files_does_not_change_the_verdict() {
    let world = World::new();
    let returned = |number: usize| {
        let claim =
            format!(r#"[{{"type":"report","path":"out/{number}/report.md","summary":"s"}}]"#);
        blocked(number).replace("blocked", "completed").replacen("[]", &claim, 1)
    };
    for number in 0..400 {
        world.write(&format!("in/{number}.json"), returned(number));
        world.write(&format!("out/{number}/report.md"), "text");
    }
    for files in [32, 140, 1024] {
        let mut shell = Command::new("sh");
        let limited = format!("ulimit -n {files}; exec \"$0\" check in -j 4");
        shell
            .args(["-c", &limited])
            .arg(assert_cmd::cargo::cargo_bin!("retval"))
            .current_dir(world.path(""));
        let output = shell.output().expect("it runs");
        output.assert().code(0).stdout("400 returns: 400 valid, 0 invalid (0 warnings)\n");
    }
}

#[test]
fn any_number_of_empty_streams_is_walked() {
    let world = World::new();
    for number in 0..8_000 {
        world.write(&format!("in/{number:05}.ndjson"), "");
    }
    for threads in [1, 2] {
        world
            .check(&format!("in -j {threads}"))
            .assert()
            .code(0)
            .stdout("0 returns: 0 valid, 0 invalid (0 warnings)\n");
    }
}

/// What has no end is refused, while it is still written.
#[test]
fn an_endless_list_is_refused() {
    let world = World::new();
    for endless in ["cat /dev/zero", "yes ''"] {
        let mut shell = Command::new("sh");
        shell.args(["-c", endless]).stdout(Stdio::piped());
        let mut shell = shell.spawn().expect("it starts");
        let endless = shell.stdout.take().expect("a pipe");
        let mut retval = world.retval();
        retval.args(["check", "--files-from", "-"]).stdin(endless);
        let told = "error: cannot read -: it is too long for a list of paths\n";
        run(&mut retval).assert().code(2).stdout("").stderr(told);
        // It has the other end of the pipe, too.
        drop(retval);
        shell.wait().expect("it ends");
    }
}
