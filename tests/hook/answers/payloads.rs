//! Unknown, truncated and oversized payloads, and failures of the hook itself.

use std::fs;

use serde_json::{Value, json};

use super::{VALID, call, hook, payload};
use crate::common::{World, feed, stderr, stdout};

#[test]
fn a_stop_without_a_member_for_a_message_is_not_checked() {
    let world = World::new();
    let without = |name: &str, members: &[&str]| {
        let mut stop = payload(&world, name, "no JSON");
        let object = stop.as_object_mut().expect("an object");
        for member in members {
            object.remove(*member);
        }
        stop
    };
    let claude = ["last_assistant_message", "agent_transcript_path"];
    for stop in [
        payload(&world, "vscode-stop", ""),
        without("claude-code-stop", &claude),
        without("copilot-stop", &["response"]),
        without("cursor-stop", &["summary"]),
    ] {
        assert_eq!(call(&world, "", &stop), None, "{stop}");
        let by_call = call(&world, "--tool hand_in", &stop);
        assert_eq!(by_call, None, "a call of it would not name the agent: {stop}");
    }
    let log = stdout(
        &world
            .retval()
            .args(["hook", "log"])
            .env("XDG_RUNTIME_DIR", world.path("run"))
            .output()
            .expect("it runs"),
    );
    assert_eq!(log.matches("there is no message of it").count(), 8, "{log}");
    for (name, member) in [
        ("claude-code-stop", "last_assistant_message"),
        ("copilot-stop", "response"),
        ("cursor-stop", "summary"),
    ] {
        let mut stop = payload(&world, name, "");
        for empty in [Value::Null, "".into()] {
            stop[member] = empty;
            assert!(call(&world, "", &stop).is_some(), "{stop}");
        }
    }
    let absent = without("claude-code-stop", &["last_assistant_message"]);
    assert!(call(&world, "", &absent).is_some(), "its transcript would have it");
    let file = "--profile return-meta --return-file none";
    assert!(call(&world, file, &without("claude-code-stop", &claude)).is_some());
    let mut older = without("cursor-stop", &["summary"]);
    older["result"] = "no JSON".into();
    let answer = call(&world, "", &older).expect("an answer");
    assert!(answer["followup_message"].is_string(), "{answer}");
    let start = call(&world, "", &payload(&world, "vscode-start", ""));
    let start = start.expect("VS Code has events with the names of Claude Code's");
    assert_eq!(start["hookSpecificOutput"]["hookEventName"], "SubagentStart");
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
    // Another client's agent has only been started here, although nothing says so.
    let mut dispatched = payload(&world, "claude-code-tool", "dispatched to a worker");
    dispatched["transcript_path"] = "/home/x/.factory/sessions/-p/s1.jsonl".into();
    let mut aborted = payload(&world, "cursor-stop", "no JSON");
    aborted["status"] = "aborted".into();
    for quiet in [
        with("agent_type", "".into()),
        with("agent_type", Value::Null),
        with("hook_event_name", "Stop".into()),
        with("hook_event_name", "Notification".into()),
        with("hook_event_name", Value::Null),
        launched,
        dispatched,
        aborted,
        json!({}),
        json!([]),
    ] {
        assert_eq!(call(&world, "", &quiet), None, "{quiet}");
    }
    let nothing = hook(&world, "", "");
    assert_eq!(stdout(&nothing), "");
    assert_eq!(stderr(&nothing), "note: retval hook: there is no payload on standard input\n");
    assert_eq!(call(&world, "--agents research* --agents Explore", &stop), None);
    assert!(call(&world, "--agents plan*", &stop).is_some());
}

#[test]
fn on_its_own_failure_the_hook_lets_the_agent_go_unless_fail_closed() {
    let world = World::new();
    let mut stop = payload(&world, "claude-code-stop", VALID);
    stop["cwd"] = "/no/such/folder".into();
    let answer = call(&world, "", &stop).expect("an answer");
    assert!(
        answer["decision"].is_null()
            && answer["systemMessage"].to_string().contains("could not check"),
        "{answer}"
    );
    // All errors of the configuration stand in one line.
    world.write("wrong.toml", "strct = true\nagnt = 1\n");
    let answer = call(&world, "--config wrong.toml", &payload(&world, "claude-code-stop", VALID));
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
    let answer = call(&world, "--fail-closed --observe", &stop).expect("an answer");
    assert!(answer["decision"].is_null(), "observing");
    for input in ["not JSON", "{", "\u{feff}{}", "\"x\""] {
        let output = stdout(&hook(&world, "--fail-closed", input));
        assert!(!output.contains("decision"), "{output}");
    }
    for options in ["--profile x", "--agents [", "--tool x#y"] {
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
    assert_eq!((stdout(&output).as_str(), output.status.code()), ("", Some(1)));
    assert!(stderr(&output).contains("--observe"));
}

#[test]
fn the_client_can_be_forced() {
    let world = World::new();
    let stop = payload(&world, "claude-code-stop", "no JSON");
    for (client, member) in [
        ("codex", "decision"),
        ("copilot", "decision"),
        ("cursor", "followup_message"),
        ("gemini", "decision"),
    ] {
        let answer = call(&world, &format!("--client {client}"), &stop).expect("an answer");
        assert!(answer[member].is_string(), "{client}: {answer}");
    }
    let start = payload(&world, "claude-code-start", "");
    assert_eq!(call(&world, "--client cursor", &start), None, "it takes no context");
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
                    || !crate::common::hostile::is_hidden(character))
    );
}

#[test]
fn a_payload_above_the_limit_is_refused_as_that() {
    const MOST: u64 = 256 * 1024 * 1024;
    let world = World::new();
    let path = world.path("payload");
    fs::File::create(&path).and_then(|file| file.set_len(MOST + 1)).expect("room");
    let mut command = world.retval();
    command.arg("hook");
    command.stdin(fs::File::open(&path).expect("it opens"));
    let output = crate::common::run(&mut command);
    let answer: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let note = answer["systemMessage"].as_str().expect("a note");
    assert!(note.contains("larger than 268435456 bytes"), "{note}");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn an_incomplete_payload_is_not_accepted() {
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
}
