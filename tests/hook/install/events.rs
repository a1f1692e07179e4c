//! The events of a client, and the plugin that has them.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::{SETTINGS, in_repo, said, world};
use crate::common::{stderr, stdout};

#[test]
fn hooks_at_events_that_retval_does_not_write_are_taken_out_too() {
    let world = world();
    said(&world, "install claude-code");
    let path = in_repo(&world, SETTINGS);
    let text = fs::read_to_string(&path).expect("a file");
    let ours = r#"{ "hooks": [{ "type": "command", "command": "retval hook --profile any" }] }"#;
    let theirs = ours.replace("retval hook --profile any", "theirs");
    let more = format!(
        "  \"hooks\": {{\n    \"PreCompact\": [{ours}],\n    \"SessionEnd\": [{theirs}, {ours}],\n"
    );
    fs::write(&path, text.replacen("  \"hooks\": {\n", &more, 1)).expect("a file");
    let status = said(&world, "status claude-code");
    assert!(
        status.contains("events   PreCompact, SessionEnd, SubagentStart, SessionStart"),
        "{status}"
    );
    said(&world, "uninstall claude-code");
    let left: Value =
        serde_json::from_str(&fs::read_to_string(&path).expect("a file")).expect("JSON");
    let theirs: Value = serde_json::from_str(&theirs).expect("JSON");
    assert_eq!(left, json!({ "hooks": { "SessionEnd": [theirs] } }));
}

#[test]
fn the_plugin_for_claude_code_holds_the_settings_that_are_printed() {
    let world = world();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(".claude-plugin");
    let read = |path: &str| fs::read_to_string(folder.join(path)).expect("a file");
    let json = |path: &str| -> Value { serde_json::from_str(&read(path)).expect("JSON") };
    let printed = said(&world, "--print-config claude-code");
    let printed: Value = serde_json::from_str(&printed).expect("JSON");
    let mut hooks = json("retval/hooks/hooks.json");
    let starts = hooks["hooks"]["SessionStart"].as_array_mut().expect("a list");
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
        assert_eq!((output.status.code(), stderr(&output)), (Some(0), String::new()));
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
