//! `--baseline`: accepted findings pass, new findings fail, and stale entries are reported.

use std::fs;
use std::process::Output;

use crate::common::{World, run, stderr, stdout};
use assert_cmd::assert::OutputAssertExt as _;
use predicates::prelude::PredicateBooleanExt as _;
use predicates::str::{contains, is_empty};
use serde_json::{Value, json};

const PHANTOM: &str = r#"{"type": "plan", "path": "gone.md", "summary": "x"}"#;

/// Fingerprints are the same on every machine and in every version.
const PHANTOM_FINGERPRINT: &str = "c405c1340197da76c902ae80845a200f";
const PROSE_FINGERPRINT: &str = "3b53d9acbaa8aa67b3381eeb60af3753";

/// A return with one phantom for each time that it is claimed.
fn claiming(phantoms: usize) -> String {
    let artifacts = vec![PHANTOM; phantoms].join(", ");
    format!(
        r#"{{"status": "completed", "summary": "It is done. It is good.", "artifacts": [{artifacts}], "metadata": {{"session_id": "s", "agent_type": "a", "delegation_depth": 1, "delegation_path": ["orchestrator","a"]}}}}"#
    )
}

/// A folder of old returns: two phantoms in one, prose in the other, and one in order.
fn legacy() -> World {
    let world = World::new();
    world.write("old/one.json", claiming(2));
    world.write("old/two.json", "Done!");
    fs::copy(world.path("profiles/return/completed-plan.json"), world.path("old/valid.json"))
        .expect("a copy");
    world
}

fn check(world: &World, options: &str) -> Output {
    let options = format!("check old --root project --baseline known.json {options}");
    run(world.retval().args(options.split_whitespace()))
}

fn baseline(world: &World) -> Value {
    let text = fs::read_to_string(world.path("known.json")).expect("a baseline");
    serde_json::from_str(&text).expect("JSON")
}

#[test]
fn accepted_findings_pass_and_new_findings_fail() {
    let world = legacy();
    check(&world, "")
        .assert()
        .code(2)
        .stdout(is_empty())
        .stderr(contains(
            "error: cannot read the baseline known.json: No such file or directory (os error 2); --update-baseline writes it\n",
        ));
    let first = check(&world, "--update-baseline");
    assert_eq!(stdout(&first), "3 returns: 1 valid, 0 invalid, 2 in the baseline (0 warnings)\n");
    first.assert().code(0).stderr(
        "note: known.json: written, 3 findings accepted in the checked returns (before: 0)\n",
    );
    assert_eq!(
        baseline(&world),
        serde_json::json!({"version": 1, "accepted": [
            {
                "source": "old/one.json", "rule": "artifact-not-found",
                "fingerprint": PHANTOM_FINGERPRINT,
                "message": "Artifact does not exist: gone.md",
                "count": 2, "reason": "not reviewed yet",
            },
            {
                "source": "old/two.json", "rule": "json-syntax",
                "fingerprint": PROSE_FINGERPRINT,
                "message": "Invalid JSON return from subagent (Cannot parse return as JSON: it is plain text)",
                "count": 1, "reason": "not reviewed yet",
            },
        ]})
    );
    check(&world, "").assert().code(0).stderr(is_empty());

    world.write("old/one.json", claiming(3));
    let more = check(&world, "--format jsonl");
    let record: Value =
        serde_json::from_str(stdout(&more).lines().next().expect("a line")).expect("JSON");
    assert_eq!(record["findings"].as_array().map(Vec::len), Some(3), "{record}");
    more.assert().code(1);
    world.write("old/one.json", claiming(2).replace("completed", "finished"));
    check(&world, "").assert().code(1).stdout(contains("Invalid status: finished"));
}

#[test]
fn an_accepted_return_stays_invalid_in_every_format() {
    let world = legacy();
    check(&world, "--update-baseline").assert().code(0);
    let document: Value =
        serde_json::from_str(&stdout(&check(&world, "--format json"))).expect("JSON");
    let verdicts = document["returns"].as_array().expect("records").iter();
    let verdicts: Vec<_> =
        verdicts.map(|it| (&it["valid"], it.get("accepted"), &it["findings"])).collect();
    let (accepted, valid) = (Some(&json!(true)), (&json!(true), None, &json!([])));
    let invalid = (&json!(false), accepted, &json!([]));
    assert_eq!(verdicts, [invalid, invalid, valid]);
    let totals = json!({"returns": 3, "valid": 1, "invalid": 2, "unchecked": 0, "warnings": 0, "accepted": 2});
    assert_eq!(document["totals"], totals);
    let line = "3 returns: 1 valid, 0 invalid, 2 in the baseline (0 warnings)\n";
    for (format, shown) in [
        ("text", line.to_owned()),
        ("text -q", line.to_owned()),
        ("concise", line.to_owned()),
        ("github", line.to_owned()),
        ("markdown", format!("**{}**\n", line.trim_end())),
        ("feedback", String::new()),
        ("failed-return", String::new()),
    ] {
        let output = check(&world, &format!("--format {format}"));
        assert_eq!(stdout(&output), shown, "{format}");
        output.assert().code(0).stderr(is_empty());
    }
    let text = stdout(&check(&world, "-v"));
    let end = "[INFO] Accepted by the baseline: 2 findings\nReturn is invalid, and accepted by the baseline\n0 failures, 0 warnings\n";
    assert!(text.contains(end), "{text}");
    let junit = stdout(&check(&world, "--format junit"));
    let skipped = "failures=\"0\" errors=\"0\" skipped=\"1\"";
    assert_eq!(junit.matches(skipped).count(), 2, "{junit}");
    assert!(junit.contains("><skipped message=\"Invalid, and accepted by the baseline\"/><"));
    // It is no new error.
    check(&world, "--errors-json errors.json").assert().code(0);
    assert!(!world.path("errors.json").exists());
}

#[test]
fn an_accepted_return_has_no_value() {
    let world = legacy();
    check(&world, "--update-baseline").assert().code(0);
    let valid = fs::read_to_string(world.path("old/valid.json")).expect("a file");
    let valid = format!("{}\n", valid.trim());
    for (options, value) in [
        ("--field status --color never", "completed\n"),
        ("--format return", &*valid),
        ("--format next", "proceed\n"),
    ] {
        let output = check(&world, options);
        assert_eq!(stdout(&output), value, "{options}");
        let why = contains("old/one.json:1:")
            .and(contains("error[artifact-not-found] Artifact does not exist: gone.md\n"))
            .and(contains(
                "\nold/one.json: invalid, and accepted by the baseline: it has no value\nold/two.json:1:1: error[json-syntax]",
            ));
        output.assert().code(0).stderr(why);
    }
}

#[test]
fn a_return_that_is_accepted_in_part_or_only_warned_of_has_no_mark() {
    let world = legacy();
    world.write("old/warned.json", r#"{"status": "blocked", "summary": "It waits. It is blocked.", "artifacts": [], "metadata": {"session_id": "s", "agent_type": "a", "delegation_depth": 1, "delegation_path": ["orchestrator","a"]}}"#);
    check(&world, "--update-baseline").assert().code(0);
    world.write("old/one.json", claiming(2).replace("orchestrator", "a"));
    let output = check(&world, "--format json --rule delegation-path=error");
    let document: Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    let records = document["returns"].as_array().expect("records").iter();
    let marked = records.map(|it| (it["source"].as_str(), &it["valid"], it.get("accepted")));
    let marked: Vec<_> = marked.collect();
    assert_eq!(marked[0], (Some("old/one.json"), &json!(false), None));
    assert_eq!(marked[3], (Some("old/warned.json"), &json!(true), None));
    assert_eq!(document["totals"]["accepted"], 1);
    output.assert().code(1);
}

#[test]
fn stale_entries_are_reported_and_removed_by_an_update() {
    let world = legacy();
    check(&world, "--update-baseline").assert().code(0);
    let text = fs::read_to_string(world.path("known.json")).expect("a baseline");
    world.write("known.json", text.replace("not reviewed yet", "older than the rule"));
    world.write("old/one.json", claiming(1));
    fs::remove_file(world.path("old/two.json")).expect("it goes");
    let told = check(&world, "");
    assert_eq!(
        stderr(&told),
        "note: known.json: findings that it accepts are gone (2 kinds): --update-baseline removes them, and accepts all new findings\n"
    );
    told.assert().code(0);
    check(&world, "-q").assert().code(0).stderr(is_empty());
    check(&world, "--update-baseline").assert().code(0);
    assert_eq!(
        baseline(&world)["accepted"],
        serde_json::json!([{
            "source": "old/one.json", "rule": "artifact-not-found",
            "fingerprint": PHANTOM_FINGERPRINT,
            "message": "Artifact does not exist: gone.md",
            "count": 1, "reason": "older than the rule",
        }])
    );
}

#[test]
fn checking_part_of_a_folder_keeps_the_rest_of_its_baseline() {
    let world = legacy();
    check(&world, "--update-baseline").assert().code(0);
    let before = baseline(&world);
    let options = "check ../old/one.json --root ../project --baseline ../known.json";
    for options in [options.to_owned(), format!("{options} --update-baseline")] {
        let mut retval = world.retval();
        retval.current_dir(world.path("project"));
        retval.args(options.split_whitespace());
        run(&mut retval).assert().code(0).stdout(contains("Accepted by the baseline: 2"));
        assert_eq!(baseline(&world), before, "{options}");
    }
}

#[test]
fn a_baseline_names_the_lines_of_a_stream() {
    let world = legacy();
    let valid = stdout(&run(world.retval().args(["instruct"])));
    assert!(!valid.is_empty());
    let lines = format!("{}\n\nDone!\n{}\n", claiming(1), claiming(1));
    world.write("old/log.ndjson", lines);
    check(&world, "--update-baseline -j 2").assert().code(0);
    let known = baseline(&world);
    let of_stream = known["accepted"].as_array().expect("entries").iter();
    let of_stream: Vec<_> = of_stream
        .filter(|entry| entry["source"] == "old/log.ndjson")
        .map(|entry| (entry["line"].as_u64(), entry["rule"].as_str()))
        .collect();
    assert_eq!(
        of_stream,
        [
            (Some(1), Some("artifact-not-found")),
            (Some(3), Some("json-syntax")),
            (Some(4), Some("artifact-not-found"))
        ]
    );
    check(&world, "-j 2").assert().code(0).stderr(is_empty());
}

#[test]
fn the_baseline_in_the_folder_is_no_return() {
    let world = legacy();
    let inside = |options: &str| {
        let options = format!("check old --root project --baseline old/known.json {options}");
        run(world.retval().args(options.split_whitespace()))
    };
    inside("--update-baseline").assert().code(0);
    inside("").assert().code(0).stdout(contains("3 returns"));
}

#[test]
fn a_baseline_that_is_a_folder_or_no_baseline_is_refused() {
    let world = legacy();
    let entry = |text: &str| format!(r#"{{"version": 1, "accepted": [{text}]}}"#);
    for (text, why) in [
        ("Known!".to_owned(), "not a baseline: expected value"),
        (r#"{"version": 2, "accepted": []}"#.to_owned(), "version 2 is not supported (expected 1)"),
        (r#"{"version": 1, "accept": []}"#.to_owned(), "unknown field `accept`"),
        (
            entry(
                r#"{"source": "a", "rule": "artifact-notfound", "fingerprint": "c405c1340197da76c902ae80845a200f", "message": "m", "count": 1, "reason": "x"}"#,
            ),
            "entry 1: unknown rule `artifact-notfound`; did you mean `artifact-not-found`?",
        ),
        (
            entry(
                r#"{"source": "a", "rule": "json-syntax", "fingerprint": "x1", "message": "m", "count": 1, "reason": "x"}"#,
            ),
            "entry 1: the fingerprint must be hexadecimal digits",
        ),
        (
            entry(
                r#"{"source": "a", "rule": "\u001b[31m", "fingerprint": "c405c1340197da76c902ae80845a200f", "message": "m", "count": 1, "reason": "x"}"#,
            ),
            "unknown rule `\\u{1b}[31m`",
        ),
    ] {
        world.write("known.json", &text);
        for options in ["", "--update-baseline"] {
            let refused = check(&world, options);
            let said = contains("cannot use the baseline known.json: ").and(contains(why));
            refused.assert().code(2).stdout(is_empty()).stderr(said);
            assert_eq!(fs::read_to_string(world.path("known.json")).expect("it stays"), text);
        }
    }
    let alone = run(world.retval().args(["check", "old", "--update-baseline"]));
    alone.assert().code(2).stderr(contains("--update-baseline needs --baseline FILE"));
}

#[test]
fn unchecked_entries_are_neither_stale_nor_removed() {
    let world = legacy();
    check(&world, "--update-baseline").assert().code(0);
    let before = baseline(&world);
    let ignoring = "--rule artifact-not-found=off";
    check(&world, ignoring).assert().code(0).stderr(is_empty());
    check(&world, &format!("{ignoring} --update-baseline")).assert().code(0);
    assert_eq!(baseline(&world), before);
    world.write("retval.toml", "[rules]\nartifact-not-found = \"off\"\n");
    check(&world, "").assert().code(0).stderr(is_empty());
}

#[test]
fn options_that_would_hide_new_findings_are_refused() {
    let world = legacy();
    check(&world, "--update-baseline").assert().code(0);
    let refused = check(&world, "--fail-fast");
    refused.assert().code(2).stdout(is_empty()).stderr(contains("use only one of them"));
}

#[test]
fn the_error_log_in_the_folder_is_no_return() {
    let world = legacy();
    for _ in 0..2 {
        let options = "check old --root project --errors-json old/errors.json";
        let output = run(world.retval().args(options.split_whitespace()));
        output.assert().code(1).stdout(contains("3 returns: 1 valid, 2 invalid"));
    }
}

#[test]
fn a_baseline_update_that_cannot_be_written_is_an_error() {
    let world = legacy();
    let folder = check(&world, "--update-baseline --baseline project");
    folder.assert().code(2);
    let nowhere = run(world.retval().args([
        "check",
        "old",
        "--update-baseline",
        "--baseline",
        "no/where.json",
    ]));
    nowhere
        .assert()
        .code(2)
        .stderr(contains("cannot write the baseline no/where.json: No such file"));
}
