//! Handoff files of compact returns, and the chain of agents: their checks, and the profile and
//! overrides that apply to them.

use std::fs;

use crate::common::{World, piped, stderr, stdout};
use serde_json::{Value, json};

const PLACE: &str = "bazinga/artifacts/s/g/handoffs/handoff_developer.json";

/// A developer's handoff without findings, but for the members in `changes`; null takes one out.
fn handoff(changes: &Value) -> Value {
    let mut handoff = json!({
        "from_agent": "developer",
        "to_agent": "qa_expert",
        "timestamp": "2025-12-22T10:30:00Z",
        "session_id": "s",
        "group_id": "g",
        "status": "READY_FOR_QA",
        "summary": "Tokens are checked in three endpoints, with fifteen tests.",
        "files_modified": ["src.rs"],
        "tests": {"total": 15, "passing": 15, "failing": 0, "coverage": "92%"},
        "branch": "feature/group-g",
        "concerns": ["Should tokens be rotated?"],
        "artifacts": {},
    });
    for (name, value) in changes.as_object().expect("members") {
        handoff[name] = value.clone();
    }
    handoff.as_object_mut().expect("an object").retain(|_, value| !value.is_null());
    handoff
}

/// A root with that handoff of a developer.
fn world(changes: &Value) -> World {
    let world = World::new();
    for file in ["root/src.rs", &format!("root/{PLACE}")] {
        let path = world.path(file);
        fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
    }
    world.write("root/src.rs", "text");
    world.write(&format!("root/{PLACE}"), handoff(changes).to_string());
    world
}

const OPTIONS: &str = "--profile compact --root root --session s --group g --agent developer";

/// The record of the compact return that belongs to the handoff.
fn record(world: &World, more: &str) -> Value {
    let options = format!("{OPTIONS} --format jsonl {more}");
    let output = piped(world, &options, r#"{"status": "READY_FOR_QA"}"#);
    assert_eq!(stderr(&output), "");
    serde_json::from_slice(&output.stdout).expect("a record")
}

/// Rules and levels of the findings.
fn findings(record: &Value) -> Vec<(&str, &str)> {
    let findings = record["findings"].as_array().expect("findings").iter();
    findings
        .map(|it| (it["rule"].as_str().expect("a rule"), it["level"].as_str().expect("a level")))
        .collect()
}

#[test]
fn a_handoff_without_findings_adds_none() {
    let world = world(&json!({}));
    let record = record(&world, "--strict");
    assert_eq!(findings(&record), []);
    assert_eq!(record["valid"], true);
}

/// What the protocol says of the file of each agent has no session: its path names it.
#[test]
fn a_handoff_without_a_session_is_known_by_its_path() {
    let world = world(&json!({"session_id": null}));
    let session = |record: &Value| {
        let steps = record["steps"].as_array().expect("steps").iter();
        let mut steps = steps.filter(|step| step["step"] == "session");
        steps.next().expect("a step")["outcome"].clone()
    };
    let of_file = |session: &str, file: &str| {
        let options = format!("--profile handoff --root root --session {session} --format jsonl");
        let output = world
            .retval()
            .arg("check")
            .args(options.split(' '))
            .arg(file)
            .output()
            .expect("it runs");
        serde_json::from_slice::<Value>(&output.stdout).expect("a record")
    };
    assert_eq!(findings(&record(&world, "")), [("handoff-incomplete", "warning")]);
    let own = of_file("s", &format!("root/{PLACE}"));
    assert_eq!(findings(&own), [("handoff-incomplete", "warning")]);
    assert_eq!(session(&own), "skip");
    world.write("loose.json", handoff(&json!({"session_id": null})).to_string());
    for (expected, file) in [("other", format!("root/{PLACE}")), ("s", "loose.json".to_owned())] {
        let found = of_file(expected, &file);
        assert!(findings(&found).contains(&("handoff-session", "error")), "{found}");
        assert_eq!(session(&found), "fail");
    }
}

#[test]
fn the_warnings_of_the_handoff_are_those_of_the_return_and_name_the_file() {
    let world = world(&json!({"branch": null, "timestamp": "yesterday"}));
    let found = record(&world, "");
    assert_eq!(
        findings(&found),
        [("handoff-incomplete", "warning"), ("timestamp-format", "warning")]
    );
    assert_eq!(found["valid"], true);
    assert_eq!(found["findings"][0]["message"], format!("Handoff lacks branch (in {PLACE}:1:1)"));
    assert_eq!(found["findings"][0]["pointer"], "/status");
    let strict = record(&world, "--strict");
    assert_eq!(strict["valid"], false);
    assert!(findings(&strict).iter().all(|(_, level)| *level == "error"));
    let ignored = record(&world, "--rule handoff-incomplete=off --rule timestamp-format=off");
    assert_eq!(findings(&ignored), []);
}

#[test]
fn a_handoff_of_another_agent_has_its_own_error() {
    for (changes, rule) in [
        (json!({"from_agent": "senior_software_engineer"}), "handoff-agent"),
        (json!({"session_id": "t"}), "handoff-session"),
        (json!({"group_id": "h"}), "handoff-group"),
    ] {
        let world = world(&changes);
        let record = record(&world, "");
        assert_eq!(findings(&record), [(rule, "error")]);
        assert_eq!(record["valid"], false);
        // The step of the rule has failed, and not the one that read the file.
        let steps = record["steps"].as_array().expect("steps").iter();
        let failed = steps.filter(|step| step["outcome"] == "fail");
        let failed: Vec<_> = failed.map(|step| &step["step"]).collect();
        assert_eq!(failed.len(), 1, "{rule}: {failed:?}");
        assert_ne!(failed[0], "artifacts", "{rule}");
    }
}

#[test]
fn an_invalid_handoff_is_reported_beside_the_findings_with_their_own_rule() {
    let world = world(&json!({"from_agent": "qa_expert", "summary": ""}));
    let record = record(&world, "");
    assert_eq!(findings(&record), [("handoff-agent", "error"), ("handoff-invalid", "error")]);
    let message = record["findings"][1]["message"].as_str().expect("a message");
    assert!(message.ends_with("(Empty required field: summary)"), "{message}");
}

#[test]
fn handoffs_are_checked_against_the_custom_profile() {
    let world = world(&json!({}));
    let own = "[profiles.team]\nextends = \"handoff\"\nrequired = [\"ticket\"]\n";
    world.write("retval.toml", own);
    let invalid = |record: &Value| {
        let message = record["findings"][0]["message"].as_str().unwrap_or_default();
        message.ends_with("(Missing required field: ticket)")
    };
    assert!(invalid(&record(&world, "")));
    assert!(!invalid(&record(&world, "--no-config")));
    let text = |options: &str| {
        let options = format!("instruct --profile compact --agent developer {options}");
        let mut retval = world.retval();
        stdout(&retval.args(options.split_whitespace()).output().expect("it runs"))
    };
    assert!(text("").contains("with at least from_agent, status, summary, ticket: "));
    // Of several, the file's name decides.
    let by_name = "[profiles.review]\nextends = \"handoff\"\nfiles = [\"handoff_tech_lead.json\"]\n\
                   required = [\"review\"]\n";
    world.write("retval.toml", format!("{by_name}{own}"));
    assert!(invalid(&record(&world, "")));
    let by_name = "[profiles.dev]\nextends = \"handoff\"\nfiles = [\"handoff_dev*.json\"]\n\
                   rules = { handoff-incomplete = \"off\" }\n";
    world.write("retval.toml", format!("{own}{by_name}[rules]\nhandoff-incomplete = \"error\"\n"));
    world.write(&format!("root/{PLACE}"), handoff(&json!({"branch": null})).to_string());
    assert_eq!(findings(&record(&world, "")), []);
    let asked = record(&world, "--rule handoff-incomplete=error");
    assert_eq!(findings(&asked), [("handoff-incomplete", "error")]);
}

#[test]
fn a_configuration_changes_the_chain() {
    let world = world(&json!({"to_agent": "security"}));
    let rule = [("handoff-to", "warning")];
    assert_eq!(findings(&record(&world, "")), rule);
    let chain = |next: &str| {
        format!(
            "[profiles.crp]\nextends = \"compact\"\n\
             [profiles.crp.agents.developer]\nnext = {{ READY_FOR_QA = {next} }}\n\
             [profiles.crp.agents.security]\nstatuses = {{ SAFE = \"success\", UNSAFE = \"other\" }}\n"
        )
    };
    for (next, expected) in [
        ("\"security\"", &[][..]),
        ("[\"qa_expert\", \"security\"]", &[]),
        ("\"tech_lead\"", &rule),
        ("\"off\"", &[]),
    ] {
        world.write("retval.toml", chain(next));
        let options = OPTIONS.replace("compact", "crp");
        let output =
            piped(&world, &format!("{options} --format jsonl"), r#"{"status": "READY_FOR_QA"}"#);
        let record: Value = serde_json::from_slice(&output.stdout).expect("a record");
        assert_eq!(findings(&record), expected, "{next}");
    }
    for (old, new, error) in [
        (
            "\"security\"",
            "\"nobody\"",
            "retval.toml:4:10: unknown agent `nobody`; expected one of `developer`, ",
        ),
        (
            "READY_FOR_QA",
            "READY",
            "retval.toml:4:10: unknown status `READY`; did you mean `READY_FOR_QA`?",
        ),
        ("next =", "nxt =", "retval.toml:4:1: unknown key `nxt`; did you mean `next`?"),
        (
            "next =",
            "reads-otherwise = []\nnext =",
            "retval.toml:4:1: unknown key `reads-otherwise`; did you mean `reads-from`?",
        ),
    ] {
        world.write("retval.toml", chain("\"security\"").replace(old, new));
        let output = piped(&world, "", "{}");
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains(error), "{}", stderr(&output));
    }
}

#[test]
fn the_instruction_names_what_to_read_and_the_files_with_details() {
    let world = World::new();
    let instruct = |options: &str| {
        let mut retval = world.retval();
        retval.args(["instruct", "--session", "s", "--group", "g"]);
        let output = retval.args(options.split_whitespace()).output();
        output.expect("it runs")
    };
    let path = |agent: &str| format!("bazinga/artifacts/s/g/handoffs/handoff_{agent}.json");
    let text = stdout(&instruct("--profile compact --agent tech_lead"));
    let expected = format!(
        "Read the handoff of the agent before you: {}; if there is none: {}, or {}\n",
        path("qa_expert"),
        path("developer"),
        path("senior_software_engineer")
    );
    assert!(text.contains(&expected), "{text}");
    for (agent, own) in [
        ("developer", "tests/g_dev_results.md"),
        ("qa_expert", "tests/g_qa_results.md"),
        ("tech_lead", "reviews/g_tech_lead.md"),
        ("investigator", "investigations/g_root_cause.md"),
    ] {
        for profile in ["compact", "handoff"] {
            let text = stdout(&instruct(&format!("--profile {profile} --agent {agent}")));
            let reasoning = format!("reasoning/{agent}_g_completion.md");
            for file in [own, &reasoning] {
                assert!(text.contains(&format!("bazinga/artifacts/s/{file}")), "{text}");
            }
        }
    }
}

#[test]
fn coverage_and_durations_are_texts_or_numbers() {
    let world = World::new();
    world.write("src.rs", "text");
    let of = |agent: &str, name: &str, value: Value| {
        let status = if agent == "qa_expert" { "PASS" } else { "READY_FOR_QA" };
        let changes = json!({"from_agent": agent, "status": status, name: value});
        let text = handoff(&changes).to_string();
        let output = piped(&world, "--profile handoff --root . --format concise -q", text);
        let errors = stdout(&output);
        let own = errors.lines().filter(|it| it.contains("error[field-type]"));
        own.map(str::to_owned).collect::<Vec<_>>().join("\n")
    };
    let tests =
        |coverage: Value| json!({"total": 1, "passing": 1, "failing": 0, "coverage": coverage});
    let suites =
        |duration: Value| json!({"unit": {"passed": 1, "failed": 0, "duration": duration}});
    for wrong in [json!(true), json!(["92%"]), json!({"lines": 92})] {
        let told = of("developer", "tests", tests(wrong.clone()));
        let name = "Wrong type for field tests.coverage: expected a string or a number";
        assert!(told.contains(name), "{wrong}: {told}");
        let told = of("qa_expert", "tests_run", suites(wrong.clone()));
        let name = "Wrong type for field tests_run.unit.duration: expected a string or a number";
        assert!(told.contains(name), "{wrong}: {told}");
    }
    // A number without a unit is an honest answer, and a warning (the fixtures of handoff-counts).
    for right in [json!("92%"), json!(92), json!(0.92)] {
        assert_eq!(of("developer", "tests", tests(right.clone())), "");
        assert_eq!(of("qa_expert", "tests_run", suites(right)), "");
    }
}

/// The form of `tests_run` is that of the handoff of a tester; a developer's own member of this name is free.
#[test]
fn the_members_of_another_agent_are_free_inside_too() {
    let world = World::new();
    let options = "--profile handoff --no-config --format concise";
    for run in [json!({"unit": "14 passed"}), json!({"i": null}), json!(5)] {
        let returned = json!({"from_agent": "developer", "status": "BLOCKED", "summary": "What.", "tests_run": run});
        let found = stdout(&piped(&world, options, returned.to_string()));
        assert!(!found.contains("error["), "{found}");
    }
    let returned = json!({"from_agent": "qa_expert", "status": "BLOCKED", "summary": "What.", "tests_run": {"unit": "14"}});
    let found = stdout(&piped(&world, options, returned.to_string()));
    assert!(found.contains("error[field-type]"), "{found}");
}

#[test]
fn a_session_that_is_null_is_pointed_at() {
    let world = World::new();
    let returned = "{\"from_agent\": \"developer\", \"status\": \"BLOCKED\", \"summary\": \"What.\",\n\"session_id\": null}";
    let options = "--profile handoff --no-config --session s --format concise";
    let found = stdout(&piped(&world, options, returned));
    assert!(found.contains("-:2:15: error[handoff-session]"), "{found}");
}

/// Numbers are as they are written; what no reader can hold is left out.
#[test]
fn a_record_has_the_numbers_of_a_handoff_as_they_are_written() {
    let world = World::new();
    let returned = r#"{"from_agent":"developer","status":"BLOCKED","summary":"What.","a":123456789012345678901234567890,"b":1.10,"c":1E5,"d":-0,"e":1e400}"#;
    let output = piped(&world, "--profile handoff --no-config --format jsonl", returned);
    let text = stdout(&output);
    let own = r#"{"a":123456789012345678901234567890,"b":1.10,"c":1E5,"d":-0}"#;
    assert!(text.contains(own), "{text}");
}

/// The places that the protocol names, and a configured one before them.
#[test]
fn a_handoff_is_found_at_each_place_of_the_protocol() {
    let world = World::new();
    let check = |profile: &str, agent: &str, status: &str| {
        let options =
            format!("--profile {profile} --session s --group g --agent {agent} --format concise");
        stdout(&piped(&world, &options, format!("{{\"status\": \"{status}\"}}")))
    };
    let write = |path: &str, text: &str| {
        let file = world.path(path);
        fs::create_dir_all(file.parent().expect("a folder")).expect("folders");
        fs::write(file, text).expect("a file");
    };
    let first = |agent: &str| format!("bazinga/artifacts/s/g/handoffs/handoff_{agent}.json");
    for (agent, short, status) in [
        ("developer", "dev", "BLOCKED"),
        ("senior_software_engineer", "dev", "BLOCKED"),
        ("qa_expert", "qa", "FAIL"),
        ("tech_lead", "tl", "CHANGES_REQUESTED"),
        ("investigator", "", "BLOCKED"),
    ] {
        let own = format!(
            "{{\"from_agent\": \"{agent}\", \"status\": \"{status}\", \"summary\": \"What.\"}}"
        );
        let mut places = vec![first(agent), format!("bazinga/artifacts/s/g/handoff_{agent}.json")];
        if !short.is_empty() {
            places.push(format!("bazinga/artifacts/s/handoffs/g_{short}.json"));
            places.push(format!("bazinga/artifacts/s/g/handoff_{short}.json"));
        }
        // From the last to the first, each comes before those after it.
        for place in places.iter().rev() {
            write(place, "{}");
            let found = check("compact", agent, status);
            assert!(
                found.contains(&format!(
                    "error[handoff-invalid] Handoff file is not valid: {place} "
                )),
                "{found}"
            );
            write(place, &own);
            let found = check("compact", agent, status);
            assert!(!found.contains("error["), "{place}: {found}");
        }
        fs::remove_dir_all(world.path("bazinga")).expect("a folder");
        let found = check("compact", agent, status);
        let missing =
            format!("error[handoff-not-found] Handoff file does not exist: {}\n", first(agent));
        assert!(found.contains(&missing), "{found}");
    }
    world.write(
        "retval.toml",
        "[profiles.own]\nextends = \"compact\"\nhandoff-path = \"work/{session}/{agent}.json\"\n\
         [profiles.short]\nextends = \"handoff\"\nfiles = [\"handoff_dev.json\"]\nrequired = [\"ticket\"]\n",
    );
    let found = check("own", "developer", "BLOCKED");
    assert!(found.contains("does not exist: work/s/developer.json\n"), "{found}");
    let own = r#"{"from_agent": "developer", "status": "BLOCKED", "summary": "What."}"#;
    // The profile for the file is chosen by the name that it has.
    write("bazinga/artifacts/s/g/handoff_dev.json", own);
    let found = check("own", "developer", "BLOCKED");
    assert!(found.contains("handoff_dev.json (Missing required field: ticket)"), "{found}");
    write("work/s/developer.json", own);
    let found = check("own", "developer", "BLOCKED");
    assert!(!found.contains("error["), "{found}");
}

/// The protocol's user refused a guard: nothing fails, and no hook asks again.
#[test]
fn a_long_compact_return_is_a_warning() {
    let world = World::new();
    let long = format!("{{\"status\": \"PASS\", \"more\": \"{}\"}}", "x".repeat(400));
    let found = |more: &str| {
        let output = piped(
            &world,
            &format!("--profile compact --agent qa_expert --format concise {more}"),
            &long,
        );
        (output.status.code(), stdout(&output))
    };
    let (code, text) = found("");
    assert!(
        code == Some(0)
            && text.contains("warning[summary-long] Return is longer than it should be: 1"),
        "{text}"
    );
    let (code, text) = found("--strict");
    assert!(code == Some(1) && text.contains("error[summary-long]"), "{text}");
    // A team that wants a guard sets one.
    world.write(
        "retval.toml",
        "[profiles.compact-own]\nextends = \"compact\"\nlimits = { tokens = 50 }\n",
    );
}
