//! `retval.toml` and the environment, and their precedence.

mod errors;
mod files;
mod profiles;

use std::process::Output;

use crate::common::{World, feed, run, stderr, stdout};
use assert_cmd::assert::OutputAssertExt as _;
use predicates::str::contains;
use serde_json::Value;

/// Runs retval in a folder of the world, with variables of the environment.
fn retval(world: &World, folder: &str, variables: &[(&str, &str)], options: &str) -> Output {
    let mut retval = world.retval();
    retval
        .current_dir(world.path(folder))
        .envs(variables.iter().copied())
        .args(options.split_whitespace());
    run(&mut retval)
}

/// Checks a return with a configuration in the current folder.
fn record(world: &World, options: &str, returned: &str) -> Value {
    let mut retval = world.retval();
    retval
        .args(["check", "--format", "jsonl", "--root", "project"])
        .args(options.split_whitespace());
    let output = feed(&mut retval, returned);
    serde_json::from_str(&stdout(&output)).unwrap_or_else(|_| panic!("{}", stderr(&output)))
}

fn rules(record: &Value) -> Vec<&str> {
    let findings = record["findings"].as_array().expect("findings").iter();
    findings.map(|finding| finding["rule"].as_str().expect("a rule")).collect()
}

fn plan(world: &World) -> String {
    std::fs::read_to_string(world.path("profiles/return/completed-plan.json")).expect("a return")
}

#[test]
fn options_outrank_the_environment_and_the_environment_the_file() {
    let world = World::new();
    world.write(
        "retval.toml",
        "profile = \"return-v1\"\nsession = \"of-the-file\"\nagent = \"of-the-file\"\n",
    );
    let environment = [
        ("RETVAL_PROFILE", "return-meta"),
        ("RETVAL_SESSION", "of-the-environment"),
        ("RETVAL_AGENT", ""),
        ("RETVAL_ROOT", "project"),
    ];
    let told = |variables: &[(&str, &str)], options: &str| {
        let options = format!("instruct {options}");
        stdout(&retval(&world, "", variables, &options))
    };
    for (variables, options, session, agent) in [
        (&environment[..0], "", "of-the-file", "of-the-file"),
        (&environment[..], "", "of-the-environment", "of-the-file"),
        (&environment[..], "--session s --agent a", "\"s\"", "\"a\""),
    ] {
        let text = told(variables, options);
        assert!(text.contains(session) && text.contains(agent), "{text}");
        assert_eq!(text.contains(".return-meta.json"), !variables.is_empty());
    }
    let checked = retval(
        &world,
        "",
        &environment,
        "check profiles/return/completed-plan.json --profile return --session sess_1767225600_k3m9qa --agent planner",
    );
    assert_eq!(checked.status.code(), Some(0), "{}", stdout(&checked));
    let bad = retval(&world, "", &[("RETVAL_PROFILE", "retrun")], "check");
    bad.assert()
        .code(2)
        .stderr("error: the environment variable RETVAL_PROFILE: unknown profile `retrun`; did you mean `return`?\n");
    let option = "check --profile retrun";
    let bad = retval(&world, "", &[("RETVAL_PROFILE", "return")], option);
    let text = "error: unknown profile `retrun`; did you mean `return`?\n";
    bad.assert().code(2).stderr(text);
}

#[test]
fn options_outrank_profile_levels_and_those_the_files_and_the_rules() {
    let world = World::new();
    world.write(
        "retval.toml",
        "[rules]\nartifact-type = \"error\"\n[profiles.own]\nextends = \"return\"\n[profiles.own.rules]\nartifact-type = \"off\"\n",
    );
    let slip = plan(&world).replace("\"plan\"", "\"plna\"");
    let level = |options| {
        let record = record(&world, options, &slip);
        let findings = record["findings"].as_array().expect("findings");
        let first = findings.first().map(|finding| finding["level"].clone());
        first.map(|level| level.as_str().expect("a level").to_owned())
    };
    assert_eq!(level("--no-config").as_deref(), Some("warning"));
    assert_eq!(level("").as_deref(), Some("error"));
    assert_eq!(level("--profile own"), None);
    assert_eq!(level("--profile own --rule artifact-type=warning").as_deref(), Some("warning"));
}

#[test]
fn the_hook_reads_settings_from_the_file_and_never_fails_because_of_it() {
    let world = World::new();
    world.write(
        "retval.toml",
        "profile = \"return\"\n[hook]\nagents = [\"plan*\"]\nobserve = true\n",
    );
    let payload = |agent: &str| {
        format!(
            r#"{{"hook_event_name": "SubagentStop", "session_id": "s", "agent_id": "{agent}1", "agent_type": "{agent}", "last_assistant_message": "Done."}}"#
        )
    };
    let hook = |agent: &str| {
        let output = feed(world.retval().arg("hook"), payload(agent));
        assert_eq!(output.status.code(), Some(0));
        stdout(&output)
    };
    assert!(hook("planner").contains("retval (observing)"));
    assert_eq!(hook("researcher"), "");
    world.write("retval.toml", "profle = 1");
    assert!(hook("planner").contains("unknown key `profle`"));
}

#[test]
fn config_shows_values_and_their_sources() {
    let world = World::new();
    let variables = [("RETVAL_SESSION", "s\u{202e}")];
    let shown = retval(&world, "", &variables, "config --config config/retval.toml");
    let text = stdout(&shown);
    for line in [
        "# from config/retval.toml",
        "profile = \"auto\"                 # config/retval.toml:5:11",
        "session = \"s\\U0000202E\"          # RETVAL_SESSION",
        "strict = false                   # default",
        "# errors-json                    # not set",
        "retries = 2                      # config/retval.toml:18:11",
    ] {
        assert!(text.lines().any(|shown| shown == line), "{line}\n{text}");
    }
    world.write("again.toml", text);
    let again = retval(&world, "", &[], "config --config again.toml");
    again.assert().code(0).stdout(contains("retries = 2 "));
}

#[test]
fn some_agents_have_settings_of_their_own_in_the_hook() {
    let world = World::new();
    let table = "[hook.agents.\"research*\"]\nprofile = \"compact\"\nretries = 0\n\
                 [hook.agents.Explore]\nobserve = true\n\
                 [hook.agents.scout]\nhold = false\n";
    world.write("retval.toml", table);
    let hook = |agent: &str, message: &str| {
        let payload = serde_json::json!({
            "hook_event_name": "SubagentStop", "session_id": "s", "agent_id": format!("{agent}1"),
            "agent_type": agent, "last_assistant_message": message, "cwd": world.path("project"),
        });
        let mut retval = world.retval();
        retval.arg("hook").env("XDG_RUNTIME_DIR", world.path(""));
        stdout(&feed(&mut retval, payload.to_string()))
    };
    assert_eq!(hook("researcher", r#"{"status":"READY_FOR_QA"}"#), "");
    let let_go = hook("research-lead", "Done.");
    assert!(let_go.contains("systemMessage") && !let_go.contains("block"), "{let_go}");
    assert!(hook("planner", "Done.").contains("block"), "as before");
    assert!(hook("Explore", "Done.").contains("systemMessage"), "held by its table");
    assert_eq!(hook("Plan", "Done."), "", "not held");
    assert_eq!(hook("scout", "Done."), "");
}

#[test]
fn an_expected_session_may_be_in_a_variable() {
    let world = World::new();
    let variables = [("RETVAL_SESSION", "left-over")];
    let check = "check --root project profiles/return/completed-plan.json";
    let output = retval(&world, "", &variables, check);
    assert!(stdout(&output).contains("Expected: left-over\n"));
    let output = retval(&world, "", &variables, &format!("{check} --session mine"));
    assert!(stdout(&output).contains("Expected: mine\n"));
}

#[test]
fn config_shows_expressions_as_they_are_and_no_head_without_values() {
    let world = World::new();
    world.write(
        "retval.toml",
        "[profiles.own]\nform = 'text'\nat.status = { at = 'Verdict', match = '(?<value>[A-Z]+)<b>' }\nstatuses = { A = 'success' }\nempty-if = {}\n[hook.agents.a]\nstrict = true\n",
    );
    let text = stdout(&retval(&world, "", &[], "config"));
    let (_, tables) = text.split_once("\n[hook.agents").expect("a table");
    let expected = r#".a]
strict = true                    # retval.toml:7:10

[profiles.own]
form = "text"                    # retval.toml:2:8

[profiles.own.at.status]
at = "Verdict"                   # retval.toml:3:20
match = "(?<value>[A-Z]+)\U0000003Cb>" # retval.toml:3:39

[profiles.own.statuses]
A = "success"                    # retval.toml:4:18

[profiles.own.empty-if]
"#;
    assert_eq!(tables, expected);
    world.write("retval.toml", &text);
    assert_eq!(stdout(&retval(&world, "", &[], "config")).lines().count(), text.lines().count());
}
