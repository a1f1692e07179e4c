//! The events of each client, which depend on its version.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use serde_json::{Value, json};

use super::{SETTINGS, hook, in_repo, said, world};
use crate::common::{World, stderr, stdout};

/// Claude Code as npm installs it, on the `PATH`.
fn claude_code(world: &World, version: &str) {
    let folder = "lib/node_modules/@anthropic-ai/claude-code";
    let manifest = format!(r#"{{"name": "@anthropic-ai/claude-code", "version": "{version}"}}"#);
    world.write(&format!("{folder}/package.json"), manifest);
    let program = world.script(&format!("{folder}/cli.js"), "#!/bin/sh\n");
    let link = world.path("bin/claude");
    fs::create_dir_all(link.parent().expect("a folder")).expect("a folder");
    let _ = fs::remove_file(&link);
    symlink(program, link).expect("a link");
}

#[test]
fn status_says_when_all_hooks_are_switched_off() {
    let world = world();
    said(&world, "install claude-code");
    let local = in_repo(&world, ".claude/settings.local.json");
    let is_off = || {
        let status = hook(&world, "status claude-code");
        let line = "settings.local.json: no hook runs\n";
        let says_so = stdout(&status).contains(line);
        assert_eq!(status.status.code(), Some(i32::from(says_so)));
        says_so
    };
    assert!(!is_off());
    fs::write(&local, r#"{"disableAllHooks": true}"#).expect("a file");
    assert!(is_off());
    fs::write(&local, r#"{"disableAllHooks": false}"#).expect("a file");
    assert!(!is_off());
}

#[test]
fn an_event_that_old_versions_do_not_know_is_installed_for_new_ones_alone() {
    const EVENT: &str = "StopFailure";
    let world = world();
    let settings = in_repo(&world, SETTINGS);
    let has_event = || fs::read_to_string(&settings).is_ok_and(|text| text.contains(EVENT));
    said(&world, "install claude-code");
    assert!(!has_event(), "the version is not known");
    claude_code(&world, "2.1.330");
    let status = hook(&world, "status claude-code");
    assert_eq!(status.status.code(), Some(1));
    let status = stdout(&status);
    assert!(status.contains("bin/claude (2.1.330)\n"), "{status}");
    assert!(
        status.contains("    missing  StopFailure, TaskCompleted: install again\n"),
        "{status}"
    );
    let text = said(&world, "install claude-code");
    assert!(
        text.contains("PostToolUseFailure, Stop, StopFailure, TaskCompleted\n"),
        "{text}"
    );
    assert!(has_event());
    said(&world, "status claude-code");
    claude_code(&world, "2.0.77");
    let status = stdout(&hook(&world, "status claude-code"));
    let why =
        "    unknown  StopFailure: this version ignores all hooks because of it, install again\n";
    assert!(status.contains(why), "{status}");
    said(&world, "install claude-code");
    assert!(!has_event());
    said(&world, "install claude-code --client-version 2.1.78");
    assert!(has_event(), "the option counts");
    fs::remove_file(world.path("bin/claude")).expect("a link");
    said(&world, "install claude-code --observe");
    assert!(has_event(), "it was there, so the client knows it");
    said(&world, "uninstall claude-code");
    assert!(!settings.exists());
    let printed = said(&world, "--print-config claude-code --client-version 2.1.78");
    assert!(printed.contains(EVENT));
    let wrong = hook(&world, "install claude-code --client-version new");
    assert_eq!(wrong.status.code(), Some(1));
    assert!(
        stderr(&wrong).contains("three numbers"),
        "{}",
        stderr(&wrong)
    );
}

#[test]
fn hooks_at_events_that_retval_does_not_write_are_taken_out_too() {
    let world = world();
    said(&world, "install claude-code");
    let path = in_repo(&world, SETTINGS);
    let text = fs::read_to_string(&path).expect("a file");
    let ours = r#"{ "hooks": [{ "type": "command", "command": "retval hook --profile any" }] }"#;
    let theirs = ours.replace("retval hook --profile any", "theirs");
    let more = format!(
        "  \"hooks\": {{\n    \"StopFailure\": [{ours}],\n    \"SessionEnd\": [{theirs}, {ours}],\n"
    );
    fs::write(&path, text.replacen("  \"hooks\": {\n", &more, 1)).expect("a file");
    let status = said(&world, "status claude-code");
    assert!(
        status.contains("PostToolUseFailure, Stop, StopFailure, SessionEnd\n"),
        "{status}"
    );
    said(&world, "uninstall claude-code");
    let left: Value =
        serde_json::from_str(&fs::read_to_string(&path).expect("a file")).expect("JSON");
    let theirs: Value = serde_json::from_str(&theirs).expect("JSON");
    assert_eq!(left, json!({ "hooks": { "SessionEnd": [theirs] } }));
}

#[test]
fn settings_of_an_older_version_are_reported_and_updated() {
    const WANTED: &str = "\"Agent|Task|TaskOutput\"";
    let world = world();
    let settings = in_repo(&world, SETTINGS);
    said(&world, "install claude-code --observe");
    let whole = fs::read_to_string(&settings).expect("a file");
    assert_eq!(whole.matches(WANTED).count(), 1, "{whole}");
    let json = |text: &str| serde_json::from_str::<Value>(text).expect("JSON");
    let older = |tools: &str| {
        format!(
            "    older    PostToolUse leaves out {tools}: an older version wrote these settings, install again\n"
        )
    };
    for (matcher, left_out) in [
        ("Agent|Task", "TaskOutput"),
        ("Task", "Agent, TaskOutput"),
        ("TaskOutput|Agent|Read", "Task"),
    ] {
        let text = whole.replace(WANTED, &format!("\"{matcher}\""));
        fs::write(&settings, text).expect("a file");
        let status = hook(&world, "status claude-code");
        assert_eq!(status.status.code(), Some(1));
        let status = stdout(&status);
        assert!(status.contains(&older(left_out)), "{status}");
        assert_eq!(status.matches("    older ").count(), 1, "{status}");
        said(&world, "install claude-code --observe");
        let renewed = fs::read_to_string(&settings).expect("a file");
        assert_eq!(json(&renewed), json(&whole));
    }
    // A person may want more tools, or all of them.
    for matcher in ["Agent|Task|TaskOutput|Read", "", "*", ".*", "(Agent|Task)"] {
        let text = whole.replace(WANTED, &format!("\"{matcher}\""));
        fs::write(&settings, text).expect("a file");
        let status = said(&world, "status claude-code");
        assert!(!status.contains("    older "), "{status}");
    }
    let text = whole.replace(&format!("\"matcher\": {WANTED},"), "");
    fs::write(&settings, text).expect("a file");
    let status = said(&world, "status claude-code");
    assert!(!status.contains("    older "), "{status}");
}

#[test]
fn the_plugin_for_claude_code_holds_the_settings_that_are_printed() {
    let world = world();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(".claude-plugin");
    let read = |path: &str| fs::read_to_string(folder.join(path)).expect("a file");
    let json = |path: &str| -> Value { serde_json::from_str(&read(path)).expect("JSON") };
    let printed = said(
        &world,
        "--print-config claude-code --client-version 2.1.330",
    );
    let printed: Value = serde_json::from_str(&printed).expect("JSON");
    let mut hooks = json("retval/hooks/hooks.json");
    let starts = hooks["hooks"]["SessionStart"]
        .as_array_mut()
        .expect("a list");
    let notice = starts.remove(0);
    let printed_starts = &printed["hooks"]["SessionStart"];
    if printed_starts.is_null() {
        let hooks = hooks["hooks"].as_object_mut().expect("an object");
        hooks.remove("SessionStart");
    }
    assert_eq!(hooks, printed);
    // Without retval, somebody is told, and nothing fails.
    let command = notice["hooks"][0]["command"].as_str().expect("a command");
    let run = |path: &Path| {
        let mut shell = std::process::Command::new("/bin/sh");
        let output = shell.args(["-c", command]).env("PATH", path).output();
        let output = output.expect("a shell");
        assert_eq!(
            (output.status.code(), stderr(&output)),
            (Some(0), String::new())
        );
        stdout(&output)
    };
    let told: Value = serde_json::from_str(&run(&world.path("home"))).expect("JSON");
    let told = told["systemMessage"].as_str().expect("a text");
    assert!(told.contains("retval is not on the PATH"), "{told}");
    world.script("bin/retval", "#!/bin/sh\n");
    assert_eq!(run(&world.path("bin")), "");
    let manifest = json("retval/.claude-plugin/plugin.json");
    assert_eq!(manifest["version"], env!("CARGO_PKG_VERSION"));
    let listed = &json("marketplace.json")["plugins"][0];
    assert_eq!(listed["source"], "./.claude-plugin/retval");
    assert_eq!(listed["name"], manifest["name"]);
    assert_eq!(listed["description"], manifest["description"]);
}
