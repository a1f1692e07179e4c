//! The return itself: `--format return`, and what records have of it.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::process::{Command, Output};

use serde_json::{Value, json};

use crate::common::{SESSION, World, fixtures, piped, stderr, stdout};

const PLAN: &str = "profiles/return/completed-plan.json";
const ROOT: &str = "--root project --format return";

fn plan() -> String {
    fs::read_to_string(fixtures().join(PLAN)).expect("a fixture")
}

/// What a shell that finds `retval` prints.
pub(crate) fn shell(world: &World, script: &str) -> Output {
    let binary = assert_cmd::cargo::cargo_bin!("retval");
    let folder = binary.parent().expect("a folder").display();
    let path = std::env::var("PATH").unwrap_or_default();
    Command::new("bash")
        .args(["-c", script])
        .env("PATH", format!("{folder}:{path}"))
        .current_dir(world.path(""))
        .output()
        .expect("it runs")
}

#[test]
fn an_accepted_return_is_printed_as_it_was_found() {
    let world = World::new();
    let plan = plan();
    let one_line = serde_json::from_str::<Value>(&plan)
        .expect("JSON")
        .to_string();
    for (options, input, expected) in [
        ("", plan.clone(), plan.clone()),
        (
            "--extract",
            format!("Done.\n```json\n{plan}```\n"),
            plan.clone(),
        ),
        (
            "",
            json!({"type": "result", "session_id": "a", "num_turns": 1, "result": plan})
                .to_string(),
            plan.clone(),
        ),
        ("", one_line.clone(), one_line.clone() + "\n"),
        (
            "--ndjson",
            format!("{one_line}\nprose\n{one_line}\n"),
            format!("{one_line}\n{one_line}\n"),
        ),
    ] {
        let output = piped(&world, &format!("{ROOT} {options}"), &input);
        assert_eq!(stdout(&output), expected, "{options} {input}");
    }
    let output = piped(&world, ROOT, "prose");
    assert_eq!(
        (stdout(&output).as_str(), output.status.code()),
        ("", Some(1))
    );
}

#[test]
fn a_member_is_printed_as_jq_prints_it() {
    let world = World::new();
    let hostile = plan().replace("Planned the", "Planned\\n\\u202ethe \\u001b");
    for (at, expected) in [
        ("/status", "completed\n"),
        ("/artifacts/0/type", "plan\n"),
        ("/metadata/delegation_depth", "1\n"),
        (
            "/metadata/delegation_path",
            "[\"orchestrator\",\"plan\",\"planner\"]\n",
        ),
        (
            "/metadata/delegation_path/*",
            "orchestrator\nplan\nplanner\n",
        ),
        ("/errors", ""),
        ("/artifacts/1/path", ""),
    ] {
        let output = piped(&world, &format!("{ROOT} --at {at}"), plan());
        assert_eq!(
            (stdout(&output).as_str(), output.status.code()),
            (expected, Some(0)),
            "{at}"
        );
    }
    // A program gets exactly what the agent wrote.
    let summary = stdout(&piped(&world, &format!("{ROOT} --at /summary"), &hostile));
    assert!(
        summary.starts_with("Planned\n\u{202e}the \u{1b} tide tables"),
        "{summary:?}"
    );
    let whole = stdout(&piped(
        &world,
        ROOT,
        plan().replace("Planned", "\u{202e}Planned"),
    ));
    assert!(whole.contains("\"\\u202ePlanned the"), "{whole}");
    for (options, error) in [
        ("--format return --at status", "expected a JSON Pointer"),
        ("--at /status", "--at needs --format return"),
        (
            "--format return --at /a --profile any",
            "a message without members",
        ),
        (
            "--record-return",
            "--record-return needs --format json or jsonl",
        ),
    ] {
        let output = piped(&world, options, "x");
        assert_eq!(output.status.code(), Some(2), "{options}");
        assert!(stderr(&output).contains(error), "{}", stderr(&output));
    }
}

#[test]
fn a_standard_of_ones_own_has_a_value_too() {
    let world = World::new();
    let own = "[profiles.review]\nform = \"text\"\nat.status = \"Verdict\"\nstatuses = { APPROVED = \"success\" }\n";
    world.write("retval.toml", own);
    let text = "## Review\n\n**Verdict:** APPROVED\n\nFine.\n";
    let options = "--format return --profile review";
    let check = |more: &str| stdout(&piped(&world, &format!("{options} {more}"), text));
    assert_eq!(check(""), text);
    assert_eq!(check("--at /sections/Review/labels/Verdict"), "APPROVED\n");
    let message = stdout(&piped(
        &world,
        "--format return --profile any",
        "All is well now.\n",
    ));
    assert_eq!(message, "All is well now.\n");
}

/// What the author of a shell script writes: the return, or the reason and no return.
#[test]
fn a_script_has_the_return_or_the_reason() {
    let world = World::new();
    world.write("good.json", plan());
    let script = r#"
        subagent() { cat "$1"; }
        delegate() {
            value=$(subagent "$1" | retval check --root project --format return --format concise=reason.txt) || {
                echo "refused: $(cut -d: -f4- reason.txt)"
                return 1
            }
            echo "status: $(jq -r .status <<<"$value")"
            retval check --root project --format return --at '/artifacts/*/path' <<<"$value" |
                while IFS= read -r path; do echo "read: $path"; done
        }
        delegate good.json
        echo 'I have made the plan.' >bad.json
        delegate bad.json
    "#;
    let output = shell(&world, script);
    let expected = "\
status: completed
read: specs/12_tide_tables/plans/implementation-001.md
refused:  error[json-syntax] Invalid JSON return from subagent (Cannot parse return as JSON: it is plain text)
";
    assert_eq!(stdout(&output), expected, "{}", stderr(&output));
}

fn record(world: &World, options: &str) -> Value {
    let output = world.check(&format!("{options} --root project --format jsonl"));
    serde_json::from_slice(&output.stdout).expect("one record")
}

#[test]
fn a_record_has_what_callers_read() {
    let world = World::new();
    let plan = record(&world, PLAN);
    assert!(
        plan["summary"]
            .as_str()
            .is_some_and(|it| it.starts_with("Planned the tide"))
    );
    assert_eq!(plan["delegation_depth"], 1);
    assert_eq!(
        plan["delegation_path"],
        json!(["orchestrator", "plan", "planner"])
    );
    let counts = json!({"phase_count": 3, "phases_completed": null, "phases_total": null, "findings_count": null});
    assert_eq!(plan["counts"], counts);
    assert_eq!(
        (&plan["completion_data"], plan.get("return")),
        (&Value::Null, None)
    );
    let done = record(&world, "profiles/return-meta/implemented");
    assert_eq!(
        done["completion_data"]["roadmap_items"],
        json!(["Print tide tables"])
    );
    assert_eq!(
        done["counts"],
        json!({"phase_count": null, "phases_completed": 3, "phases_total": 3, "findings_count": null})
    );
    let handoff = record(&world, "profiles/handoff/handoff_developer.json");
    assert_eq!(handoff["handoff"]["tests"]["coverage"], "92%");
    assert_eq!(handoff["handoff"]["group_id"], "AUTH");
    assert_eq!(handoff["handoff"].get("status"), None, "the record has it");
}

#[test]
fn a_record_has_the_whole_return_if_that_is_asked_for() {
    let world = World::new();
    let whole = |input: &str| -> Value {
        let output = piped(&world, "--format jsonl --record-return", input);
        assert_eq!(stdout(&output).lines().count(), 1);
        let record: Value = serde_json::from_slice(&output.stdout).expect("one record");
        record["return"].clone()
    };
    let plan = plan();
    assert_eq!(
        whole(&plan),
        serde_json::from_str::<Value>(&plan).expect("JSON")
    );
    assert_eq!(whole("prose\nof two lines"), "prose\nof two lines");
    assert_eq!(whole(""), Value::Null);
    let deep = format!("{}{}", "[".repeat(125), "]".repeat(125));
    assert_eq!(whole(&deep), deep, "no reader needs to nest deeper for it");
    assert_eq!(whole("{\"a\": 1.50}")["a"], 1.5);
    assert_eq!(
        whole("{\"a\": 1e999}"),
        "{\"a\": 1e999}",
        "some readers refuse the number"
    );
}

/// What the author of an orchestrator writes: it routes by the record alone.
#[test]
fn an_orchestrator_routes_by_the_record_alone() {
    let world = World::new();
    let client = world.path("client");
    let plan = plan();
    let stream = json!({"type": "result", "session_id": "a", "num_turns": 1, "is_error": false, "result": plan});
    world.write("answer.json", stream.to_string());
    fs::write(&client, "#!/bin/sh\ncat answer.json\n").expect("a script");
    fs::set_permissions(&client, fs::Permissions::from_mode(0o755)).expect("a mode");
    let script = format!(
        r#"record=$(./client | retval check --root project --session {SESSION} --format jsonl --record-return)
        jq -r '[.valid, .next.action, .status, .delegation_path[-1], .counts.phase_count, .artifacts[0].path, .return.metadata.estimated_hours] | join(" ")' <<<"$record""#
    );
    let output = shell(&world, &script);
    assert_eq!(
        stdout(&output),
        "true proceed completed planner 3 specs/12_tide_tables/plans/implementation-001.md 8\n",
        "{}",
        stderr(&output)
    );
}
