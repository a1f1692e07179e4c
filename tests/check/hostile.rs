//! Input from an attacker, or from a manipulated model.

use std::os::unix::fs::symlink;
use std::process::Output;

use crate::common::{World, feed, piped, stderr, stdout};
use assert_cmd::assert::OutputAssertExt as _;
use predicates::str::contains;
use serde_json::Value;

fn record(output: &Output) -> Value {
    serde_json::from_str(&stdout(output)).expect("a record")
}

/// A valid return that claims one path.
fn claiming(path: &str) -> String {
    let path = serde_json::to_string(path).expect("JSON");
    format!(
        r#"{{"status":"completed","summary":"One thing. Another.","artifacts":[{{"type":"plan","path":{path},"summary":"x"}}],"metadata":{{"session_id":"s","agent_type":"a","delegation_depth":1,"delegation_path":["orchestrator","a"]}}}}"#
    )
}

#[test]
fn broken_text_of_any_script_is_a_finding() {
    let world = World::new();
    let words =
        ["über", "“en", "😀r", "é", "表x", "-Inf", "-N", "ü-Infinit", "Tru", "\u{feff}", "\0"];
    for word in words {
        for text in [
            format!("{{\"a\":\"{word}\nb\"}}"),
            format!("{{\"a\":{word}}}"),
            format!("{{{word}:1}}"),
            format!("[{word}]"),
            format!("{{}}{word}"),
            word.to_owned(),
        ] {
            for end in 0..=text.len() {
                let options = if end % 2 == 0 { "--extract" } else { "" };
                let output = piped(&world, options, &text.as_bytes()[..end]);
                output.assert().code(1).stderr("");
            }
        }
    }
}

#[test]
fn a_summary_of_full_stops_takes_no_longer_than_any_other() {
    let world = World::new();
    for part in [
        ".", "A. ", "Dr. ", "No. 1", "J.", "。", "a。", "é. ", ". ", "1. a", "e.g. ", "?!\u{a0}",
        ".)",
    ] {
        for space in ["", &" ".repeat(100_000)] {
            let summary = part.repeat(200_000 / part.len()) + space + "a";
            let text = claiming("x").replace("One thing. Another.", &summary);
            piped(&world, "", text).assert().code(1).stdout(contains("Summary is too long"));
        }
    }
}

#[test]
fn a_long_key_is_not_repeated_with_every_finding_below_it() {
    let world = World::new();
    let members = vec!["\"a\":1"; 2_000].join(",");
    let text = format!("{{\"{}\":{{{members}}}}}", "k".repeat(2_000_000));
    for format in ["text", "json"] {
        let output = piped(&world, &format!("--format {format}"), &text);
        assert!(output.stdout.len() < 5_000_000, "{}", output.stdout.len());
        output.assert().code(1);
    }
    let record = record(&piped(&world, "--format jsonl", &text));
    let kept = record["findings"].as_array().expect("findings").len();
    assert_eq!(
        u64::try_from(kept).expect("few") + record["findings_omitted"].as_u64().expect("a number"),
        1_999 + 1
    );
}

#[test]
fn a_successful_handoff_without_files_is_phantom_work() {
    let world = World::new();
    for claims in [
        r#""files_created":["","  "]"#,
        r#""artifacts":{"reasoning":null}"#,
        r#""artifacts":{"reasoning":""}"#,
    ] {
        let text = format!(
            r#"{{"from_agent":"developer","status":"READY_FOR_QA","summary":"x",{claims}}}"#
        );
        piped(&world, "--profile handoff", text).assert().code(1);
    }
}

#[test]
fn no_object_is_taken_out_of_a_broken_return() {
    let world = World::new();
    let inner = claiming("docs/tides.md");
    for text in [
        format!(r#"{{"status":"failed",, "nested": {inner}}}"#),
        format!(r#"{{"status":"failed","summary":"uses C:\work","last_good":{inner}}}"#),
        format!(r#"Done. {{"status":"failed" "nested": {inner}}}"#),
    ] {
        let output = piped(&world, "--extract --root project", text);
        output.assert().code(1).stdout(contains("[FAIL] Invalid JSON return"));
    }
}

#[test]
fn links_and_dots_are_judged_by_their_target() {
    let world = World::new();
    symlink(world.path("project/docs/tides.md"), world.path("project/absolute.md"))
        .expect("a link");
    symlink(world.path("project"), world.path("alias")).expect("a link");
    let absolute = |path: &str| world.path(path).display().to_string();
    for (path, rules) in [
        ("absolute.md".to_owned(), vec![]),
        (absolute("alias/docs/tides.md"), vec!["artifact-not-relative"]),
        (absolute("rules/../project/docs/tides.md"), vec!["artifact-not-relative"]),
        (absolute("no/such/../../project/docs/tides.md"), vec!["artifact-not-relative"]),
        (absolute("project/../../../etc/passwd"), vec!["artifact-outside-root"]),
        (absolute("project/docs/gone.md"), vec!["artifact-not-relative", "artifact-not-found"]),
        ("../project/docs/tides.md".to_owned(), vec!["artifact-not-relative"]),
        (
            "../project/../project/docs/gone.md".to_owned(),
            vec!["artifact-not-relative", "artifact-not-found"],
        ),
        // Where a folder leads is known to the system alone, so this is not followed as text.
        ("docs/../../project/docs/tides.md".to_owned(), vec!["artifact-outside-root"]),
        ("no/such/../../../project/docs/tides.md".to_owned(), vec!["artifact-outside-root"]),
        ("docs/../docs/./tides.md".to_owned(), vec![]),
        ("docs/../../other/docs/tides.md".to_owned(), vec!["artifact-outside-root"]),
        ("../other/docs/tides.md".to_owned(), vec!["artifact-outside-root"]),
        ("/proc/self/cwd/project/docs/tides.md".to_owned(), vec!["artifact-not-relative"]),
    ] {
        let output = piped(&world, "--root project --format jsonl", claiming(&path));
        let record = record(&output);
        let found: Vec<_> = record["findings"]
            .as_array()
            .expect("findings")
            .iter()
            .map(|finding| &finding["rule"])
            .collect();
        assert_eq!(found, rules, "{path}");
    }
}

#[test]
fn an_unknown_agent_gets_the_statuses_of_the_agent_that_was_called() {
    let world = World::new();
    let text = r#"{"from_agent":"Developer","status":"BAZINGA","summary":"x","files_created":["docs/tides.md"]}"#;
    let output = piped(&world, "--profile handoff --agent developer --root project", text);
    output.assert().code(1).stdout(contains("[FAIL] Invalid status: BAZINGA"));
    piped(&world, "--profile handoff --root project", text).assert().code(0);
}

#[test]
fn older_workflow_commands_and_invisible_spaces_are_seen() {
    let world = World::new();
    for (status, shown) in [
        (
            "##vso[task.setvariable variable=x]y",
            "[FAIL] Invalid status: #\\u{23}vso[task.setvariable variable=x]y\n",
        ),
        ("##[set-env name=A]b", "[FAIL] Invalid status: #\\u{23}[set-env name=A]b\n"),
        ("completed\u{a0}", "[FAIL] Invalid status: completed\\u{a0}\n"),
        ("\u{2800}completed ", "[FAIL] Invalid status: \\u{2800}completed\\u{20}\n"),
    ] {
        let text =
            claiming("x").replace("\"completed\"", &serde_json::to_string(status).expect("JSON"));
        piped(&world, "", &text).assert().code(1).stdout(contains(shown));
        let output = piped(&world, "--format jsonl", &text);
        assert!(!stdout(&output).contains("##"));
        assert_eq!(record(&output)["status"], status);
    }
}

#[test]
fn a_handoff_is_checked_with_the_levels_of_the_run() {
    let world = World::new();
    world.write(
        "project/bazinga/artifacts/s/g/handoffs/handoff_developer.json",
        r#"{"from_agent":"developer","status":"READY_FOR_QA","summary":"x","files_created":["gone.md"]}"#,
    );
    let options = "--profile compact --session s --group g --agent developer --root project";
    let status = r#"{"status":"READY_FOR_QA"}"#;
    piped(&world, options, status)
        .assert()
        .code(1)
        .stdout(contains("Artifact does not exist: gone.md"));
    piped(&world, &format!("{options} --rule artifact-not-found=off"), status).assert().code(0);
}

#[test]
fn a_sparse_file_of_huge_size_costs_nothing() {
    let world = World::new();
    let file = std::fs::File::create(world.path("sparse.json")).expect("a file");
    file.set_len(1 << 40).expect("a sparse file");
    world.check("sparse.json").assert().code(1).stdout(contains("larger than 16777216 bytes"));
}

#[test]
fn the_folder_of_a_bare_file_name_is_looked_up() {
    let world = World::new();
    let text = r#"{"from_agent":"developer","status":"BLOCKED","summary":"x"}"#;
    world.write("handoffs/A_dev.json", text);
    let mut retval = world.retval();
    let output = retval
        .current_dir(world.path("handoffs"))
        .args(["check", "A_dev.json", "--format", "jsonl"])
        .output();
    assert_eq!(record(&output.expect("it runs"))["profile"], "handoff");
}

#[test]
fn a_system_error_is_not_reported_as_a_missing_file() {
    let world = World::new();
    // Four descriptors are the three streams and the root.
    let mut bash = std::process::Command::new("bash");
    bash.args(["-c", "ulimit -n 4; exec \"$0\" check --root project"])
        .arg(world.retval().get_program());
    let output = feed(bash.current_dir(world.path("")), claiming("docs/tides.md"));
    assert!(!stdout(&output).contains("does not exist"), "{}{}", stdout(&output), stderr(&output));
    assert_ne!(output.status.code(), Some(0));
}
