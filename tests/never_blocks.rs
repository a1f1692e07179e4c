//! No harness is locked up: what is left of a hook's command without its arguments never ends with
//! exit code 2, which harnesses take for an order to go on.

mod common;

use assert_cmd::assert::OutputAssertExt as _;
use common::{World, feed, run_onto_full_disk, stdout};
use predicates::str::{contains, is_empty};

/// What `retval` prints alone.
const OVERVIEW: &str = "\
retval checks what AI subagents return: JSON, fields, status, session, summary, artifacts.

  retval check return.json                 check a file
  some-agent | retval check --session ID   check what an agent prints
  retval check returns/ --format json      check a folder, print JSON
  retval instruct                          print the instruction for an agent's prompt
  retval hook --print-config claude-code   print the hook settings for Claude Code
  retval explain artifact-not-found        explain a rule

`retval help` lists all commands, `retval COMMAND --help` shows the options of one.
";

#[test]
fn without_arguments_it_says_what_it_is_and_blocks_nobody() {
    let world = World::new();
    for payload in ["", r#"{"hook_event_name":"SubagentStop"}"#] {
        let output = feed(&mut world.retval(), payload);
        assert_eq!(stdout(&output), OVERVIEW);
        output.assert().code(0).stderr(is_empty());
    }
    let mut onto_full_disk = world.retval();
    run_onto_full_disk(&mut onto_full_disk)
        .assert()
        .code(0)
        .stderr(contains("cannot write to standard output"));
}

#[test]
fn the_commands_of_the_overview_are_there() {
    let world = World::new();
    let lines = OVERVIEW.lines().filter(|line| line.starts_with("  "));
    let commands: Vec<_> = lines
        .map(|line| {
            let (command, _) = line.trim().split_once("   ").expect("two columns");
            command.rsplit("retval ").next().expect("a command")
        })
        .collect();
    assert_eq!(commands.len(), 6);
    for command in commands {
        // Help is printed where all that stands before it is understood.
        let mut retval = world.retval();
        let output = common::run(retval.args(command.split(' ')).arg("--help"));
        output.assert().code(0).stdout(contains("Usage: retval"));
    }
}
