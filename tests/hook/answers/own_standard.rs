//! Agents that are held to a standard of one's own.

use std::fs;

use super::{call, payload};
use crate::common::{World, feed, fixtures, stdout};
use serde_json::{Value, json};

const OPTIONS: &str =
    "hook --config standards/labelled-report/retval.toml --profile implementer --root project";

/// The answer to an event. None if there is no answer.
fn answer(world: &World, event: &str, agent: &str, message: &str) -> Option<Value> {
    let payload = json!({
        "hook_event_name": event,
        "session_id": "s1",
        "cwd": world.path(""),
        "agent_id": agent,
        "agent_type": "implementer",
        "last_assistant_message": message,
    });
    let mut retval = world.retval();
    let output = feed(retval.args(OPTIONS.split(' ')), payload.to_string());
    assert_eq!(output.status.code(), Some(0));
    serde_json::from_str(&stdout(&output)).ok()
}

#[test]
fn an_agent_is_told_and_asked_again_in_the_words_of_its_form() {
    let world = World::with("standards");
    let start = answer(&world, "SubagentStart", "a1", "").expect("an answer");
    let told = &start["hookSpecificOutput"]["additionalContext"];
    let told = told.as_str().expect("a text");
    let begin = "RETURN FORMAT\nYour final report must have this form:\n\nStatus: DONE\n";
    assert!(told.starts_with(begin), "{told}");
    let stop = answer(&world, "SubagentStop", "a1", "All done.").expect("an answer");
    assert_eq!(
        stop["reason"],
        "\
Your return was not accepted. Correct each of these:
1. Missing required field: Status. Include all required fields: add a line `Status:` with one of DONE, DONE_WITH_CONCERNS, BLOCKED, NEEDS_CONTEXT.
The form is:
Status: DONE
Report: `path/of/the/file.md`
Tests: ...
Write the complete report again. It replaces the previous one.
This is the last time you are asked. If you cannot correct it, do not claim success: use one of the statuses BLOCKED, NEEDS_CONTEXT, and say why.
"
    );
}

#[test]
fn a_report_that_keeps_its_standard_is_let_go_even_in_a_fence() {
    let world = World::with("standards");
    let report = "Status: DONE\nTests: 14/14\nReport: docs/tides.md\n";
    let plain = answer(&world, "SubagentStop", "a2", report);
    assert_eq!(plain, None);
    let fenced = format!("```\n{report}```\n");
    assert_eq!(answer(&world, "SubagentStop", "a3", &fenced), None);
}

/// Standards in each form: with a name, an expression, a line, and a part for the status.
const STANDARDS: &str = r#"
[profiles.label]
form = "text"
at.status = "Status"
at.artifacts = "Report"
at.agent = { at = "By", optional = true }
statuses = { DONE = "success", FAILED = "other" }

[profiles.matched]
form = "text"
at.status = { at = "/first", match = '^(?<value>[A-Z]+)\|' }
at.artifacts = { at = "/first", match = '\|(?<value>.+)$' }
statuses = { DONE = "success", FAILED = "other" }

[profiles.last]
form = "text"
at.status = "/last"
at.files = "Report"
statuses = { DONE = "success", FAILED = "other" }

[profiles.yaml]
form = "yaml"
at.status = "/status"
at.artifacts = "/files"
at.agent = { at = "/by", optional = true }
statuses = { done = "success", failed = "other" }

[profiles.json]
at.status = "/verdict"
at.artifacts = "/files"
at.agent = { at = "/by/name", optional = true }
statuses = { done = "success", failed = "other" }

[profiles.part]
form = "yaml"
part = { fence = "report" }
at.status = "/status"
at.artifacts = "/files"
statuses = { done = "success", failed = "other" }

[profiles.verdictless]
at.artifacts = "/files"
required = ["/files"]

[profiles.only-success]
form = "text"
at.status = "Status"
at.artifacts = "Report"
statuses = { DONE = "success" }
"#;

fn stop_of(world: &World, id: &str, message: &str) -> Value {
    let mut stop = payload(world, "claude-code-stop", message);
    stop["agent_id"] = id.into();
    stop
}

#[test]
fn an_agent_that_was_accepted_and_reports_again_is_checked_again_in_every_form() {
    let world = World::new();
    world.write("own.toml", STANDARDS);
    let reports = [
        ("label", "Status: DONE\nReport: docs/tides.md\n"),
        ("matched", "DONE|docs/tides.md"),
        ("last", "Report: docs/tides.md\n\nDONE\n"),
        ("yaml", "status: done\nfiles: [docs/tides.md]\n"),
        ("json", r#"{"verdict": "done", "files": ["docs/tides.md"]}"#),
        ("part", "Made it.\n```report\nstatus: done\nfiles: [docs/tides.md]\n```\n"),
    ];
    for (profile, valid) in reports {
        let options = format!("--config own.toml --profile {profile}");
        let said = |message: &str| call(&world, &options, &stop_of(&world, profile, message));
        assert_eq!(said(valid), None, "{profile}");
        for answer in [
            "Phase two computes the tables.",
            "It is done: the tables are computed.\n\nAsk me for more.",
            "Note: phase two\n",
        ] {
            assert_eq!(said(answer), None, "{profile}: {answer}");
        }
        let phantom = valid.replace("tides.md", "none.md");
        let mut phantoms = vec![phantom.clone()];
        if profile != "part" {
            phantoms.push(format!("```\n{phantom}\n```\n"));
        }
        for message in phantoms {
            let answer = said(&message).expect("an answer");
            assert_eq!(answer["decision"], "block", "{profile}: {message}");
            assert_eq!(said(valid), None, "{profile}");
        }
    }
    // Under a name any word is a status.
    let options = "--config own.toml --profile label";
    let unknown = stop_of(&world, "label", "Status: FINISHED\nReport: docs/tides.md\n");
    let answer = call(&world, options, &unknown).expect("an answer");
    assert_eq!(answer["decision"], "block");
}

#[test]
fn the_author_of_a_return_file_is_what_the_standard_says() {
    let world = World::new();
    world.write("own.toml", STANDARDS);
    let handoff = fs::read_to_string(fixtures().join("profiles/handoff/handoff_developer.json"));
    let handoff = handoff.expect("a handoff").replace("developer", "{by}");
    for (profile, text) in [
        ("label", "Status: DONE\nReport: docs/tides.md\nBy: {by}\n"),
        ("yaml", "status: done\nfiles: [docs/tides.md]\nby: {by}\n"),
        ("json", r#"{"verdict": "done", "files": ["docs/tides.md"], "by": {"name": "{by}"}}"#),
        ("handoff", &handoff),
    ] {
        let options = format!(
            "--config own.toml --profile {profile} --return-file {profile}/*/return --evidence off"
        );
        let stop = |agent: &str| {
            let mut stop = stop_of(&world, &format!("{profile}-{agent}"), "I wrote it.");
            stop["agent_type"] = agent.into();
            call(&world, &options, &stop).map(|it| it["reason"].to_string())
        };
        let write = |agent: &str| {
            let path = format!("project/{profile}/{agent}/return");
            world.write(&path, text.replace("{by}", agent));
        };
        // Both run at once, and only one has written its file yet.
        write("writer");
        let asked = stop("planner").expect("it has no file");
        assert!(asked.contains("No file written by this agent"), "{asked}");
        write("planner");
        write("writer");
        for agent in ["planner", "writer"] {
            let asked = stop(agent).unwrap_or_default();
            assert!(!asked.contains("No file written"), "{profile}: {asked}");
            assert!(profile == "handoff" || asked.is_empty(), "{profile}: {asked}");
        }
    }
}

#[test]
fn the_last_try_asks_for_one_thing() {
    let world = World::new();
    world.write("own.toml", STANDARDS);
    let text = |options: &str, message: &str| {
        let options = format!("--config own.toml {options}");
        let answer =
            call(&world, &options, &stop_of(&world, &(options.clone() + message), message));
        let answer = answer.unwrap_or_else(|| panic!("{options}: {message}"));
        answer["reason"].as_str().expect("a reason").to_owned()
    };
    world.write("project/returns/broken", "none");
    for profile in [
        "label",
        "matched",
        "last",
        "yaml",
        "json",
        "part",
        "verdictless",
        "only-success",
        "return",
        "return-v1",
        "return-meta",
    ] {
        for (options, message, is_file) in [
            ("", "I did it all.", profile == "return-meta"),
            ("--return-file returns/none", "I did it all.", true),
            ("--return-file returns/broken", "I did it all.", true),
        ] {
            let text = text(&format!("--profile {profile} {options}"), message);
            let last = text.lines().last().expect("a line");
            assert!(last.starts_with("This is the last time you are asked."), "{text}");
            let asks = ["rite the complete file", "write one before you end"];
            let writes = asks.iter().any(|it| text.contains(it));
            let returns = text.contains("eturn the complete");
            assert_eq!(writes, is_file, "{profile} {options}: {text}");
            assert!(!(is_file && returns), "{profile} {options}: {text}");
            let can_fail = !["verdictless", "only-success"].contains(&profile);
            assert_eq!(
                last.contains("do not claim success: use ")
                    && last.to_ascii_lowercase().contains("failed"),
                can_fail,
                "{profile}: {text}"
            );
            assert!(!text.contains("our  "), "{profile}: {text}");
        }
    }
    // What the agent wrote is named.
    for (options, message, expected) in [
        ("--profile any", "...", "message is copied"),
        (
            "--profile return",
            r#"{"status": "completed", "summary": "TODO"}"#,
            "summary says nothing",
        ),
        ("--profile return", r#"{"status": "completed", "summary": "..."}"#, "summary is copied"),
    ] {
        let text = text(options, message);
        assert!(text.contains(expected), "{text}");
        assert!(!text.contains(['{', '}']) || options.contains("return"), "{text}");
    }
    let tool = text("--profile return --tool report", "I did it all.");
    let call = "There is no call of report by this agent: make one before you end.";
    assert!(tool.starts_with(call), "{tool}");
}
