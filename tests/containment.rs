//! What a return claims is looked for below the root and nowhere else, whatever stands there.
#![cfg(target_os = "linux")]

mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use assert_cmd::assert::OutputAssertExt as _;
use common::{World, feed, is_root, piped, run, stderr, stdout};
use retval::format::Format;
use rustix::fs::inotify;
use serde_json::{Value, json};

/// Bytes of the file that nobody inside may learn of.
const SECRET: usize = 31_337;

/// Longer than a look at any path takes, shorter than anyone waits.
const SOON: Duration = Duration::from_mins(1);

/// A valid return that claims one path.
fn claiming(path: &str) -> String {
    json!({
        "status": "completed", "summary": "One thing. Another.",
        "artifacts": [{ "type": "plan", "path": path, "summary": "x" }],
        "metadata": {
            "session_id": "s", "agent_type": "a", "delegation_depth": 1, "delegation_path": ["orchestrator","a"],
        },
    })
    .to_string()
}

fn record(output: &Output) -> Value {
    let text = stdout(output);
    serde_json::from_str(&text).unwrap_or_else(|_| panic!("{text}{}", stderr(output)))
}

/// The rules that a claim breaks, and its state.
fn checked(record: &Value) -> (Vec<&str>, &str) {
    let findings = record["findings"].as_array().expect("findings");
    let rules = findings
        .iter()
        .filter_map(|it| it["rule"].as_str())
        .collect();
    (
        rules,
        record["artifacts"][0]["state"].as_str().expect("a state"),
    )
}

/// A world with a secret beside the root, and every way to it that a file system has.
fn world() -> World {
    let world = World::new();
    world.write("secret/key.pem", "k".repeat(SECRET));
    world.write("project/in/deep/plan.md", "# Plan\n");
    let outside = world.path("secret");
    for (link, target) in [
        ("out.pem", Path::new("../secret/key.pem")),
        ("out-folder", Path::new("../secret")),
        ("out-absolute", &outside),
        ("out-twice", Path::new("out-folder")),
        ("in/out", Path::new("../../secret")),
        ("out-process", Path::new("/proc/self/cwd/secret")),
        ("out-root", Path::new("/proc/self/root")),
        ("round", Path::new("round")),
        ("one", Path::new("other")),
        ("other", Path::new("one")),
        ("dangling", Path::new("nowhere")),
        ("to-zero", Path::new("/dev/zero")),
    ] {
        symlink(target, world.path("project").join(link)).expect("a link");
    }
    for hop in 0..60 {
        let target = if hop == 0 {
            "docs".to_owned()
        } else {
            format!("hop{}", hop - 1)
        };
        symlink(target, world.path(&format!("project/hop{hop}"))).expect("a link");
    }
    let made = Command::new("mkfifo")
        .args([world.path("project/pipe"), outside.join("pipe")])
        .status();
    assert!(made.expect("mkfifo runs").success());
    if is_root() {
        for (name, kind, major) in [("device", "c", "1"), ("disk", "b", "7")] {
            let mut mknod = Command::new("mknod");
            mknod
                .arg(world.path("project").join(name))
                .args([kind, major, "5"]);
            assert!(mknod.status().expect("mknod runs").success());
        }
    }
    world
}

/// Checks a claim and sees that it does not hang.
fn check(world: &World, options: &str, path: &str) -> Value {
    let started = Instant::now();
    let output = piped(world, &format!("--format jsonl {options}"), claiming(path));
    assert!(started.elapsed() < SOON, "{path}");
    assert_eq!(stderr(&output), "", "{path}");
    record(&output)
}

/// Each claim breaks the rule, or none, and has the state.
fn each(world: &World, paths: &[&str], rule: &str, state: &str) {
    let rules: &[&str] = if rule.is_empty() { &[] } else { &[rule] };
    for path in paths {
        let record = check(world, "--root project", path);
        let shown: String = path.chars().take(80).collect();
        assert_eq!(checked(&record), (rules.to_vec(), state), "{shown}");
    }
}

#[test]
fn paths_that_stay_inside_are_followed() {
    let inside = [
        "docs/tides.md",
        "./docs//tides.md",
        "in/../docs/tides.md",
        "hop20/tides.md",
    ];
    each(&world(), &inside, "", "ok");
}

#[test]
fn paths_that_leave_the_root_are_outside() {
    let world = world();
    let secret = world.path("secret/key.pem").display().to_string();
    let high = "../".repeat(5_000) + "etc/passwd";
    let outside = [
        "..",
        "../secret/key.pem",
        "../project/docs/tides.md",
        "docs/../../secret/key.pem",
        "nowhere/../../secret/key.pem",
        &high,
        "/",
        "/etc/passwd",
        &secret,
        "/proc/self/root/etc/passwd",
        "/proc/self/fd/0",
        "/dev/stdin",
        "out.pem",
        "out-folder",
        "out-folder/key.pem",
        "out-folder/pipe",
        "out-absolute/key.pem",
        "out-absolute/../project/docs/tides.md",
        "out-twice/key.pem",
        "in/out/key.pem",
        "out-process/key.pem",
        "out-root/etc/passwd",
        "to-zero",
    ];
    each(&world, &outside, "artifact-outside-root", "outside-root");
}

#[test]
fn paths_to_nothing_are_not_found() {
    let long = "x".repeat(5_000);
    let deep = "x/".repeat(2_500) + "x";
    let dots = "./".repeat(20_000) + "docs/tides.md";
    let nowhere = [
        "round",
        "round/x",
        "one",
        "hop59/tides.md",
        "dangling",
        "docs/tides.md/x",
        "docs/tides.md/",
        "docs/tides.md/..",
        &long,
        &deep,
        &dots,
    ];
    each(&world(), &nowhere, "artifact-not-found", "not-found");
}

#[test]
fn a_fifo_or_device_is_not_waited_for() {
    let world = world();
    let _socket = UnixListener::bind(world.path("project/socket")).expect("a socket");
    let mut others = vec!["docs", "docs/", ".", "docs/..", "pipe", "socket"];
    if is_root() {
        others.extend(["device", "disk"]);
    }
    each(&world, &others, "artifact-not-a-file", "not-a-file");
}

#[test]
fn a_text_that_is_no_path_is_not_looked_up() {
    let texts = [
        "a\0b",
        "docs/tides.md\0",
        "docs\\tides.md",
        "C:/Windows",
        "file:///etc/passwd",
        "~/.ssh/id",
    ];
    each(&world(), &texts, "artifact-path", "invalid-path");
}

#[test]
fn the_links_of_proc_are_not_followed() {
    let world = world();
    for path in [
        "exe",
        "cwd/secret/key.pem",
        "root/etc/passwd",
        "fd/0",
        "task/../exe",
    ] {
        let record = check(&world, "--root /proc/self", path);
        let (_, state) = checked(&record);
        assert!(
            matches!(state, "outside-root" | "not-found"),
            "{path}: {state}"
        );
    }
}

#[test]
fn a_file_without_permission_is_unreadable() {
    let world = world();
    world.write("project/shut/plan.md", "# Plan\n");
    world.rights("project/shut", 0o000);
    for path in ["locked/plan.md", "shut/plan.md", "shut/../docs/tides.md"] {
        let mut retval = world.retval_as_nobody();
        retval.args(["check", "--root", "project", "--format", "jsonl", "in.json"]);
        world.write("in.json", claiming(path));
        let output = run(&mut retval);
        assert_eq!(
            checked(&record(&output)),
            (vec!["artifact-unreadable"], "unreadable"),
            "{path}"
        );
        output.assert().code(1);
    }
    world.rights("project/shut", 0o755);
}

#[test]
fn no_verdict_reveals_what_is_outside_the_root() {
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
                // Their fingerprints are of the path.
                "sarif" | "gitlab" => text.lines().count().to_string(),
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
    symlink(
        world.path("secret"),
        world.path("project/bazinga/artifacts/s/link"),
    )
    .expect("a link");
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
    symlink(
        world.path("secret/.return-meta.json"),
        world.path("project/in/.return-meta.json"),
    )
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
            let output = feed(
                hook.env("XDG_RUNTIME_DIR", world.path("run")),
                payload.to_string(),
            );
            assert!(
                !stdout(&output).contains("SESAME"),
                "{glob}: {}",
                stdout(&output)
            );
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
    for (name, target) in [
        ("a.json", "../secret/key.json"),
        ("folder", "../secret"),
        ("up", ".."),
    ] {
        fs::create_dir_all(world.path("traps")).expect("a folder");
        symlink(target, world.path("traps").join(name)).expect("a link");
    }
    let made = Command::new("mkfifo")
        .arg(world.path("traps/pipe.json"))
        .status();
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
        let sources: Vec<_> = sources
            .iter()
            .map(|record| record["source"].as_str().expect("a name"))
            .collect();
        assert_eq!(sources, ["traps/pipe.json", "traps/z.json"]);
        output.assert().code(2);
    });
    assert_eq!(seen, 0);
}

/// The number of claims in the race, and how many more there are if it was not close enough until
/// then. Each is spelled otherwise, for what was found is not looked for again.
const CLAIMS: usize = 4_096;
const CLAIMS_AT_MOST: usize = 1 << 20;

/// `folder`, slashes that say a number, `name`.
fn spelled(folder: &str, number: usize, name: &str) -> String {
    let part = |bit: usize| if number >> bit & 1 == 1 { "/./" } else { "//" };
    folder.to_owned() + &(0..20).map(part).collect::<String>() + name
}

/// Swaps a folder and a file for links to what is outside, and back.
fn swap(world: &World) {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    for (one, other) in [("race", "race-link"), ("file.pem", "file-link")] {
        let [one, other] = [one, other].map(|name| world.path("project").join(name));
        renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE).expect("they are swapped");
    }
}

/// How many claims there were of each state and size, checked while their files are swapped, and how
/// many were written.
fn raced(world: &World) -> (BTreeMap<(String, Option<u64>), usize>, usize) {
    let mut retval = world.retval();
    retval.args("check --ndjson --format jsonl --root project -j 1".split(' '));
    let child = retval.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let mut child = child.expect("it runs");
    let mut stdin = child.stdin.take().expect("a pipe");
    let answers = BufReader::new(child.stdout.take().expect("a pipe"));
    let (is_over, swaps) = (&AtomicBool::new(false), &AtomicUsize::new(0));
    let mut seen = BTreeMap::new();
    let written = thread::scope(|scope| {
        scope.spawn(|| {
            while !is_over.load(Ordering::Relaxed) {
                swap(world);
                swaps.fetch_add(1, Ordering::Relaxed);
            }
        });
        let writing = scope.spawn(move || {
            let mut written = 0;
            for number in 0..CLAIMS_AT_MOST {
                if is_over.load(Ordering::Relaxed) {
                    break;
                }
                for (folder, name) in [("race", "key.pem"), (".", "file.pem")] {
                    let claim = claiming(&spelled(folder, number, name));
                    writeln!(stdin, "{claim}").expect("it reads");
                    written += 1;
                }
            }
            written
        });
        for (number, line) in answers.lines().map_while(Result::ok).enumerate() {
            let record: Value = serde_json::from_str(&line).unwrap_or_default();
            let artifact = &record["artifacts"][0];
            let state = artifact["state"].as_str().unwrap_or_default().to_owned();
            *seen.entry((state, artifact["bytes"].as_u64())).or_default() += 1;
            let sides: BTreeSet<_> = seen.keys().map(|(state, _)| state == "ok").collect();
            let is_close = sides.len() == 2 && swaps.load(Ordering::Relaxed) > 500;
            if number >= CLAIMS && is_close {
                is_over.store(true, Ordering::Relaxed);
            }
        }
        is_over.store(true, Ordering::Relaxed);
        writing.join().expect("no panic")
    });
    child.wait().expect("it ends");
    (seen, written)
}

#[test]
fn a_path_swapped_for_a_link_never_shows_outside_files() {
    let world = world();
    world.write("project/race/key.pem", "inner");
    world.write("project/file.pem", "inner");
    symlink("../secret", world.path("project/race-link")).expect("a link");
    symlink("../secret/key.pem", world.path("project/file-link")).expect("a link");
    let (seen, written) = raced(&world);
    assert_eq!(seen.values().sum::<usize>(), written, "{seen:?}");
    let mut sides = BTreeSet::new();
    for (state, bytes) in seen.keys() {
        // Not readable: it was swapped each time that it was asked for.
        let is_inside = !matches!(state.as_str(), "outside-root" | "unreadable");
        assert!(
            !is_inside || (state == "ok" && *bytes == Some(5)),
            "{seen:?}"
        );
        sides.insert(is_inside);
    }
    assert_eq!(sides.len(), 2, "{seen:?}");
}
