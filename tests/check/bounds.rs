//! The cost of a return is bounded, however hostile it is: checking it needs little more memory than its
//! size.

#[path = "../../benches/hostile/mod.rs"]
mod hostile;

use std::fs::File;
use std::io::Write as _;
use std::process::{Command, Output};

use crate::common::{World, feed, piped, stdout};
use assert_cmd::assert::OutputAssertExt as _;
use hostile::{Shape, shapes};
use predicates::str::contains;
use serde_json::{Value, json};

/// Memory that a run may take for each byte of the return, and besides, in bytes.
const TIMES: usize = 4;
const BESIDES: usize = 64 * 1024 * 1024;

/// Runs `retval` with arguments as a shell splits them and no more than `bytes` of memory.
fn bounded(world: &World, arguments: &str, bytes: usize) -> Command {
    let mut bash = Command::new("bash");
    let limit = format!("ulimit -v {}; exec \"$0\" {arguments}", bytes / 1024);
    bash.args(["-c", &limit]).arg(world.retval().get_program());
    bash.current_dir(world.path("")).env_clear();
    bash.env("XDG_RUNTIME_DIR", world.runtime());
    bash
}

fn checked(world: &World, shape: &Shape) -> (usize, Output) {
    let path = world.path("hostile.json");
    let file = File::create(&path).expect("a file");
    // Above the limit of items, and a tenth of what the benchmark has: this program is not optimised.
    let count = shape.count.min((shape.count / 10).max(110_000));
    shape.write(count, file).expect("it is written");
    let bytes = usize::try_from(path.metadata().expect("a file").len()).expect("few");
    let arguments = format!("check hostile.json --format jsonl {}", shape.options);
    let mut command = bounded(world, &arguments, TIMES * bytes + BESIDES);
    (bytes, command.output().expect("it runs"))
}

#[test]
fn every_hostile_input_gets_its_verdict_in_little_memory() {
    let world = World::new();
    for shape in shapes() {
        let (bytes, output) = checked(&world, &shape);
        let name = shape.name;
        let record: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
        let findings = record["findings"].as_array().unwrap_or_else(|| {
            panic!("{name}, {bytes} bytes: {}", crate::common::stderr(&output));
        });
        let is_found = findings
            .iter()
            .any(|finding| finding["rule"] == shape.rule && finding["level"] == "error");
        assert_eq!(is_found, !shape.rule.is_empty(), "{name}: {:?}", findings.first());
        output.assert().code(i32::from(is_found)).stderr("");
    }
}

#[test]
fn a_return_with_too_many_items_or_keys_is_refused() {
    let world = World::new();
    let most = 100_000;
    for (profile, start, item, end, rule) in [
        ("return", r#"{"status":"BLOCKED","artifacts":["#, "1", "]}", "field-type"),
        ("return", r#"{"status":"BLOCKED","x":{"#, "\"a\":1", "}}", "json-duplicate-key"),
        ("handoff", r#"{"status":"BLOCKED","tests_run":{"#, "\"a\":1", "}}", "json-duplicate-key"),
    ] {
        let options = format!("--profile {profile} --format jsonl");
        for (count, refused) in [(most - 1, false), (most + 1, true)] {
            let items = vec![item; count].join(",");
            let output = piped(&world, &options, format!("{start}{items}{end}"));
            let record: Value = serde_json::from_str(&stdout(&output)).expect("a record");
            let found = &record["findings"][0];
            if refused {
                assert_eq!(found["rule"], "json-limit");
                let message = "Return exceeds a limit: more than 100000 items and keys";
                assert_eq!(found["message"], message);
                assert_eq!(record["findings"].as_array().map(Vec::len), Some(1));
            } else {
                let findings = record["findings"].as_array().expect("findings");
                assert!(findings.iter().any(|finding| finding["rule"] == rule), "{found}");
                assert!(findings.iter().all(|finding| finding["rule"] != "json-limit"));
            }
        }
    }
}

#[test]
fn the_limit_is_reported_at_the_position_where_reading_stopped() {
    let world = World::new();
    let text = format!("{{\"status\":\"x\",\n\"artifacts\":[\n{}1]}}", "1,".repeat(100_000));
    piped(&world, "", text).assert().code(1).stdout(contains("       at -:3:200002\n"));
}

#[test]
fn findings_below_a_long_key_are_counted_without_repeating_it() {
    let world = World::new();
    let members: Vec<_> = (0..5_000).map(|number| format!("\"k{number}\":1")).collect();
    let text = format!(
        r#"{{"from_agent":"qa_expert","status":"BLOCKED","summary":"Blocked","tests_run":{{"{}":{{{}}}}}}}"#,
        "k".repeat(2_000_000),
        members.join(",")
    );
    // Were the key copied for each of them, that would be 10 GB.
    let options = "--profile handoff --rule field-unknown=error --format jsonl";
    let output = piped(&world, options, text);
    let record: Value = serde_json::from_str(&stdout(&output)).expect("a record");
    let kept = record["findings"].as_array().expect("findings").len();
    let omitted = record["findings_omitted"].as_u64().expect("a number");
    // One finding more names the members that the handoff lacks.
    assert_eq!(u64::try_from(kept).expect("few") + omitted, 5_001);
}

#[test]
fn a_line_of_any_length_is_skipped_in_constant_memory() {
    let world = World::new();
    let good = r#"{"status":"BLOCKED"}"#;
    let long = "x".repeat(64 * 1024 * 1024);
    let arguments = "check --lines -j 1 --profile compact --max-bytes 1000000 --format jsonl";
    // Less than the line. An unoptimised program needs most of it to be loaded.
    let mut command = bounded(&world, arguments, 48 * 1024 * 1024);
    let output = feed(&mut command, format!("{good}\n\"{long}\"\n{good}\n"));
    let valid: Vec<_> = stdout(&output)
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("a record")["valid"].clone())
        .collect();
    assert_eq!(valid, [true, false, true]);
    output.assert().code(1);
}

#[test]
fn a_hook_keeps_only_the_payload_members_it_needs() {
    let world = World::new();
    let items = "{},".repeat(1_000_000);
    let payload = format!(
        r#"{{"hook_event_name":"SubagentStop","x":[{items}1],"stop_hook_active":false,"agent_type":"planner","last_assistant_message":"Done.","tool_response":{{"content":[{items}1]}}}}"#
    );
    let mut command = bounded(&world, "hook", TIMES * payload.len() + 32 * 1024 * 1024);
    let output = feed(&mut command, &payload);
    let answer: Value = serde_json::from_str(&stdout(&output)).expect("an answer");
    assert_eq!(answer["decision"], json!("block"), "{answer}");
}

/// What a process costs before it does anything depends on how it is linked; the version costs that
/// much, too.
#[cfg(target_os = "linux")]
#[test]
fn one_return_takes_few_system_calls() {
    let world = World::new();
    world.write("plan.md", "text");
    world.write("return.json", RETURNED);
    let check = system_calls(&world, "check return.json --root . --no-config");
    let version = system_calls(&world, "--version");
    assert!(check <= version + 19, "{check}, {version} for the version");
}

/// Each further file of a folder is opened, read and closed, and each further artifact looked at
/// besides. What was found once is not looked up again.
#[cfg(target_os = "linux")]
#[test]
fn a_further_return_takes_few_system_calls() {
    let world = World::new();
    for number in 0..40 {
        world.write(&format!("{number}.md"), "text");
        let own = RETURNED.replace("plan.md", &format!("{number}.md"));
        for (folder, returned) in [("same", &*RETURNED.replace("plan.md", "0.md")), ("own", &own)] {
            if number < 20 {
                world.write(&format!("{folder}20/{number}.json"), returned);
            }
            world.write(&format!("{folder}40/{number}.json"), returned);
        }
    }
    let of = |folder: &str| {
        let calls = |count| system_calls(&world, &format!("check {folder}{count} --root . -j 1"));
        // Rounded, because the memory of the process grows in a few calls.
        (calls(40) - calls(20) + 10) / 20
    };
    // Its size is asked for, so that no read more tells that it is over.
    let read = 2;
    // A debug build of the standard library's functions looks at what it closes.
    let close = if cfg!(debug_assertions) { 2 } else { 1 };
    let open = 1;
    let a_file = open + read + close;
    // Before an artifact is opened, it is looked at without being opened for reading.
    let an_artifact = (open + 1 + close) + (open + 1 + close);
    assert_eq!((of("same"), of("own")), (a_file, a_file + an_artifact));
}

#[cfg(target_os = "linux")]
const RETURNED: &str = r#"{"status": "completed", "summary": "Wrote it. It is there.", "artifacts": [{"type": "plan", "path": "plan.md", "summary": "Plan"}], "metadata": {"session_id": "s", "duration_seconds": 1, "agent_type": "planner", "delegation_depth": 1, "delegation_path": ["orchestrator", "planner"]}}"#;

#[cfg(target_os = "linux")]
fn system_calls(world: &World, arguments: &str) -> usize {
    let mut command = Command::new(world.retval().get_program());
    command.args(arguments.split(' '));
    command.current_dir(world.path(""));
    crate::traced::system_calls(&command)
}

#[test]
fn the_hook_says_of_a_message_that_it_is_too_large_in_a_few_times_its_size() {
    const LENGTH: usize = 128 * 1024 * 1024;
    let world = World::new();
    let path = world.path("payload");
    let mut file = std::io::BufWriter::new(File::create(&path).expect("a file"));
    let head = r#"{"hook_event_name": "SubagentStop", "session_id": "s", "agent_id": "a", "agent_type": "planner",
        "stop_hook_active": false, "last_assistant_message": ""#;
    file.write_all(head.as_bytes()).expect("room");
    let part = vec![b'a'; 64 * 1024];
    for _ in 0..LENGTH / part.len() {
        file.write_all(&part).expect("room");
    }
    file.write_all(b"\"}").expect("room");
    drop(file);
    let mut command = bounded(&world, "hook < payload", LENGTH * 5);
    let output = command.output().expect("it runs");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        text.starts_with("{\"decision\":\"block\",") && text.contains("16777216"),
        "{text}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert_eq!(output.status.code(), Some(0));
}

/// What pushes nothing out: many warnings, warnings whose pointers are longer than what is kept, and a message
/// that is longer than a block of feedback.
#[test]
fn the_only_error_is_in_every_output_whatever_is_before_it() {
    let world = World::new();
    let returned = |artifacts: &[Value], status: &str| {
        json!({
            "status": status, "summary": "It is done. It is good.", "artifacts": artifacts,
            "metadata": {"session_id": "s", "agent_type": "a", "delegation_depth": 1, "delegation_path": ["orchestrator", "a"]},
        })
    };
    let artifact = |kind: String, path: &str| json!({"type": kind, "path": path, "summary": "x"});
    let gone = artifact("plan".to_owned(), "gone.md");
    let known = (0..1_200).map(|number| artifact(format!("plan-{number}"), "retval.toml"));
    let many: Vec<_> = known.chain([gone.clone()]).collect();
    let mut with_key = returned(&[gone], "completed");
    with_key["k".repeat(3_000_000)] = json!({"a": 1});
    let words: Vec<_> =
        (0..200).map(|number| format!("word-number-{number} = \"success\"")).collect();
    let profile =
        format!("[profiles.wide]\nextends = \"return\"\nstatuses = {{ {} }}\n", words.join(", "));
    world.write("retval.toml", profile);
    for (returned, profile, error) in [
        (returned(&many, "completed"), "return", "rtifact does not exist: gone.md"),
        (with_key, "return", "rtifact does not exist: gone.md"),
        (returned(&[], "unheard-of"), "wide", "nvalid status: unheard-of"),
    ] {
        world.write("in.json", returned.to_string());
        let options = format!("in.json --profile {profile} --rule field-unknown=warning");
        for format in
            "text concise json jsonl github sarif junit markdown feedback failed-return".split(' ')
        {
            let text = stdout(&world.check(&format!("{options} --format {format}")));
            assert!(text.contains(error), "{format}: {}", &text[..text.len().min(400)]);
        }
        world.check(&format!("{options} -q --errors-json errors.json"));
        let log = std::fs::read_to_string(world.path("errors.json")).expect("a log");
        let log: Value = serde_json::from_str(&log).expect("JSON");
        let record = log["errors"].as_array().and_then(|it| it.last());
        let message = record.expect("a record")["message"].to_string();
        assert!(message.contains(error), "{message}");
        let event = json!({
            "hook_event_name": "SubagentStop", "session_id": "s", "agent_id": error, "agent_type": "planner",
            "stop_hook_active": false, "last_assistant_message": returned.to_string(),
        });
        let answer =
            world.hook(&format!("--profile {profile} --rule field-unknown=warning"), &event);
        let said = answer.expect("an answer")["reason"].to_string();
        assert!(said.contains(error), "{said}");
    }
}
