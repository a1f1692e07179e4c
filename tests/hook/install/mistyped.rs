//! Usage errors of `retval hook`, which clients must not take as a block.

use std::io::Write as _;
use std::process::Command;

use super::world;
use crate::common::{World, feed, run, stderr, stdout, terminal};

fn hook_line(world: &World, line: &str) -> Command {
    let mut retval = world.retval();
    retval.arg("hook").args(line.split_whitespace());
    retval
}

#[test]
fn a_usage_error_is_printed_and_never_blocks_an_agent() {
    let world = world();
    let long = "x".repeat(100_000);
    for (line, why) in [
        ("instal claude-code", "unrecognized subcommand 'instal'"),
        ("--obverse", "tip: a similar argument exists: '--observe'"),
        ("--retires 1", "unexpected argument '--retires' found"),
        ("--retries many", "expected a number from 0 to"),
        ("--fail-closed start", "the subcommand 'start' cannot be used with '--fail-closed'"),
        (
            "--client tide",
            "expected one of claude-code, codex, copilot, gemini, cursor, opencode, qwen",
        ),
        ("--rule nothing=off", "for '--rule <RULE=LEVEL>'"),
        ("--rule summary-shrt=off", "summary-short"),
        ("--rule summary-short", "for '--rule <RULE=LEVEL>'"),
        ("--rule summary-short=of", "for '--rule <RULE=LEVEL>'"),
        ("--rule json-syntax=off", "this rule must stay an error"),
        ("install claude-code --stale", "unexpected argument '--stale' found"),
        ("install claude-code --retries x", "expected a number from 0 to"),
        ("install claude-code --user --project", "unexpected argument '--project' found"),
        ("install --dry-run", "unexpected argument '--dry-run' found"),
        ("install nope", "expected one of claude-code,"),
        ("status nope", "expected one of claude-code,"),
        (&long, "unrecognized subcommand"),
    ] {
        for payload in ["", r#"{"hook_event_name":"SubagentStop"}"#] {
            let output = feed(&mut hook_line(&world, line), payload);
            let (said, code) = (stdout(&output), output.status.code());
            assert_eq!((said.as_str(), code), ("", Some(1)), "{line}");
            let said = stderr(&output);
            assert!(said.starts_with("error: ") && said.contains(why), "{said}");
        }
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
