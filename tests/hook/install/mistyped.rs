//! Usage errors of `retval hook`: a person gets text and exit code 2, a client never does.

use std::io::Write as _;
use std::process::{Command, Output};

use serde_json::Value;

use super::world;
use crate::common::{World, feed, run, stderr, stdout, terminal};

fn hook_line(world: &World, line: &str) -> Command {
    let mut retval = world.retval();
    retval.arg("hook").args(line.split_whitespace());
    retval
}

/// The usage error of a person, who gets nothing on standard output.
fn refused(output: &Output) -> String {
    let (said, code) = (stdout(output), output.status.code());
    assert_eq!((said.as_str(), code), ("", Some(2)));
    stderr(output)
}

/// The note in the answer to a client.
fn noted(output: &Output) -> String {
    let (said, code) = (stderr(output), output.status.code());
    assert_eq!((said.as_str(), code), ("", Some(0)));
    let answer: Value = serde_json::from_str(&stdout(output)).expect("JSON");
    let note = answer["systemMessage"].as_str();
    note.expect("a note").to_owned()
}

#[test]
fn a_misspelled_command_is_a_usage_error_whatever_is_piped() {
    let world = world();
    for (line, meant) in [
        ("instal claude-code", "'uninstall', 'install'"),
        ("isntall", "'uninstall', 'install'"),
        ("uninstal codex --user", "'install', 'uninstall'"),
        ("stauts", "'status'"),
        ("stats", "'status'"),
    ] {
        for payload in ["", r#"{"hook_event_name":"SubagentStop"}"#] {
            let said = refused(&feed(&mut hook_line(&world, line), payload));
            let typed = line.split(' ').next().expect("a word");
            let expected = format!("error: unrecognized subcommand '{typed}'\n\n  tip: ");
            assert!(said.starts_with(&expected), "{said}");
            assert!(said.contains(meant), "{said}");
        }
    }
}

#[test]
fn a_client_that_calls_the_hook_never_gets_a_usage_error() {
    let world = world();
    let long = "x".repeat(100_000);
    for line in [
        "--retries 2 install",
        "--instal",
        "--agents install --obverse",
        // What people name the hooks of a client.
        "start",
        "stop",
        "claude-code",
        "SubagentStop",
        "",
        &long,
    ] {
        let mut command = hook_line(&world, line);
        if line.is_empty() {
            command.arg("");
        }
        let note = noted(&feed(&mut command, "{}"));
        assert!(note.starts_with("retval hook: error: "), "{line}: {note}");
    }
}

#[test]
fn at_a_terminal_every_usage_error_is_for_the_person() {
    let world = world();
    for line in ["start", "--obverse", "--retries many"] {
        let (_person, end) = terminal::open(80);
        let mut command = hook_line(&world, line);
        let said = refused(&run(command.stdin(end)));
        assert!(said.starts_with("error: "), "{said}");
        assert!(said.ends_with("For more information, try '--help'.\n"));
    }
}

#[test]
fn at_a_terminal_the_hook_says_what_it_waits_for() {
    let world = world();
    let (person, end) = terminal::open(80);
    // The end of what is typed, at the start of a line.
    std::fs::File::from(person.try_clone().expect("a copy"))
        .write_all(b"\x04")
        .expect("it is typed");
    let output = run(hook_line(&world, "").stdin(end));
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(
        stderr(&output),
        "note: retval hook: reading the payload of a client from standard input; \
         `retval hook install CLIENT` lets a client call it\n\
         note: retval hook: there is no payload on standard input\n"
    );
}
