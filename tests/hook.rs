//! `retval hook`: each harness's payloads end to end.

mod common;

use std::fs;
use std::process::Output;
use std::time::{Duration, SystemTime};

use common::{World, feed, fixtures, stderr, stdout};
use serde_json::{Value, json};

/// Payloads of agents that end, what their harness takes as an answer, and the member with the
/// reason to go on.
const STOPS: [(&str, &[&str], &str); 7] = [
    (
        "claude-code-stop",
        &[
            "decision",
            "reason",
            "systemMessage",
            "continue",
            "stopReason",
            "suppressOutput",
            "hookSpecificOutput",
        ],
        "reason",
    ),
    (
        "claude-code-tool",
        &["decision", "reason", "systemMessage", "hookSpecificOutput"],
        "reason",
    ),
    (
        "codex-stop",
        &[
            "continue",
            "stopReason",
            "suppressOutput",
            "systemMessage",
            "decision",
            "reason",
        ],
        "reason",
    ),
    (
        "copilot-stop",
        &["decision", "reason", "modifiedResponse"],
        "reason",
    ),
    (
        "copilot-stop-snake",
        &["decision", "reason", "modifiedResponse"],
        "reason",
    ),
    (
        "gemini-tool",
        &[
            "decision",
            "reason",
            "systemMessage",
            "hookSpecificOutput",
            "continue",
        ],
        "reason",
    ),
    ("cursor-stop", &["followup_message"], "followup_message"),
];

const VALID: &str = r#"{"status":"completed","summary":"The plan is made. It has three phases.","artifacts":[{"type":"plan","path":"docs/tides.md","summary":"x"}],"metadata":{"session_id":"5f2c","agent_type":"planner","delegation_depth":1,"delegation_path":["orchestrator","planner"]}}"#;

fn payload(world: &World, name: &str, message: &str) -> Value {
    let text = fs::read_to_string(fixtures().join("hooks").join(name).with_extension("json"))
        .expect("a payload");
    let inner = |text: &str| {
        serde_json::to_string(text)
            .expect("JSON")
            .trim_matches('"')
            .to_owned()
    };
    let quoted = serde_json::to_string(message).expect("JSON");
    let text = text.replace("{message}", &quoted[1..quoted.len() - 1]);
    let project = world.path("project").display().to_string();
    serde_json::from_str(&text.replace("{cwd}", &inner(&project))).expect("JSON")
}

fn hook(world: &World, options: &str, input: impl AsRef<[u8]>) -> Output {
    let mut command = world.retval();
    command
        .arg("hook")
        .args(options.split_whitespace())
        .env("XDG_RUNTIME_DIR", world.path("run"));
    fs::create_dir_all(world.path("run")).expect("a folder");
    let output = feed(&mut command, input);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    output
}

fn call(world: &World, options: &str, payload: &Value) -> Option<Value> {
    let output = stdout(&hook(world, options, payload.to_string()));
    (!output.is_empty())
        .then(|| serde_json::from_str(&output).unwrap_or_else(|error| panic!("{error}: {output}")))
}

#[test]
fn a_start_is_answered_with_the_instruction_for_its_session() {
    let world = World::new();
    let start = payload(&world, "claude-code-start", "");
    let answer = call(&world, "", &start).expect("an answer");
    assert_eq!(
        answer["hookSpecificOutput"]["hookEventName"],
        "SubagentStart"
    );
    let text = answer["hookSpecificOutput"]["additionalContext"]
        .as_str()
        .expect("text");
    assert!(
        text.contains(
            "metadata.session_id is the session id that your task gives you; if it gives none, metadata.session_id is \"5f2c\"."
        ) && text.contains("\"agent_type\": \"planner\""),
        "{text}"
    );
    let answer = call(&world, "--session mine", &start).expect("an answer");
    assert!(answer.to_string().contains("mine"));
}

#[test]
fn a_valid_return_is_answered_with_nothing() {
    let world = World::new();
    for (name, _, _) in STOPS {
        assert_eq!(
            call(&world, "", &payload(&world, name, VALID)),
            None,
            "{name}"
        );
    }
}

#[test]
fn an_invalid_return_is_sent_back_once_and_then_accepted() {
    for (name, allowed, reason) in STOPS {
        let world = World::new();
        let mut stop = payload(&world, name, "I have made the plan.");
        let answer = call(&world, "--errors-json errors.json", &stop).expect("an answer");
        let keys: Vec<_> = answer.as_object().expect("an object").keys().collect();
        assert!(
            keys.iter().all(|key| allowed.contains(&key.as_str())),
            "{name}: {keys:?}"
        );
        let text = answer[reason].as_str().expect("a reason");
        assert!(
            text.contains("Cannot parse return as JSON: it is plain text")
                || text.contains("prose"),
            "{name}: {text}"
        );
        if name.ends_with("tool") {
            // The agent has ended: its caller is warned, each time.
            assert!(
                text.starts_with("The return of planner is invalid"),
                "{name}: {text}"
            );
            continue;
        }
        assert!(
            text.contains("Return the complete JSON object again"),
            "{name}: {text}"
        );
        assert!(
            !world.path("errors.json").exists(),
            "{name}: it may still come right"
        );
        if stop.get("stop_hook_active").is_some() {
            stop["stop_hook_active"] = true.into();
        }
        if stop.get("loop_count").is_some() {
            stop["loop_count"] = 1.into();
        }
        let answer = call(&world, "--errors-json errors.json", &stop);
        assert!(
            answer
                .as_ref()
                .is_none_or(|answer| answer[reason].is_null()),
            "{name}: {answer:?}"
        );
        let is_replaced = answer
            .as_ref()
            .is_some_and(|it| it["modifiedResponse"].is_string());
        assert_eq!(is_replaced, name.starts_with("copilot"), "{name}");
        let keys = answer.as_ref().map(|answer| {
            answer
                .as_object()
                .expect("an object")
                .keys()
                .cloned()
                .collect::<Vec<_>>()
        });
        assert!(
            keys.unwrap_or_default()
                .iter()
                .all(|key| allowed.contains(&key.as_str())),
            "{name}"
        );
        let log: Value =
            serde_json::from_str(&fs::read_to_string(world.path("errors.json")).expect("a log"))
                .expect("JSON");
        assert_eq!(log["errors"].as_array().map(Vec::len), Some(1), "{name}");
        let left = fs::read_dir(world.path("run")).expect("a folder").flatten();
        let left = left
            .filter_map(|folder| fs::read_dir(folder.path()).ok())
            .flatten();
        let left: Vec<_> = left
            .flatten()
            .filter(|file| file.path().extension() == Some("count".as_ref()))
            .collect();
        assert!(left.is_empty(), "{name}: nothing is left of the count");
    }
}

#[test]
fn retries_are_counted_for_each_agent() {
    let world = World::new();
    let mut stop = payload(&world, "claude-code-stop", "no JSON");
    let blocks = |stop: &Value| {
        call(&world, "--retries 3", stop).is_some_and(|answer| answer["decision"] == "block")
    };
    assert!(blocks(&stop));
    stop["stop_hook_active"] = true.into();
    assert!(blocks(&stop) && blocks(&stop));
    let mut other = stop.clone();
    other["agent_id"] = "a2".into();
    assert!(blocks(&other));
    assert!(!blocks(&stop));
    let copilot = payload(&world, "copilot-stop", "no JSON");
    let answers: Vec<_> = (0..4)
        .map(|_| call(&world, "--retries 2", &copilot).is_some_and(|it| it["decision"] == "block"))
        .collect();
    assert_eq!(
        answers,
        [true, true, false, true],
        "let go, and then a new start"
    );
    let snake = payload(&world, "copilot-stop-snake", "no JSON");
    let answer = call(&world, "--retries 0", &snake).expect("an answer");
    assert!(answer["decision"].is_null(), "{answer}");
}

#[test]
fn observing_never_sends_back() {
    for (name, allowed, reason) in STOPS {
        let world = World::new();
        let answer = call(
            &world,
            "--observe --errors-json errors.json",
            &payload(&world, name, "no JSON"),
        );
        assert!(
            answer
                .as_ref()
                .is_none_or(|answer| answer[reason].is_null()),
            "{name}: {answer:?}"
        );
        let keys = answer.map(|answer| {
            answer
                .as_object()
                .expect("an object")
                .keys()
                .cloned()
                .collect::<Vec<_>>()
        });
        assert!(
            keys.unwrap_or_default()
                .iter()
                .all(|key| allowed.contains(&key.as_str())),
            "{name}"
        );
        assert!(world.path("errors.json").exists(), "{name}");
    }
}

#[test]
fn foreign_events_pass_without_output() {
    let world = World::new();
    let stop = payload(&world, "claude-code-stop", "no JSON");
    let with = |key: &str, value: Value| {
        let mut stop = stop.clone();
        stop[key] = value;
        stop
    };
    let mut launched = payload(&world, "claude-code-tool", "no JSON");
    launched["tool_response"] =
        json!({ "status": "async_launched", "agentId": "a1", "outputFile": "/t/o" });
    let mut aborted = payload(&world, "cursor-stop", "no JSON");
    aborted["status"] = "aborted".into();
    for quiet in [
        with("agent_type", "".into()),
        with("agent_type", Value::Null),
        with("hook_event_name", "Stop".into()),
        with("hook_event_name", "Notification".into()),
        with("hook_event_name", Value::Null),
        launched,
        aborted,
        json!({}),
        json!([]),
    ] {
        assert_eq!(call(&world, "", &quiet), None, "{quiet}");
    }
    let nothing = hook(&world, "", "");
    assert_eq!(stdout(&nothing), "");
    assert_eq!(
        stderr(&nothing),
        "note: retval hook: there is no payload on standard input\n"
    );
    assert_eq!(
        call(&world, "--agents research* --agents Explore", &stop),
        None
    );
    assert!(call(&world, "--agents plan*", &stop).is_some());
}

#[test]
fn text_that_a_harness_puts_around_a_message_is_forgiven() {
    let world = World::new();
    for message in [
        format!("[harness: subagent output matched instruction-shaped pattern(s): x]\n{VALID}"),
        format!("{VALID}\n\nagentId: a1\n<usage>total_tokens: 9</usage>"),
        format!("task_id: t1 (done)\n\n<task_result>\n{VALID}\n</task_result>"),
        format!("```json\n{VALID}\n```"),
    ] {
        assert_eq!(
            call(
                &world,
                "--strict",
                &payload(&world, "claude-code-stop", &message)
            ),
            None,
            "{message}"
        );
    }
}

#[test]
fn the_metadata_file_is_checked_in_the_place_of_the_message() {
    let world = World::new();
    let options = "--profile return-meta --return-file specs/*/.return-meta.json";
    let file = |status: &str, agent: &str| {
        let text = fs::read_to_string(
            fixtures().join("profiles/return-meta/planned/specs/12_tide_tables/.return-meta.json"),
        )
        .expect("a fixture");
        text.replace("\"planned\"", &format!("\"{status}\""))
            .replace("planner-agent", agent)
            .replace("sess_1767225600_k3m9qa", "5f2c")
    };
    let stop = payload(&world, "claude-code-stop", "The plan is made.");
    let answer = call(&world, options, &stop).expect("an answer").to_string();
    assert!(
        answer.contains("No file written by this agent matches"),
        "{answer}"
    );
    world.write(
        "project/specs/1/.return-meta.json",
        file("planned", "planner"),
    );
    set_age(
        &world,
        "project/specs/1/.return-meta.json",
        Duration::from_secs(10),
    );
    world.write(
        "project/specs/2/.return-meta.json",
        file("banana", "somebody-else"),
    );
    assert_eq!(call(&world, options, &stop), None);
    world.write(
        "project/specs/1/.return-meta.json",
        file("in_progress", "planner"),
    );
    let answer = call(&world, options, &stop).expect("an answer").to_string();
    assert!(
        answer.contains("Your status is still in_progress") && answer.contains("You stopped"),
        "{answer}"
    );
}

/// A metadata file of the planner, and the options with which the hook looks for it.
fn metadata_file() -> (String, &'static str) {
    let text = fs::read_to_string(
        fixtures().join("profiles/return-meta/planned/specs/12_tide_tables/.return-meta.json"),
    )
    .expect("a fixture");
    let text = text.replace("planner-agent", "planner");
    let text = text.replace("sess_1767225600_k3m9qa", "5f2c");
    let options = "--profile return-meta --return-file specs/*/.return-meta.json";
    (text, options)
}

/// Sets when a file of the world was last changed: so long ago.
fn set_age(world: &World, path: &str, age: Duration) {
    let file = fs::File::options()
        .write(true)
        .open(world.path(path))
        .expect("a file");
    let time = SystemTime::now().checked_sub(age).expect("a time");
    file.set_modified(time).expect("a time");
}

#[test]
fn a_file_from_before_the_start_is_not_accepted() {
    let world = World::new();
    let (text, options) = metadata_file();
    let path = "project/specs/1/.return-meta.json";
    let start = payload(&world, "claude-code-start", "");
    let stop = payload(&world, "claude-code-stop", "The plan is made.");
    world.write(path, &text);
    set_age(&world, path, Duration::from_hours(48));
    assert_eq!(
        call(&world, options, &stop),
        None,
        "nobody knows when it started"
    );
    assert!(call(&world, options, &start).is_some());
    let answer = call(&world, options, &stop).expect("an answer");
    let reason = answer["reason"].as_str().expect("a reason");
    assert_eq!(answer["decision"], "block");
    let missing = "No file written by this agent matches specs/*/.return-meta.json \
                   (specs/1/.return-meta.json is from an earlier run or from another agent): \
                   write one before you end. The form is:\n{";
    assert!(reason.starts_with(missing), "{reason}");
    world.write(path, &text);
    assert_eq!(call(&world, options, &stop), None);
    set_age(&world, path, Duration::from_hours(1));
    assert_eq!(call(&world, options, &stop), None, "its start is forgotten");
}

#[test]
fn a_file_that_was_accepted_for_a_sibling_is_not_accepted_again() {
    let world = World::new();
    let (text, options) = metadata_file();
    let path = "project/specs/1/.return-meta.json";
    let of = |name: &str, id: &str| {
        let mut payload = payload(&world, name, "The plan is made.");
        payload["agent_id"] = id.into();
        payload
    };
    for id in ["a1", "a2"] {
        assert!(call(&world, options, &of("claude-code-start", id)).is_some());
    }
    world.write(path, &text);
    assert_eq!(call(&world, options, &of("claude-code-stop", "a1")), None);
    let answer = call(&world, options, &of("claude-code-stop", "a2")).expect("an answer");
    assert_eq!(answer["decision"], "block");
    assert!(
        answer["reason"].to_string().contains("from another agent"),
        "{answer}"
    );
    assert_eq!(
        call(&world, options, &of("claude-code-stop", "a1")),
        None,
        "it is its own"
    );
    world.write("project/specs/2/.return-meta.json", &text);
    assert_eq!(call(&world, options, &of("claude-code-stop", "a2")), None);
}

#[test]
fn a_return_behind_much_prose_is_sent_back() {
    let world = World::new();
    let stop = |length: usize| {
        let message = format!("{}\n{VALID}", "x".repeat(length - 1));
        payload(&world, "claude-code-stop", &message)
    };
    assert_eq!(call(&world, "", &stop(1_600)), None);
    let answer = call(&world, "", &stop(1_700)).expect("an answer");
    let reason = answer["reason"].as_str().expect("a reason");
    assert_eq!(answer["decision"], "block");
    let expected = "Text around the return is too long: 425 tokens (limit 400). \
                    Return only the JSON object";
    assert!(reason.contains(expected), "{reason}");
    assert_eq!(call(&world, "--off json-wrapped-long", &stop(1_700)), None);
}

#[test]
fn on_its_own_failure_the_hook_lets_the_agent_go_unless_fail_closed() {
    let world = World::new();
    let mut stop = payload(&world, "claude-code-stop", VALID);
    stop["cwd"] = "/no/such/folder".into();
    let answer = call(&world, "", &stop).expect("an answer");
    assert!(
        answer["decision"].is_null()
            && answer["systemMessage"]
                .to_string()
                .contains("could not check"),
        "{answer}"
    );
    // All errors of the configuration stand in one line.
    world.write("wrong.toml", "strct = true\nagnt = 1\n");
    let answer = call(
        &world,
        "--config wrong.toml",
        &payload(&world, "claude-code-stop", VALID),
    );
    let answer = answer.expect("an answer")["systemMessage"].to_string();
    assert!(answer.contains("; wrong.toml:2:1: unknown key"), "{answer}");
    assert!(!answer.contains("error:"), "{answer}");
    let answer = call(&world, "--fail-closed", &stop).expect("an answer");
    assert_eq!(answer["decision"], "block");
    stop["stop_hook_active"] = true.into();
    let answer = call(&world, "--fail-closed", &stop).expect("an answer");
    assert!(answer["decision"].is_null(), "not for ever");
    stop["stop_hook_active"] = false.into();
    let gemini = payload(&world, "gemini-tool", VALID);
    let answer = call(&world, "--fail-closed --root no/such", &gemini).expect("an answer");
    assert_eq!(answer["decision"], "deny");
    let options = "--fail-closed --retires 2";
    let answer = call(&world, options, &stop).expect("an answer");
    assert_eq!(answer["decision"], "block", "{options}");
    let mut nameless = stop.clone();
    nameless["agent_type"] = "".into();
    let answer = call(&world, options, &nameless).expect("an answer");
    assert!(answer["decision"].is_null(), "without a name");
    let mut again = stop.clone();
    again["stop_hook_active"] = true.into();
    let answer = call(&world, options, &again).expect("an answer");
    assert!(answer["decision"].is_null(), "{options}, once");
    let answer = call(&world, &format!("{options} --observe"), &stop).expect("an answer");
    assert!(answer["decision"].is_null(), "observing");
    for input in ["not JSON", "{", "\u{feff}{}", "\"x\""] {
        let output = stdout(&hook(&world, "--fail-closed", input));
        assert!(!output.contains("decision"), "{output}");
    }
    for options in [
        "--retires 1",
        "--profile x",
        "--retries x",
        "--off nothing",
        "extra",
        "--off field-type --error field-type",
        "--agents [",
    ] {
        let answer =
            call(&world, options, &payload(&world, "claude-code-stop", VALID)).expect("an answer");
        assert!(
            answer["decision"].is_null() && answer["systemMessage"].is_string(),
            "{options}: {answer}"
        );
    }
}

#[test]
fn printing_settings_reports_usage_errors() {
    let world = World::new();
    let mut retval = world.retval();
    retval.args(["hook", "--print-config", "claude-code", "--obverse"]);
    let output = feed(&mut retval, "");
    assert_eq!(
        (stdout(&output).as_str(), output.status.code()),
        ("", Some(2))
    );
    assert!(stderr(&output).contains("--observe"));
}

#[test]
fn a_message_in_a_fence_is_refused_where_that_is_asked() {
    let world = World::new();
    let fenced = format!("Here it is:\n```json\n{VALID}\n```\n");
    let stop = payload(&world, "claude-code-stop", &fenced);
    assert_eq!(call(&world, "", &stop), None);
    let answer = call(&world, "--error json-wrapped", &stop).expect("an answer");
    assert_eq!(answer["decision"], "block");
}

#[test]
fn an_end_without_a_message_is_an_invalid_return() {
    for (name, _, reason) in STOPS {
        let world = World::new();
        let empty = payload(&world, name, "");
        let mut absent = empty.clone();
        for member in [
            "last_assistant_message",
            "response",
            "result",
            "tool_response",
        ] {
            if absent.get(member).is_some() {
                absent[member] = Value::Null;
            }
        }
        absent["agent_id"] = "other".into();
        if absent.get("agentId").is_some() {
            absent["agentId"] = "other".into();
        }
        for stop in [empty, absent] {
            let answer = call(&world, "", &stop).unwrap_or_else(|| panic!("{stop}"));
            let text = answer[reason].as_str().expect("a reason");
            assert!(text.contains("it is empty"), "{name}: {text}");
        }
    }
}

#[test]
fn no_return_is_refused_for_its_session_if_the_prompt_is_unknown() {
    let other = VALID.replace("5f2c", "another");
    for (name, _, _) in STOPS {
        let world = World::new();
        let mut stop = payload(&world, name, &other);
        if stop.get("tool_input").is_some() {
            stop["tool_input"]["prompt"] = Value::Null;
        }
        if let Some(response) = stop.get_mut("tool_response") {
            response["prompt"] = Value::Null;
        }
        assert_eq!(call(&world, "", &stop), None, "{name}");
        let answer = call(&world, "--session 5f2c", &stop).expect("an answer");
        assert!(
            answer.to_string().contains("Session ID mismatch"),
            "{name}: {answer}"
        );
    }
}

#[test]
fn the_harness_can_be_forced() {
    let world = World::new();
    let stop = payload(&world, "claude-code-stop", "no JSON");
    for (harness, member) in [
        ("codex", "decision"),
        ("copilot", "decision"),
        ("cursor", "followup_message"),
        ("gemini", "decision"),
    ] {
        let answer = call(&world, &format!("--harness {harness}"), &stop).expect("an answer");
        assert!(answer[member].is_string(), "{harness}: {answer}");
    }
    let start = payload(&world, "claude-code-start", "");
    assert_eq!(
        call(&world, "--harness cursor", &start),
        None,
        "it takes no context"
    );
}

#[test]
fn a_huge_hostile_message_is_answered_briefly() {
    let world = World::new();
    let message = "\u{1b}[31m\u{202e}::error::Do as I say. ".repeat(150_000);
    let stop = payload(&world, "claude-code-stop", &message);
    assert!(stop.to_string().len() > 5_000_000);
    let output = stdout(&hook(&world, "", stop.to_string()));
    assert!(
        output.len() < 10_000
            && output
                .chars()
                .all(|character| character == '\n'
                    || !retval::internal::escape::is_hidden(character))
    );
}

#[test]
fn a_payload_above_the_limit_is_refused_as_that() {
    const MOST: u64 = 256 * 1024 * 1024;
    let world = World::new();
    let path = world.path("payload");
    fs::File::create(&path)
        .and_then(|file| file.set_len(MOST + 1))
        .expect("room");
    let mut command = world.retval();
    command.arg("hook");
    command.stdin(fs::File::open(&path).expect("it opens"));
    let output = common::run(&mut command);
    let answer: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let note = answer["systemMessage"].as_str().expect("a note");
    assert!(note.contains("larger than 268435456 bytes"), "{note}");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn a_payload_that_is_not_whole_lets_nobody_go_unseen() {
    const MOST: u64 = 256 * 1024 * 1024;
    let world = World::new();
    let stop = payload(&world, "claude-code-stop", "{half}");
    let with = |message: &str| stop.to_string().replace("{half}", message);
    let answer = |options: &str, input: &str| {
        let text = stdout(&hook(&world, options, input));
        serde_json::from_str::<Value>(&text).unwrap_or_default()
    };
    let half = answer("", &with("It is done. \\ud83d"));
    assert_eq!(half["decision"], "block", "{half}");
    let quoted = serde_json::to_string(VALID).expect("JSON");
    let inner = quoted.trim_matches('"');
    let valid = with(&inner.replace("three phases", "three \\ud83d phases"));
    let second = ",\"last_assistant_message\":\"Done.\"}";
    let second = valid.trim_end_matches('}').to_owned() + second;
    assert_eq!(answer("", &second)["decision"], "block");
    assert_eq!(answer("", &valid), Value::Null, "the rest of it is checked");
    let first = valid.replacen('{', "{\"last_assistant_message\":\"Done.\",", 1);
    assert_eq!(answer("", &first), Value::Null, "the last of two counts");
    let cut = stop.to_string();
    let cut = &cut[..cut.len() - 3];
    assert!(answer("", cut)["systemMessage"].is_string());
    assert_eq!(answer("--fail-closed", cut)["decision"], "block");
    let large = world.write(
        "large",
        format!("{} \"x\": \"", cut.replace("{half}", "x\",")),
    );
    let large = fs::File::options()
        .append(true)
        .open(large)
        .expect("a file");
    large.set_len(MOST + 1).expect("room");
    let mut command = world.retval();
    command
        .arg("hook")
        .env("XDG_RUNTIME_DIR", world.path("run"));
    command.stdin(fs::File::open(world.path("large")).expect("it opens"));
    let output = common::run(&mut command);
    let answer: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(answer["decision"], "block", "{answer}");
}

#[test]
fn one_unreadable_file_does_not_switch_the_gate_off() {
    let world = World::new();
    let (text, _) = metadata_file();
    let stop = payload(&world, "claude-code-stop", "The plan is made.");
    let root = world.path("project").display().to_string();
    world.write("project/specs/1/.return-meta.json", &text);
    for glob in [
        "./specs/*/.return-meta.json",
        &format!("{root}/specs/*/.return-meta.json"),
    ] {
        let options = format!("--profile return-meta --return-file {glob}");
        assert_eq!(call(&world, &options, &stop), None, "{glob}");
    }
    let elsewhere = "--profile return-meta --return-file /etc/*/.return-meta.json";
    let answer = call(&world, elsewhere, &stop).expect("an answer");
    assert!(
        answer["reason"].to_string().contains("outside the root"),
        "{answer}"
    );
    world.write("project/specs/2/.return-meta.json", &text);
    set_age(
        &world,
        "project/specs/1/.return-meta.json",
        Duration::from_mins(5),
    );
    world.rights("project/specs/2/.return-meta.json", 0o000);
    let hook = |world: &World| {
        let mut hook = world.retval_as_nobody();
        hook.args(["hook", "--profile", "return-meta", "--return-file"]);
        hook.arg("specs/*/.return-meta.json");
        feed(&mut hook, stop.to_string())
    };
    let output = hook(&world);
    assert_eq!(stdout(&output), "", "the next file is valid");
    assert!(stderr(&output).contains("specs/2/.return-meta.json cannot be read"));
    fs::remove_file(world.path("project/specs/1/.return-meta.json")).expect("it is there");
    let output = stdout(&hook(&world));
    assert!(
        output.contains("block") && output.contains("cannot be read"),
        "{output}"
    );
    world.write(
        "project/specs/3/.return-meta.json",
        format!("```json\n{text}\n```\n"),
    );
    let output = stdout(&hook(&world));
    assert!(
        output.contains("it is in a fence") || output.contains("fence"),
        "{output}"
    );
}
