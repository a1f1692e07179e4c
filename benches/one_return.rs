//! The cost of checking one return: as a process compared with others, and in the library.
//!
//! `cargo bench --features testing --bench one_return`. Users run a statically linked binary (see the README). RETVAL
//! names the binary; the default is the one that cargo built.

mod measure;

use std::fs;
use std::path::Path;
use std::process::Command;

use measure::{Contest, print_table};

const RETURN: &str = "fixtures/profiles/return/completed-plan.json";
const SESSION: &str = "sess_1767225600_k3m9qa";

fn main() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    std::env::set_current_dir(here).expect("the project is there");
    processes();
    library();
}

fn processes() {
    let retval =
        std::env::var("RETVAL").unwrap_or_else(|_| env!("CARGO_BIN_EXE_retval").to_owned());
    let check =
        format!("check {RETURN} --root fixtures/project --session {SESSION} --agent planner");
    let mut contest = Contest::new(300);
    contest.enter("/bin/true", Command::new("/bin/true"));
    contest.enter("retval check", command(&retval, &check));
    contest.enter("bash -c :", command("bash", "-c :"));
    contest.enter_if_installed("jq empty", command("jq", &format!("empty {RETURN}")));
    contest.enter_if_installed("jaq empty", command("jaq", &format!("empty {RETURN}")));
    let place = tempfile::tempdir().expect("a folder");
    let schema = place.path().join("schema.json");
    let printed = command(&retval, "schema return").output();
    fs::write(&schema, printed.expect("retval runs").stdout).expect("a schema");
    let validate = format!("validate {} -i {RETURN}", schema.display());
    contest.enter_if_installed("jsonschema-cli", command("jsonschema-cli", &validate));
    print_table("one return, one process", &contest.run());
    figures("/bin/true", &Command::new("/bin/true"));
    figures("retval --version", &command(&retval, "--version"));
    let plain = format!("check {RETURN} --root fixtures/project");
    figures("retval check FILE --root DIR", &command(&retval, &plain));

    let mut contest = Contest::new(5);
    contest.enter("retval check", command(&retval, &check));
    let mut pipeline = Command::new("bash");
    let script = fs::canonicalize("tests/check/pipeline.sh").expect("the pipeline");
    pipeline.arg(script).args(["planner", SESSION]).current_dir("fixtures/project");
    contest.enter_fed("bash and jq pipeline", pipeline, Path::new(RETURN));
    print_table("beside the pipeline of Return validation", &contest.run());
}

/// Prints the figures that other processes do not affect.
#[cfg(target_os = "linux")]
fn figures(name: &str, command: &Command) {
    let calls = measure::traced::system_calls(command);
    let faults = measure::page_faults(command);
    let instructions = measure::instructions(command);
    let instructions = instructions.unwrap_or_else(|| "unknown, for want of valgrind".to_owned());
    measure::print_line(&format!(
        "  {name}: {calls} system calls, {faults} page faults, instructions: {instructions}"
    ));
}

#[cfg(not(target_os = "linux"))]
fn figures(_: &str, _: &Command) {}

fn command(program: &str, arguments: &str) -> Command {
    let mut command = Command::new(program);
    command.args(arguments.split(' '));
    command
}

fn library() {
    let text = fs::read(RETURN).expect("a fixture");
    let root = retval::Root::open("fixtures/project").expect("a folder");
    let checker = retval::Checker::new(&retval::RETURN, &root).session(SESSION);
    let mut contest = Contest::new(20);
    contest.enter_work("serde_json IgnoredAny", || {
        for _ in 0..10_000 {
            let read: serde_json::Result<serde::de::IgnoredAny> = serde_json::from_slice(&text);
            assert!(read.is_ok());
        }
    });
    contest.enter_work("Checker::check", || {
        for _ in 0..10_000 {
            assert!(checker.check(&text).is_valid());
        }
    });
    print_table("10,000 returns in the library, artifact looked at", &contest.run());
    texts();
}

/// Reads a text of 4 KB.
fn texts() {
    let review = fs::read_to_string("fixtures/forms/review.md").expect("a fixture");
    let times = 4_096 / review.len() + 1;
    let text = review.repeat(times);
    let mut contest = Contest::new(20);
    contest.enter_work("a return as text", || {
        for _ in 0..10_000 {
            assert!(retval::testing::reads_text(&text));
        }
    });
    let title = format!("10,000 texts of {} bytes in the library", text.len());
    print_table(&title, &contest.run());
}
