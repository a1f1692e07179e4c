//! Returns with many claims. Each claim has the same result as it would have alone.

use serde_json::{Value, json};

use super::{Session, check, claiming, claims};
use crate::common::World;

/// More than are looked for one by one.
const FILES: usize = 40;

/// The files that may be claimed, most of which have the same name.
fn path(at: usize) -> String {
    match at % 3 {
        0 => format!("own/a{at}.md"),
        _ => format!("own/{at}/index.md"),
    }
}

/// What is said of each of these files.
fn values(world: &World, session: &Session, files: &[String]) -> Vec<String> {
    let mut returned: Value = serde_json::from_str(&claiming("?")).expect("JSON");
    let claimed =
        files.iter().map(|path| json!({ "type": "plan", "path": path, "summary": "Plan" }));
    returned["artifacts"] = claimed.collect();
    let output = check(world, session, "--format jsonl", &returned.to_string());
    let claims = claims(&output).into_iter();
    let of_files = claims.filter(|(rule, ..)| rule == "artifact-unwritten");
    let values: Vec<_> = of_files.map(|(_, value, reason)| format!("{value}: {reason}")).collect();
    assert_eq!(values.len(), files.len());
    values
}

/// An agent that treats each file in one of several ways.
fn session(world: &World, with_commands: bool) -> Session {
    Session::of_one(|mut session| {
        for at in 0..FILES {
            let path = path(at);
            world.write(&format!("project/{path}"), "x");
            let (idle, failed) = (
                json!({ "file_path": path, "old_string": "a", "new_string": "a" }),
                json!({ "file_path": path }),
            );
            session = match at % 5 {
                0 => session.write("a1", &path),
                1 => session.call("a1", "Edit", idle),
                2 => session.call_in("a1", "", "Write", failed, false),
                3 if with_commands => session.run("a1", &format!("echo x > {path}")),
                _ => session.call("a1", "Read", json!({ "file_path": path })),
            };
        }
        session
    })
}

#[test]
fn each_of_many_claims_is_answered_as_if_it_were_alone() {
    let world = World::new();
    let files: Vec<String> = (0..FILES).map(path).collect();
    for with_commands in [false, true] {
        let session = session(&world, with_commands);
        let together = values(&world, &session, &files);
        let backwards: Vec<_> = files.iter().rev().cloned().collect();
        let mut turned = values(&world, &session, &backwards);
        turned.reverse();
        assert_eq!(together, turned);
        for (file, value) in files.iter().zip(&together) {
            let alone = values(&world, &session, std::slice::from_ref(file));
            assert_eq!(std::slice::from_ref(value), alone, "{file}");
        }
        let count = |start: &str| together.iter().filter(|it| it.starts_with(start)).count();
        assert_eq!(count("shown: Write call"), FILES / 5);
        let by_command = if with_commands { FILES / 5 } else { 0 };
        assert_eq!(count("shown: a redirection"), by_command);
        assert!(count("unknown: ") > 0, "{together:?}");
    }
}

#[test]
fn one_claim_that_is_made_often_is_answered_often() {
    let world = World::new();
    let session = session(&world, true);
    let files = vec![path(3); FILES];
    let values = values(&world, &session, &files);
    assert!(values.iter().all(|value| *value == values[0]), "{values:?}");
    assert!(values[0].starts_with("shown: a redirection"), "{values:?}");
}
