//! No file outside the root is opened, and nothing about it is reported.

use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;
use std::time::Instant;

use assert_cmd::assert::OutputAssertExt as _;
use retval::Format;
use rustix::fs::inotify;
use serde_json::{Value, json};

use super::{SECRET, SOON, check, checked, claiming, record, world};
use crate::common::{World, feed, piped, stdout};

#[test]
fn no_verdict_reveals_files_outside_the_root() {
    let world = world();
    for (there, gone) in [
        ("../secret/key.pem", "../secret/kez.pem"),
        ("out-folder/key.pem", "out-folder/kez.pem"),
        ("out-absolute/key.pem", "out-absolute/kez.pem"),
        ("out-absolute/pipe", "out-absolute/kez."),
        ("/etc/passwd", "/etc/passwe"),
        ("/proc/self/root/etc/passwd", "/proc/self/root/etc/passwe"),
        ("docs/../../secret/key.pem", "docs/../../secret/kez.pem"),
    ] {
        for format in Format::ALL.map(Format::as_str) {
            let tell = |path| {
                stdout(&piped(
                    &world,
                    &format!("-v --root project --format {format}"),
                    claiming(path),
                ))
            };
            let (of_there, of_gone) = (tell(there), tell(gone));
            let plain = |text: &str, path: &str| match format {
                // Its fingerprints are of the path.
                "sarif" => text.lines().count().to_string(),
                _ => text.replace(path, "PATH"),
            };
            assert_eq!(plain(&of_there, there), plain(&of_gone, gone), "{format}");
            assert!(!of_there.contains(&SECRET.to_string()) && !of_there.contains("kkk"));
        }
    }
}

/// How often a file in a folder was opened or read.
fn opened(world: &World, folder: &str, act: impl FnOnce()) -> usize {
    let watch = inotify::init(inotify::CreateFlags::NONBLOCK).expect("a watch");
    let events = inotify::WatchFlags::OPEN | inotify::WatchFlags::ACCESS;
    inotify::add_watch(&watch, world.path(folder), events).expect("a watch");
    act();
    let mut buffer = [std::mem::MaybeUninit::uninit(); 4096];
    let mut reader = inotify::Reader::new(&watch, &mut buffer);
    std::iter::from_fn(|| reader.next().ok().map(drop)).count()
}

#[test]
fn nothing_outside_is_opened() {
    let world = world();
    let outside = world.path("secret").display().to_string();
    let claims = |paths: &[&str]| {
        for path in paths {
            check(&world, "--root project", path);
        }
    };
    let inside = opened(&world, "project/docs", || claims(&["docs/tides.md"]));
    assert!(inside > 0, "the watch sees what is opened");
    let of_return = opened(&world, "secret", || {
        claims(&[
            "../secret/key.pem",
            "out.pem",
            "out-folder/key.pem",
            "out-absolute/key.pem",
            "out-twice/pipe",
            "out-process/key.pem",
            &format!("{outside}/key.pem"),
            &format!("{outside}/pipe"),
        ]);
    });
    assert_eq!(of_return, 0);
}

/// What a pipeline names its files by may come from a model, too.
#[test]
fn no_handoff_is_read_outside() {
    let world = world();
    world.write(
        "secret/handoffs/handoff_developer.json",
        r#"{"from_agent":"developer","status":"READY_FOR_QA","summary":"SESAME","files_created":["docs/tides.md"]}"#,
    );
    fs::create_dir_all(world.path("project/bazinga/artifacts/s")).expect("folders");
    symlink(world.path("secret"), world.path("project/bazinga/artifacts/s/link")).expect("a link");
    fs::create_dir_all(world.path("project/bazinga/artifacts/x")).expect("folders");
    let seen = opened(&world, "secret/handoffs", || {
        for (session, group) in [
            ("s", "link"),
            ("../../..", "secret"),
            ("..", "../../secret"),
            ("x/../../../..", "secret"),
        ] {
            let options = "--profile compact --agent developer --root project --format jsonl";
            let output = piped(
                &world,
                &format!("{options} --session {session} --group {group}"),
                r#"{"status":"PASS"}"#,
            );
            let record = record(&output);
            let (rules, state) = checked(&record);
            assert_eq!(state, "outside-root", "{session} {group}");
            assert!(rules.contains(&"handoff-invalid"), "{rules:?}");
            assert!(!stdout(&output).contains("SESAME"));
        }
    });
    assert_eq!(seen, 0);
}

#[test]
fn no_return_file_of_a_hook_is_read_outside() {
    let world = world();
    world.write("secret/.return-meta.json", r#"{"status":"SESAME"}"#);
    world.write("elsewhere/.return-meta.json", r#"{"status":"SESAME"}"#);
    symlink(world.path("elsewhere"), world.path("project/metas")).expect("a link");
    symlink(world.path("secret/.return-meta.json"), world.path("project/in/.return-meta.json"))
        .expect("a link");
    let payload = json!({
        "hook_event_name": "SubagentStop", "session_id": "s", "agent_id": "a1", "agent_type": "planner",
        "cwd": world.path("project"), "last_assistant_message": "done",
    });
    for glob in [
        "metas/.return-meta.json",
        "metas/*.json",
        "**/.return-meta.json",
        "out-folder/**",
        "in/out/*",
        "metas/**/*.json",
        "out-absolute/.return-meta.json",
    ] {
        let act = || {
            let mut hook = world.retval();
            hook.args([
                "hook",
                "--profile",
                "return-meta",
                "--retries",
                "0",
                "--return-file",
                glob,
            ]);
            let output = feed(&mut hook, payload.to_string());
            assert!(!stdout(&output).contains("SESAME"), "{glob}: {}", stdout(&output));
            assert!(
                stdout(&output).contains("No file written by this agent"),
                "{glob}: {}",
                stdout(&output)
            );
        };
        let of_secret = opened(&world, "secret", || {
            assert_eq!(opened(&world, "elsewhere", act), 0, "{glob}");
        });
        assert_eq!(of_secret, 0, "{glob}");
    }
}

/// A folder that is checked is not left by its links, and none of its pipes is waited for.
#[test]
fn a_walk_of_a_hostile_folder_never_follows_links_out() {
    let world = world();
    world.write("secret/key.json", "SESAME");
    for (name, target) in [("a.json", "../secret/key.json"), ("folder", "../secret"), ("up", "..")]
    {
        fs::create_dir_all(world.path("traps")).expect("a folder");
        symlink(target, world.path("traps").join(name)).expect("a link");
    }
    let made = Command::new("mkfifo").arg(world.path("traps/pipe.json")).status();
    assert!(made.expect("mkfifo runs").success());
    world.write("traps/z.json", "{}");
    let seen = opened(&world, "secret", || {
        let started = Instant::now();
        let output = world.check("traps --format jsonl");
        assert!(started.elapsed() < SOON);
        assert!(!stdout(&output).contains("SESAME"));
        let sources: Vec<Value> = stdout(&output)
            .lines()
            .map(|line| serde_json::from_str(line).expect("a record"))
            .collect();
        let sources: Vec<_> =
            sources.iter().map(|record| record["source"].as_str().expect("a name")).collect();
        assert_eq!(sources, ["traps/pipe.json", "traps/z.json"]);
        output.assert().code(2);
    });
    assert_eq!(seen, 0);
}
