//! `retval hook` and the caller of an agent: payloads as the clients sent them, in their order.

mod common;

use std::fs;

use common::{World, fixtures, stdout};
use serde_json::Value;

/// A payload that a client sent, in a project of this world.
fn captured(world: &World, name: &str) -> Value {
    let file = fixtures().join("captured").join(name);
    let text = fs::read_to_string(file.with_extension("json")).expect("a payload");
    let project = world.path("project").display().to_string();
    serde_json::from_str(&text.replace("/home/user/project", &project)).expect("JSON")
}

fn call(world: &World, options: &str, payload: &Value) -> Option<Value> {
    world.hook(options, payload)
}

fn records(world: &World) -> Vec<Value> {
    let Ok(log) = fs::read_to_string(world.path("errors.json")) else {
        return Vec::new();
    };
    let log: Value = serde_json::from_str(&log).expect("JSON");
    log["errors"].as_array().expect("records").clone()
}

const LOG: &str = "--errors-json errors.json";

#[test]
fn the_caller_of_a_background_agent_is_told_with_the_notification() {
    let world = World::new();
    let options = "--session sess_1735460684_a1b2c3 --errors-json errors.json";
    let stop = captured(&world, "background-stop");
    let answer = call(&world, options, &stop).expect("an answer");
    assert_eq!(answer["decision"], "block");
    let reason = answer["reason"].as_str().expect("a reason");
    assert!(reason.contains("This is the last time"), "{reason}");
    let again = captured(&world, "background-stop-again");
    let answer = call(&world, options, &again).expect("an answer");
    assert!(answer["decision"].is_null(), "{answer}");
    assert_eq!(
        call(&world, options, &captured(&world, "user-prompt")),
        None
    );
    let notification = captured(&world, "background-notification");
    let answer = call(&world, options, &notification).expect("an answer");
    let told = &answer["hookSpecificOutput"];
    assert_eq!(told["hookEventName"], "UserPromptSubmit");
    let text = told["additionalContext"].as_str().expect("text");
    assert!(
        text.starts_with("The return of planner is invalid; do not rely on it.")
            && text.contains("Artifact does not exist: specs/12/plan.md")
            && text.contains("treat it as failed"),
        "{text}"
    );
    assert_eq!(records(&world).len(), 1);
    assert_eq!(
        call(&world, options, &notification),
        None,
        "it is told once"
    );
}

#[test]
fn an_accepted_return_is_not_checked_again_after_the_client_has_rewritten_it() {
    let world = World::new();
    let mut result = captured(&world, "tags-result");
    let content = result["tool_response"]["content"].clone();
    assert!(
        content.to_string().contains("<\\\\system-reminder>"),
        "{content}"
    );
    let text = &mut result["tool_response"]["content"];
    text.as_array_mut().expect("blocks").remove(0);
    let answer = call(&world, "", &result).expect("an answer");
    assert_eq!(answer["decision"], "block", "the text alone is broken");
    result["tool_response"]["content"] = content;
    let answer = call(&world, "--off errors-missing", &result);
    assert_eq!(answer, None, "what the client says that it wrote is undone");
    let stop = captured(&world, "tags-stop");
    assert_eq!(call(&world, "--off errors-missing", &stop), None);
    assert_eq!(call(&world, "", &result), None);
}

#[test]
fn the_result_of_a_nested_agent_is_its_own_and_not_its_callers() {
    let world = World::new();
    let mut result = captured(&world, "tags-result");
    result["agent_id"] = "a0".into();
    result["agent_type"] = "conductor".into();
    result["tool_response"]["content"] = "Done.".into();
    let answer = call(&world, "--agents planner", &result).expect("an answer");
    assert!(
        answer["reason"]
            .to_string()
            .contains("The return of planner is invalid"),
        "{answer}"
    );
    assert_eq!(call(&world, "--agents conductor", &result), None);
}

#[test]
fn an_agent_that_ended_by_an_error_is_recorded_once() {
    let world = World::new();
    for name in ["failed-stop", "failed-result"] {
        assert_eq!(call(&world, LOG, &captured(&world, name)), None, "{name}");
    }
    let records = records(&world);
    assert_eq!(records.len(), 1, "{records:?}");
    assert_eq!(records[0]["type"], "agent_failed");
    assert_eq!(records[0]["context"]["agent_type"], "planner");
    assert_eq!(
        records[0]["message"],
        "The agent ended without a return: API Error: 400 lab: the subagent's model call fails"
    );
    // Clients call hooks at once.
    let world = World::new();
    for name in ["failed-result", "failed-stop", "failed-stop"] {
        assert_eq!(call(&world, LOG, &captured(&world, name)), None, "{name}");
    }
    assert_eq!(crate::records(&world).len(), 2, "the second is another");
    // In some versions the text of the error is a result like any other.
    let world = World::new();
    call(&world, LOG, &captured(&world, "failed-stop"));
    let mut result = captured(&world, "tags-result");
    let session = captured(&world, "failed-stop")["session_id"].clone();
    result["session_id"] = session;
    result["tool_response"]["content"] = "API Error: 400".into();
    let told = call(&world, LOG, &result).expect("an answer");
    assert_eq!(told["decision"], "block", "{told}");
    assert_eq!(crate::records(&world).len(), 1);
    assert!(call(&world, LOG, &result).is_some());
    assert_eq!(crate::records(&world).len(), 2, "that is another one");
    // That event may come first, too.
    let world = World::new();
    let mut stop = captured(&world, "failed-stop");
    stop["agent_id"] = result["tool_response"]["agentId"].clone();
    assert!(call(&world, LOG, &result).is_some());
    assert_eq!(call(&world, LOG, &stop), None);
    assert_eq!(crate::records(&world).len(), 1);
    assert_eq!(call(&world, LOG, &stop), None);
    assert_eq!(crate::records(&world).len(), 2, "it failed again");
    assert!(call(&world, LOG, &result).is_some());
    assert_eq!(crate::records(&world).len(), 2, "and that was its result");
    let world = World::new();
    assert!(call(&world, LOG, &result).is_some());
    assert_eq!(call(&world, LOG, &captured(&world, "failed-stop")), None);
    assert_eq!(crate::records(&world).len(), 2, "of another agent");
    let world = World::new();
    let mut silent = captured(&world, "failed-stop");
    let members = silent.as_object_mut().expect("an object");
    members.retain(|name, _| !name.contains("error") && name != "last_assistant_message");
    assert_eq!(call(&world, LOG, &silent), None);
    assert_eq!(
        crate::records(&world)[0]["message"],
        "The agent ended without a return"
    );
    let world = World::new();
    assert_eq!(call(&world, LOG, &captured(&world, "failed-result")), None);
    assert_eq!(crate::records(&world).len(), 1, "without the agent's event");
    let world = World::new();
    assert_eq!(call(&world, LOG, &captured(&world, "gemini-failed")), None);
    let records = crate::records(&world);
    assert!(
        records[0]["message"]
            .to_string()
            .contains("did not call 'complete_task'"),
        "{records:?}"
    );
}

#[test]
fn the_instruction_is_given_in_the_form_of_each_client() {
    let world = World::new();
    let text = |name: &str, pointer: &str| {
        let answer = call(&world, "", &captured(&world, name)).expect("an answer");
        let text = answer.pointer(pointer).and_then(Value::as_str);
        text.unwrap_or_else(|| panic!("{name}: {answer}"))
            .to_owned()
    };
    let codex = text("codex-start", "/hookSpecificOutput/additionalContext");
    let copilot = text("copilot-start", "/additionalContext");
    let gemini = text("gemini-start", "/hookSpecificOutput/tool_input/prompt");
    for text in [&codex, &copilot, &gemini] {
        assert!(text.contains("RETURN FORMAT"), "{text}");
    }
    let answer = call(&world, "", &captured(&world, "gemini-start")).expect("an answer");
    let agent = &answer["hookSpecificOutput"]["tool_input"]["agent_name"];
    assert_eq!(agent, "planner", "the client wants the call as a whole");
    assert!(
        gemini.starts_with("[[SUB:phantom]] Plan task 12. Write specs/12/plan.md."),
        "{gemini}"
    );
}

#[test]
fn copilot_gets_a_valid_failed_return_in_place_of_an_invalid_one() {
    let world = World::new();
    let answer = call(&world, "", &captured(&world, "copilot-stop-again")).expect("an answer");
    let failed = answer["modifiedResponse"].as_str().expect("a return");
    let output = common::piped(&world, "--agent planner --extract", failed);
    assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
    let failed: Value = serde_json::from_str(failed).expect("JSON");
    assert_eq!(failed["status"], "failed");
}

#[test]
fn an_agent_without_a_message_is_sent_back() {
    let world = World::new();
    let answer = call(&world, "", &captured(&world, "codex-empty")).expect("an answer");
    assert_eq!(answer["decision"], "block");
    let mut stop = captured(&world, "background-stop");
    stop.as_object_mut()
        .expect("an object")
        .remove("last_assistant_message");
    let answer = call(&world, "", &stop).expect("an answer");
    assert_eq!(answer["decision"], "block");
}

#[test]
fn a_resumed_agent_may_answer_freely_if_its_return_was_accepted() {
    let world = World::new();
    world.write("project/specs/12/plan.md", "# Plan\n");
    let options = "--session sess_1735460684_a1b2c3";
    let valid = captured(&world, "background-stop");
    let mut answered = valid.clone();
    answered["last_assistant_message"] = "Phase two computes the tables.".into();
    let answer = call(&world, options, &answered).expect("an answer");
    assert_eq!(answer["decision"], "block", "nothing was accepted yet");
    let mut start = valid.clone();
    start["hook_event_name"] = "SubagentStart".into();
    assert!(call(&world, options, &start).is_some());
    assert_eq!(call(&world, options, &valid), None);
    assert_eq!(call(&world, options, &start), None, "it knows the form");
    assert_eq!(call(&world, options, &answered), None);
    let notification = captured(&world, "background-notification");
    assert_eq!(call(&world, options, &notification), None);
    let mut other = answered.clone();
    other["agent_id"] = "a1".into();
    other["stop_hook_active"] = true.into();
    let answer = call(&world, options, &other).expect("an answer");
    assert!(answer["systemMessage"].is_string(), "it is let go");
    other["stop_hook_active"] = false.into();
    let answer = call(&world, options, &other).expect("an answer");
    assert_eq!(answer["decision"], "block", "its first return was let go");
}

/// A stop of a client that does not tell whether it was sent back before.
fn uncounted(world: &World) -> Value {
    let mut stop = captured(world, "copilot-stop-again");
    let members = stop.as_object_mut().expect("an object");
    members.remove("stop_hook_active");
    stop
}

fn turns(world: &World, options: &str, stop: &Value, times: usize) -> Vec<bool> {
    let turn = |_| call(world, options, stop).is_some_and(|it| it["decision"] == "block");
    (0..times).map(turn).collect()
}

#[test]
fn no_count_is_lost_when_many_agents_stop_at_once() {
    let world = World::new();
    call(&world, "", &uncounted(&world));
    let folder = fs::read_dir(world.path("run")).expect("a folder");
    let folder = folder.flatten().next().expect("the state").path();
    let old = std::time::SystemTime::now() - std::time::Duration::from_hours(48);
    for number in 0..300 {
        let file = fs::File::create(folder.join(format!("{number}.count"))).expect("a file");
        file.set_modified(old).expect("a time");
    }
    let swept = fs::File::options().write(true).open(folder.join("swept"));
    swept.expect("a file").set_modified(old).expect("a time");
    std::thread::scope(|scope| {
        let agent = |number: usize| {
            let mut stop = uncounted(&world);
            stop["agentId"] = format!("agent-{number}").into();
            turns(&world, "--retries 2", &stop, 3)
        };
        let threads: Vec<_> = (0..16)
            .map(|number| scope.spawn(move || agent(number)))
            .collect();
        for thread in threads {
            assert_eq!(thread.join().expect("no panic"), [true, true, false]);
        }
    });
    assert!(!folder.join("7.count").exists(), "old files are removed");
}

#[test]
fn calls_for_one_agent_at_once_are_all_counted() {
    let world = World::new();
    let stop = uncounted(&world);
    let blocks: usize = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..16)
            .map(|_| scope.spawn(|| turns(&world, "--retries 8", &stop, 1)[0]))
            .collect();
        let blocks = threads.into_iter().map(|it| it.join().expect("no panic"));
        blocks.map(usize::from).sum()
    });
    // When it is let go, a new count begins.
    assert!((8..=15).contains(&blocks), "{blocks}");
}

#[test]
fn an_unusable_folder_of_the_counts_does_not_switch_the_gate_off() {
    let world = World::new();
    let uid = std::os::unix::fs::MetadataExt::uid(&fs::metadata(".").expect("a folder"));
    fs::create_dir_all(world.path("run")).expect("a folder");
    world.write(&format!("run/retval-hook-{uid}"), "not a folder");
    let mut stop = uncounted(&world);
    assert_eq!(turns(&world, "--retries 3", &stop, 1), [false], "unknown");
    let closed = "--retries 3 --fail-closed";
    assert_eq!(
        turns(&world, closed, &stop, 1),
        [false],
        "it could go on for ever"
    );
    stop["stop_hook_active"] = false.into();
    assert_eq!(turns(&world, closed, &stop, 1), [true]);
    assert_eq!(turns(&world, "--retries 3", &stop, 1), [true]);
    stop["stop_hook_active"] = true.into();
    assert_eq!(turns(&world, "--retries 3", &stop, 1), [false]);
}

#[test]
fn agents_of_one_name_without_ids_are_told_apart_by_their_transcripts() {
    let world = World::new();
    let mut stop = captured(&world, "background-stop");
    let members = stop.as_object_mut().expect("an object");
    members.remove("stop_hook_active");
    members.remove("agent_id");
    assert_eq!(turns(&world, "", &stop, 1), [true]);
    let mut other = stop.clone();
    other["agent_transcript_path"] = "/t/other.jsonl".into();
    assert_eq!(turns(&world, "", &other, 1), [true]);
    assert_eq!(turns(&world, "", &stop, 1), [false]);
}

#[test]
fn an_agent_is_let_go_before_the_client_ends_it() {
    let world = World::new();
    let stop = captured(&world, "background-stop-again");
    assert_eq!(turns(&world, "--retries 20", &stop, 8), [true; 8]);
    let answer = call(&world, "--retries 20", &stop).expect("an answer");
    let text = answer["systemMessage"].as_str().expect("a note");
    assert!(
        text.contains("sent back 8 times, which is the limit"),
        "{text}"
    );
}

#[test]
fn agents_that_the_client_brings_along_are_not_held_unless_asked_for() {
    let world = World::new();
    let of = |agent: &str| {
        let mut stop = captured(&world, "background-stop");
        stop["agent_type"] = agent.into();
        stop["agent_id"] = agent.into();
        stop
    };
    let is_held = |agent: &str, options: &str| call(&world, options, &of(agent)).is_some();
    for agent in ["Explore", "Plan", "general-purpose"] {
        assert!(!is_held(agent, ""), "{agent}");
        assert!(is_held(agent, "--agents *"), "{agent}");
        assert!(!is_held(agent, "--agents * --agents !*"), "{agent}");
    }
    assert!(is_held("planner", "") && is_held("planner", "--agents !scout"));
    assert!(!is_held("scout", "--agents !scout") && !is_held("Explore", "--agents !scout"));
    let mut own = of("Explore");
    let transcript = world.path("project/agent-1.jsonl");
    own["agent_transcript_path"] = transcript.display().to_string().into();
    world.write("project/agent-1.meta.json", r#"{"isBuiltIn":false,"x":1}"#);
    assert!(
        call(&world, "", &own).is_some(),
        "an agent of the user's own"
    );
    let mut planner = of("planner");
    planner["agent_transcript_path"] = own["agent_transcript_path"].clone();
    world.write("project/agent-1.meta.json", r#"{"isBuiltIn":true}"#);
    assert_eq!(call(&world, "", &planner), None);
}
