//! How many times an agent is asked again.

use std::fs;

use serde_json::Value;

use super::{call, captured};
use crate::common::World;

/// A stop of a client that does not tell whether it was asked again before.
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
        let file = fs::File::create(folder.join(format!("{number}.session"))).expect("a file");
        file.set_modified(old).expect("a time");
    }
    std::thread::scope(|scope| {
        let agent = |number: usize| {
            let mut stop = uncounted(&world);
            stop["agentId"] = format!("agent-{number}").into();
            turns(&world, "--retries 2", &stop, 3)
        };
        let threads: Vec<_> = (0..16).map(|number| scope.spawn(move || agent(number))).collect();
        for thread in threads {
            assert_eq!(thread.join().expect("no panic"), [true, true, false]);
        }
    });
    assert!(folder.join("7.session").exists());
    let mut next = uncounted(&world);
    next["sessionId"] = "another".into();
    call(&world, "", &next);
    assert!(!folder.join("7.session").exists(), "old files are removed when a session begins");
}

#[test]
fn calls_for_one_agent_at_once_are_all_counted() {
    let world = World::new();
    let stop = uncounted(&world);
    let blocks: usize = std::thread::scope(|scope| {
        let threads: Vec<_> =
            (0..16).map(|_| scope.spawn(|| turns(&world, "--retries 8", &stop, 1)[0])).collect();
        let blocks = threads.into_iter().map(|it| it.join().expect("no panic"));
        blocks.map(usize::from).sum()
    });
    // When it may stop, a new count begins.
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
    assert_eq!(turns(&world, closed, &stop, 1), [false], "it could go on for ever");
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
    let first = captured(&world, "background-stop");
    assert_eq!(turns(&world, "--retries 20", &first, 1), [true]);
    let stop = captured(&world, "background-stop-again");
    assert_eq!(
        turns(&world, "--retries 20", &stop, 8),
        [true, true, true, true, true, true, true, false]
    );
}
