//! How many times an agent is asked again.

use std::fs;

use serde_json::Value;

use super::{STOPS, VALID, call, payload};
use crate::common::World;

/// What the hook remembers of all sessions.
fn remembered(world: &World) -> String {
    let folders = fs::read_dir(world.path("run")).expect("a folder").flatten();
    let files = folders.filter_map(|folder| fs::read_dir(folder.path()).ok());
    let paths = files.flatten().flatten().map(|file| file.path());
    let sessions = paths.filter(|path| path.extension() == Some("session".as_ref()));
    let texts = sessions.map(|path| fs::read_to_string(path).expect("a session"));
    texts.collect()
}

#[test]
fn an_invalid_return_is_asked_again_once_and_then_accepted() {
    for (name, allowed, reason) in STOPS {
        let world = World::new();
        let mut stop = payload(&world, name, "I have made the plan.");
        let answer = call(&world, "--errors-json errors.json", &stop).expect("an answer");
        let keys: Vec<_> = answer.as_object().expect("an object").keys().collect();
        assert!(keys.iter().all(|key| allowed.contains(&key.as_str())), "{name}: {keys:?}");
        let text = answer[reason].as_str().expect("a reason");
        assert!(
            text.contains("Cannot parse return as JSON: it is plain text")
                || text.contains("prose"),
            "{name}: {text}"
        );
        if name.ends_with("tool") {
            // The agent has ended: its caller is warned, each time.
            assert!(text.starts_with("The return of planner is invalid"), "{name}: {text}");
            continue;
        }
        assert!(text.contains("Return the complete JSON again"), "{name}: {text}");
        assert!(!world.path("errors.json").exists(), "{name}: it may still come right");
        if stop.get("stop_hook_active").is_some() {
            stop["stop_hook_active"] = true.into();
        }
        if stop.get("loop_count").is_some() {
            stop["loop_count"] = 1.into();
        }
        let answer = call(&world, "--errors-json errors.json", &stop);
        assert!(
            answer.as_ref().is_none_or(|answer| answer[reason].is_null()),
            "{name}: {answer:?}"
        );
        let is_replaced = answer.as_ref().is_some_and(|it| it["modifiedResponse"].is_string());
        assert_eq!(is_replaced, name.starts_with("copilot"), "{name}");
        let keys = answer.as_ref().map(|answer| {
            answer.as_object().expect("an object").keys().cloned().collect::<Vec<_>>()
        });
        assert!(
            keys.unwrap_or_default().iter().all(|key| allowed.contains(&key.as_str())),
            "{name}"
        );
        let log: Value =
            serde_json::from_str(&fs::read_to_string(world.path("errors.json")).expect("a log"))
                .expect("JSON");
        assert_eq!(log["errors"].as_array().map(Vec::len), Some(1), "{name}");
        // In the same task its retry stays used.
        let is_kept = stop["stop_hook_active"] == true;
        let remembered = remembered(&world);
        let has_count = remembered.contains("\"in_task\":2");
        assert_eq!(has_count, is_kept, "{name}: {remembered}");
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
    assert_eq!(answers, [true, true, false, true], "accepted, and then a new start");
    let snake = payload(&world, "copilot-stop-snake", "no JSON");
    let answer = call(&world, "--retries 0", &snake).expect("an answer");
    assert!(answer["decision"].is_null(), "{answer}");
}

#[test]
fn another_hook_that_sends_an_agent_back_uses_no_retry() {
    for name in ["claude-code-stop", "codex-stop", "copilot-stop"] {
        let world = World::new();
        // The folder is there since an earlier agent.
        call(&world, "", &payload(&world, "claude-code-start", ""));
        let mut stop = payload(&world, name, "no JSON");
        stop["stop_hook_active"] = true.into();
        let is_asked_again = |stop: &Value| {
            call(&world, "", stop).is_some_and(|answer| answer["decision"] == "block")
        };
        assert!(is_asked_again(&stop), "{name}: it was not asked yet");
        assert!(!is_asked_again(&stop), "{name}: its retry is used");
        assert!(!is_asked_again(&stop), "{name}: and stays used in this task");
    }
}

#[test]
fn two_hooks_that_want_different_returns_send_nobody_back_for_ever() {
    let world = World::new();
    let of = |message: &str, is_again: bool| {
        let mut stop = payload(&world, "codex-stop", message);
        stop["stop_hook_active"] = is_again.into();
        call(&world, "--retries 2", &stop).is_some_and(|answer| answer["decision"] == "block")
    };
    assert!(!of(VALID, false));
    // The other hook asks again for what is valid here.
    let turns = [(); 3].map(|()| (of("no JSON", true), of(VALID, true)));
    assert_eq!(turns, [(true, false), (true, false), (false, false)]);
    assert!(of("{\"status\":\"completed\"}", false), "the next task");
}

#[test]
fn observing_never_sends_back() {
    for (name, allowed, reason) in STOPS {
        let world = World::new();
        let answer =
            call(&world, "--observe --errors-json errors.json", &payload(&world, name, "no JSON"));
        assert!(
            answer.as_ref().is_none_or(|answer| answer[reason].is_null()),
            "{name}: {answer:?}"
        );
        let keys = answer.map(|answer| {
            answer.as_object().expect("an object").keys().cloned().collect::<Vec<_>>()
        });
        assert!(
            keys.unwrap_or_default().iter().all(|key| allowed.contains(&key.as_str())),
            "{name}"
        );
        assert!(world.path("errors.json").exists(), "{name}");
    }
}

#[test]
fn copilot_is_given_no_verdict_of_a_reviewer() {
    let world = World::new();
    let options = "--profile compact --agents tech_lead --retries 0";
    let mut stop = payload(&world, "copilot-stop", "it is fine");
    for key in ["agentName", "agent_name"] {
        if stop.get(key).is_some() {
            stop[key] = "tech_lead".into();
        }
    }
    let answer = call(&world, options, &stop).expect("an answer");
    let text = answer["modifiedResponse"].as_str().expect("a return");
    let failed: Value = serde_json::from_str(text).expect("JSON");
    assert_eq!(failed["status"], "failed", "{text}");
    assert!(failed["errors"][0]["message"].is_string(), "{text}");
}

/// A file is not also to be returned, and an agent that may only return a status has no other place for why.
#[test]
fn the_last_try_asks_for_what_the_profile_allows() {
    let own = "[profiles.fenced]\nform = \"json\"\npart = { fence = \"result\", last = true }\nat.status = \"/state\"\n\
               statuses = { ok = \"success\", no = \"other\" }\n\
               [profiles.only]\nform = \"json\"\nat.status = \"/state\"\nstatuses = { ok = \"success\" }\n";
    for (options, agent, asked) in [
        (
            "--profile return",
            "planner",
            ": use one of the statuses partial, failed, blocked, and say why.\n",
        ),
        (
            "--profile return-meta --return-file .return-meta.json",
            "planner",
            ": use one of the statuses partial, failed, blocked, and say why.\n",
        ),
        (
            "--profile compact",
            "tech_lead",
            ": use one of the statuses CHANGES_REQUESTED, SPAWN_INVESTIGATOR, \
             UNBLOCKING_GUIDANCE, ESCALATE_TO_OPUS, ARCHITECTURAL_DECISION_MADE.\n",
        ),
        (
            "--profile compact",
            "project_manager",
            ": use one of the statuses CONTINUE, INVESTIGATION_NEEDED, \
             NEEDS_CLARIFICATION, INVESTIGATION_ONLY.\n",
        ),
        (
            "--profile fenced",
            "planner",
            " If you cannot correct it, do not claim success: use the status no.\n",
        ),
        ("--profile only", "planner", " If you cannot correct it, claim nothing that is not so.\n"),
    ] {
        let world = World::new();
        world.write("retval.toml", own);
        let mut stop = payload(&world, "claude-code-stop", "All is done.");
        stop["agent_type"] = agent.into();
        let answer = call(&world, options, &stop).expect("an answer");
        let text = answer["reason"].as_str().unwrap_or_else(|| panic!("{options}: {answer}"));
        assert!(text.ends_with(asked), "{options} {agent}: {text}");
        let is_whole = text.contains("with no text around it");
        assert!(!(options.contains("fenced") && is_whole), "{text}");
    }
}
