//! The inputs that the tables apply to: envelopes, standard input, streams, and the files of the hook.

use std::cell::Cell;
use std::fs;

use serde_json::json;

use super::{check, expected, levels, slip, verdicts, world};
use crate::common::{World, feed, stdout};

#[test]
fn a_table_sets_the_profile_and_the_accepted_wrappings() {
    let config = r#"profile = "return-v1"

[[overrides]]
files = ["by-name/*"]
profile = "auto"

[[overrides]]
files = ["own/**"]
profile = "mine"
extract = true

[profiles.mine]
extends = "return"
rules = { artifact-type = "error" }
"#;
    let places = ["by-name/.return-meta.json", "by-name/a.json", "own/b.json", "c.json"];
    let world = world(config, &places);
    world.write("own/b.json", format!("Here it is:\n```json\n{}\n```\n", slip()));
    let found = |options: &str| -> Vec<String> {
        let output = check(
            &world,
            "",
            &format!("by-name own c.json --root project --format jsonl {options}"),
        );
        verdicts(&output).into_iter().map(|(_, profile, ..)| profile).collect()
    };
    assert_eq!(found(""), ["return-meta", "return", "mine", "return-v1"]);
    assert_eq!(found("--profile compact"), ["compact"; 4]);
    assert_eq!(found("--no-config"), ["return-meta", "return", "return", "return"]);
    let own = check(&world, "", "own --root project --format concise");
    let said = stdout(&own);
    assert!(
        said.contains("warning[json-wrapped]") && said.contains("error[artifact-type]"),
        "{said}"
    );
}

#[test]
fn tables_match_a_stream_as_a_whole_and_no_standard_input() {
    let config = "root = \"project\"\n[[overrides]]\nfiles = [\"*\"]\nrules = { artifact-type = \"error\" }\n\
                  [[overrides]]\nfiles = [\"old/*.jsonl\"]\nrules = { artifact-type = \"off\" }\n";
    let world = world(config, &[]);
    let line = slip().replace('\n', " ") + "\n";
    let code = |options: &str| {
        let mut retval = world.retval();
        retval.arg("check").args(options.split_whitespace());
        feed(&mut retval, line.repeat(3)).status.code()
    };
    let one = |options: &str| {
        let mut retval = world.retval();
        retval.arg("check").args(options.split_whitespace());
        feed(&mut retval, &line).status.code()
    };
    assert_eq!(one(""), Some(0), "standard input has no name");
    assert_eq!(one("-"), Some(0));
    assert_eq!(code("--lines"), Some(0));
    world.write("old/a.jsonl", line.repeat(3));
    world.write("new.jsonl", line.repeat(3));
    assert_eq!(code("old"), Some(0));
    let new = check(&world, "", "new.jsonl --format jsonl");
    assert_eq!(levels(&new), expected(&[("new.jsonl", Some("error")); 3]));
}

#[test]
fn the_return_files_of_the_hook_have_their_settings() {
    let world = World::new();
    let file = "profiles/return-meta/planned/specs/12_tide_tables/.return-meta.json";
    let file = fs::read_to_string(crate::common::fixtures().join(file)).expect("a return");
    let file = file.replace("planner-agent", "planner").replace("\"plan\"", "\"plna\"");
    world.write("project/specs/1/.return-meta.json", file.replace(crate::common::SESSION, "s"));
    let calls = Cell::new(0);
    let hook = |config: &str, options: &str| {
        // Without what earlier calls remember: an agent that was accepted may answer freely.
        calls.set(calls.get() + 1);
        let state = world.path(&format!("state{}", calls.get()));
        fs::create_dir(&state).expect("a folder");
        let payload = json!({
            "hook_event_name": "SubagentStop", "session_id": "s",
            "agent_id": "a1", "agent_type": "planner",
            "last_assistant_message": "Done.", "cwd": world.path("project"),
        });
        world.write("retval.toml", config);
        let mut retval = world.retval();
        retval.args([
            "hook",
            "--profile",
            "return-meta",
            "--return-file",
            "specs/*/.return-meta.json",
            "--retries",
            "9",
        ]);
        retval.args(options.split_whitespace()).env("XDG_RUNTIME_DIR", state);
        stdout(&feed(&mut retval, payload.to_string()))
    };
    assert_eq!(hook("", ""), "", "it is a warning");
    let error =
        "[[overrides]]\nfiles = [\"project/specs/**\"]\nrules = { artifact-type = \"error\" }\n";
    assert!(hook(error, "").contains("plna"));
    assert_eq!(hook(error, "--rule artifact-type=off"), "");
    let elsewhere = error.replace("specs", "notes");
    assert_eq!(hook(&elsewhere, ""), "");
    let strict =
        "[[overrides]]\nfiles = [\".return-meta.json\"]\nstrict = true\nprofile = \"compact\"\n";
    assert!(hook(strict, "").contains("plna"));
    let own = format!("[hook.agents.planner]\nstrict = false\n{strict}");
    assert_eq!(hook(&own, ""), "", "the table of the agent outranks that of the file");
}
