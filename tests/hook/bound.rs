//! `retval hook` asks every agent again only a limited number of times, whatever its client reports.

use std::fs;
use std::os::unix::fs::MetadataExt as _;

use crate::common::{World, fixtures};
use serde_json::Value;

/// A payload that a client sent, in a project of this world.
fn captured(world: &World, name: &str) -> Value {
    let file = fixtures().join("captured").join(name);
    let text = fs::read_to_string(file.with_extension("json")).expect("a payload");
    let project = world.path("project").display().to_string();
    serde_json::from_str(&text.replace("/home/user/project", &project)).expect("JSON")
}

/// How often an agent is asked again before it may stop.
fn blocks(world: &World, options: &str, stop: &Value) -> usize {
    let is_asked_again = |_: &usize| {
        let answer = world.hook(options, stop);
        answer.is_some_and(|answer| answer["decision"] == "block")
    };
    (0..40).take_while(is_asked_again).count()
}

/// A file where the folder would be in which the hook remembers.
fn spoil(world: &World) {
    let uid = fs::metadata(".").expect("a folder").uid();
    world.write(&format!("run/retval-hook-{uid}"), "not a folder");
}

#[test]
fn a_client_that_always_says_that_it_is_the_first_time_is_not_believed() {
    for name in ["codex-empty", "background-stop"] {
        let world = World::new();
        let mut stop = captured(&world, name);
        stop["stop_hook_active"] = false.into();
        assert_eq!(blocks(&world, "", &stop), 8, "{name}");
        assert_eq!(blocks(&world, "", &stop), 8, "a new count begins");
        assert_eq!(blocks(&world, "--retries 3", &stop), 8, "{name}");
        assert_eq!(blocks(&world, "--retries 0", &stop), 0, "{name}");
    }
    let world = World::new();
    let mut stop = captured(&world, "codex-empty");
    stop["stop_hook_active"] = false.into();
    assert_eq!(blocks(&world, "--retries 12", &stop), 12, "as it is told");
    stop["loop_count"] = 0.into();
    assert_eq!(blocks(&world, "", &stop), 8);
}

#[test]
fn no_client_is_asked_again_for_ever_by_a_hook_that_fails_closed() {
    for name in ["copilot-stop-again", "background-stop-again", "codex-empty"] {
        for state in [true, false] {
            let world = World::new();
            let mut stop = captured(&world, name);
            stop["stop_hook_active"] = true.into();
            if state {
                // The folder is there since an earlier agent.
                world.hook("", &captured(&world, "codex-start"));
            } else {
                spoil(&world);
            }
            let options = "--fail-closed --retries 5";
            let most = if state { 5 } else { 0 };
            assert_eq!(blocks(&world, options, &stop), most, "{name}");
            assert_eq!(blocks(&world, options, &stop), 0, "they stay used");
            let id = if name.starts_with("copilot") { "agentId" } else { "agent_id" };
            stop["cwd"] = "/nowhere".into();
            stop[id] = "another".into();
            assert_eq!(blocks(&world, options, &stop), most, "{name}");
        }
    }
}

#[test]
fn an_agent_is_not_asked_again_for_ever_if_the_folder_is_lost_each_time() {
    for options in ["", "--retries 5"] {
        let world = World::new();
        let mut stop = captured(&world, "codex-empty");
        stop["stop_hook_active"] = false.into();
        assert_eq!(blocks(&world, options, &stop), 8, "{options}");
        fs::remove_dir_all(world.path("run")).expect("a folder");
        fs::create_dir(world.path("run")).expect("a folder");
        stop["stop_hook_active"] = true.into();
        let answer = world.hook(options, &stop).expect("a note");
        assert!(answer["decision"].is_null(), "{options}: {answer}");
    }
}

#[test]
fn gemini_cli_gets_a_report_each_time_and_no_agent_is_asked_again() {
    let world = World::new();
    let start = captured(&world, "gemini-start");
    let mut result = captured(&world, "gemini-valid");
    result["session_id"] = start["session_id"].clone();
    for state in [true, false] {
        if !state {
            fs::remove_dir_all(world.path("run")).expect("a folder");
            spoil(&world);
        }
        for _ in 0..12 {
            let answer = world.hook("", &start).expect("an answer");
            let prompt = &answer["hookSpecificOutput"]["tool_input"]["prompt"];
            let prompt = prompt.as_str().expect("a prompt");
            assert_eq!(prompt.matches("RETURN FORMAT").count(), 1);
            assert!(answer["decision"].is_null(), "{answer}");
            // The agent has ended: this takes the place of its result.
            let answer = world.hook("", &result).expect("an answer");
            assert_eq!(answer["decision"], "deny");
            assert!(answer["continue"].is_null(), "{answer}");
        }
    }
}

#[test]
fn odd_ids_are_counted_like_any_others() {
    let long = "a".repeat(1 << 20);
    let ids = [
        "",
        "..",
        "../../../tmp/x",
        "/etc/passwd",
        "a\0b",
        "a\nb",
        "\u{1b}[2J",
        "ü😀",
        "CON",
        &long,
    ];
    let world = World::new();
    let mut stop = captured(&world, "background-stop");
    stop.as_object_mut().expect("an object").remove("stop_hook_active");
    for member in ["agent_id", "session_id", "agent_type"] {
        for id in ids {
            let mut odd = stop.clone();
            odd[member] = id.into();
            let is_nobody = member == "agent_type" && id.is_empty();
            let times = blocks(&world, "", &odd);
            assert_eq!(times, usize::from(!is_nobody), "{member} {id:.20}");
        }
    }
    let folder = fs::read_dir(world.path("run")).expect("a folder").flatten();
    let folder = folder.map(|it| it.path()).next().expect("the state");
    let mode = fs::metadata(&folder).expect("a folder").mode();
    assert_eq!(mode & 0o777, 0o700, "only its owner may enter it");
    for file in fs::read_dir(folder).expect("a folder").flatten() {
        let name = file.file_name().into_string().expect("plain");
        let is_plain = |it: char| it.is_ascii_alphanumeric() || it == '.';
        assert!(name.len() < 40 && name.chars().all(is_plain), "{name}");
        let mode = file.metadata().expect("a file").mode();
        assert_eq!(mode & 0o777, 0o600, "{name}: only its owner may read it");
    }
}

#[test]
fn stops_at_once_are_all_answered() {
    let world = World::new();
    let mut stop = captured(&world, "background-stop");
    for is_again in [false, true] {
        stop["stop_hook_active"] = is_again.into();
        std::thread::scope(|scope| {
            let call = || world.hook("", &stop).expect("an answer");
            let calls: Vec<_> = (0..4).map(|_| scope.spawn(call)).collect();
            for call in calls {
                let answer = call.join().expect("no panic");
                assert_eq!(answer["decision"] == "block", !is_again, "{answer}");
            }
        });
    }
}

#[test]
fn a_clock_that_was_set_back_makes_no_file_an_older_one() {
    let world = World::new();
    let options = "--profile return-meta --return-file specs/*/.return-meta.json --retries 0";
    let mut event = captured(&world, "background-stop");
    event["hook_event_name"] = "SubagentStart".into();
    world.hook(options, &event);
    let folder = fs::read_dir(world.path("run")).expect("a folder").flatten();
    let folder = folder.map(|it| it.path()).next().expect("the state");
    let files = fs::read_dir(folder).expect("a folder").flatten();
    let mut files = files.map(|file| file.path());
    let path = files.find(|path| path.extension().is_some_and(|it| it == "session"));
    let path = path.expect("a session");
    let text = fs::read_to_string(&path).expect("a session");
    let mut session: Value = serde_json::from_str(&text).expect("JSON");
    event["hook_event_name"] = "SubagentStop".into();
    world.write("project/specs/12/.return-meta.json", "{}");
    let note = |world: &World| world.hook(options, &event).expect("a note").to_string();
    // It is noted once, and the start of the agent is forgotten then.
    let in_an_hour = std::time::SystemTime::now() + std::time::Duration::from_hours(1);
    let since = in_an_hour.duration_since(std::time::UNIX_EPOCH).expect("after 1970");
    session["agents"][0]["start"]["at"]["secs_since_epoch"] = since.as_secs().into();
    fs::write(&path, session.to_string()).expect("a file");
    let told = note(&world);
    assert!(told.contains("Missing required field: status"), "{told}");
}
