//! The destinations of reports: several outputs, symlinks, permissions, and readers that close a pipe.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::process::{Child, Command, Output, Stdio};

use crate::common::{World, stderr, stdout};
use assert_cmd::assert::OutputAssertExt as _;
use predicates::str::{contains, is_empty};

const PLAN: &str = "profiles/return/completed-plan.json --root project";
const PHANTOM: &str = "rules/artifact-not-found/fail/phantom.json --root project";

fn bash(world: &World, script: &str) -> Output {
    let retval = world.retval().get_program().to_owned();
    let mut bash = Command::new("bash");
    bash.args(["-c", script]).env("R", retval).current_dir(world.path("")).stdin(Stdio::null());
    bash.output().expect("bash runs")
}

/// Runs `retval check` with standard output as a pipe whose reader has left.
fn unread(world: &World, options: &str) -> Output {
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let mut retval = world.retval();
    retval.arg("check").args(options.split_whitespace());
    let child = retval.stdout(writer).stderr(Stdio::piped()).spawn();
    child.and_then(Child::wait_with_output).expect("it runs")
}

#[test]
fn a_closed_output_does_not_stop_the_others() {
    let world = World::new();
    let options = format!("{PHANTOM} --format text --format json=v.json");
    unread(&world, &options).assert().code(1).stderr("");
    let report = fs::read_to_string(world.path("v.json")).expect("a file");
    assert!(report.contains("artifact-not-found"), "{report}");
}

#[test]
fn a_closed_output_does_not_change_the_exit_code() {
    let world = World::new();
    for (returned, code) in [(PHANTOM, 1), (PLAN, 0)] {
        for format in ["junit", "json", "text", "jsonl", "sarif"] {
            for others in ["", "--format text=v.txt"] {
                if format == "text" && !others.is_empty() {
                    continue;
                }
                let options = format!("{returned} --format {format} {others}");
                unread(&world, &options).assert().code(code).stderr("");
            }
        }
    }
}

/// What was found until then decides, even if the input never ends.
#[test]
fn if_all_outputs_are_closed_the_exit_code_is_the_one_so_far() {
    let world = World::new();
    let good = fs::read_to_string(world.path("profiles/return/completed-plan.json"));
    world.write("good", good.expect("a return").replace('\n', " "));
    world.write("bad", "no JSON");
    for (options, line, code) in [
        ("--format jsonl -j 1", "bad", 1),
        ("--format jsonl -j 4", "bad", 1),
        ("--format jsonl -j 4", "good", 0),
        ("-v -j 4", "bad", 1),
        ("-v -j 4", "good", 0),
        ("--filter invalid --format text=out -j 4", "good", 0),
        ("--filter invalid -q -j 4", "bad", 1),
        ("--filter valid -q -j 4", "good", 0),
    ] {
        // With a filter, reports go to standard error, to their end.
        let input = if options.contains("--filter") { "head -n 1000" } else { "cat" };
        let script = format!(
            "yes \"$(cat {line})\" | {input} | \"$R\" check --lines --root project {options} 2> told | head -n 1 > head; echo ${{PIPESTATUS[2]}}"
        );
        assert_eq!(stdout(&bash(&world, &script)), format!("{code}\n"), "{line} {options}");
    }
    let script = format!("set -o pipefail; \"$R\" check {PHANTOM} | head -n 1");
    bash(&world, &script).assert().code(1).stdout("[PASS] Return is valid JSON\n");
}

#[test]
fn a_failed_output_does_not_stop_the_others() {
    let world = World::new();
    for broken in ["/dev/full", "no/folder/x"] {
        let output = world
            .check(&format!("{PLAN} --format jsonl={broken} --format json=v.json --format text"));
        assert!(stdout(&output).ends_with("Artifacts: 1 validated\n"));
        assert!(
            fs::read_to_string(world.path("v.json"))
                .expect("a file")
                .ends_with("\"warnings\":0}}\n")
        );
        assert_eq!(stderr(&output).lines().count(), 1, "{}", stderr(&output));
        output.assert().code(2).stderr(contains(format!("cannot write {broken}: ")));
        fs::remove_file(world.path("v.json")).expect("it is there");
    }
}

#[test]
fn a_pipe_that_is_an_output_and_closes_is_a_failure() {
    let world = World::new();
    let many = format!("{PHANTOM} ").repeat(1)
        + &"rules/artifact-not-found/fail/phantom.json ".repeat(400);
    let output = bash(
        &world,
        &format!(
            "mkfifo pipe; head -c1 pipe > /dev/null & \"$R\" check {many} --format text=pipe; echo code $?"
        ),
    );
    assert!(stdout(&output).ends_with("code 2\n"), "{}", stdout(&output));
}

#[test]
fn a_link_stays_a_link() {
    let world = World::new();
    world.write("there.json", "old");
    symlink("there.json", world.path("link")).expect("a link");
    symlink("gone.json", world.path("dangling")).expect("a link");
    for (link, target) in [("link", "there.json"), ("dangling", "gone.json")] {
        world.check(&format!("{PLAN} --format jsonl={link}")).assert().code(0).stdout(is_empty());
        assert!(world.path(link).is_symlink());
        assert!(
            fs::read_to_string(world.path(target)).expect("a file").starts_with("{\"version\":1")
        );
    }
}

#[test]
fn rights_are_kept_whatever_the_mask() {
    let world = World::new();
    world.write("v.json", "old");
    world.rights("v.json", 0o664);
    bash(
        &world,
        &format!(
            "umask 077; \"$R\" check {PLAN} --format json=v.json; \"$R\" check {PLAN} --format json=new.json"
        ),
    )
    .assert()
    .code(0);
    let mode = |name| fs::metadata(world.path(name)).expect("a file").permissions().mode() & 0o777;
    assert_eq!((mode("v.json"), mode("new.json")), (0o664, 0o600));
}

#[test]
fn two_options_may_not_write_one_file() {
    let world = World::new();
    world.write("o.x", "");
    symlink("o.x", world.path("o.y")).expect("a link");
    for (options, both) in [
        ("--format text=a.txt --format json=a.txt", "--format text and --format json"),
        ("--format json=o.x --format text=o.y", "--format json and --format text"),
        ("--format json=new.x --format text=project/../new.x", "--format json and --format text"),
        ("--errors-json new.json --format json=new.json", "--format json and --errors-json"),
        ("--errors-json ./o.x --format json=project/../o.x", "--format json and --errors-json"),
        (
            "--baseline b.json --update-baseline --format json=b.json",
            "--format json and --baseline",
        ),
        (
            "--baseline b.json --update-baseline --errors-json ./b.json",
            "--errors-json and --baseline",
        ),
    ] {
        let output = world.check(&format!("{PLAN} {options}"));
        let (stdout, stderr) = (stdout(&output), stderr(&output));
        output.assert().code(2);
        assert_eq!(stdout, "");
        assert!(stderr.contains(&format!("{both} both name ")), "{stderr}");
        assert!(stderr.ends_with(": give each its own file\n"), "{stderr}");
    }
    assert!(!world.path("new.json").exists() && !world.path("b.json").exists());
    let devices = "--format json=/dev/null --format sarif=/dev/null";
    let output = world.check(&format!("{PLAN} {devices}"));
    output.assert().code(0);
}

/// The file of an option is no return, in a folder or behind a link. One that is listed is not replaced.
#[test]
fn no_file_of_an_option_is_replaced_that_is_listed() {
    let world = World::new();
    let plan = fs::read_to_string(world.path("profiles/return/completed-plan.json"));
    let plan = plan.expect("a return");
    let known = "{\n  \"version\": 1,\n  \"accepted\": []\n}\n";
    world.write("in/a.json", &plan);
    world.write("in/b.json", known);
    std::os::unix::fs::symlink("in/a.json", world.path("link.json")).expect("a link");
    std::os::unix::fs::symlink("in/b.json", world.path("base.json")).expect("a link");
    world.write("list", "link.json\nprofiles/return/completed-plan.json\n");
    world.write("list-b", "base.json\nprofiles/return/completed-plan.json\n");
    for (options, named, option) in [
        ("--files-from list-b --baseline in/b.json", "base.json", "--baseline"),
        ("in/b.json --baseline in/b.json", "in/b.json", "--baseline"),
    ] {
        let output = world.check(&format!("{options} --root project"));
        let said = format!("note: {named} is skipped: {option} names it");
        output.assert().code(0).stderr(contains(said));
    }
    let output = world.check("--files-from list --format json=in/a.json");
    let said = "error: --format json would write to link.json, which is an input\n";
    output.assert().code(2).stderr(said);
    assert_eq!(fs::read_to_string(world.path("in/a.json")).expect("a file"), plan);
    // A device is both.
    let output = world.check("/dev/null --format json=/dev/null");
    output.assert().code(1).stderr("");
    world.write("in/c.json", &plan);
    let output = world.check("in --root project --baseline in/b.json --format json=in/a.json");
    output.assert().code(0).stderr(
        "note: in/a.json is skipped: --format json names it\nnote: in/b.json is skipped: --baseline names it\n",
    );
    let report = fs::read_to_string(world.path("in/a.json")).expect("a report");
    assert!(report.contains("\"in/c.json\""), "{report}");
}

#[test]
fn a_report_never_replaces_a_return() {
    let world = World::new();
    let output = world
        .check(&format!("{PLAN} --format text=project/../profiles/return/completed-plan.json"));
    output.assert().code(2).stderr(contains("would write to"));
    assert!(
        fs::read_to_string(world.path("profiles/return/completed-plan.json"))
            .expect("a file")
            .contains("Planned")
    );
}

#[test]
fn a_report_never_replaces_a_list() {
    let world = World::new();
    world.write("list", "profiles/return/completed-plan.json\n");
    let output = world.check("--files-from list --root project --format text=list");
    output.assert().code(2).stderr(contains("an input"));
}

#[test]
fn a_file_behind_a_standard_stream_is_never_replaced() {
    let world = World::new();
    for (stream, number) in [("stdout", 1), ("stderr", 2)] {
        let script = format!(
            "{{ echo before >&{number}; \"$R\" check {PLAN} --format jsonl=/dev/{stream}; echo after >&{number}; }} {number}>log"
        );
        bash(&world, &script);
        let log = fs::read_to_string(world.path("log")).expect("a log");
        let lines: Vec<_> = log.lines().collect();
        assert_eq!((lines[0], lines[2], lines.len()), ("before", "after", 3), "{log}");
        assert!(lines[1].starts_with("{\"version\":1"), "{log}");
    }
}

#[test]
fn pipes_and_devices_are_outputs_by_the_name_they_are_given() {
    let world = World::new();
    let output = bash(
        &world,
        &format!(
            "\"$R\" check {PLAN} --format jsonl=/dev/stdout | cat; \"$R\" check {PLAN} --format jsonl=>(cat)"
        ),
    );
    assert_eq!(
        stdout(&output).lines().filter(|line| line.starts_with("{\"version\":1")).count(),
        2
    );
    world
        .check(&format!("{PLAN} --format json=/dev/null --format jsonl=/dev/null"))
        .assert()
        .code(0);
}

#[test]
fn a_dash_is_standard_output() {
    let world = World::new();
    let output = world.check(&format!("{PLAN} --format jsonl=-"));
    assert!(stdout(&output).starts_with("{\"version\":1"));
    assert!(!world.path("-").exists());
}

#[test]
fn colours_forced_on_a_terminal_stay_out_of_files() {
    let world = World::new();
    let mut retval = world.retval();
    retval
        .env("CLICOLOR_FORCE", "1")
        .args(["check", "--format", "text=plain"])
        .args(PLAN.split(' '));
    retval.output().expect("it runs").assert().code(0);
    assert!(!fs::read_to_string(world.path("plain")).expect("a file").contains('\u{1b}'));
}
