//! No text of a transcript is in a report, and names in it are harmless.

use super::made::{Agent, Session, writes};
use super::{report, runs};
use crate::common::World;

#[test]
fn no_prompt_return_command_or_path_is_in_any_format() {
    let world = World::new();
    let history = world.path("history");
    let agent = Agent::new("a1", "planner", "SECRET-RETURN");
    let mut session = Session::new(&history, "s1", "/home/SECRET-USER/tides", 2);
    session.call(&agent);
    session.write();
    session.write_agent(&agent, &writes("/home/SECRET-USER/tides/SECRET-FILE"));
    for format in ["text", "json", "jsonl"] {
        let text = report(&world, &history, &format!("--format {format}"));
        assert!(!text.contains("SECRET") && !text.contains("Look a"), "{text}");
    }
}

#[test]
fn paths_of_another_system_are_not_shown() {
    let world = World::new();
    let history = world.path("history");
    for (folder, project) in [
        ("/home/SECRET/tides", "tides"),
        ("/home/SECRET/tides/", "tides"),
        ("C:\\Users\\SECRET\\tides", "tides"),
        ("\\\\server\\SECRET\\tides\\", "tides"),
        ("/", "/"),
    ] {
        let mut session = Session::new(&history, "s1", folder, 2);
        session.call(&Agent::new("a1", "planner", "Nothing to see."));
        session.write();
        let file = format!("{}/plan.md", folder.trim_end_matches('/'));
        session.write_agent(&Agent::new("a1", "planner", "Nothing to see."), &writes(&file));
        assert_eq!(runs(&world, &history, "")[0]["project"], project, "{folder}");
        for format in ["text", "json"] {
            let text = report(&world, &history, &format!("--format {format}"));
            assert!(!text.contains("SECRET"), "{text}");
        }
    }
}

#[test]
fn names_of_a_transcript_are_escaped() {
    let world = World::new();
    let history = world.path("history");
    let name = "evil\u{1b}[31m\u{202e}<script>|[x](http://a)\n::error::";
    let mut session = Session::new(&history, "s\u{1b}1", name, 2);
    for at in 0..20 {
        let answer = if at == 0 { "" } else { "Nothing to see." };
        session.call(&Agent::new(&format!("a{at}"), name, answer));
    }
    session.write();
    for format in ["text", "json", "jsonl"] {
        let text = report(&world, &history, &format!("--format {format}"));
        let is_clean = |it: char| it == '\n' || !it.is_control() && it != '\u{202e}';
        assert!(text.chars().all(is_clean), "{format}: {text:?}");
        assert!(!text.contains("\n::error"), "{format}: {text:?}");
    }
}
