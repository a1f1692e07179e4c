//! Custom profiles in a configuration file.

use assert_cmd::assert::OutputAssertExt as _;
use predicates::str::contains;
use serde_json::Value;

use super::{plan, record, retval, rules};
use crate::common::{World, stdout};

#[test]
fn levels_of_custom_profiles_are_inherited() {
    let world = World::new();
    for (file, own) in [("error", "off"), ("off", "error")] {
        world.write(
            "retval.toml",
            format!(
                "[rules]\nartifact-type = \"{file}\"\n[profiles.p]\nextends = \"return\"\nrules = {{ artifact-type = \"{own}\" }}\n[profiles.q]\nextends = \"p\"\n"
            ),
        );
        let slip = plan(&world).replace("\"plan\"", "\"plna\"");
        let found = |profile| rules(&record(&world, profile, &slip)).len();
        assert_eq!(found("--profile q"), found("--profile p"), "{file}");
        assert_eq!(found("--profile q") == 0, own == "off");
    }
}

#[test]
fn a_field_of_a_custom_profile_is_known() {
    let world = World::new();
    world.write(
        "retval.toml",
        "[profiles.u]\nextends = \"return\"\nrequired = [\"ticket\"]\noptional = [\"artifacts[].extra\"]\nrules = { field-unknown = \"error\" }\n[profiles.c]\nextends = \"compact\"\nrequired = [\"reason\"]\n",
    );
    let own = plan(&world).replace("\"type\": \"plan\"", "\"extra\": 1, \"type\": \"plan\"");
    let own = own.replacen('{', "{\"ticket\": 7,", 1);
    assert!(rules(&record(&world, "--profile u", &own)).is_empty());
    let stranger = own.replace("\"extra\"", "\"extras\"");
    let found = record(&world, "--profile u", &stranger);
    assert_eq!(rules(&found), ["field-unknown"]);
    let compact = r#"{"status": "PASS", "reason": "all is tested"}"#;
    assert!(rules(&record(&world, "--profile c --agent qa_expert --strict", compact)).is_empty());
    let text = stdout(&retval(&world, "", &[], "instruct --profile c"));
    assert!(text.contains("No members other than status, reason."), "{text}");
}

#[test]
fn the_example_loads_and_its_profiles_check() {
    let world = World::new();
    let config = "--config config/retval.toml";
    let meta = |status: &str, kind: &str, rest: &str| {
        format!(
            r#"{{"status": "{status}", "artifacts": [{{"type": "{kind}", "path": "docs/tides.md", "summary": "x"}}],
               "metadata": {{"session_id": "s", "agent_type": "a", "delegation_path": ["orchestrator","a"]{rest}}}}}"#
        )
    };
    let with_toolchain = r#", "toolchain": "lean4""#;
    for (returned, expected) in [
        (meta("tasks_created", "research", with_toolchain), &[][..]),
        (meta("implemented", "lean_source", with_toolchain), &[]),
        (meta("planned", "poem", with_toolchain), &["artifact-type"]),
        (meta("planned", "plan", ""), &["field-missing"]),
        (meta("planned", "plan", r#", "toolchain": " ""#), &["field-empty"]),
        (meta("blocked", "plan", with_toolchain), &["status-unknown"]),
        (meta("completed", "plan", with_toolchain), &["status-unknown"]),
    ] {
        let record = record(&world, &format!("{config} --profile lean-meta"), &returned);
        assert_eq!(rules(&record), expected, "{record}");
        assert_eq!(record["profile"], "lean-meta");
    }
    let phantom = meta("tasks_created", "plan", with_toolchain).replace("tides.md", "none.md");
    let phantom = record(&world, &format!("{config} --profile lean-meta"), &phantom);
    assert_eq!(rules(&phantom), ["artifact-not-found"], "the claim counts");

    world.write("specs/.lean-meta-3.json", meta("planned", "plan", with_toolchain));
    let by_name = retval(&world, "", &[], &format!("check specs {config} -v"));
    by_name.assert().code(0).stdout(contains("lean-meta"));
}

#[test]
fn limits_of_custom_profiles_are_checked() {
    let world = World::new();
    let config = "--config config/retval.toml --profile";
    let words = |count: usize| {
        let summary = "word ".repeat(count) + ".";
        let line = plan(&world);
        let start = line.find("\"Planned").expect("a summary");
        let end = line[start..].find("\",").expect("its end") + start;
        format!("{}\"{}{}", &line[..start], summary.trim(), &line[end..])
    };
    for profile in ["brief", "brief-research"] {
        let check = |count| record(&world, &format!("{config} {profile}"), &words(count));
        assert_eq!(rules(&check(29)), [""; 0]);
        assert_eq!(rules(&check(31)), ["summary-too-long"]);
    }
}

#[test]
fn custom_agents_use_the_custom_path_of_handoff_files() {
    let world = World::new();
    let options =
        "--config config/retval.toml --profile writing --session s --group g --agent writer";
    let check = || record(&world, options, r#"{"status": "DRAFTED"}"#);
    assert_eq!(rules(&check()), ["handoff-not-found"]);
    world.write(
        "project/handoffs/s/g-writer.json",
        r#"{"from_agent": "writer", "status": "DRAFTED", "summary": "It is drafted.", "files_created": ["docs/tides.md"]}"#,
    );
    assert_eq!(rules(&check()), [""; 0]);
    let reviewer = stdout(&retval(
        &world,
        "",
        &[],
        "instruct --config config/retval.toml --profile writing --session s --group g --agent reviewer",
    ));
    assert!(reviewer.contains("handoffs/s/g-writer.json"), "{reviewer}");
    assert!(reviewer.contains("ACCEPTED") && !reviewer.contains("BAZINGA"));
}

#[test]
fn instructions_include_what_a_custom_profile_requires() {
    let world = World::new();
    let options = "instruct --config config/retval.toml --profile lean-meta";
    let text = stdout(&retval(&world, "", &[], options));
    assert!(text.contains("\"toolchain\": "), "{text}");
    assert!(text.contains("lean_source") && text.contains("tasks_created"));
    assert!(text.contains("the metadata file .lean-meta*.json to"), "{text}");
}

#[test]
fn custom_profiles_have_schemas() {
    let world = World::new();
    let schema = |profile: &str, target: &str| {
        let options =
            format!("schema --config config/retval.toml --profile {profile} --target {target}");
        retval(&world, "", &[], &options)
    };
    let text = stdout(&schema("lean-meta", "full"));
    let parsed: Value = serde_json::from_str(&text).expect("a schema");
    let required = &parsed["properties"]["metadata"]["required"];
    assert!(required.to_string().contains("toolchain"), "{required}");
    assert!(parsed["properties"]["status"]["enum"].to_string().contains("tasks_created"));
    let narrowed = schema("lean-meta", "openai-strict");
    narrowed
        .assert()
        .code(0)
        .stderr(contains("metadata.toolchain may be any value, but this schema requires a string"));
    world.write("map.toml", "[profiles.x]\nextends = \"handoff\"\nrequired = [\"artifacts\"]\n");
    let refused =
        retval(&world, "", &[], "schema --config map.toml --profile x --target openai-strict");
    refused.assert().code(2).stdout("").stderr(contains("artifacts"));
}

/// Whoever names a session wants a return of that session, whatever the profile asks for.
#[test]
fn an_expected_session_is_never_dropped() {
    let world = World::new();
    world.write(
        "retval.toml",
        "[profiles.p]\nextends = \"return\"\noptional = [\"metadata\", \"metadata.session_id\"]\n",
    );
    let blocked = |metadata: &str| {
        format!(
            r#"{{"status": "blocked", "summary": "The tide data is behind a login. A person has to ask for it.", "artifacts": []{metadata}, "errors": [{{"type": "permission_denied", "message": "No login", "recoverable": false, "recommendation": "Ask the harbour office"}}]}}"#
        )
    };
    let rest = r#""agent_type": "planner", "delegation_depth": 1, "delegation_path": ["orchestrator", "planner"]"#;
    for (metadata, pointer, got) in [
        (String::new(), "", "none"),
        (r#", "metadata": null"#.to_owned(), "/metadata", "none"),
        (format!(r#", "metadata": {{{rest}}}"#), "/metadata", "none"),
        (
            format!(r#", "metadata": {{"session_id": " ", {rest}}}"#),
            "/metadata/session_id",
            "\\u{20}",
        ),
    ] {
        let returned = blocked(&metadata);
        let record = |options| record(&world, &format!("--profile p {options}"), &returned);
        assert_eq!(rules(&record("")), [""; 0], "{returned}");
        let found = record("--session s1");
        assert_eq!(rules(&found), ["session-mismatch"], "{returned}");
        let finding = &found["findings"][0];
        assert_eq!(finding["pointer"], pointer, "{finding}");
        let text = stdout(&super::feed(
            world.retval().args(["check", "--profile", "p", "--session", "s1"]),
            &returned,
        ));
        assert!(text.contains(&format!("Expected: s1\nGot: {got}\n")), "{text}");
    }
    // A member that fails another rule is reported once, and so is one that the profile requires.
    let returned = blocked(&format!(r#", "metadata": {{"session_id": 5, {rest}}}"#));
    let found = record(&world, "--profile p --session 5", &returned);
    assert_eq!(rules(&found), ["field-type"]);
    let returned = blocked("");
    let required = |options| record(&world, &format!("--profile return {options}"), &returned);
    assert_eq!(rules(&required("--session s1")), ["field-missing"]);
    let off = required("--session s1 --rule field-missing=off");
    assert_eq!(rules(&off), ["session-mismatch"]);
}
