//! Settings with hostile texts.

use super::{RETURN, hold_output};
use crate::common::hostile::{Hostile, packed, short};
use crate::common::{World, feed};

/// A TOML string.
fn quoted(text: &str) -> String {
    let escaped = text.chars().map(|it| format!("\\U{:08X}", u32::from(it)));
    format!("\"{}\"", escaped.collect::<String>())
}

/// Configurations with the text in place of a value or a key.
fn configurations(text: &str) -> Vec<String> {
    let text = quoted(text);
    let own = "[profiles.own]\nextends = \"return\"\n";
    vec![
        format!(
            "session = {text}\nagent = {text}\ngroup = {text}\nroot = {text}\ninclude = [{text}]\nexclude = [{text}]\nerrors-json = {text}\nbaseline = {text}\n[hook]\nagents = [{text}]\nreturn-file = {text}\n"
        ),
        format!("profile = {text}\n"),
        format!("format = {text}\n"),
        format!("strict = {text}\n"),
        format!("{text} = 1\n"),
        format!("[rules]\n{text} = \"off\"\n"),
        format!("[rules]\nartifact-type = {text}\n"),
        format!("[hook]\n{text} = 1\n"),
        format!("[profiles.{text}]\nextends = \"return\"\n"),
        format!("[profiles.own]\nextends = {text}\n"),
        format!("{own}{text} = 1\n"),
        format!("{own}limits = {{ {text} = 1 }}\n"),
        format!("{own}required = [{text}]\noptional = [{text}]\n"),
        format!("{own}required = [{text}]\n"),
        format!("{own}handoff-path = {text}\n"),
        format!("{own}files = [{text}]\n"),
        format!("{own}rules = {{ {text} = \"off\" }}\n"),
        format!(
            "profile = \"own\"\n{own}document = {text}\nstatuses = {{ {text} = \"success\", partial = \"off\" }}\nartifact-types = [{text}]\nerror-types = [{text}]\nrequired = [\"metadata.more\"]\n"
        ),
        format!(
            "profile = \"own\"\n[profiles.own]\nextends = \"compact\"\ndocument = {text}\n[profiles.own.agents.{text}]\nstatuses = {{ {text} = \"success\", STUCK = \"other\" }}\nreads-from = [{text}]\n"
        ),
    ]
}

#[test]
fn no_setting_is_shown_unescaped() {
    let world = World::new();
    let commands = ["config", "check", "instruct", "schema", "schema --target openai-strict"];
    for Hostile { name, text, .. } in packed(short()) {
        for (at, configuration) in configurations(&text).into_iter().enumerate() {
            world.write("retval.toml", &configuration);
            // An invalid configuration is rejected in the same way by every command, so one is
            // enough.
            let held = world.retval().arg("config").output().expect("it runs");
            let is_refused = !held.status.success();
            for line in &commands[..if is_refused { 1 } else { commands.len() }] {
                let mut retval = world.retval();
                let output = feed(retval.args(line.split(' ')), RETURN);
                hold_output(&format!("{name}, {at}"), line, &output);
            }
        }
        // The same as raw bytes, which TOML may not allow.
        world.write("retval.toml", format!("session = \"{text}\"\n{text} = 1"));
        hold_output(&name, "config", &world.retval().arg("config").output().expect("it runs"));
    }
}
