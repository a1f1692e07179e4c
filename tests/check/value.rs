//! The return itself: `--format return`, `--field`, and what records have of it.

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
    let one_line = serde_json::from_str::<Value>(&plan).expect("JSON").to_string();
    for (options, input, expected) in [
        ("", plan.clone(), plan.clone()),
        ("--extract", format!("Done.\n```json\n{plan}```\n"), plan.clone()),
        (
            "",
            json!({"type": "result", "session_id": "a", "num_turns": 1, "result": plan})
                .to_string(),
            plan.clone(),
        ),
        ("", one_line.clone(), one_line.clone() + "\n"),
        (
            "--lines",
            format!("{one_line}\nprose\n{one_line}\n"),
            format!("{one_line}\n{one_line}\n"),
        ),
    ] {
        let output = piped(&world, &format!("{ROOT} {options}"), &input);
        assert_eq!(stdout(&output), expected, "{options} {input}");
    }
    let output = piped(&world, ROOT, "prose");
    assert_eq!((stdout(&output).as_str(), output.status.code()), ("", Some(1)));
    assert_eq!(stderr(&output), PROSE);
}

/// Why prose is no return, on standard error.
const PROSE: &str = "-:1:1: error[json-syntax] Invalid JSON return from subagent (Cannot parse return as JSON: it is plain text)\n";

#[test]
fn what_does_not_say_why_a_return_is_invalid_leaves_it_to_standard_error() {
    let world = World::new();
    let long = plan().replace("\"plan\"", "\"plna\"");
    for (options, printed, told) in [
        ("--format return", "", PROSE),
        ("--format next", "retry\n", PROSE),
        ("--field status", "", PROSE),
        ("--field status --format json=v.json", "", PROSE),
        ("--format next --format concise=/dev/stderr", "retry\n", PROSE),
        ("--format concise", PROSE, ""),
    ] {
        let output = piped(&world, &format!("--root project {options}"), "prose");
        assert_eq!(
            (stdout(&output).as_str(), stderr(&output).as_str()),
            (printed, told),
            "{options}"
        );
        assert_eq!(output.status.code(), Some(1), "{options}");
    }
    // A warning is no reason.
    let warned = piped(&world, "--root project --field status", long);
    assert_eq!((stdout(&warned).as_str(), stderr(&warned).as_str()), ("completed\n", ""));
    let gone = world.check("gone.json --field status");
    assert_eq!(gone.status.code(), Some(2));
    let told = "gone.json:1:1: error[not-checked] cannot read gone.json: No such file or directory (os error 2)\n";
    assert_eq!((stdout(&gone).as_str(), stderr(&gone).as_str()), ("", told));
}

#[test]
fn a_member_is_printed_as_jq_prints_it() {
    let world = World::new();
    let hostile = plan().replace("Planned the", "Planned\\n\\u202ethe \\u001b");
    for (at, expected) in [
        ("/status", "completed\n"),
        ("/artifacts/0/type", "plan\n"),
        ("/metadata/delegation_depth", "1\n"),
        ("/metadata/delegation_path", "[\"orchestrator\",\"plan\",\"planner\"]\n"),
        ("/metadata/delegation_path/*", "orchestrator\nplan\nplanner\n"),
        ("/errors", "\n"),
        ("/artifacts/1/path", "\n"),
        ("status", "completed\n"),
        ("agent", "planner\n"),
        ("session", "sess_1767225600_k3m9qa\n"),
        ("next", "\n"),
    ] {
        let output = piped(&world, &format!("--root project --field {at}"), plan());
        assert_eq!((stdout(&output).as_str(), output.status.code()), (expected, Some(0)), "{at}");
    }
    // The values of each place, in order.
    let several = "--root project --field status --field gone --field /artifacts/*/type";
    assert_eq!(stdout(&piped(&world, several, plan())), "completed\n\nplan\n");
    // A program gets exactly what the agent wrote.
    let summary = stdout(&piped(&world, "--root project --field /summary", &hostile));
    assert!(summary.starts_with("Planned\n\u{202e}the \u{1b} tide tables"), "{summary:?}");
    let whole = stdout(&piped(&world, ROOT, plan().replace("Planned", "\u{202e}Planned")));
    assert!(whole.contains("\"\u{202e}Planned the"), "{whole}");
    for (options, error) in [
        ("--field /a~b", "expected a name, such as status, or a JSON Pointer"),
        (
            "--field /a --format json",
            "--format json and --field both print to standard output: give each format but one a file, as --format FORMAT=FILE",
        ),
        (
            "--field /a --filter valid --lines",
            "--field and --filter both print to standard output: use only one of them",
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
    let check = |more: &str| stdout(&piped(&world, &format!("--profile review {more}"), text));
    assert_eq!(check("--format return"), text);
    for place in ["/sections/Review/labels/Verdict", "status", "verdict"] {
        assert_eq!(check(&format!("--field {place}")), "APPROVED\n", "{place}");
    }
    assert_eq!(check("--field Files"), "\n");
    let message = stdout(&piped(&world, "--format return --profile any", "All is well now.\n"));
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
            value=$(subagent "$1" | retval check --root project --format return 2>reason.txt) || {
                echo "refused: $(cut -d: -f4- reason.txt)"
                return 1
            }
            echo "status: $(jq -r .status <<<"$value")"
            retval check --root project --field '/artifacts/*/path' <<<"$value" |
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
    assert!(plan["summary"].as_str().is_some_and(|it| it.starts_with("Planned the tide")));
    assert_eq!(plan["delegation_depth"], 1);
    assert_eq!(plan["delegation_path"], json!(["orchestrator", "plan", "planner"]));
    let counts = json!({"phase_count": 3, "phases_completed": null, "phases_total": null, "findings_count": null});
    assert_eq!(plan["counts"], counts);
    assert_eq!(plan["completion_data"], Value::Null);
    let done = record(&world, "profiles/return-meta/implemented");
    assert_eq!(done["completion_data"]["roadmap_items"], json!(["Print tide tables"]));
    assert_eq!(
        done["counts"],
        json!({"phase_count": null, "phases_completed": 3, "phases_total": 3, "findings_count": null})
    );
    let handoff = record(&world, "profiles/handoff/handoff_developer.json");
    assert_eq!(handoff["handoff"]["tests"]["coverage"], "92%");
    assert_eq!(handoff["handoff"]["group_id"], "AUTH");
    assert_eq!(handoff["handoff"].get("status"), None, "the record has it");
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
        r#"record=$(./client | retval check --root project --session {SESSION} --format jsonl)
        jq -r '[.valid, .next.action, .status, .delegation_path[-1], .counts.phase_count, .artifacts[0].path] | join(" ")' <<<"$record""#
    );
    let output = shell(&world, &script);
    assert_eq!(
        stdout(&output),
        "true proceed completed planner 3 specs/12_tide_tables/plans/implementation-001.md\n",
        "{}",
        stderr(&output)
    );
}
