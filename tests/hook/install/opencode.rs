//! The plugin for opencode: a file that is written and removed as a whole.

use std::fs;

use crate::common::stderr;

use super::{hook, in_repo, refused, said, world};

const PLUGIN: &str = ".opencode/plugin/retval.ts";

#[test]
fn the_plugin_is_written_replaced_and_removed() {
    let world = world();
    world.write("home/repo/.opencode/agent/planner.md", "---\nname: planner\n---\nPlan.\n");
    let first = said(&world, "install opencode --profile return");
    assert!(first.contains("/retval.ts: created with the hook\n"), "{first}");
    assert!(first.contains("    planner  instructed      return by --profile\n"), "{first}");
    let plugin = in_repo(&world, PLUGIN);
    let text = fs::read_to_string(&plugin).expect("a plugin");
    assert!(text.contains("\nconst COMMAND = \"retval hook --profile return\"\n"), "{text}");
    assert_eq!(said(&world, "--print-config opencode --profile return"), text);
    let again = said(&world, "install opencode --profile return");
    assert!(again.contains("the hook is installed already"), "{again}");
    let other = said(&world, "install opencode --agents it's");
    assert!(other.contains(": wrote the hook\n"), "{other}");
    let status = said(&world, "status opencode");
    assert!(status.contains("    answers  yes\n"), "{status}");
    let gone = said(&world, "uninstall opencode");
    assert!(gone.contains("deleted, it had nothing but the hook\n"), "{gone}");
    assert!(!plugin.exists() && !in_repo(&world, ".opencode/plugin").exists());
    assert!(said(&world, "uninstall opencode").contains("the hook is not installed here"));
}

#[test]
fn another_version_of_the_plugin_is_renewed() {
    let world = world();
    said(&world, "install opencode");
    let plugin = in_repo(&world, PLUGIN);
    let text = fs::read_to_string(&plugin).expect("a plugin");
    fs::write(&plugin, text.replace("ASKED_AT_MOST", "MOST")).expect("a plugin");
    said(&world, "install opencode");
    assert_eq!(fs::read_to_string(&plugin).expect("a plugin"), text);
}

#[test]
fn a_plugin_of_somebody_else_is_left_alone() {
    let world = world();
    let plugin = world.write("home/repo/.opencode/plugin/retval.ts", "export const Mine = 1\n");
    for words in ["install opencode", "uninstall opencode"] {
        assert!(refused(&world, words).contains("it is not a file of retval"), "{words}");
    }
    assert!(stderr(&hook(&world, "status opencode")).is_empty());
    assert_eq!(fs::read_to_string(plugin).expect("a file"), "export const Mine = 1\n");
}
