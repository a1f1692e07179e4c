//! Runs every command with hostile arguments and environment variables.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStringExt as _;
use std::os::unix::process::CommandExt as _;

use retval::PROFILES;
use serde_json::Value;

use super::{RETURN, arguments, has_string, hold_output};
use crate::common::hostile::{Hostile, packed};
use crate::common::{World, feed, stdout};

/// Command lines; `{}` is replaced by the text.
const LINES: [&str; 59] = [
    "{}",
    "{} check",
    "--{}",
    "help {}",
    "check {}",
    "check ./{}",
    "check --{}",
    "check -{}",
    "check --strict={}",
    "check --profile {}",
    "check --profile=return {} {}",
    "check --session {} --session {}",
    "check --root {}",
    "check --format {}",
    "check --format={}",
    "check --format text={}/{}",
    "check --field {} --format json",
    "check --schema {}",
    "check --rule json-wrapped={}",
    "check --lines={}",
    "check --format text={} --format json={}",
    "check --color {}",
    "check --filter {}",
    "check -j {}",
    "check --max-bytes {}",
    "check --rule {}=off",
    "check --rule {}=warning",
    "check --rule {}=error",
    "check --include [{} project",
    "check --exclude {{{} project",
    "check --files-from {}",
    "check --baseline {}",
    "check --baseline {}/{} --update-baseline",
    "check --errors-json {}/{}/x.json",
    "check --config {}",
    "check --quiet --verbose {}",
    "check --session {} --agent {} --group {}",
    "check --profile compact --session {} --agent {} --group {}",
    "instruct {}",
    "instruct --{}",
    "instruct --profile {}",
    "instruct --config {}",
    "man {}",
    "explain {}",
    "explain --format {}",
    "explain --{}",
    "schema {}",
    "schema --{}",
    "schema --target {}",
    "schema --profile {}",
    "schema --session {} --agent {}",
    "schema --profile handoff --agent {}",
    "schema --output {}/{}",
    "config {}",
    "config --{}",
    "config --config {}",
    "hook --{}",
    "hook --client {}",
    "hook --print-config {}",
];

fn with(line: &str, text: &OsStr) -> Vec<OsString> {
    let fill = |word: &str| {
        let mut parts = word.split("{}");
        let mut filled = OsString::from(parts.next().unwrap_or_default());
        for part in parts {
            filled.push(text);
            filled.push(part);
        }
        filled
    };
    line.split(' ').map(fill).collect()
}

fn run_lines(lines: &[&str]) {
    let world = World::new();
    for Hostile { name, text, .. } in packed(arguments()) {
        for line in lines {
            let mut retval = world.retval();
            let output = feed(retval.args(with(line, OsStr::new(&text))), RETURN);
            hold_output(&name, line, &output);
            let code = output.status.code();
            assert!(code.is_some_and(|code| code <= 2), "{line}, {name}: {code:?}");
        }
    }
}

// Split in two, so that both parts run in parallel.
#[test]
fn no_command_echoes_an_argument_unescaped() {
    run_lines(&LINES[..31]);
}

#[test]
fn no_other_command_echoes_an_argument_unescaped() {
    run_lines(&LINES[31..]);
}

#[test]
fn arguments_that_are_not_utf_8_are_refused_with_an_escaped_message() {
    let world = World::new();
    for raw in [b"\xff\x1b[31m".as_slice(), b"\x9b2J", b"::error::\xe2\x80", b"a\n::error::x\xff"] {
        let text = OsString::from_vec(raw.to_vec());
        for line in LINES {
            let output = feed(world.retval().args(with(line, &text)), RETURN);
            hold_output("no UTF-8", line, &output);
            assert!(output.status.code().is_some_and(|code| code <= 2), "{line}");
        }
    }
}

#[test]
fn the_program_name_is_not_shown_unescaped() {
    let world = World::new();
    for Hostile { name, text, .. } in packed(arguments()) {
        for line in ["--help", "check --help", "check --nothing", "help hook", "--version"] {
            let mut retval = world.retval();
            let output = feed(retval.arg0(&text).args(line.split(' ')), RETURN);
            hold_output(&name, line, &output);
        }
    }
}

#[test]
fn no_variable_is_shown_unescaped() {
    let world = World::new();
    for Hostile { name, text, .. } in packed(arguments()) {
        for variables in
            [vec!["RETVAL_PROFILE"], vec!["RETVAL_ROOT"], vec!["RETVAL_SESSION", "RETVAL_AGENT"]]
        {
            for line in ["config", "check", "instruct", "hook", "schema"] {
                let mut retval = world.retval();
                retval.args(line.split(' ')).envs(variables.iter().map(|it| (it, &text)));
                hold_output(&name, line, &feed(&mut retval, RETURN));
            }
        }
    }
}

#[test]
fn no_schema_or_instruction_shows_its_arguments_unescaped() {
    let world = World::new();
    for Hostile { name, text, .. } in packed(arguments()) {
        for profile in PROFILES {
            let mut retval = world.retval();
            retval.args(["instruct", "--profile", &profile.id]);
            retval.args(["--session", &text, "--agent", &text, "--group", &text]);
            hold_output(&name, &profile.id, &retval.output().expect("it runs"));
        }
        let mut retval = world.retval();
        let output = retval.args(["schema", "--session", &text]).output().expect("it runs");
        hold_output(&name, "schema", &output);
        if !text.is_empty() {
            let schema: Value = serde_json::from_str(&stdout(&output)).expect("JSON");
            assert!(has_string(&schema, &text), "{name}: {schema}");
        }
    }
}
