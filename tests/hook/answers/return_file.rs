//! The file that is checked instead of the message.

use std::fs;
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, SystemTime};

use serde_json::Value;

use super::{call, payload};
use crate::common::{World, feed, fixtures, stdout};

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
    assert!(answer.contains("No file written by this agent in this run matches"), "{answer}");
    world.write("project/specs/1/.return-meta.json", file("planned", "planner"));
    set_age(&world, "project/specs/1/.return-meta.json", Duration::from_secs(10));
    world.write("project/specs/2/.return-meta.json", file("banana", "somebody-else"));
    assert_eq!(call(&world, options, &stop), None);
    world.write("project/specs/1/.return-meta.json", file("in_progress", "planner"));
    let answer = call(&world, options, &stop).expect("an answer").to_string();
    assert!(
        answer.contains("Status is still in_progress")
            && answer.contains("Finish your work, and write a final status"),
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
    let file = fs::File::options().write(true).open(world.path(path)).expect("a file");
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
    let mut other = stop.clone();
    other["agent_id"] = "a0".into();
    assert_eq!(call(&world, options, &other), None, "nobody knows when it started");
    assert!(call(&world, options, &start).is_some());
    let answer = call(&world, options, &stop).expect("an answer");
    let reason = answer["reason"].as_str().expect("a reason");
    assert_eq!(answer["decision"], "block");
    let missing = "No file written by this agent in this run matches specs/*/.return-meta.json: \
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
    assert_eq!(call(&world, options, &of("claude-code-stop", "a1")), None, "it is its own");
    world.write("project/specs/2/.return-meta.json", &text);
    assert_eq!(call(&world, options, &of("claude-code-stop", "a2")), None);
}

#[test]
fn of_two_that_end_at_once_only_one_takes_a_file() {
    let world = World::new();
    let (text, options) = metadata_file();
    let options = format!("{options} --evidence off");
    let of = |name: &str, id: &str| {
        let mut payload = payload(&world, name, "The plan is made.");
        payload["agent_id"] = id.into();
        payload
    };
    for id in ["a1", "a2"] {
        assert!(call(&world, &options, &of("claude-code-start", id)).is_some());
    }
    world.write("project/specs/1/.return-meta.json", &text);
    // Both decide before either can note what it has accepted.
    let lock = fs::File::open(session_file(&world)).expect("a file");
    lock.lock().expect("a lock");
    let asked = thread::scope(|scope| {
        let stop = |id| call(&world, &options, &of("claude-code-stop", id)).is_some();
        let calls = ["a1", "a2"].map(|id| scope.spawn(move || stop(id)));
        thread::sleep(Duration::from_millis(700));
        drop(lock);
        calls.map(|call| call.join().expect("no panic"))
    });
    assert_eq!(asked.iter().filter(|it| **it).count(), 1, "{asked:?}");
}

/// The file of the only session.
fn session_file(world: &World) -> PathBuf {
    let folders = fs::read_dir(world.path("run")).expect("a folder").flatten();
    let files = folders.flat_map(|folder| fs::read_dir(folder.path()).expect("a folder").flatten());
    let mut files = files.map(|file| file.path());
    let found = files.find(|path| path.extension().is_some_and(|it| it == "session"));
    found.expect("a session")
}

#[test]
fn one_unreadable_file_does_not_switch_the_gate_off() {
    let world = World::new();
    let (text, _) = metadata_file();
    let mut stop = payload(&world, "claude-code-stop", "The plan is made.");
    let root = world.path("project").display().to_string();
    world.write("project/specs/1/.return-meta.json", &text);
    for glob in ["./specs/*/.return-meta.json", &format!("{root}/specs/*/.return-meta.json")] {
        let options = format!("--profile return-meta --return-file {glob}");
        assert_eq!(call(&world, &options, &stop), None, "{glob}");
    }
    stop["agent_id"] = "a2".into();
    let elsewhere = "--profile return-meta --return-file /etc/*/.return-meta.json";
    let answer = call(&world, elsewhere, &stop).expect("an answer");
    assert!(answer["reason"].to_string().contains("No file written by this agent"), "{answer}");
    world.write("project/specs/2/.return-meta.json", &text);
    set_age(&world, "project/specs/1/.return-meta.json", Duration::from_mins(5));
    world.rights("project/specs/2/.return-meta.json", 0o000);
    let hook = |world: &World, stop: &Value| {
        let mut hook = world.retval_as_nobody();
        hook.args(["hook", "--profile", "return-meta", "--return-file"]);
        hook.arg("specs/*/.return-meta.json");
        feed(&mut hook, stop.to_string())
    };
    let output = hook(&world, &stop);
    assert_eq!(stdout(&output), "", "the next file is valid");
    fs::remove_file(world.path("project/specs/1/.return-meta.json")).expect("it is there");
    stop["agent_id"] = "a3".into();
    let output = stdout(&hook(&world, &stop));
    assert!(output.contains("block") && output.contains("No file written"), "{output}");
    world.write("project/specs/3/.return-meta.json", format!("```json\n{text}\n```\n"));
    let output = stdout(&hook(&world, &stop));
    assert!(output.contains("it is in a fence") || output.contains("fence"), "{output}");
}
