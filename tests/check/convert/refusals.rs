//! Invalid input is refused, and files are read and replaced as a whole.

use std::fs;

use assert_cmd::assert::OutputAssertExt as _;
use predicates::prelude::PredicateBooleanExt as _;
use predicates::str::{contains, is_empty, starts_with};

use super::{conversions, convert, full_v1};
use crate::common::{World, stderr, stdout};

#[test]
fn hostile_text_reaches_no_terminal() {
    let world = World::new();
    for (_, options, source) in conversions() {
        let output = convert(&world, &options, source);
        for text in [stdout(&output), stderr(&output)] {
            let is_hidden = |line: &str| line.chars().any(retval::internal::escape::is_hidden);
            assert!(
                !text.lines().any(is_hidden) && !text.contains("##["),
                "{text}"
            );
        }
    }
}

#[test]
fn an_invalid_source_is_refused_and_nothing_is_written() {
    let world = World::new();
    for (input, why) in [
        ("", "it is empty"),
        ("done", "it is plain text"),
        ("[]", "[FAIL] Return is not a JSON object: found an array\n"),
        (
            "{\"a\":{\"b\":1,\"b\":2}}",
            "[FAIL] Duplicate key: b\nRecommendation: Fix the subagent to write each key once\n       at -:1:13 (/a/b)\n",
        ),
        ("{\"a\":\"\\ud800\"}", "[FAIL] Invalid JSON return"),
    ] {
        let output = convert(
            &world,
            "--from return-v1 --to return --output new.json",
            input,
        );
        assert!(stderr(&output).ends_with("Nothing was converted\n"));
        output
            .assert()
            .code(2)
            .stdout(is_empty())
            .stderr(contains(why));
        assert!(!world.path("new.json").exists());
    }
    convert(
        &world,
        "--from return --to return-v1 --max-bytes 3",
        "{\"a\":1}",
    )
    .assert()
    .code(2)
    .stderr(starts_with(
        "[FAIL] Return exceeds a limit: larger than 3 bytes\n",
    ));
    let deep = "[".repeat(200) + &"]".repeat(200);
    convert(
        &world,
        "--from return --to return-v1",
        format!("{{\"a\":{deep}}}"),
    )
    .assert()
    .code(2)
    .stderr(contains("nested 201 levels deep"));
}

#[test]
fn pairs_that_do_not_exist_are_usage_errors_that_list_those_that_do() {
    let world = World::new();
    let pairs =
        "return-v1 to return, return to return-v1, return to return-meta, return-v1 to return-meta";
    for (from, to) in [
        ("return", "compact"),
        ("return-meta", "return"),
        ("return", "return"),
        ("handoff", "return"),
    ] {
        let output = convert(&world, &format!("--from {from} --to {to}"), "{}");
        let why = format!("error: cannot convert {from} to {to}; possible conversions: {pairs}\n");
        output.assert().code(2).stdout(is_empty()).stderr(why);
    }
    let help = stdout(&convert(&world, "--help", ""));
    let help: Vec<_> = help.split_whitespace().collect();
    assert!(help.join(" ").contains(pairs));
    for options in [
        "--from return",
        "--from retrun --to return",
        "--from return --to return-v1 --duration-seconds -1",
    ] {
        convert(&world, options, "{}")
            .assert()
            .code(2)
            .stdout(is_empty());
    }
}

#[test]
fn files_are_read_and_replaced_as_a_whole() {
    let world = World::new();
    world.write("old.json", full_v1().to_string());
    let to = "--from return-v1 --to return old.json --output";
    convert(&world, &format!("{to} new.json"), "")
        .assert()
        .code(0)
        .stdout(is_empty());
    world.check("new.json --root project").assert().code(0);
    convert(&world, &format!("{to} old.json"), "")
        .assert()
        .code(2)
        .stderr(contains("writing ").and(contains("old.json would replace an input")));
    assert_eq!(
        fs::read_to_string(world.path("old.json")).expect("a file"),
        full_v1().to_string()
    );
    convert(&world, &format!("{to} no/folder/new.json"), "")
        .assert()
        .code(2)
        .stderr(contains("cannot write no/folder/new.json"));
    convert(&world, "--from return-v1 --to return gone.json", "")
        .assert()
        .code(2)
        .stderr(contains("cannot read gone.json"));
}

#[test]
fn a_terminal_on_standard_input_is_refused() {
    let world = World::new();
    // `script` runs a command line in a terminal of its own. It reads the path of the binary from a
    // variable: a path can have spaces and quotes.
    let output = std::process::Command::new("script")
        .args(["--quiet", "--return", "--command"])
        .args([
            "\"$RETVAL\" convert --from return --to return-v1",
            "/dev/null",
        ])
        .env("SHELL", "/bin/sh")
        .env("NO_COLOR", "1")
        .env("RETVAL", world.retval().get_program())
        .env("TERM", "xterm")
        .env_remove("NO_COLOR")
        .current_dir(world.path(""))
        .stdin(std::process::Stdio::null())
        .output()
        .expect("script is there");
    let why = "\
\u{1b}[1m\u{1b}[31merror:\u{1b}[0m standard input is a terminal: name a file, as in `retval convert --from return --to return-v1 return.json`,\r
       or pipe a return in, as in `some-agent | retval convert --from return --to return-v1`\r
";
    output.assert().code(2).stdout(why);
}
