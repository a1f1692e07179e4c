//! The log of what the hook decides, `retval hook log`, and `retval hook try`.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, symlink};
use std::path::PathBuf;
use std::process::Output;
use std::thread;

use serde_json::{Value, json};

use crate::common::{World, feed, stderr, stdout, terminal};

/// The files of the state, the log alone or without it.
fn files(world: &World, is_log: bool) -> Vec<PathBuf> {
    let uid = fs::metadata(world.runtime()).expect("a folder").uid();
    let folder = world.runtime().join(format!("retval-hook-{uid}"));
    let files = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<_> = files.map(|file| file.path()).collect();
    files.retain(|path| path.display().to_string().contains("hook.log") == is_log);
    files.sort();
    files
}

fn stop(world: &World, agent: &str, message: &str) -> Value {
    json!({
        "session_id": "7d3e", "cwd": world.path("project"), "hook_event_name": "SubagentStop",
        "agent_id": format!("{agent}-1"), "agent_type": agent,
        "last_assistant_message": message,
    })
}

fn hook(world: &World, words: &str, payload: &(impl ToString + ?Sized)) -> Output {
    let mut retval = world.retval();
    retval.arg("hook").args(words.split_whitespace());
    let output = feed(&mut retval, payload.to_string());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    output
}

fn lines(world: &World) -> Vec<Value> {
    let texts = files(world, true).into_iter().rev().map(|it| fs::read(it).expect("a log"));
    let text = texts.collect::<Vec<_>>().concat();
    let text = String::from_utf8_lossy(&text);
    text.lines().filter_map(|it| serde_json::from_str(it).ok()).collect()
}

fn decisions(world: &World) -> Vec<String> {
    let decision = |line: &Value| line["decision"].as_str().expect("a word").to_owned();
    lines(world).iter().map(decision).collect()
}

#[test]
fn every_event_leaves_a_line_without_the_text_of_the_message() {
    let world = World::new();
    let event = stop(&world, "planner", "The secret plan is made.");
    for _ in 0..2 {
        hook(&world, "--profile return", &event);
    }
    hook(&world, "", &stop(&world, "Explore", "The secret is here."));
    hook(&world, "", r#"{"hook_event_name": "UserPromptSubmit", "prompt": "secret"}"#);
    hook(&world, "", "secret {");
    let found = lines(&world);
    let expected = ["asked-again", "let-through", "not-checked", "not-checked", "hook-failed"];
    assert_eq!(decisions(&world), expected);
    assert_eq!(found[0]["rules"], json!(["json-syntax"]));
    assert_eq!(found[1]["asked_again"], 1);
    assert_eq!(found[0]["message"], found[1]["message"]);
    assert_eq!(found[0]["profile_from"], "--profile");
    assert_eq!(found[0]["agent_id"], "planner-1");
    assert_eq!(found[2]["why"], "it is built into the client");
    for file in files(&world, true) {
        let text = fs::read_to_string(&file).expect("a log");
        assert!(!text.contains("secret plan") && !text.contains("secret is"), "{text}");
        assert_eq!(file.metadata().expect("a file").mode() & 0o777, 0o600);
    }
}

/// The lines of the log for people, without the times.
fn told(world: &World, words: &str) -> Vec<String> {
    let text = stdout(&hook(world, &format!("log {words}"), ""));
    text.lines().map(|line| line[21..].to_owned()).collect()
}

#[test]
fn the_log_says_in_words_what_happened_on_a_terminal_too() {
    let world = World::new();
    let event = stop(&world, "planner", "Done.");
    let mut start = event.clone();
    start["hook_event_name"] = "SubagentStart".into();
    for event in [&start, &event, &event] {
        hook(&world, "--profile return", event);
    }
    let mut result = event.clone();
    result["hook_event_name"] = "PostToolUse".into();
    result["tool_name"] = "Agent".into();
    result["tool_input"] = json!({ "subagent_type": "planner" });
    result["tool_response"] = json!({ "agentId": "planner-1", "agentType": "planner" });
    hook(&world, "--profile return", &result);
    hook(&world, "--profile any", &stop(&world, "builder", "It is built."));
    hook(&world, "--observe", &stop(&world, "scout", "Done."));
    hook(&world, "--agents other", &stop(&world, "critic", "Done."));
    let mut odd = stop(&world, "\u{1b}[2Jodd\n", "Done.");
    odd["agent_id"] = "\u{202e}id".into();
    hook(&world, "--agents other", &odd);
    hook(&world, "--profile gone", &stop(&world, "lost", "Done."));
    hook(&world, "", "secret {");
    let shown = told(&world, "");
    assert_eq!(
        shown,
        [
            "claude-code  planner planner-    instructed (SubagentStart, return by --profile)",
            "claude-code  planner planner-    asked again: json-syntax (SubagentStop, return by --profile)",
            "claude-code  planner planner-    let through after asking once: json-syntax (SubagentStop, return by --profile)",
            "claude-code  planner planner-    caller told: as decided when it stopped (PostToolUse)",
            "claude-code  builder builder-    valid (SubagentStop, any by --profile)",
            "claude-code  scout scout-1       only observed: json-syntax (SubagentStop, return by default)",
            "claude-code  critic critic-1     not checked: --agents or its table leaves it out (SubagentStop)",
            "claude-code  \\u{1b}[2Jodd\\n \\u{202e}id  not checked: --agents or its table leaves it out (SubagentStop)",
            "claude-code  lost lost-1         hook failed: unknown profile `gone`; expected one of return, return-v1, return-meta, compact, handoff, any (SubagentStop)",
            "claude-code  -                   hook failed: the payload is not JSON: expected value at line 1 column 1 (other)",
        ]
    );
    let mut log = world.retval();
    log.args(["hook", "log"]);
    assert_eq!(terminal::shown(log, 80), stdout(&hook(&world, "log", "")));
}

#[test]
fn the_log_is_of_this_project_and_short_unless_more_is_asked_for() {
    let world = World::new();
    for number in 0..25 {
        hook(&world, "", &stop(&world, &format!("a{number}"), "Done."));
    }
    let mut other = stop(&world, "other", "Done.");
    let folder = world.path("elsewhere");
    fs::create_dir_all(&folder).expect("a folder");
    other["cwd"] = folder.display().to_string().into();
    hook(&world, "", &other);
    fs::create_dir_all(world.path("empty")).expect("a folder");
    let log = |folder: &str, words: &str| {
        let mut retval = world.retval();
        retval.current_dir(world.path(folder)).args(["hook", "log"]);
        let output = feed(retval.args(words.split_whitespace()), "");
        let agents = stdout(&output);
        let agents = agents.lines().filter_map(|line| line.split_whitespace().nth(3));
        (agents.map(str::to_owned).collect::<Vec<_>>(), stderr(&output))
    };
    let here: Vec<_> = (5..25).map(|number| format!("a{number}")).collect();
    assert_eq!(log("project", ""), (here, String::new()));
    assert_eq!(log("project", "-n 1").0, ["a24"]);
    assert_eq!(log("project", "-n 99").0.len(), 25);
    assert_eq!(log("elsewhere", "").0, ["other"]);
    assert_eq!(log("empty", "--all").0.len(), 26);
    assert_eq!(log("empty", "--all -n 2").0, ["a24", "other"]);
    let note = "note: there is no entry of this project; --all prints those of all projects\n";
    assert_eq!(log("empty", ""), (Vec::new(), note.to_owned()));
}

#[test]
fn the_log_can_be_switched_off_and_never_changes_an_answer() {
    let world = World::new();
    let event = stop(&world, "planner", "Done.");
    let answer = stdout(&hook(&world, "", &event));
    world.write("retval.toml", "hook.log = false\n");
    hook(&world, "", &stop(&world, "builder", "Done."));
    assert_eq!(decisions(&world), ["asked-again"]);
    fs::remove_file(world.path("retval.toml")).expect("a file");
    // What is in its place is not followed, and not waited for.
    let [log] = &files(&world, true)[..] else {
        panic!("one log");
    };
    let target = world.write("target", "mine");
    fs::remove_file(log).expect("a log");
    symlink(&target, log).expect("a link");
    let mut other = stop(&world, "planner", "Done.");
    other["agent_id"] = "another".into();
    assert_eq!(stdout(&hook(&world, "", &other)), answer);
    assert_eq!(fs::read_to_string(target).expect("a file"), "mine");
    let mut retval = world.retval();
    retval.arg("hook").env("RETVAL_HOOK_LOG", "perhaps");
    let told = stdout(&feed(&mut retval, event.to_string()));
    assert!(
        told.contains("RETVAL_HOOK_LOG: `log`: expected true or false, found string"),
        "{told}"
    );
}

#[test]
fn many_calls_at_once_lose_no_line_also_when_the_log_is_full() {
    let world = World::new();
    hook(&world, "", &stop(&world, "planner", "Done."));
    let log = files(&world, true).remove(0);
    let line = fs::read_to_string(&log).expect("a log");
    let many = line.repeat((1 << 20) / line.len());
    let before = many.lines().count();
    fs::write(&log, many).expect("a log");
    thread::scope(|scope| {
        for number in 0..4 {
            let world = &world;
            scope.spawn(move || {
                for time in 0..3 {
                    hook(world, "", &stop(world, &format!("agent{number}x{time}"), "Done."));
                }
            });
        }
    });
    assert_eq!(files(&world, true).len(), 2);
    assert_eq!(lines(&world).len(), before + 12);
}

#[test]
fn a_line_that_is_not_utf_8_is_printed_with_replacements() {
    let world = World::new();
    hook(&world, "", &stop(&world, "planner", "Done."));
    let log = files(&world, true).remove(0);
    let mut bytes = fs::read(&log).expect("a log");
    let at = bytes.windows(9).position(|it| it == b"planner-1");
    bytes[at.expect("an id")] = 0xff;
    bytes.extend(b"\xfe\n");
    fs::write(&log, bytes).expect("a log");
    hook(&world, "", &stop(&world, "builder", "Done."));
    let shown = stdout(&hook(&world, "log", ""));
    assert!(
        shown.contains("planner \u{fffd}lanner") && shown.contains("builder builder-"),
        "{shown}"
    );
    assert_eq!(lines(&world).len(), 2);
}

#[test]
fn a_trial_changes_nothing_and_says_what_the_hook_does() {
    let world = World::new();
    let event = stop(&world, "planner", "Done.");
    let path = world.write("event.json", event.to_string());
    let path = path.display();
    let try_it = || stdout(&hook(&world, &format!("try {path} --errors-json errors.json"), ""));
    let first = try_it();
    assert!(
        first.contains("decision  asked again: json-syntax (SubagentStop, return by default)\n"),
        "{first}"
    );
    assert!(files(&world, false).is_empty() && files(&world, true).is_empty());
    hook(&world, "", &event);
    let state = |world: &World| -> Vec<_> {
        let files = files(world, false).into_iter();
        files.map(|it| (fs::read(&it).expect("a file"), it)).collect()
    };
    let before = state(&world);
    let second = try_it();
    assert!(second.contains("decision  let through after asking once: json-syntax ("), "{second}");
    assert_eq!(state(&world), before);
    assert_eq!(lines(&world).len(), 1);
    assert!(!world.path("errors.json").exists());
}

#[test]
fn a_trial_takes_the_options_of_the_installed_hook() {
    let world = World::new();
    hook(&world, "install claude-code --agents other --errors-json e.json", "");
    let said = stdout(&hook(&world, "try -", &stop(&world, "planner", "Done.")));
    assert!(
        said.starts_with("options   --profile any --agents other --errors-json e.json\n"),
        "{said}"
    );
    assert!(
        said.contains(
            "decision  not checked: --agents or its table leaves it out (SubagentStop)\n"
        ),
        "{said}"
    );
}

#[test]
fn an_event_that_is_none_is_an_error() {
    let world = World::new();
    for (payload, problem) in [
        ("", "error: standard input: it is empty\n"),
        (
            "{",
            "error: standard input: it is not JSON: EOF while parsing an object at line 1 column 1\n",
        ),
    ] {
        let mut retval = world.retval();
        let output = feed(retval.args(["hook", "try", "-"]), payload);
        assert_eq!(output.status.code(), Some(2));
        assert_eq!(stderr(&output), problem);
    }
}

#[test]
fn an_agent_that_cannot_be_instructed_is_let_start_and_the_log_asks_for_an_example() {
    let world = World::new();
    world.write(
        "own.toml",
        "[profiles.line]\nform = \"text\"\nat.status = { at = \"/last\", match = '^VERDICT: (?<value>.+)' }\n\
         statuses = { PASS = \"success\" }\n",
    );
    let start = json!({
        "session_id": "7d3e", "cwd": world.path("project"), "hook_event_name": "SubagentStart",
        "agent_id": "a1", "agent_type": "judge",
    });
    let output = hook(&world, "--config own.toml --profile line", &start);
    assert_eq!(stdout(&output), "");
    let found = lines(&world);
    assert_eq!(decisions(&world), ["nothing-said"]);
    let why = found[0]["why"].as_str().expect("a reason");
    assert!(why.starts_with("the profile line needs an `example`"), "{why}");
}
