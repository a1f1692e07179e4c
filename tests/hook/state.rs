//! `retval hook` when its own files were changed or removed.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use crate::common::{World, feed, stderr, stdout};
use serde_json::{Value, json};

/// Far longer than a call of the hook takes.
const PATIENCE: Duration = Duration::from_secs(20);

fn world() -> World {
    let world = World::new();
    fs::create_dir_all(world.path("run")).expect("a folder");
    world
}

/// The folder of the files.
fn folder(world: &World) -> PathBuf {
    let uid = fs::metadata(world.path("run")).expect("a folder").uid();
    world.path(&format!("run/retval-hook-{uid}"))
}

/// The file of the session.
fn record(world: &World) -> PathBuf {
    let files = fs::read_dir(folder(world)).expect("a folder").flatten();
    let mut files = files.map(|file| file.path());
    let found = files.find(|path| path.extension().is_some_and(|it| it == "session"));
    found.expect("a record")
}

fn event(world: &World, name: &str) -> Value {
    let mut event = json!({
        "session_id": "ffd16564-174d-412d-bb95-36c5efd52e33",
        "transcript_path": world.path("none.jsonl"),
        "cwd": world.path("project"),
        "hook_event_name": name,
        "agent_id": "a1",
        "agent_type": "planner",
    });
    match name {
        "SubagentStop" => {
            event["stop_hook_active"] = true.into();
            event["agent_transcript_path"] = json!(world.path("agent-a1.jsonl"));
            event["last_assistant_message"] = "It is planned.".into();
        }
        "PostToolUse" => {
            event["tool_name"] = "Agent".into();
            event["tool_use_id"] = "t1".into();
            event["tool_input"] = json!({ "subagent_type": "planner", "prompt": "Plan." });
            event["tool_response"] = json!({
                "status": "completed", "agentId": "a1", "agentType": "planner", "prompt": "Plan.",
                "content": [{ "type": "text", "text": "It is planned." }],
            });
            event.as_object_mut().expect("an object").remove("agent_id");
            event.as_object_mut().expect("an object").remove("agent_type");
        }
        _ => {}
    }
    event
}

/// The answer of the hook, run by a shell after this.
fn call_after(world: &World, before: &str, options: &str, event: &Value) -> Option<Value> {
    let mut command = world.retval();
    let program = command.get_program().to_owned();
    let mut shell = Command::new("sh");
    shell.current_dir(command.get_current_dir().unwrap_or(Path::new(".")));
    shell.args(["-c", &format!("{before} exec \"$0\" hook {options}")]);
    shell.arg(program).env("XDG_RUNTIME_DIR", world.path("run"));
    command = shell;
    let payload = event.to_string();
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || sender.send(feed(&mut command, payload)));
    let output = receiver.recv_timeout(PATIENCE).expect("it does not hang");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = stdout(&output);
    (!text.is_empty()).then(|| serde_json::from_str(&text).expect("JSON"))
}

fn call(world: &World, options: &str, event: &Value) -> Option<Value> {
    call_after(world, "", options, event)
}

fn is_asked_again(answer: Option<&Value>) -> bool {
    answer.is_some_and(|answer| answer["decision"] == "block")
}

/// No file can be given any content, as on a full disk.
const FULL_DISK: &str = "trap '' XFSZ; ulimit -f 0;";

#[test]
fn a_verdict_that_could_not_be_stored_is_determined_again_and_reported() {
    for (before, spoil) in [
        (FULL_DISK, None),
        ("", Some("")),
        ("", Some("{\"agents\":[{\"verdict\":{\"Inval")),
        ("", Some("{\"agents\":[{\"verdict\":{\"Banana\":\"\"}}]}")),
        ("", Some("[[[[")),
    ] {
        let world = world();
        let stop = event(&world, "SubagentStop");
        if spoil.is_none() {
            // Of an earlier stop that was only observed.
            call(&world, "--observe", &stop);
        }
        let answer = call_after(&world, before, "", &stop);
        assert!(!is_asked_again(answer.as_ref()), "it may stop: {answer:?}");
        if let Some(text) = spoil {
            fs::write(record(&world), text).expect("a file");
        }
        let told = call(&world, "", &event(&world, "PostToolUse"));
        assert!(is_asked_again(told.as_ref()), "{told:?}");
        let told = told.expect("an answer").to_string();
        assert!(told.contains("do not rely on it"), "{told}");
    }
}

#[test]
fn a_lost_count_restarts_and_is_still_limited() {
    let world = world();
    let mut stop = event(&world, "SubagentStop");
    stop.as_object_mut().expect("an object").remove("stop_hook_active");
    let asks = || is_asked_again(call(&world, "--retries 2", &stop).as_ref());
    for lost in ["", "{\"agents\":", "{\"agents\":[{\"asked\":{\"in_task\":-1}}]}"] {
        assert!(asks());
        fs::write(record(&world), lost).expect("a file");
        assert_eq!([asks(), asks(), asks()], [true, true, false], "{lost}");
    }
    let full = call_after(&world, FULL_DISK, "--retries 2", &event(&world, "SubagentStop"));
    assert!(!is_asked_again(full.as_ref()), "it could go on for ever");
    stop["stop_hook_active"] = false.into();
    let full = call_after(&world, FULL_DISK, "--retries 2", &stop);
    assert!(is_asked_again(full.as_ref()), "it is the first time");
}

#[test]
fn a_count_that_was_cut_off_is_asked_of_the_client() {
    let world = world();
    let mut stop = event(&world, "SubagentStop");
    let asks = |stop: &Value| is_asked_again(call(&world, "--retries 2", stop).as_ref());
    for (is_again, expected) in [(Value::Null, true), (false.into(), true), (true.into(), false)] {
        stop["stop_hook_active"] = false.into();
        assert!(asks(&stop));
        fs::write(record(&world), "{\"agents\":").expect("a file");
        stop["stop_hook_active"] = is_again;
        assert_eq!(asks(&stop), expected, "{stop}");
    }
}

#[test]
fn a_symlink_among_the_files_leaves_its_target_unchanged() {
    let world = world();
    let precious = world.write("precious", "of the user");
    let (start, stop) = (event(&world, "SubagentStart"), event(&world, "SubagentStop"));
    let result = event(&world, "PostToolUse");
    let options = "--return-file */none.json";
    let run = |world: &World| {
        let started = call(world, options, &start);
        assert!(started.is_some(), "it gets its instruction");
        call(world, options, &stop);
    };
    run(&world);
    call(&world, "--retries 3", &stop);
    call(&world, options, &start);
    let files: Vec<_> =
        fs::read_dir(folder(&world)).expect("a folder").flatten().map(|file| file.path()).collect();
    assert_eq!(files.len(), 2, "a session and the log: {files:?}");
    for path in &files {
        fs::remove_file(path).expect("a file");
        symlink(&precious, path).expect("a link");
    }
    run(&world);
    call(&world, "--retries 3", &stop);
    let told = call(&world, "", &result);
    assert!(is_asked_again(told.as_ref()), "{told:?}");
    let kept = fs::read_to_string(&precious).expect("a file");
    assert_eq!(kept, "of the user");
}

#[test]
fn a_pipe_or_a_lock_among_the_files_does_not_block() {
    let world = world();
    let (start, stop) = (event(&world, "SubagentStart"), event(&world, "SubagentStop"));
    let options = "--return-file */none.json";
    let result = event(&world, "PostToolUse");
    call(&world, options, &stop);
    let locked = fs::File::open(record(&world)).expect("a file");
    locked.lock().expect("a lock");
    assert!(call(&world, options, &start).is_some());
    call(&world, options, &stop);
    let told = call(&world, options, &result);
    assert!(is_asked_again(told.as_ref()), "{told:?}");
    drop(locked);
    call(&world, options, &stop);
    call(&world, options, &start);
    for path in fs::read_dir(folder(&world)).expect("a folder").flatten() {
        let path = path.path();
        fs::remove_file(&path).expect("a file");
        let made = Command::new("mkfifo").arg(&path).status();
        assert!(made.expect("mkfifo runs").success());
    }
    assert!(call(&world, options, &start).is_some());
    call(&world, options, &stop);
    let told = call(&world, options, &result);
    assert!(is_asked_again(told.as_ref()), "{told:?}");
}

#[test]
fn a_folder_that_is_read_only_or_removed_does_not_switch_the_gate_off() {
    use std::os::unix::fs::PermissionsExt as _;
    let world = world();
    let stop = event(&world, "SubagentStop");
    let mut first = stop.clone();
    first["stop_hook_active"] = false.into();
    assert!(is_asked_again(call(&world, "", &first).as_ref()));
    fs::remove_dir_all(folder(&world)).expect("a folder");
    let answer = call(&world, "", &stop);
    assert!(!is_asked_again(answer.as_ref()), "it was asked: {answer:?}");
    let rights = fs::Permissions::from_mode(0o500);
    fs::set_permissions(folder(&world), rights).expect("rights");
    assert!(is_asked_again(call(&world, "", &first).as_ref()));
    let answer = call(&world, "", &stop);
    assert!(!is_asked_again(answer.as_ref()), "it was asked: {answer:?}");
}

#[test]
fn ten_agents_of_a_session_that_end_at_once_are_each_asked_again_once() {
    let world = world();
    let turn = |number: usize, is_again: bool| {
        let mut stop = event(&world, "SubagentStop");
        stop["agent_id"] = format!("agent-{number}").into();
        stop["agent_transcript_path"] = Value::Null;
        stop["stop_hook_active"] = is_again.into();
        is_asked_again(call(&world, "", &stop).as_ref())
    };
    thread::scope(|scope| {
        let agent = |number| [turn(number, false), turn(number, true)];
        let agents: Vec<_> = (0..10).map(|number| scope.spawn(move || agent(number))).collect();
        for agent in agents {
            assert_eq!(agent.join().expect("no panic"), [true, false]);
        }
    });
}

#[test]
fn a_hook_that_is_killed_leaves_no_lock_and_no_half_of_a_file() {
    let world = world();
    let mut stop = event(&world, "SubagentStop");
    stop["stop_hook_active"] = Value::Null;
    for _ in 0..20 {
        let before = "(sleep 0.0$(($$ % 10)); kill -9 $$) &";
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("{before} exec \"$0\" hook --retries 3")]);
        shell.arg(world.retval().get_program());
        shell.env("XDG_RUNTIME_DIR", world.path("run"));
        feed(&mut shell, stop.to_string());
    }
    stop["agent_id"] = "another".into();
    let asked = [(); 4].map(|()| is_asked_again(call(&world, "--retries 3", &stop).as_ref()));
    assert_eq!(asked, [true, true, true, false]);
}
