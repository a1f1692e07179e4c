//! `retval hook status` runs no command of a project except the hook, because somebody else may have
//! written the settings.

use std::fs;
use std::process::{Command, Output};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use super::{CLIENTS, SETTINGS, hook, in_repo, said, world};
use crate::common::{World, stdout};

/// Far longer than anything here takes.
const PATIENCE: Duration = Duration::from_secs(20);

/// Writes the settings of a project with this command for Claude Code.
fn hostile(world: &World, command: &str) {
    let file =
        r#"{"hooks": {"SubagentStart": [{"hooks": [{"type": "command", "command": "COMMAND"}]}]}}"#;
    world.write(
        &format!("home/repo/{SETTINGS}"),
        file.replace("COMMAND", command),
    );
}

/// The status of Claude Code, if it comes.
fn status(world: World) -> (World, Output) {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let output = hook(&world, "status claude-code");
        sender.send((world, output))
    });
    receiver.recv_timeout(PATIENCE).expect("it does not hang")
}

fn answer(text: &str) -> &str {
    let mut lines = text.lines();
    let answer = lines.find_map(|line| line.strip_prefix("    answers  "));
    answer.expect("it is told whether the command answers")
}

#[test]
fn a_command_that_is_not_the_hook_itself_is_not_run() {
    let mut world = world();
    said(&world, "install claude-code --user");
    let own = world.path(&format!("home/{SETTINGS}"));
    let before = fs::read(&own).expect("settings");
    for (command, why) in [
        (
            "uninstall claude-code --user",
            "unexpected argument 'uninstall' found",
        ),
        (
            "install codex --user --observe",
            "unexpected argument 'install' found",
        ),
        (
            "--observe install codex --user",
            "unexpected argument 'install' found",
        ),
        ("status", "unexpected argument 'status' found"),
        (
            "--print-config codex",
            "unexpected argument '--print-config' found",
        ),
    ] {
        hostile(&world, &format!("retval hook {command}"));
        let (kept, output) = status(world);
        world = kept;
        let text = stdout(&output);
        assert_eq!(output.status.code(), Some(1), "{text}");
        assert_eq!(answer(&text), format!("no: error: {why}"), "{text}");
        assert_eq!(fs::read(&own).expect("it is still there"), before);
        for (_, _, below, _) in &CLIENTS[1..] {
            assert!(!world.path("home").join(below).exists(), "{command}");
        }
    }
}

/// A shell would make other words of a glob than those that were looked at.
#[test]
fn names_of_files_do_not_become_words_of_the_command() {
    let world = world();
    let log = world.path("log");
    let script = format!("#!/bin/sh\nprintf '%s\\n' \"$@\" > {}\n", log.display());
    world.script("bin/retval", &script);
    for name in ["aa", "status"] {
        world.write(&format!("home/repo/{name}"), "");
    }
    hostile(&world, "retval hook --agents * --session ~");
    let (_world, _) = status(world);
    let run = fs::read_to_string(log).expect("it was run");
    assert_eq!(run, "hook\n--agents\n*\n--session\n~\n");
}

#[test]
fn a_pipe_as_a_configuration_does_not_block() {
    let world = world();
    let pipe = in_repo(&world, "pipe");
    let made = Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo runs").success());
    hostile(&world, "retval hook --config pipe");
    let (_world, output) = status(world);
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    let why = format!(
        "no: --config {}: it is not a regular file, which the hook needs to read it at every call: \
         write the configuration to one",
        pipe.display()
    );
    assert_eq!(answer(&text), why, "{text}");
}
