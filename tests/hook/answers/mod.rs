//! `retval hook` with the payloads of each client, from start to end of an agent.

mod own_standard;
mod payloads;
mod resumed;
mod retries;
mod return_file;

use std::fs;
use std::process::Output;

use crate::common::{World, feed, fixtures, stderr, stdout};
use serde_json::Value;

/// Payloads of agents that end, what their client takes as an answer, and the member with the
/// reason to go on.
const STOPS: [(&str, &[&str], &str); 8] = [
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
    ("claude-code-tool", &["decision", "reason", "systemMessage", "hookSpecificOutput"], "reason"),
    (
        "codex-stop",
        &["continue", "stopReason", "suppressOutput", "systemMessage", "decision", "reason"],
        "reason",
    ),
    ("copilot-stop", &["decision", "reason", "modifiedResponse"], "reason"),
    ("copilot-stop-snake", &["decision", "reason", "modifiedResponse"], "reason"),
    (
        "gemini-tool",
        &["decision", "reason", "systemMessage", "hookSpecificOutput", "continue"],
        "reason",
    ),
    ("cursor-stop", &["followup_message"], "followup_message"),
    ("opencode-stop", &["ask_again", "result", "note"], "ask_again"),
];

const VALID: &str = r#"{"status":"completed","summary":"The plan is made. It has three phases.","artifacts":[{"type":"plan","path":"docs/tides.md","summary":"x"}],"metadata":{"session_id":"5f2c","agent_type":"planner","delegation_depth":1,"delegation_path":["orchestrator","planner"]}}"#;

fn payload(world: &World, name: &str, message: &str) -> Value {
    let text = fs::read_to_string(fixtures().join("hooks").join(name).with_extension("json"))
        .expect("a payload");
    let inner =
        |text: &str| serde_json::to_string(text).expect("JSON").trim_matches('"').to_owned();
    let quoted = serde_json::to_string(message).expect("JSON");
    let text = text.replace("{message}", &quoted[1..quoted.len() - 1]);
    let project = world.path("project").display().to_string();
    serde_json::from_str(&text.replace("{cwd}", &inner(&project))).expect("JSON")
}

fn hook(world: &World, options: &str, input: impl AsRef<[u8]>) -> Output {
    let mut command = world.retval();
    command.arg("hook").args(options.split_whitespace()).env("XDG_RUNTIME_DIR", world.path("run"));
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
    assert_eq!(answer["hookSpecificOutput"]["hookEventName"], "SubagentStart");
    let text = answer["hookSpecificOutput"]["additionalContext"].as_str().expect("text");
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
        assert_eq!(call(&world, "", &payload(&world, name, VALID)), None, "{name}");
    }
}

#[test]
fn text_that_a_client_puts_around_a_message_is_forgiven() {
    let world = World::new();
    for message in [
        format!("[harness: subagent output matched instruction-shaped pattern(s): x]\n{VALID}"),
        format!("{VALID}\n\nagentId: a1\n<usage>total_tokens: 9</usage>"),
        format!("task_id: t1 (done)\n\n<task_result>\n{VALID}\n</task_result>"),
        format!("```json\n{VALID}\n```"),
    ] {
        assert_eq!(
            call(&world, "--strict", &payload(&world, "claude-code-stop", &message)),
            None,
            "{message}"
        );
    }
}

#[test]
fn a_message_in_a_fence_is_refused_where_that_is_asked() {
    let world = World::new();
    let fenced = format!("Here it is:\n```json\n{VALID}\n```\n");
    let stop = payload(&world, "claude-code-stop", &fenced);
    assert_eq!(call(&world, "", &stop), None);
    let answer = call(&world, "--rule json-wrapped=error", &stop).expect("an answer");
    assert_eq!(answer["decision"], "block");
}

#[test]
fn an_end_without_a_message_is_an_invalid_return() {
    for (name, _, reason) in STOPS {
        let world = World::new();
        let empty = payload(&world, name, "");
        let mut absent = empty.clone();
        for member in ["last_assistant_message", "response", "result", "tool_response"] {
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
        assert!(answer.to_string().contains("Session ID mismatch"), "{name}: {answer}");
    }
}

#[test]
fn the_caller_is_told_of_the_warnings_about_an_accepted_return() {
    let world = World::new();
    let warned = VALID.replace("\"type\":\"plan\",", "").replace("It has three phases.", "");
    let told = |payloads: [&str; 2]| {
        payloads.map(|name| call(&world, "--root project", &payload(&world, name, &warned)))
    };
    let text = "The return of planner was accepted with warnings: Artifact has no type: artifacts[0]; Summary has 1 sentence, expected 2 to 5.\n";
    let [stop, result] = told(["claude-code-stop", "claude-code-tool"]);
    assert_eq!(stop, None, "the agent need not correct it");
    let result = result.expect("the caller is told");
    assert_eq!(result["hookSpecificOutput"]["additionalContext"], text);
    let [codex, _] = told(["codex-stop", "claude-code-tool"]);
    assert_eq!(codex.expect("a note")["systemMessage"], text);
}
