//! `--format return`: which profiles and sessions there can be none for.

use crate::common::{World, feed, stderr, stdout};
use serde_json::Value;

/// The failed return for this text, and the record of its own check with the same options.
fn failed(world: &World, options: &[String], text: &str) -> (String, Value, Option<i32>) {
    let check = |format: &str, text: &str| {
        let mut command = world.retval();
        command.args(["check", "--format", format]).args(options);
        feed(&mut command, text)
    };
    let failed = stdout(&check("return", text));
    let output = check("jsonl", &failed);
    let record = serde_json::from_slice(&output.stdout).expect("a record");
    (failed, record, output.status.code())
}

#[test]
fn a_profile_whose_failure_means_success_is_refused() {
    let world = World::new();
    for text in [
        "[profiles.own]\nextends = \"return\"\nfailure = \"completed\"\n",
        "[profiles.own]\nextends = \"return\"\nstatuses = { failed = \"success\" }\n",
    ] {
        world.write("retval.toml", text);
        let output = world.check("--profile own");
        assert_eq!(output.status.code(), Some(2), "{text}");
        let error = stderr(&output);
        assert!(error.contains("means success"), "{error}");
    }
}

#[test]
fn no_session_is_invisible() {
    let world = World::new();
    for (text, shown) in [
        ("", ""),
        (" \t", "\\u{20}\\t"),
        ("\u{200b}\u{feff}", "\\u{200b}\\u{feff}"),
    ] {
        let mut retval = world.retval();
        let output = feed(retval.args(["check", "--session", text]), "{}");
        assert_eq!(output.status.code(), Some(2), "{text:?}");
        let expected = format!(
            "error: invalid value '{shown}' for '--session <ID>': it has no visible character\n"
        );
        assert!(
            stderr(&output).starts_with(&expected),
            "{}",
            stderr(&output)
        );
    }
    let mut retval = world.retval();
    let returned = r#"{"metadata": {"session_id": "s"}}"#;
    let output = feed(
        retval.arg("check").env("RETVAL_SESSION", "\u{a0}"),
        returned,
    );
    let skipped = "[SKIP] Session ID: no --session was given\n";
    assert!(stdout(&output).contains(skipped), "{}", stdout(&output));
}

/// What a return that is prose becomes in the two profiles of the compact protocol.
#[test]
fn no_agent_is_given_a_verdict_that_it_did_not_give() {
    let world = World::new();
    for (agent, word) in [
        ("developer", "BLOCKED"),
        ("senior_software_engineer", "BLOCKED"),
        ("qa_expert", "BLOCKED"),
        ("project_manager", "NEEDS_CLARIFICATION"),
        ("investigator", "BLOCKED"),
        ("requirements_engineer", "BLOCKED"),
        ("stranger", "BLOCKED"),
    ] {
        let options = ["--profile", "compact", "--agent", agent].map(str::to_owned);
        let (failed, record, code) = failed(&world, &options, "it is fine");
        assert_eq!(failed, format!("{{\"status\":\"{word}\"}}\n"), "{agent}");
        assert_eq!(
            (record["next"]["action"].as_str(), code),
            (Some("ask"), Some(0))
        );
    }
}

#[test]
fn the_failed_return_of_a_reviewer_leads_to_nobody() {
    let world = World::new();
    world.write(
        "retval.toml",
        "[profiles.own]\nextends = \"compact\"\n[profiles.own.agents.reviewer]\n\
         statuses = { GOOD = \"success\", BAD = \"other\" }\nfailure = \"off\"\n",
    );
    for (profile, agent) in [
        ("compact", "tech_lead"),
        ("handoff", "tech_lead"),
        ("own", "reviewer"),
    ] {
        let mut retval = world.retval();
        retval.args(["check", "--profile", profile, "--agent", agent]);
        retval.args(["--session", "s", "--format", "return"]);
        let failed: Value =
            serde_json::from_slice(&feed(&mut retval, "it is fine").stdout).expect("a return");
        let words = ["status", "errors"].map(|key| failed[key].to_string());
        assert_eq!(words[0], "\"failed\"", "{profile}");
        assert!(words[1].contains("it is plain text"), "{failed}");
        let mut retval = world.retval();
        retval.args(["check", "--agent", agent, "--session", "s", "--strict"]);
        let output = feed(&mut retval, failed.to_string());
        assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
    }
}
