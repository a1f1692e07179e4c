//! Invisible characters do not count as content, neither in a file nor in a member.

use std::process::Output;

use crate::common::{SESSION, World, piped};
use serde_json::{Value, json};

/// Texts in which nothing can be seen.
const INVISIBLE: [&str; 12] = [
    "\u{feff}",
    "\u{200b}",
    "\0\0\0",
    "\u{a0}",
    "\u{3000}\n",
    "\u{2028}\u{2029}",
    "\u{b}\u{c}",
    "\u{ad}\u{34f}\u{180e}",
    "\u{3164}\u{ffa0}\u{115f}",
    "\u{e0041}\u{e007f}",
    "\u{1d173}\u{1bca0}",
    " \t\r\n\u{2060}",
];

fn returned(change: impl FnOnce(&mut Value)) -> String {
    let mut returned = json!({
        "status": "completed",
        "summary": "Planned the tide tables in three phases. About eight hours of work.",
        "artifacts": [{"type": "plan", "path": "seen.md", "summary": "Plan"}],
        "metadata": {
            "session_id": SESSION,
            "agent_type": "planner",
            "delegation_depth": 1,
            "delegation_path": ["orchestrator", "plan", "planner"],
        },
    });
    change(&mut returned);
    returned.to_string()
}

/// Rules and pointers of the findings, and the exit code.
fn findings(output: &Output) -> (Vec<(String, String)>, Option<i32>) {
    let record: Value = serde_json::from_slice(&output.stdout).expect("a record");
    let findings = record["findings"].as_array().expect("findings").iter();
    let text = |value: &Value| value.as_str().expect("text").to_owned();
    let findings = findings.map(|it| (text(&it["rule"]), text(&it["pointer"])));
    (findings.collect(), output.status.code())
}

fn one(rule: &str, pointer: &str) -> Vec<(String, String)> {
    vec![(rule.to_owned(), pointer.to_owned())]
}

#[test]
fn a_file_in_which_nothing_can_be_seen_is_blank() {
    let world = World::new();
    let check = || {
        let output = piped(&world, "--format jsonl", returned(|_| ()));
        findings(&output)
    };
    let blank = (one("artifact-blank", "/artifacts/0/path"), Some(0));
    for text in INVISIBLE {
        // Characters fall between any two reads.
        for times in [1, 21, 1_500] {
            world.write("seen.md", text.repeat(times));
            assert_eq!(check(), blank, "{text:?} {times} times");
            world.write("seen.md", text.repeat(times) + "x");
            assert_eq!(check(), (vec![], Some(0)), "{text:?} {times} times, and x");
        }
    }
    for visible in [&b"\xff"[..], b"\xe2\x80", b" \xff\xfe", b"\xff\xfex\0", b"\x1b"] {
        world.write("seen.md", visible);
        assert_eq!(check(), (vec![], Some(0)), "{visible:?}");
    }
}

#[test]
fn a_file_of_nul_bytes_is_blank_as_far_as_it_is_read() {
    let world = World::new();
    for (length, is_read) in [(1, true), (4096, true), (1 << 36, false)] {
        let file = std::fs::File::create(world.path("seen.md")).expect("a file");
        file.set_len(length).expect("room");
        let output = piped(&world, "--format jsonl", returned(|_| ()));
        let blank = is_read.then(|| one("artifact-blank", "/artifacts/0/path"));
        let expected = (blank.unwrap_or_default(), Some(0));
        assert_eq!(findings(&output), expected, "{length}");
    }
}

#[test]
fn a_required_string_in_which_nothing_can_be_seen_is_empty() {
    let world = World::new();
    world.write("seen.md", "# Plan\n");
    for text in INVISIBLE {
        for pointer in [
            "/status",
            "/summary",
            "/artifacts/0/path",
            "/metadata/session_id",
            "/metadata/agent_type",
        ] {
            let set = |text: String| {
                move |returned: &mut Value| {
                    *returned.pointer_mut(pointer).expect("it has") = text.into();
                }
            };
            let check = |text: String| {
                let options = "--format jsonl --rule delegation-path-end=off";
                findings(&piped(&world, options, returned(set(text))))
            };
            let empty = one("field-empty", pointer);
            assert_eq!(check(text.repeat(30)), (empty.clone(), Some(1)), "{text:?}");
            let (found, _) = check(text.to_owned() + "x");
            assert!(!found.contains(&empty[0]), "{text:?} and x: {found:?}");
        }
    }
}
