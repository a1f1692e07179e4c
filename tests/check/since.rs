//! `--since` and the age of files, and `retval leftovers`.

use std::fs;
use std::time::{Duration, SystemTime};

use crate::common::{World, piped, run, stderr, stdout};
use assert_cmd::assert::OutputAssertExt as _;
use predicates::str::contains;

const VALID: &str = r#"{"status":"completed","summary":"The tides are told. They are high.","artifacts":[{"type":"plan","path":"docs/tides.md","summary":"x"}],"metadata":{"session_id":"s","agent_type":"planner","delegation_depth":1,"delegation_path":["planner"]}}"#;

/// Writes a file that was last changed so long ago.
fn write(world: &World, path: &str, text: &str, age: Duration) {
    world.write(path, text);
    let file = fs::File::options()
        .write(true)
        .open(world.path(path))
        .expect("a file");
    let time = SystemTime::now().checked_sub(age).expect("a time");
    file.set_modified(time).expect("a time");
}

const HOUR: Duration = Duration::from_hours(1);

fn metadata(status: &str, session: &str) -> String {
    format!(r#"{{"status":"{status}","artifacts":[],"metadata":{{"session_id":"{session}"}}}}"#)
}

fn listed(world: &World, options: &str) -> Vec<String> {
    let mut retval = world.retval();
    let arguments = format!("leftovers work {options}");
    let output = run(retval.args(arguments.split_whitespace()));
    assert_eq!(
        (output.status.code(), stderr(&output)),
        (Some(0), String::new())
    );
    stdout(&output).lines().map(str::to_owned).collect()
}

#[test]
fn a_file_older_than_the_call_is_invalid() {
    let world = World::new();
    write(&world, "new.json", VALID, HOUR);
    write(&world, "old.json", VALID, 3 * HOUR);
    for (files, since, code) in [
        ("new.json", "2h", 0),
        ("old.json", "2h", 1),
        ("old.json", "1d", 0),
        ("old.json", "@0", 0),
        ("old.json", "2100-01-01T00:00:00Z", 1),
    ] {
        let output = world.check(&format!("{files} --root project --since {since}"));
        assert_eq!(
            output.status.code(),
            Some(code),
            "{files} {since}: {}",
            stdout(&output)
        );
    }
    let output = world.check("old.json --root project -q --since 2100-01-01T00:00:00Z");
    let expected = "\
[FAIL] Return was not written since 2100-01-01T00:00:00Z
Recommendation: Fix planner subagent to write its own file in every run
       at old.json:1:1
       rule: return-stale
";
    assert_eq!(stdout(&output), expected);
    let both = world.check("new.json old.json --root project --since 2h --format next");
    assert_eq!(stdout(&both), "proceed\nretry\n");
}

#[test]
fn since_does_not_apply_to_standard_input_and_streams() {
    let world = World::new();
    let options = "--root project --since 2100-01-01T00:00:00Z";
    piped(&world, options, VALID).assert().code(0);
    write(&world, "old.ndjson", VALID, HOUR);
    world
        .check(&format!("old.ndjson {options}"))
        .assert()
        .code(0);
}

#[test]
fn an_invalid_time_is_a_usage_error() {
    let world = World::new();
    let output = piped(&world, "--since yesterday", VALID);
    output
        .assert()
        .code(2)
        .stderr(contains("a time such as 2026-01-28T10:30:00Z"));
}

#[test]
fn files_of_sessions_that_have_ended_are_listed() {
    let world = World::new();
    let old = 48 * HOUR;
    for (path, text, age) in [
        (
            "work/1_a/.return-meta.json",
            metadata("planned", "done"),
            old,
        ),
        (
            "work/2_b/.return-meta.json",
            metadata("in_progress", "hung"),
            old,
        ),
        (
            "work/3_c/.return-meta.json",
            metadata("in_progress", "long"),
            old,
        ),
        (
            "work/4_d/.return-meta-2.json",
            metadata("planned", "long"),
            HOUR,
        ),
        (
            "work/5_e/.return-meta.json",
            metadata("implemented", "new"),
            HOUR,
        ),
        ("work/6_f/.return-meta.json", "no JSON".to_owned(), old),
        (
            "work/s/g/handoffs/handoff_developer.json",
            r#"{"status":"READY_FOR_QA"}"#.to_owned(),
            old,
        ),
        (
            "work/t/handoffs/g_dev.json",
            r#"{"status":"READY_FOR_QA"}"#.to_owned(),
            old,
        ),
        (
            "work/t/handoffs/g_qa.json",
            r#"{"status":"PASS"}"#.to_owned(),
            HOUR,
        ),
        ("work/plan.json", VALID.to_owned(), old),
        (
            "work/.git/.return-meta.json",
            metadata("planned", "done"),
            old,
        ),
    ] {
        write(&world, path, &text, age);
    }
    let all = [
        "work/1_a/.return-meta.json",
        "work/2_b/.return-meta.json",
        "work/6_f/.return-meta.json",
        "work/s/g/handoffs/handoff_developer.json",
    ];
    assert_eq!(listed(&world, ""), all);
    assert_eq!(listed(&world, "--session hung"), [all[0], all[2], all[3]]);
    assert_eq!(listed(&world, "--since 3d"), [""; 0]);
    assert_eq!(listed(&world, "--since 1m").len(), 9);
    let output = run(world.retval().args(["leftovers", "work", "-0"]));
    assert_eq!(
        stdout(&output),
        all.map(|path| format!("{path}\0")).concat()
    );
}

// Other systems have no line ends in names.
#[cfg(unix)]
#[test]
fn paths_are_escaped_on_lines_and_exact_between_nuls() {
    let world = World::new();
    let path = "work/a\nb/.return-meta.json";
    write(&world, path, &metadata("planned", "s"), 48 * HOUR);
    std::os::unix::fs::symlink(world.path(path), world.path("work/.return-meta.json"))
        .expect("a link");
    assert_eq!(listed(&world, ""), ["work/a\\nb/.return-meta.json"]);
    let output = run(world.retval().args(["leftovers", "work", "-0"]));
    assert_eq!(stdout(&output), format!("{path}\0"));
}

#[test]
fn leftovers_fails_for_a_missing_folder_and_a_missing_argument() {
    let world = World::new();
    for (arguments, why) in [
        ("leftovers gone", "error: gone: not a folder\n"),
        (
            "leftovers",
            "required arguments were not provided:\n  <DIR>",
        ),
    ] {
        let output = run(world.retval().args(arguments.split(' ')));
        output.assert().code(2).stdout("").stderr(contains(why));
    }
}

#[test]
fn leftovers_has_the_details_of_an_ended_session() {
    let world = World::new();
    let handoff = |session: &str| {
        format!(r#"{{"status":"READY_FOR_QA","session_id":"{session}","summary":"Done."}}"#)
    };
    let old = 48 * HOUR;
    for (path, session) in [
        ("ended", "ended"),
        ("busy", "busy"),
        ("other", "named-otherwise"),
    ] {
        let file = format!("work/{path}/handoffs/g_dev.json");
        write(&world, &file, &handoff(session), old);
        write(
            &world,
            &format!("work/{path}/tests/g_dev_results.md"),
            "x",
            old,
        );
    }
    for path in [
        "work/ended/reasoning/developer_g.md",
        "work/ended/reviews/g.md",
        // None of these are details of a session that ended.
        "work/ended/tests/test_sums.py",
        "work/ended/notes/g.md",
        "work/ended/src/tests/g.md",
        "elsewhere/ended/tests/g.md",
    ] {
        write(&world, path, "x", old);
    }
    // Who still writes details has not ended.
    write(&world, "work/busy/reasoning/qa_expert_g.md", "x", HOUR);
    let all = [
        "work/ended/handoffs/g_dev.json",
        "work/ended/reasoning/developer_g.md",
        "work/ended/reviews/g.md",
        "work/ended/tests/g_dev_results.md",
        "work/other/handoffs/g_dev.json",
    ];
    assert_eq!(listed(&world, ""), all);
    assert_eq!(
        listed(&world, "--session ended"),
        ["work/other/handoffs/g_dev.json"]
    );
}
