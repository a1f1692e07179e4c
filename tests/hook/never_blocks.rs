//! The hook never blocks a client by mistake. The commands in the printed settings never end with exit
//! code 2, which clients treat as a block, even if a client drops their arguments.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::common::{World, feed, fixtures, run, run_onto_full_disk, stdout};
use assert_cmd::assert::OutputAssertExt as _;
use predicates::str::contains;
use serde_json::Value;

/// What `retval` prints alone.
const OVERVIEW: &str = "\
retval checks what AI subagents return: JSON, fields, status, session, summary, artifacts.

  retval demo                              show a false and a true return being checked
  retval check return.json                 check a file
  some-agent | retval check --session ID   check what an agent prints
  retval check returns/ --format json      check a folder, print JSON
  retval instruct                          print the instruction for an agent's prompt
  retval hook install claude-code          call the hook from Claude Code
  retval explain artifact-not-found        explain a rule

`retval help` lists all commands, `retval COMMAND --help` shows the options of one.
";

#[test]
fn without_arguments_a_short_help_is_printed_with_exit_0() {
    let world = World::new();
    let output = run(&mut world.retval());
    assert_eq!(stdout(&output), OVERVIEW);
    output.assert().code(0).stderr("");
    // A client that drops the arguments of the hook's command is not told to block its agent.
    let output = feed(&mut world.retval(), r#"{"hook_event_name":"SubagentStop"}"#);
    output.assert().code(1).stdout("");
    let mut onto_full_disk = world.retval();
    run_onto_full_disk(&mut onto_full_disk)
        .assert()
        .code(0)
        .stderr(contains("cannot write to standard output"));
}

#[test]
fn the_commands_named_in_the_overview_exist() {
    let world = World::new();
    let lines = OVERVIEW.lines().filter(|line| line.starts_with("  "));
    let commands: Vec<_> = lines
        .map(|line| {
            let (command, _) = line.trim().split_once("   ").expect("two columns");
            command.rsplit("retval ").next().expect("a command")
        })
        .collect();
    assert_eq!(commands.len(), 7);
    for command in commands {
        // Help is printed where all that stands before it is understood.
        let mut retval = world.retval();
        let output = crate::common::run(retval.args(command.split(' ')).arg("--help"));
        output.assert().code(0).stdout(contains("Usage: retval"));
    }
}

/// A shell as a client starts it, with retval on the `PATH`.
fn shell(world: &World) -> Command {
    let binary = Path::new(env!("CARGO_BIN_EXE_retval"));
    let folder = binary.parent().expect("a folder").to_owned();
    let system = std::env::var_os("PATH").expect("a path");
    let path = std::env::join_paths([folder].into_iter().chain(std::env::split_paths(&system)));
    let mut shell = Command::new("sh");
    shell
        .arg("-c")
        .current_dir(world.path(""))
        .env("PATH", path.expect("a path"))
        .env("XDG_RUNTIME_DIR", world.path(""));
    shell
}

/// The settings that are printed for a client.
fn settings(world: &World, client: &str) -> Value {
    let mut retval = world.retval();
    let output = crate::common::run(retval.args(["hook", "--print-config", client]));
    serde_json::from_str(&stdout(&output)).expect("JSON")
}

/// Every member of a value, however deep, with its key.
fn members<'v>(value: &'v Value, found: &mut Vec<(&'v str, &'v Value)>) {
    match value {
        Value::Object(object) => {
            for (key, value) in object {
                found.push((key, value));
                members(value, found);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| members(item, found)),
        _ => {}
    }
}

/// The command lines in settings.
fn commands(settings: &Value) -> Vec<&str> {
    let mut found = Vec::new();
    members(settings, &mut found);
    assert!(
        found.iter().all(|(key, _)| *key != "args"),
        "an old client would leave the arguments out: {settings}"
    );
    let is_command = |key| ["command", "bash", "powershell"].contains(&key);
    let commands = found.iter().filter(|(key, value)| is_command(*key) && value.is_string());
    commands.filter_map(|(_, value)| value.as_str()).collect()
}

#[test]
fn settings_hold_the_event_and_call_the_hook_in_one_line() {
    let world = World::new();
    for (client, event, count) in [
        ("claude-code", "SubagentStop", 9),
        ("codex", "SubagentStop", 4),
        ("copilot", "subagentStop", 6),
        ("gemini", "AfterTool", 2),
        ("cursor", "subagentStop", 1),
    ] {
        let settings = settings(&world, client);
        assert!(settings["hooks"][event].is_array(), "{client}: {settings}");
        let command = match client {
            "gemini" => "retval hook --profile any || exit 1",
            _ => "retval hook --profile any",
        };
        assert_eq!(commands(&settings), vec![command; count], "{client}");
    }
}

// It denies an agent at any other code than 0 and 1.
#[test]
fn gemini_cli_starts_its_agents_without_retval_and_if_it_fails() {
    let world = World::new();
    let settings = settings(&world, "gemini");
    let ends_with = |path: &Path| {
        let mut shell = shell(&world);
        let system = std::env::var_os("PATH").expect("a path");
        let system =
            std::env::split_paths(&system).filter(|folder| !folder.join("retval").exists());
        let path = std::env::join_paths([path.to_owned()].into_iter().chain(system));
        let shell = shell.arg(commands(&settings)[0]).env("PATH", path.expect("a path"));
        crate::common::run(shell).status.code()
    };
    assert_eq!(ends_with(&world.path("nowhere")), Some(1));
    // The code of a panic.
    world.script("bin/retval", "#!/bin/sh\nexit 101\n");
    assert_eq!(ends_with(&world.path("bin")), Some(1));
}

#[test]
fn no_payload_makes_a_printed_command_fail() {
    let world = World::new();
    let mut payloads = vec![String::new(), "no JSON".to_owned(), "{}".to_owned()];
    for folder in ["hooks", "captured"] {
        let entries = fs::read_dir(fixtures().join(folder)).expect("a folder");
        let paths = entries.map(|entry| entry.expect("a file").path());
        for path in paths.filter(|path| path.is_file()) {
            payloads.push(fs::read_to_string(path).expect("a payload"));
        }
    }
    assert!(payloads.len() > 8, "{payloads:?}");
    // The other one, opencode, has a program of its own in place of settings.
    let all = ["claude-code", "codex", "copilot", "cursor", "gemini", "qwen"]
        .map(|client| settings(&world, client));
    let distinct: BTreeSet<_> = all.iter().flat_map(commands).collect();
    for command in distinct {
        for payload in &payloads {
            let output = feed(shell(&world).arg(command), payload);
            output.assert().code(0);
        }
    }
}
